//===- RandomRounding.h - Stochastic rounding -------------------*- C++ -*-===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One evaluation shows one sample of the rounding errors of a result. Random
// rounding gives further samples.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_RANDOMROUNDING_H
#define PARABLOCK_SUPPORT_RANDOMROUNDING_H

#include "parablock/Support/FloatFormats.h"

namespace parablock {

/// The largest relative error of rounding a normal number to float type `type`.
double getUnitRoundoff(ElementType type);

/// Returns one of the two numbers of float type `type` next to `value`, the
/// nearer one with higher probability, so that the mean error is 0. The
/// variance is twice that of rounding to nearest. Values that `type`
/// represents, NaN, and values that round to infinity are not randomized. The
/// choice is a function of `seed` and `value` alone, so recomputed values round
/// alike.
double roundAtRandom(ElementType type, double value, uint64_t seed);

/// Returns one of the two integers next to `value` by the same rules. Those of
/// opposite values are opposite, so a difference undoes a sum.
double roundToIntegerAtRandom(double value, uint64_t seed);

/// Rounds every element at random, or to nearest without a seed. Integers
/// always round to nearest.
void roundTo(ElementType type, llvm::MutableArrayRef<double> values,
             std::optional<uint64_t> seed);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_RANDOMROUNDING_H
