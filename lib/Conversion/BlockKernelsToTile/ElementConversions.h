//===- ElementConversions.h - casts between scalar types --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ELEMENTCONVERSIONS_H
#define PARABLOCK_LIB_CONVERSION_ELEMENTCONVERSIONS_H

#include "TileCode.h"

namespace parablock {

/// bf16 or f16.
bool isNarrowFloat(mlir::Type type);

/// Returns a 16-bit float as f32, other values unchanged.
mlir::Value widenNarrow(const TileCode &code, mlir::Value value);

/// Between floats, rounded once, to nearest even.
mlir::Value convertFloat(const TileCode &code, mlir::Value value,
                         mlir::Type type);

/// Converts to 16-bit floats through f64, which represents most integers.
mlir::Value integerToFloat(const TileCode &code, mlir::Value value,
                           mlir::Type type, bool isSigned);

/// Towards zero; the nearest number that `type` has, and 0 of a NaN.
mlir::Value floatToInteger(const TileCode &code, mlir::Value value,
                           mlir::Type type, bool isSigned);

/// Converts 64 bits to the nearest number of 32: an index has no more here.
mlir::Value integerToIndex(const TileCode &code, mlir::Value value,
                           bool isSigned);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ELEMENTCONVERSIONS_H
