//===- GemmKernel.h - products with their epilogues -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_GEMMKERNEL_H
#define PARABLOCK_LIB_CONVERSION_GEMMKERNEL_H

#include "FewRows.h"
#include "GemmSchedules.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock {

/// A kernel of kind linear, linear_sum or head as a tile program.
mlir::FailureOr<tile::KernelOp> buildGemmKernel(mlir::OpBuilder &moduleBuilder,
                                                block::KernelOp source,
                                                llvm::StringRef name,
                                                const GemmTarget &target);

/// Builds the variant for few rows, if the number of rows of `source` is
/// dynamic.
mlir::FailureOr<FewRowsKernel>
buildFewRowsGemmKernel(mlir::OpBuilder &moduleBuilder, block::KernelOp source,
                       llvm::StringRef name, const GemmTarget &target);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_GEMMKERNEL_H
