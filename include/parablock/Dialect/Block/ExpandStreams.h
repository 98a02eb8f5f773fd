//===- ExpandStreams.h - streams in fixed point as upstream ops -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_BLOCK_EXPANDSTREAMS_H
#define PARABLOCK_BLOCK_EXPANDSTREAMS_H

namespace mlir {
class Operation;
} // namespace mlir

namespace parablock::block {

/// Replaces each `block.stream_add` and `block.stream_value` in `root` by a
/// `linalg.generic` of the same numbers.
void expandStreams(mlir::Operation *root);

} // namespace parablock::block

#endif // PARABLOCK_BLOCK_EXPANDSTREAMS_H
