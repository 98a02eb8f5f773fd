//===- SinkCodes.h - weights read as codes ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DIALECT_BLOCK_SINKCODES_H
#define PARABLOCK_DIALECT_BLOCK_SINKCODES_H

#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::block {

/// Moves each block.unpack_weight that a product's kernel in `root` reads into
/// that kernel, which then reads the codes: through concatenations and slices
/// of rows and through scales, which are applied to codes and scales instead.
void sinkCodes(mlir::Operation *root);

/// The same for kernels of GPUs, with codes in the order of lanes. A kernel
/// reads codes for all of its weights or for none. If an earlier kernel encodes
/// the rows that products multiply with weights of FP8, it stores their codes,
/// and codes of these weights stay in the order of columns. Experts are not
/// kernels; their stacks are unpacked from codes in the order of lanes in front
/// of them.
void sinkLaneCodes(mlir::Operation *root);

/// Returns the op that unpacks the rows of all experts' matrices of `stack`, as
/// [out, in], one under the other; null if there is none. The matrices of a
/// transposed stack are [in, out].
UnpackWeightOp findStackCodes(mlir::Value stack, bool isTransposed);

/// Returns that op if its codes are in the order of lanes.
UnpackWeightOp findLaneStack(mlir::Value stack);

/// Returns whether `op` is part of a stack whose readers read its codes in the
/// order of lanes, so that the op does not run.
bool isReadAsCodes(mlir::Operation *op);

/// Returns that op if kernels of GPUs read its codes for experts of `form`.
UnpackWeightOp findLaneStackCodes(mlir::Value stack, ExpertsAttr form,
                                  bool isUp);

} // namespace parablock::block

#endif // PARABLOCK_DIALECT_BLOCK_SINKCODES_H
