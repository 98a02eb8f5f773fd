//===- SdpaBuilder.h - plain attention, one warp at a time ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One warp takes a few queries of a head and goes over the keys in chunks:
// scores with lanes over keys, then the weighted values with lanes over
// columns, with a running maximum and sum per query. Right for every form; made
// to be simple, not fast.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_SDPABUILDER_H
#define PARABLOCK_LIB_CONVERSION_SDPABUILDER_H

#include "KernelShell.h"
#include "SdpaScores.h"

namespace parablock {

/// Keys whose scores are in scratch at a time.
constexpr int64_t chunkKeys = 128;
/// Below every score, yet finite: differences to it are numbers.
constexpr double lowestScore = -1e30;

/// Keys and values in consecutive rows of two tensors.
struct KeySource {
  mlir::Value key, value;
  /// Position of the first one, how many there are, and the row of the first.
  mlir::Value first, count, row;
};

/// The running softmax of each query.
struct SoftmaxState {
  llvm::SmallVector<mlir::Value> maxima, sums;
};

class SdpaBuilder {
public:
  SdpaBuilder(block::SdpaOp op, KernelShell &shell, int64_t numQueries)
      : op(op), shell(shell), numQueries(numQueries), heads(op.getHeads()),
        headSize(getLastDim(op.getQuery()) / heads),
        valueSize(getLastDim(op.getValue()) / op.getKvHeads()) {}

  void build(TileCode code);

private:
  static int64_t getLastDim(mlir::Value tensor) {
    return mlir::cast<mlir::RankedTensorType>(tensor.getType())
        .getShape()
        .back();
  }
  static int64_t getRows(mlir::Value table) {
    return mlir::cast<mlir::RankedTensorType>(table.getType()).getDimSize(0);
  }
  /// The argument that stands for an operand; null for none.
  mlir::Value get(mlir::Value operand) {
    return operand ? shell.lookupInput(operand) : mlir::Value();
  }
  /// The place of query `q` in a scratch row of `size` elements per query.
  static mlir::Value at(TileCode code, int64_t q, int64_t size,
                        mlir::Value index) {
    return code.addIndex(code.index(q * size), index);
  }
  /// Column `index` of the part of a row that a head owns.
  static mlir::Value inHead(TileCode code, mlir::Value head, int64_t size,
                            mlir::Value index) {
    return code.addIndex(code.mulIndex(head, code.index(size)), index);
  }

  void buildRow(TileCode code, mlir::Value row);
  void prepareQueries(TileCode code, mlir::Value firstTime);
  SoftmaxState addKeys(TileCode code, const KeySource &source,
                       SoftmaxState state);
  void writeScores(TileCode code, const KeySource &source, mlir::Value start,
                   mlir::Value stop);
  SoftmaxState updateSoftmax(TileCode code, const SoftmaxState &state,
                             mlir::Value start, mlir::Value stop,
                             llvm::SmallVectorImpl<mlir::Value> &corrections);
  void addValues(TileCode code, const KeySource &source, mlir::Value start,
                 mlir::Value stop, llvm::ArrayRef<mlir::Value> corrections);
  mlir::Value loadGain(TileCode code, mlir::Value gain);
  void writeResult(TileCode code, const SoftmaxState &state, unsigned query,
                   mlir::Value newValue);

  block::SdpaOp op;
  KernelShell &shell;
  const int64_t numQueries, heads, headSize, valueSize;

  // Facts of the kernel, then of the warp's work.
  mlir::Value queryRows, keyRows, pastRows, blocks;
  mlir::Value batch, head, keyHead, zero;
  llvm::SmallVector<AttentionQuery> queries;
  std::optional<ScorePipeline> pipeline;
  /// One part per query: the query, scores or weights of a chunk, sums of
  /// weighted values and, for the mean term, of values.
  mlir::Value queryScratch, chunkScratch, sumScratch, meanScratch;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_SDPABUILDER_H
