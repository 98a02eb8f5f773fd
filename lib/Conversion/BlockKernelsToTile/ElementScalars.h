//===- ElementScalars.h - arithmetic on elements ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ELEMENTSCALARS_H
#define PARABLOCK_LIB_CONVERSION_ELEMENTSCALARS_H

#include "TileCode.h"

namespace parablock {

/// Computes `op`, of `arith`, `math` or `index`, on scalars. Floats of 16 bits
/// are rounded after every op. Operations that are undefined upstream have a
/// result: divisors without a quotient become 1, floats become the nearest
/// integer of the type (a NaN 0), and shifts by the width or more shift out all
/// bits. Returns null, with an error at `op`, if it is not supported.
mlir::Value createScalar(const TileCode &code, mlir::Operation *op,
                         mlir::ValueRange operands);

/// Clamps `index` to the range from 0 to `size` - 1.
mlir::Value createClamped(const TileCode &code, mlir::Value index,
                          mlir::Value size);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ELEMENTSCALARS_H
