//===- SdpaFrame.h - what code of attention works on ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAFRAME_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAFRAME_H

#include "CachePages.h"
#include "Product.h"
#include "parablock/Conversion/CPUCode/Frame.h"
#include "parablock/Conversion/ScorePipeline.h"

namespace parablock::cpugen {

/// A block of queries of one head.
struct SdpaHead {
  Value batch, number, keyHead;
  /// The first query, how many there are, and the position of the first.
  Value firstQuery, numQueries, position;
  /// Keys that any of them may look at.
  Value begin, end;
  /// The row of key `begin`, of a cache; else null.
  Value firstRow;
  /// Facts by vector of queries, as i32: their positions, the keys that each
  /// may look at, and the first one of its sequence, null where there is one
  /// sequence.
  Values positions;
  llvm::SmallVector<KeyRange> visible;
  Values sequenceBegins;
};

/// A block of keys.
struct SdpaKeys {
  Value first, count;
};

/// Sizes and tensors of a kernel of attention. Of keys and queries together,
/// memory is [key][query], with rows of `blockQueries`.
class SdpaFrame {
public:
  /// Keys of a block: their rows and scores stay in the caches.
  static constexpr int64_t blockKeys = 128;

  SdpaFrame(Frame &frame, block::KernelOp kernel,
            block::AttentionOpInterface op);

  /// Finds the block of queries of a work item, and its keys.
  SdpaHead findHead(Value item) const;

  /// Says whether a key may be there for some queries of a block only.
  bool hidesKeys() const;

  Value getTensor(Value operand) const;
  Value getResult() const;
  /// Loads the head's entry of a tensor with one for each, or one for all.
  Value loadGain(const SdpaHead &head, Value gain) const;
  /// Finds row `key` of keys or values, or of the past ones before them, null
  /// where there are none: the tensor and a position in it.
  std::pair<Value, Value> findRow(const SdpaHead &head, Value key, Value tensor,
                                  Value past, int64_t size) const;
  /// Calls `body` with the keys of a block whose rows lie one behind the other,
  /// and those after them, and carries on values.
  Values forRuns(
      const SdpaHead &head, const SdpaKeys &keys, ValueRange initial,
      llvm::function_ref<Values(const SdpaKeys &run, ValueRange)> body) const;
  /// Returns a number for every lane, and the numbers of lanes from `first` on,
  /// as i32.
  Value spread(Value number) const;
  Value numberLanes(int64_t first) const;
  /// Allocates memory of this thread for so many f32.
  Value allocate(int64_t numbers) const;
  void clear(Value memory, int64_t numbers) const;
  /// Calls `body` with the head's keys, block by block, and carries on values.
  Values forBlocks(
      const SdpaHead &head, ValueRange initial,
      llvm::function_ref<Values(const SdpaKeys &keys, ValueRange)> body) const;
  void forBlocks(const SdpaHead &head,
                 llvm::function_ref<void(const SdpaKeys &keys)> body) const;
  /// Returns the distances between elements of each dimension of score_bias, 0
  /// where one element stands for all.
  Values createBiasStrides() const;
  /// Finds the place of a vector of queries, or of one, in row `key`.
  Value place(Value key, int64_t vector) const;
  Value place(Value key, Value query) const;
  /// Calls `body` with the row of each key of a block, and carries on values.
  Values forKeys(const SdpaKeys &keys, ValueRange initial,
                 llvm::function_ref<Values(Value key, ValueRange)> body) const;
  /// Calls `body` with each distance that a block of keys has from queries,
  /// counted from its last key and the first query on, and with its bucket.
  void
  forBuckets(const SdpaHead &head, const SdpaKeys &keys,
             llvm::function_ref<void(Value distance, Value bucket)> body) const;
  /// Calls `body` with the position of each vector of a row that is `size` long
  /// and how many lanes it has: as many as there are, then fewer.
  void forParts(int64_t size,
                llvm::function_ref<void(int64_t at, int64_t lanes)> body) const;

  Frame &frame;
  Code &code;
  /// Accessors of ops are not const.
  mutable block::KernelOp kernel;
  mutable block::AttentionOpInterface op;
  CpuTile shape;
  /// The paths of products of keys and queries, and of weights and values.
  CpuPath keyPath, valuePath;
  int64_t heads, keyHeads, headSize, valueSize, paddedValues, blockQueries;
  mlir::Type type, narrow, wide;
  /// Keys are the rows of a cache where there is one, whose pages are `pages`.
  Value queries, newKeys, pastKeys;
  std::optional<CachePages> pages;

private:
  void findSequences(SdpaHead &head) const;
  void findCachedRows(SdpaHead &head) const;
  Value findCachedRow(const SdpaHead &head, Value key) const;
  Value countTogether(const SdpaHead &head, Value key) const;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAFRAME_H
