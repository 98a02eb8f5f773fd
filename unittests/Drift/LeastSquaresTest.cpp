//===- LeastSquaresTest.cpp - fits against their formula ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LeastSquares.h"
#include "llvm/Testing/Support/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace parablock::drift;
using llvm::Expected;
using testing::DoubleEq;
using testing::DoubleNear;
using testing::ElementsAre;

/// Features that are orthogonal about their means, 10 and -3: squares of 4 and
/// 36 in all. Targets are 2 a - b + 5, in two parts.
static LeastSquares makeSums() {
  LeastSquares sums(2, 1);
  sums.add({11, 0, 9, 0, 11, -6}, {27, 23, 33});
  sums.add({9, -6}, {29});
  return sums;
}

TEST(LeastSquaresTest, LinearTargetsAreFound) {
  Expected<Fit> fit = makeSums().solve(0, /*withBias=*/true);
  ASSERT_THAT_EXPECTED(fit, llvm::Succeeded());
  EXPECT_THAT(fit->weight,
              ElementsAre(DoubleNear(2, 1e-12), DoubleNear(-1, 1e-12)));
  EXPECT_THAT(fit->bias, ElementsAre(DoubleNear(5, 1e-10)));
  EXPECT_EQ(fit->samples, 4);
  EXPECT_NEAR(fit->residual, 0, 1e-12);
  EXPECT_NEAR(fit->condition, 9, 1e-9);
}

TEST(LeastSquaresTest, TheRidgeIsRelativeToTheMeanOfTheDiagonal) {
  Expected<Fit> fit = makeSums().solve(0.1, /*withBias=*/true);
  ASSERT_THAT_EXPECTED(fit, llvm::Succeeded());
  // A tenth of (4 + 36) / 2.
  EXPECT_THAT(fit->ridge, DoubleEq(2));
  double first = 2 * 4 / 6.0, second = -36 / 38.0;
  EXPECT_THAT(fit->weight,
              ElementsAre(DoubleNear(first, 1e-12), DoubleNear(second, 1e-12)));
  // The means of the targets and of the features are fitted exactly.
  EXPECT_THAT(fit->bias,
              ElementsAre(DoubleNear(28 - 10 * first + 3 * second, 1e-10)));
  double lost =
      (2 - first) * (2 - first) * 4 + (1 + second) * (1 + second) * 36;
  EXPECT_NEAR(fit->residual, lost / (4 * 4 + 36), 1e-12);
}

TEST(LeastSquaresTest, TheErrorOfAFitIsThatOfItsRows) {
  Expected<Fit> fit = makeSums().solve(0.1, /*withBias=*/true);
  ASSERT_THAT_EXPECTED(fit, llvm::Succeeded());
  LeastSquares others(2, 1);
  others.add({3, 1, -2, 5}, {4, 7});
  auto predict = [&](double a, double b) {
    return a * fit->weight[0] + b * fit->weight[1] + fit->bias[0];
  };
  double first = predict(3, 1) - 4, second = predict(-2, 5) - 7;
  EXPECT_NEAR(others.measureError(*fit), first * first + second * second, 1e-9);
}

TEST(LeastSquaresTest, WithoutABiasMeansStay) {
  LeastSquares sums(1, 2);
  sums.add({1, 2, 3}, {2, 5, 4, 7, 6, 9});
  Expected<Fit> fit = sums.solve(0, /*withBias=*/false);
  ASSERT_THAT_EXPECTED(fit, llvm::Succeeded());
  // (1 * 5 + 2 * 7 + 3 * 9) / 14 of the second target.
  EXPECT_THAT(fit->weight,
              ElementsAre(DoubleNear(2, 1e-12), DoubleNear(46 / 14.0, 1e-12)));
  EXPECT_THAT(fit->bias, ElementsAre(0, 0));
}

TEST(LeastSquaresTest, FeaturesThatDoNotMoveFitTheMean) {
  LeastSquares sums(1, 1);
  sums.add({3, 3}, {1, 2});
  Expected<Fit> fit = sums.solve(0, /*withBias=*/true);
  ASSERT_THAT_EXPECTED(fit, llvm::Succeeded());
  EXPECT_THAT(fit->weight, ElementsAre(0));
  EXPECT_THAT(fit->bias, ElementsAre(1.5));
}

TEST(LeastSquaresTest, FeaturesThatFollowFromOthersNeedARidge) {
  LeastSquares sums(2, 1);
  sums.add({1, 1, 2, 2, 4, 4}, {1, 2, 4});
  EXPECT_THAT_EXPECTED(sums.solve(0, /*withBias=*/true),
                       llvm::FailedWithMessage(testing::HasSubstr(
                           "not positive definite; a larger --ridge")));
  EXPECT_THAT_EXPECTED(sums.solve(1e-6, /*withBias=*/true), llvm::Succeeded());
}

/// Orthonormal features, four times each.
static LeastSquares makeOrthonormal(llvm::ArrayRef<double> weight,
                                    int64_t features, int64_t targets) {
  LeastSquares sums(features, targets);
  for (int copy = 0; copy < 4; ++copy)
    for (int64_t f = 0; f < features; ++f) {
      std::vector<double> row(features);
      row[f] = 1;
      sums.add(row, weight.slice(f * targets, targets));
    }
  return sums;
}

