//===- EncodedAttention.h - rows of attention in codes ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DIALECT_BLOCK_ENCODEDATTENTION_H
#define PARABLOCK_DIALECT_BLOCK_ENCODEDATTENTION_H

#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::block {

/// The ops that round the rows of an attention to codes.
struct EncodedAttention {
  /// Their accessors are not const.
  mutable GroupScalesOp scales;
  mutable EncodeGroupsOp codes;
  /// The numbers of the codes, which nothing else reads then; null if the codes
  /// themselves are stored.
  mutable DecodeGroupsOp numbers;

  bool contains(mlir::Operation *op) const {
    return op == scales.getOperation() || op == codes.getOperation() ||
           (numbers && op == numbers.getOperation());
  }
};

/// Returns the ops that alone read the result of `attention`, if a tile of one
/// head can round its rows: the columns of a scale are those of a head.
std::optional<EncodedAttention> findEncoded(SdpaOp attention);

/// Moves such ops from kernels of attention in `root` to kernels behind them.
void separateEncodedAttention(mlir::Operation *root);

} // namespace parablock::block

#endif // PARABLOCK_DIALECT_BLOCK_ENCODEDATTENTION_H
