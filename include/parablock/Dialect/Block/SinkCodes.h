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

/// The same for kernels of GPUs, with codes in the order of lanes. A kernel has
/// codes for all of its weights, or as before for none. If products multiply
/// weights of FP8 with rows that a kernel before encodes, it stores their
/// codes, and codes of these weights stay in the order of columns.
void sinkLaneCodes(mlir::Operation *root);

} // namespace parablock::block

#endif // PARABLOCK_DIALECT_BLOCK_SINKCODES_H
