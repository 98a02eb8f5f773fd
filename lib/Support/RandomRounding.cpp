//===- RandomRounding.cpp - spacing of floats and random choice -----------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/RandomRounding.h"
#include "parablock/Support/SeededRandom.h"
#include <algorithm>
#include <cmath>

using namespace parablock;

namespace {
/// The distance of a format's numbers around a number that is not 0.
template <typename Format> double getSpacing(double value) {
  constexpr int fractionBits = 52 - static_cast<int>(Format::dropped);
  constexpr int leastExponent =
      static_cast<int>(Format::smallestNormal >> 52) - 1023;
  return std::ldexp(1.0,
                    std::max(std::ilogb(value), leastExponent) - fractionBits);
}
} // namespace

static double getSpacing(ElementType type, double value) {
  switch (type) {
  case ElementType::BF16:
    return getSpacing<BF16Format>(value);
  case ElementType::F16:
    return getSpacing<F16Format>(value);
  case ElementType::F32:
    return getSpacing<detail::NarrowFormat<23, -126, 127>>(value);
  default:
    return std::numeric_limits<double>::epsilon();
  }
}

double parablock::getUnitRoundoff(ElementType type) {
  return getSpacing(type, 1) / 2;
}

/// Returns a number from 0 to 1 that depends on `seed` and `value` alone.
static double drawChance(double value, uint64_t seed) {
  uint64_t bits =
      splitmix64(splitmix64(seed) ^ llvm::bit_cast<uint64_t>(value));
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

double parablock::roundToIntegerAtRandom(double value, uint64_t seed) {
  double size = std::fabs(value), below = std::floor(size);
  if (!std::isfinite(value) || size == below)
    return value;
  bool isAbove = drawChance(size, seed) < size - below;
  return std::copysign(below + (isAbove ? 1 : 0), value);
}

double parablock::roundAtRandom(ElementType type, double value, uint64_t seed) {
  double nearest = roundTo(type, value);
  double distance = std::fabs(value - nearest);
  // NaN is unchanged, too, and values too large for the type.
  if (!(distance > 0) || !std::isfinite(nearest))
    return nearest;
  double spacing = getSpacing(type, value);
  if (drawChance(value, seed) * spacing >= distance)
    return nearest;
  double other = nearest + std::copysign(spacing, value - nearest);
  return std::isfinite(roundTo(type, other)) ? other : nearest;
}

void parablock::roundTo(ElementType type, llvm::MutableArrayRef<double> values,
                        std::optional<uint64_t> seed) {
  if (!seed || !isFloatType(type) || type == ElementType::F64)
    return roundTo(type, values);
  for (double &value : values)
    value = roundAtRandom(type, value, *seed);
}
