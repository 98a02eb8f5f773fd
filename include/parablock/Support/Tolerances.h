//===- Tolerances.h - How far two results may be apart ----------*- C++ -*-===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The project's only table of numeric tolerances: every tool and every test
// asks here.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_TOLERANCES_H
#define PARABLOCK_SUPPORT_TOLERANCES_H

#include "parablock/Support/FloatFormats.h"
#include <algorithm>
#include <cmath>

namespace parablock {

/// Relative L2 error allowed to results of this element type whatever the
/// function. Integers must be equal.
inline double getBaseTolerance(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return 1e-12;
  case ElementType::F32:
    return 1e-5;
  case ElementType::F16:
    return 2e-3;
  case ElementType::BF16:
    return 1e-2;
  default:
    return 0.0;
  }
}

/// A rewrite may be this much worse than the original function's own rounding.
inline constexpr double floorFactor = 1.5;

/// The limit on relative L2 error: the base, or `floorFactor` times the error
/// that the original function itself makes by rounding (`floor`), if that is
/// larger. A floor that is no finite number excuses nothing.
inline double getToleranceLimit(ElementType type, double floor = 0.0) {
  double base = getBaseTolerance(type);
  return std::isfinite(floor) ? std::max(base, floorFactor * floor) : base;
}

/// The limit on one row's error, relative to that row's norm or to the typical
/// row's, whichever is larger. Rounding spreads over rows within a small
/// factor, while rows in the wrong place, which drown in the error of a large
/// tensor, are off by about 1.4; so the row limit stays well below that. Where
/// rounding switches a unit on or off, as of a ReLU, the row of its gradient
/// jumps: the original's own worst row (`floor`) counts there.
inline double getRowLimit(double limit, double floor = 0.0) {
  return std::max(
      {limit, std::min(16.0 * limit, 0.7), std::min(floorFactor * floor, 1.1)});
}

/// The limit on one element's error, relative to the element or to the rms of
/// its row or of all rows, whichever is largest. One element that is lost in a
/// large tensor, or that comes from elsewhere, drowns in the error of its row,
/// and is off by about 1. Honest results stayed below 5 times the limit. Where
/// rounding switches a unit, elements of its gradient jump by any number: the
/// original's own worst element (`floor`) counts there.
inline double getElementLimit(double limit, double floor = 0.0) {
  double own = std::isfinite(floor) ? floorFactor * floor : 0.0;
  return std::max({limit, std::min(16.0 * limit, 0.7), own});
}

/// The limit on the difference between a gradient and central differences in a
/// random direction, relative to the gradient's norm.
inline constexpr double gradientLimit = 1e-7;

} // namespace parablock

#endif // PARABLOCK_SUPPORT_TOLERANCES_H
