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

/// A query, and the keys from `begin` to below `end` that it may see. Positions
/// count past tokens.
struct AttentionQuery {
  mlir::Value time, position, begin, end;
};

/// Sets `begin` and `end` for the first `validKeys` keys.
void setAllowedKeys(TileCode code, block::ScoresAttr scores,
                    mlir::Value validKeys, AttentionQuery &query);

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
  mlir::Value apply(TileCode code, mlir::Value product, mlir::Value position,
                    mlir::Value key) const;

private:
  /// Null where there is none.
  mlir::Value createBias(TileCode code, mlir::Value position,
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
