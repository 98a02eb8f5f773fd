//===- LeastSquaresTest.cpp - fits against their formula ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LeastSquares.h"
#include "llvm/Testing/Support/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

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
