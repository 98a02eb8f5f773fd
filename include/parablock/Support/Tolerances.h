//===- Tolerances.h - Tolerances of comparisons -----------------*- C++ -*-===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The project's only table of numeric tolerances, used by every tool and
// test.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_TOLERANCES_H
#define PARABLOCK_SUPPORT_TOLERANCES_H

#include "parablock/Support/FloatFormats.h"
#include <algorithm>
#include <cmath>

namespace parablock {

/// Returns the relative L2 error allowed for results of this element type, for
/// any function. Integers must be equal.
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

/// Factor by which a rewrite's error may exceed the original's rounding error.
inline constexpr double floorFactor = 1.5;

/// Returns the limit on relative L2 error: the base, or `floorFactor` times the
/// rounding error of the original function (`floor`), if that is larger. A
/// floor that is not finite is ignored.
inline double getToleranceLimit(ElementType type, double floor = 0.0) {
  double base = getBaseTolerance(type);
  return std::isfinite(floor) ? std::max(base, floorFactor * floor) : base;
}

/// Returns the limit on one row's error, relative to that row's norm or to the
/// typical row's, whichever is larger. Rounding errors of rows differ by a
/// small factor, while misplaced rows, which are hidden by the error of a large
/// tensor, are off by about 1.4; so the row limit stays well below that. If
/// rounding switches a unit on or off, as in a ReLU, the row of its gradient
/// jumps: the original's own worst row (`floor`) counts there.
inline double getRowLimit(double limit, double floor = 0.0) {
  return std::max(
      {limit, std::min(16.0 * limit, 0.7), std::min(floorFactor * floor, 1.1)});
}

/// Returns the limit on one element's error, relative to the element or to the
/// rms of its row or of all rows, whichever is largest. A lost or misplaced
/// element of a large tensor is hidden by the error of its row, and is off by
/// about 1. Correct results stayed below 5 times the limit. If rounding
/// switches a unit, elements of its gradient jump by any number: the original's
/// own worst element (`floor`) counts there.
inline double getElementLimit(double limit, double floor = 0.0) {
  double own = std::isfinite(floor) ? floorFactor * floor : 0.0;
  return std::max({limit, std::min(16.0 * limit, 0.7), own});
}

/// The limit on the difference between a gradient and central differences in a
/// random direction, relative to the gradient's norm.
inline constexpr double gradientLimit = 1e-7;

} // namespace parablock

#endif // PARABLOCK_SUPPORT_TOLERANCES_H
