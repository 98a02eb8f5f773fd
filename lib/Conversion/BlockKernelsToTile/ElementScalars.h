//===- ElementScalars.h - arithmetic on one element -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ELEMENTSCALARS_H
#define PARABLOCK_LIB_CONVERSION_ELEMENTSCALARS_H

#include "TileCode.h"

namespace parablock {

/// Gives what `op`, of `arith`, `math` or `index`, makes of single numbers.
/// Floats of 16 bits are rounded after every op. What upstream leaves undefined
/// has a value: divisors without a quotient are 1, floats become the nearest
/// integer that there is (a NaN 0), shifts by the width or more shift all out.
/// Null, with an error at `op`, where there is no code for it.
mlir::Value createScalar(const TileCode &code, mlir::Operation *op,
                         mlir::ValueRange operands);

/// A number between 0 and `size` - 1, whatever `index` is.
mlir::Value createClamped(const TileCode &code, mlir::Value index,
                          mlir::Value size);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ELEMENTSCALARS_H
