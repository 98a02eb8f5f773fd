//===- OwnWarp.h - warp index without hoisting ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_OWNWARP_H
#define PARABLOCK_CONVERSION_TILETONVVM_OWNWARP_H

#include "LoweringContext.h"

namespace parablock::tile {

/// The index of the warp, for code outside main loops. If warps have roles
/// and process whole rows in registers, no registers are left for addresses
/// that would otherwise be computed before all tiles; a shuffle is not
/// hoisted.
mlir::Value createOwnWarpId(mlir::OpBuilder &builder, mlir::Location loc,
                            ScheduleAttr schedule);

/// The warps that share the rows of a tile, and which of them this one is.
struct TileWarps {
  mlir::Value warp;
  int64_t count;
};
/// Those of the CTA, or of all CTAs of its cluster.
TileWarps createTileWarps(mlir::OpBuilder &builder, mlir::Location loc,
                          const LoweringContext &context, bool ofCluster);
/// The first of `extent` rows that warp `warp` of `count` gets.
mlir::Value createFirstRow(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value warp, int64_t count, int64_t extent);

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_OWNWARP_H