TEST(LeastSquaresTest, ALowRankKeepsTheLargestDirections) {
  // The matrices of targets 0, 1 and 2, 3 lose their smaller values, 1 and 2;
  // target 4 stays.
  LeastSquares sums = makeOrthonormal({3, 0, 2, 0, 7, 0, 1, 0, 5, 8}, 2, 5);
  Expected<Fit> fit =
      sums.solve(0, /*withBias=*/false, {{2, 0, 2, 1}, {2, 2, 2, 1}});
  ASSERT_THAT_EXPECTED(fit, llvm::Succeeded());
  std::vector<testing::Matcher<double>> wanted;
  for (double value : {3, 0, 0, 0, 7, 0, 0, 0, 5, 8})
    wanted.push_back(DoubleNear(value, 1e-12));
  EXPECT_THAT(fit->weight, testing::ElementsAreArray(wanted));
  ASSERT_EQ(fit->factors.size(), 2u);
  EXPECT_EQ(fit->factors[1].firstTarget, 2);
  EXPECT_EQ(fit->factors[1].rank, 1);
  // [0, 1] and [0, 5], with equal norms.
  EXPECT_NEAR(fit->factors[1].left[1] * fit->factors[1].right[1], 5, 1e-12);
  EXPECT_NEAR(std::abs(fit->factors[1].left[1]), std::sqrt(5), 1e-12);
}

TEST(LeastSquaresTest, WideMatricesHaveTheSameDirections) {
  LeastSquares sums = makeOrthonormal({3, 0, 4, 0, 2, 0}, 2, 3);
  Expected<Fit> fit = sums.solve(0, /*withBias=*/false, LowRank{2, 0, 3, 1});
  ASSERT_THAT_EXPECTED(fit, llvm::Succeeded());
  std::vector<testing::Matcher<double>> wanted;
  for (double value : {3, 0, 4, 0, 0, 0})
    wanted.push_back(DoubleNear(value, 1e-12));
  EXPECT_THAT(fit->weight, testing::ElementsAreArray(wanted));
}

TEST(LeastSquaresTest, FeaturesWithoutABoundTakeWhatOthersLose) {
  // Feature 2 is feature 1 plus one of its own, so it makes up for a part of
  // what feature 1 loses.
  LeastSquares sums(3, 2);
  sums.add({1, 0, 0, 0, 1, 1, 0, 0, 1}, {3, 0, 0, 3, 0, 2});
  Expected<Fit> full = sums.solve(0, /*withBias=*/false);
  Expected<Fit> fit = sums.solve(0, /*withBias=*/false, LowRank{2, 0, 2, 1});
  ASSERT_THAT_EXPECTED(full, llvm::Succeeded());
  ASSERT_THAT_EXPECTED(fit, llvm::Succeeded());
  std::vector<testing::Matcher<double>> wanted;
  for (double value : {3.0, 0.0, 0.0, 0.0, 0.0, 2.5})
    wanted.push_back(DoubleNear(value, 1e-12));
  EXPECT_THAT(fit->weight, testing::ElementsAreArray(wanted));
  EXPECT_NEAR(sums.measureError(*full), 0, 1e-12);
  EXPECT_NEAR(sums.measureError(*fit), 0.5, 1e-12);
}

TEST(LeastSquaresTest, TheFullRankOfWideMatricesLosesNothing) {
  // Six features and nine targets, whose weights have rank 3: the other values
  // of their decomposition are rounding.
  constexpr int64_t features = 6, targets = 9;
  LeastSquares sums(features, targets);
  for (int64_t row = 0; row < 24; ++row) {
    std::vector<double> feature(features), target(targets);
    for (int64_t f = 0; f < features; ++f) {
      feature[f] = std::sin(1.0 + 7 * row + 3 * f * f);
      for (int64_t t = 0; t < targets; ++t)
        for (int64_t part = 0; part < 3; ++part)
          target[t] += feature[f] * std::cos(2.0 + 5 * part + f * (part + 1)) *
                       std::cos(3.0 + 11 * part + t * (part + 2));
    }
    sums.add(feature, target);
  }
  Expected<Fit> full = sums.solve(0.01, /*withBias=*/true);
  Expected<Fit> fit = sums.solve(0.01, /*withBias=*/true,
                                 LowRank{features, 0, targets, features});
  ASSERT_THAT_EXPECTED(full, llvm::Succeeded());
  ASSERT_THAT_EXPECTED(fit, llvm::Succeeded());
  std::vector<testing::Matcher<double>> wanted;
  for (double value : full->weight)
    wanted.push_back(DoubleNear(value, 1e-12));
  EXPECT_THAT(fit->weight, testing::ElementsAreArray(wanted));
}

TEST(LeastSquaresTest, ASchurComplementOfRoundingNeedsARidge) {
  // By rounding, the Gram matrix has positive pivots from the first feature on,
  // and not from the other one on.
  LeastSquares sums(2, 1);
  sums.add({48979, 49035, 48978, 49034}, {1, 2});
  EXPECT_THAT_EXPECTED(sums.solve(0, /*withBias=*/false), llvm::Succeeded());
  LowRank lowRank = {1, 0, 1, 1};
  EXPECT_THAT_EXPECTED(sums.solve(0, /*withBias=*/false, lowRank),
                       llvm::FailedWithMessage(testing::HasSubstr(
                           "not positive definite; a larger --ridge")));
  EXPECT_THAT_EXPECTED(sums.solve(1e-6, /*withBias=*/false, lowRank),
                       llvm::Succeeded());
}
