//===- RouteKernel.h - the kernel of block.route ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ROUTEKERNEL_H
#define PARABLOCK_LIB_CONVERSION_ROUTEKERNEL_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock {

/// A router as a tile program, one warp for each row.
tile::KernelOp buildRouteKernel(mlir::OpBuilder &atModule, block::RouteOp op,
                                llvm::StringRef name, llvm::StringRef chip);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ROUTEKERNEL_H
