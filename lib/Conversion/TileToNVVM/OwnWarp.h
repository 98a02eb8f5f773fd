//===- OwnWarp.h - the warp, asked for where it is used ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_OWNWARP_H
#define PARABLOCK_CONVERSION_TILETONVVM_OWNWARP_H

#include "LoweringContext.h"

namespace parablock::tile {

/// The index of the warp, for code beside main loops. Where warps have roles,
/// and work on whole rows in registers, none of those are left for addresses
/// that would else be computed before all tiles, and a shuffle stays where it
/// is.
mlir::Value createOwnWarpId(mlir::OpBuilder &builder, mlir::Location loc,
                            ScheduleAttr schedule);

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_OWNWARP_H
