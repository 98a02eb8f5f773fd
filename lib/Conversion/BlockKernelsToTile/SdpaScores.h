//===- SdpaScores.h - scores of attention and which keys count --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_SDPASCORES_H
#define PARABLOCK_LIB_CONVERSION_SDPASCORES_H

#include "TileCode.h"
#include "parablock/IR/BlockOps.h"

namespace parablock {

/// Fails, with an error, for a form of scores that has no code.
mlir::LogicalResult checkScores(block::SdpaOp op);

/// Keys from `begin` to below `end`.
struct KeyRange {
  mlir::Value begin, end;
};

/// A query, the keys that it may see, and the first one of its sequence, which
/// is null where that is the first of all. Positions count past tokens.
struct AttentionQuery {
  mlir::Value position;
  KeyRange keys;
  mlir::Value sequence;
};

/// Those of `keys` that a query at `position` may see.
KeyRange limitKeys(TileCode code, block::ScoresAttr scores,
                   mlir::Value position, KeyRange keys);

/// The row of a Shaw table of so many rows for `key`.
mlir::Value createShawRow(TileCode code, int64_t rows, mlir::Value position,
                          mlir::Value key);

/// The way of the scores of one head.
class ScorePipeline {
public:
  /// `relativeTable` and `slopes` are the op's in the kernel, or null.
  ScorePipeline(TileCode code, block::SdpaOp op, mlir::Value relativeTable,
                mlir::Value slopes, mlir::Value head);

  /// What becomes of `product` on the way to the softmax.
  mlir::Value apply(TileCode code, mlir::Value product,
                    const AttentionQuery &query, mlir::Value key) const;

private:
  /// Null where there is none.
  mlir::Value createBias(TileCode code, const AttentionQuery &query,
                         mlir::Value key) const;

  block::ScoresAttr scores;
  mlir::Value relativeTable, head;
  /// ALiBi's slope of the head.
  mlir::Value slope;
  /// The bucket of each distance from `-reach` to `reach`.
  mlir::Value buckets;
  int64_t reach = 0;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_SDPASCORES_H
