//===- DifferenceLadderTest.cpp - derivatives from differences --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Compare/DifferenceLadder.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace parablock::runner;

/// Climbs down from `step`, four times smaller each time.
static DifferenceLadder climb(llvm::function_ref<double(double)> f, double step,
                              unsigned count) {
  DifferenceLadder ladder;
  for (unsigned i = 0; i < count; ++i, step /= 4)
    ladder.add(step, (f(step) - f(-step)) / (2 * step));
  return ladder;
}

namespace {

TEST(DifferenceLadder, OneStepIsNotSure) {
  DifferenceLadder ladder = climb([](double h) { return std::exp(h); }, 0.1, 1);
  EXPECT_TRUE(std::isinf(ladder.best().uncertainty));
}

TEST(DifferenceLadder, SmoothFunctionsSettleFromLargeSteps) {
  DifferenceLadder ladder =
      climb([](double h) { return std::exp(3 * h); }, 0.1, 4);
  EXPECT_NEAR(ladder.best().value, 3, 1e-11);
  EXPECT_LT(ladder.best().uncertainty, 1e-9);
  EXPECT_GE(ladder.best().uncertainty, std::fabs(ladder.best().value - 3));
}

// The extrapolation of a polynomial of degree 7 is exact from four steps on.
TEST(DifferenceLadder, StepsRemoveEvenPowers) {
  auto f = [](double h) { return h * (2 + h * h * (5 + h * h * (7 + h * h))); };
  EXPECT_NEAR(climb(f, 1, 4).findNearest(2), 2, 1e-12);
  EXPECT_GT(std::fabs(climb(f, 1, 3).findNearest(2) - 2), 1e-5);
}

// Before steps become smaller than its distance, they say different things.
TEST(DifferenceLadder, KinksNearbyAreLeftBehind) {
  auto f = [](double h) { return h < 1e-4 ? h : 1e-4 + 5 * (h - 1e-4); };
  EXPECT_GT(climb(f, 1e-2, 4).best().uncertainty, 1e-2);
  DifferenceLadder ladder = climb(f, 1e-2, 6);
  EXPECT_NEAR(ladder.best().value, 1, 1e-11);
  EXPECT_LT(ladder.best().uncertainty, 1e-11);
}

// Steps that are a thousandth of what numbers are rounded to.
TEST(DifferenceLadder, RoundingMakesUnsure) {
  auto f = [](double h) { return std::sin(1 + 1e-3 * h) + 1e6; };
  EXPECT_GT(climb(f, 1e-6, 5).best().uncertainty, 1e-4);
}

} // namespace
