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

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_OWNWARP_H
