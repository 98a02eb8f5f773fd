//===- RandomRoundingTest.cpp - Rounding by chance is fair ----------------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/RandomRounding.h"
#include "parablock/Support/SeededRandom.h"
#include "gtest/gtest.h"
#include <cmath>
#include <vector>

using namespace parablock;

static constexpr ElementType narrowTypes[] = {
    ElementType::F32, ElementType::BF16, ElementType::F16};

/// How many of `count` seeds round `value` to `to`; all others have to round it
/// to `otherwise`.
static double measureShare(ElementType type, double value, double to,
                           double otherwise, unsigned count = 20000) {
  unsigned hits = 0;
  for (unsigned seed = 0; seed < count; ++seed) {
    double rounded = roundAtRandom(type, value, seed);
    hits += rounded == to;
    EXPECT_TRUE(rounded == to || rounded == otherwise) << rounded;
  }
  return static_cast<double>(hits) / count;
}

TEST(RandomRoundingTest, TheNearerNumberIsTheLikelier) {
  for (ElementType type : narrowTypes) {
    SCOPED_TRACE(getElementTypeKeyword(type).str());
    double spacing = 2 * getUnitRoundoff(type);
    EXPECT_NEAR(measureShare(type, 1 + 0.3 * spacing, 1 + spacing, 1), 0.3,
                0.02);
    EXPECT_NEAR(measureShare(type, -1 - 0.8 * spacing, -1 - spacing, -1), 0.8,
                0.02);
    // Below a power of two numbers are twice as dense.
    EXPECT_NEAR(measureShare(type, 1 - 0.1 * spacing, 1 - spacing / 2, 1), 0.2,
                0.02);
  }
  double least = std::ldexp(1.0, -24);
  EXPECT_NEAR(measureShare(ElementType::F16, 0.25 * least, least, 0), 0.25,
              0.02)
      << "among subnormal numbers";
}

TEST(RandomRoundingTest, WhatATypeHoldsStays) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    for (auto [type, value] :
         {std::pair(ElementType::BF16, fromBF16Bits(bits)),
          std::pair(ElementType::F16, fromF16Bits(bits))}) {
      double rounded = roundAtRandom(type, value, bits);
      EXPECT_TRUE(rounded == value || std::isnan(value)) << value;
      EXPECT_EQ(std::isnan(rounded), std::isnan(value));
    }
  }
  for (unsigned seed = 0; seed < 1000; ++seed) {
    EXPECT_EQ(roundAtRandom(ElementType::F16, 65510, seed), 65504)
        << "nothing finite becomes infinite that would not to nearest";
    EXPECT_TRUE(std::isinf(roundAtRandom(ElementType::F16, 65530, seed)));
  }
  std::vector<double> wide = {1.1};
  roundTo(ElementType::F64, wide, 1);
  EXPECT_EQ(wide.front(), 1.1);
  std::vector<double> whole = {2.9};
  roundTo(ElementType::I32, whole, 1);
  EXPECT_EQ(whole.front(), 2) << "integers are cut";
}

TEST(RandomRoundingTest, ErrorsAreFairAndTwiceAsVaried) {
  constexpr size_t count = 40000;
  std::vector<double> values(count);
  SeededStream(1, "values").fillNormal(0, values);
  for (ElementType type : narrowTypes) {
    SCOPED_TRACE(getElementTypeKeyword(type).str());
    std::vector<double> nearest = values, drawn = values, again = values,
                        other = values;
    roundTo(type, nearest, std::nullopt);
    roundTo(type, drawn, 1);
    roundTo(type, again, 1);
    roundTo(type, other, 2);
    EXPECT_EQ(drawn, again) << "one seed, one way to round";
    EXPECT_NE(drawn, other) << "another seed, another way";
    double mean = 0, ofNearest = 0, ofDrawn = 0, product = 0;
    for (size_t i = 0; i < count; ++i) {
      double error = (drawn[i] - values[i]) / values[i];
      double otherError = (other[i] - values[i]) / values[i];
      double least = (nearest[i] - values[i]) / values[i];
      mean += error / count;
      ofNearest += least * least;
      ofDrawn += error * error;
      product += error * otherError;
    }
    EXPECT_LT(std::fabs(mean), 0.02 * getUnitRoundoff(type));
    EXPECT_NEAR(ofDrawn / ofNearest, 2, 0.05);
    EXPECT_LT(std::fabs(product / ofDrawn), 0.02)
        << "errors of two seeds have nothing in common";
  }
}

TEST(RandomRoundingTest, IntegersOfOppositeNumbersAreOpposite) {
  constexpr unsigned count = 20000;
  unsigned above = 0;
  for (unsigned seed = 0; seed < count; ++seed) {
    double rounded = roundToIntegerAtRandom(6.3, seed);
    EXPECT_TRUE(rounded == 6 || rounded == 7) << rounded;
    EXPECT_EQ(roundToIntegerAtRandom(-6.3, seed), -rounded);
    above += rounded == 7;
  }
  EXPECT_NEAR(static_cast<double>(above) / count, 0.3, 0.02);
  EXPECT_EQ(roundToIntegerAtRandom(-5, 1), -5);
  EXPECT_TRUE(std::isnan(roundToIntegerAtRandom(std::nan(""), 1)));
}

TEST(RandomRoundingTest, UnitRoundoffsAreThoseOfTheTypes) {
  EXPECT_EQ(getUnitRoundoff(ElementType::F64), std::ldexp(1.0, -53));
  EXPECT_EQ(getUnitRoundoff(ElementType::F32), std::ldexp(1.0, -24));
  EXPECT_EQ(getUnitRoundoff(ElementType::F16), std::ldexp(1.0, -11));
  EXPECT_EQ(getUnitRoundoff(ElementType::BF16), std::ldexp(1.0, -8));
}
