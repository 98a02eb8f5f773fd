//===- Angles.h - sines of positions ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ANGLES_H
#define PARABLOCK_LIB_CONVERSION_ANGLES_H

#include "TileCode.h"

namespace parablock {

/// A table of frequencies, radians per position, for `createTurns`.
mlir::Value createFrequencyTable(TileCode code,
                                 llvm::ArrayRef<double> frequencies);

/// A whole number as `createTurns` takes it: in f64, as f32 has gaps from 2^24
/// on.
mlir::Value createPosition(TileCode code, mlir::Value index);

/// `position * frequency` as a part of a full turn, in [-1/2, 1/2]: right to
/// f32's last digits however many turns are left out. `pair` is an entry of
/// `table`. `ahead` turns are added.
mlir::Value createTurns(TileCode code, mlir::Value table, mlir::Value position,
                        mlir::Value pair, mlir::Value ahead = {});

mlir::Value createSine(TileCode code, mlir::Value turns);
mlir::Value createCosine(TileCode code, mlir::Value turns);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ANGLES_H
