//===- SdpaBuilder.h - writes an attention kernel ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An item is a block of queries of one head. It goes through the keys block by
// block; what it holds at a time is one block's scores, and for every query the
// largest score, the sum of weights and the weighted sum of values so far.
// Scores lie transposed, [key][query]: queries are the lanes of vectors, so
// that maxima and sums need no work across lanes and weights are broadcast from
// consecutive memory.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_SDPABUILDER_H
#define PARABLOCK_LIB_CPU_SDPABUILDER_H

#include "Frame.h"
#include "Product.h"
#include "parablock/IR/BlockOps.h"

namespace parablock::cpugen {

class SdpaBuilder {
public:
  SdpaBuilder(Frame &frame, block::KernelOp kernel, block::SdpaOp op);

  KernelCode build();

private:
  struct Head {
    Value batch, number, keyHead;
    /// The first query, how many there are, and the position of the first.
    Value firstQuery, numQueries, position;
    /// Keys that any of them may look at.
    Value begin, end;
    /// Of packed sequences, the bounds of each query's own, by vector of
    /// queries, as i32; empty where there is one sequence.
    Values sequenceBegins, sequenceEnds;
  };
  struct Keys {
    Value first, count;
  };

  // SdpaKernel.cpp
  Value pointer(Value operand);
  Head findHead(Value item);
  void emitHead(const Head &head);
  /// Goes through the keys and adds values block by block, as `add` does it.
  void emitKeys(const Head &head,
                llvm::function_ref<void(const Keys &keys)> add);
  void loadQueries(const Head &head);
  void loadKeys(const Head &head, const Keys &keys);
  void copyRow(Value from, mlir::Type type, Value start, Value to,
               Value position, int64_t length);
  /// Row `key` of `tensor`, or of the past before it.
  std::pair<Value, Value> findKeyRow(const Head &head, Value key, Value tensor,
                                     Value past, int64_t headSize);
  void multiplyKeys(const Keys &keys);
  void clear(Value memory, int64_t numbers);
  Value gain(const Head &head, Value vector);

  // SdpaPacked.cpp
  /// Where queries have sequences of their own, finds these.
  void findSequences(Head &head);

  // SdpaScores.cpp
  void prepareScores(const Head &head);
  void loadBiases(const Head &head, const Keys &keys);
  void finishScores(const Head &head, const Keys &keys);
  Value finishScore(const Head &head, const Keys &keys, Value score, Value key,
                    int64_t vector);
  Value biasOf(const Head &head, const Keys &keys, Value key, int64_t vector);
  /// Which lanes may look at `key`; null for all.
  Value allowed(const Head &head, Value key, int64_t vector);
  Value positions(const Head &head, int64_t vector);
  Value splatKey(Value key);
  void turnIntoWeights(const Head &head, const Keys &keys, Values largest);
  /// Calls `body` with the key's row in the scores, and carries on values.
  Values forKeys(const Keys &keys, ValueRange initial,
                 llvm::function_ref<Values(Value key, ValueRange)> body);

  // SdpaValues.cpp
  void addValues(const Head &head, const Keys &keys, Value weights, Value sums,
                 bool corrected);
  void finish(const Head &head);

  // SdpaHidden.cpp
  /// Whether a key may be there for some queries of a block only.
  bool hidesKeys();
  /// emitKeys, and once more with care where that was not enough.
  void emitPasses(const Head &head,
                  llvm::function_ref<void(const Keys &keys)> addAll);
  /// Whether the block's sums are all finite.
  Value areFinite(const Head &head);
  void noteVisible(const Head &head, const Keys &keys);
  /// As addValues, query by query, of keys that it may look at alone.
  void addVisible(const Head &head, const Keys &keys, Value weights, Value sums,
                  bool corrected);

  // SdpaScoreBias.cpp
  void prepareScoreBias();
  /// The score_bias of `key` for a vector of queries.
  Value scoreBiasOf(const Head &head, Value key, int64_t vector);

  // SdpaShaw.cpp
  void prepareShaw(const Head &head);
  void addShawScores(const Head &head, const Keys &keys);
  void addShawWeights(const Head &head, const Keys &keys);
  void addShawValues(const Head &head);
  /// The row of a table of `rows` for that key and query.
  Value shawRow(const Head &head, int64_t rows, Value key, Value query);

  Frame &frame;
  Code &code;
  block::KernelOp kernel;
  block::SdpaOp op;
  TileShape shape;
  int64_t heads, keyHeads, headSize, valueSize, paddedValues;
  int64_t blockQueries, shawKeyRows = 0, shawValueRows = 0;
  mlir::Type type;
  Value queries, newKeys, pastKeys, numBounds;
  /// Of score_bias: how far apart elements of each dimension are, 0 where one
  /// element stands for all.
  Values biasStrides;
  /// This thread's memory.
  Value queryMemory, keyMemory, valueMemory, scores, sums;
  Value maxima, totals, corrections;
  /// Of gamma: ones where a key is allowed, their number, sums of values.
  Value marks, markCounts, markSums;
  Value biases, slope, shawProducts, shawWeights;
  /// Ones where a query may look at a key; only where some may not, and values
  /// are not finite.
  Value visible;
};

/// Fails, with an error at the op, where no kernel can be generated.
mlir::LogicalResult checkSdpa(block::KernelOp kernel);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_SDPABUILDER_H
