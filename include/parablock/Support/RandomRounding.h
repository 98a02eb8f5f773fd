//===- RandomRounding.h - Rounding up or down by chance ---------*- C++ -*-===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One evaluation shows one draw of what rounding does to a result. Others are
// drawn by rounding at random.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_RANDOMROUNDING_H
#define PARABLOCK_SUPPORT_RANDOMROUNDING_H

#include "parablock/Support/FloatFormats.h"

namespace parablock {

/// The largest relative error of rounding a normal number to float type `type`.
double getUnitRoundoff(ElementType type);

/// One of the two numbers of float type `type` beside `value`, the nearer the
/// likelier, so that errors are 0 in the mean. Their variance is twice that of
/// rounding to nearest. What `type` holds already stays, as do NaN and what
/// rounds to infinity. Chance is a function of `seed` and `value` alone: what
/// is computed twice is rounded alike.
double roundAtRandom(ElementType type, double value, uint64_t seed);

/// Rounds every element at random, or without a seed to nearest. Integers know
/// only the latter.
void roundTo(ElementType type, llvm::MutableArrayRef<double> values,
             std::optional<uint64_t> seed);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_RANDOMROUNDING_H
