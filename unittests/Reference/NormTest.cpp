//===- NormTest.cpp - norm, norm_stats, normalize -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RunText.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;

namespace {
/// The choices of `#block.norm`, by name.
struct Form {
  std::string kind, epsForm, gammaForm;
  double eps;

  std::string text(llvm::StringRef rounding = "after_gain") const {
    return ("#block.norm<kind = " + kind + ", eps = " + std::to_string(eps) +
            ", eps_form = " + epsForm + ", gamma_form = " + gammaForm +
            ", rounding = " + rounding + ">")
        .str();
  }
};
} // namespace

/// The norm of neighbouring groups of `size` elements, without gain and bias.
static Values normalizeGroups(const Form &form, llvm::ArrayRef<double> x,
                              int64_t size) {
  Values y;
  for (size_t first = 0; first < x.size(); first += size) {
    double mean = 0, s = 0;
    if (form.kind == "layer")
      for (int64_t c = 0; c < size; ++c)
        mean += x[first + c] / size;
    for (int64_t c = 0; c < size; ++c)
      s += std::pow(x[first + c] - mean, 2);
    if (form.kind != "l2")
      s /= size;
    double divisor = form.epsForm == "inside_root" ? std::sqrt(s + form.eps)
                     : form.epsForm == "outside_root"
                         ? std::sqrt(s) + form.eps
                         : std::max(std::sqrt(s), form.eps);
    for (int64_t c = 0; c < size; ++c)
      y.push_back((x[first + c] - mean) / divisor);
  }
  return y;
}

static Values applyGain(const Form &form, Values y, const Tensor &gamma,
                        const Tensor &beta) {
  double added = form.gammaForm == "one_plus" ? 1 : 0;
  for (size_t i = 0; i < y.size(); ++i)
    y[i] = y[i] * (added + gamma.data()[i % gamma.data().size()]) +
           beta.data()[i % beta.data().size()];
  return y;
}

/// `block.norm` of a [2, 3, 6] tensor.
static Outcome runNorm(const Tensor &x, const Tensor &gamma, const Tensor &beta,
                       const std::string &form, int64_t groups,
                       const std::string &resultType,
                       const Options &options = exact()) {
  return runBody("%r = block.norm %a0 gamma %a1 beta %a2 {form = " + form +
                     ", groups = " + std::to_string(groups) + " : i64} : (" +
                     typeOf(x) + ", " + typeOf(gamma) + ", " + typeOf(beta) +
                     ") -> " + resultType,
                 resultType, {x, gamma, beta}, options);
}

TEST(NormTest, EveryFormMatchesItsFormula) {
  Tensor x = wild({2, 3, 6}, 1), gamma = wild({6}, 2), beta = wild({6}, 3);
  for (std::string kind : {"layer", "rms", "l2"})
    for (std::string epsForm : {"inside_root", "outside_root", "clamp"})
      for (std::string gammaForm : {"direct", "one_plus"})
        // A floor that some rows reach and some do not; a small epsilon.
        for (double eps : {0.75, 0.0625}) {
          Form form = {kind, epsForm, gammaForm, eps};
          EXPECT_THAT(
              runNorm(x, gamma, beta, form.text(), 1, "tensor<2x3x6xf32>"),
              YieldsNear(applyGain(form, normalizeGroups(form, x.data(), 6),
                                   gamma, beta)))
              << form.text();
        }

  Form form = {"rms", "inside_root", "direct", 0.0625};
  EXPECT_THAT(runBody("%r = block.norm %a0 {form = " + form.text() +
                          "} : (tensor<2x3x6xf32>) -> tensor<2x3x6xf32>",
                      "tensor<2x3x6xf32>", {x}, exact()),
              YieldsNear(normalizeGroups(form, x.data(), 6)))
      << "no gain and no bias";
}

TEST(NormTest, GroupsAreNormedApart) {
  Tensor x = wild({2, 3, 6}, 4);
  Form form = {"layer", "inside_root", "direct", 0.0625};
  for (int64_t size : {2, 6}) {
    Tensor gamma = wild({size}, 5), beta = wild({size}, 6);
    EXPECT_THAT(runNorm(x, gamma, beta, form.text(), 3, "tensor<2x3x6xf32>"),
                YieldsNear(applyGain(form, normalizeGroups(form, x.data(), 2),
                                     gamma, beta)))
        << ("three groups, gain of " + std::to_string(size) + " elements");
  }
}

TEST(NormTest, RoundsBeforeOrAfterTheGain) {
  constexpr ElementType type = ElementType::BF16;
  Tensor x = wild({1, 4, 6}, 7, type), gamma = wild({6}, 8, type),
         beta = wild({6}, 9, type);
  Form form = {"rms", "inside_root", "direct", 0.0625};
  Values unit = normalizeGroups(form, x.data(), 6), unitRounded = unit;
  roundTo(type, unitRounded);
  Values after = applyGain(form, unit, gamma, beta);
  Values before = applyGain(form, unitRounded, gamma, beta);
  EXPECT_THAT(runNorm(x, gamma, beta, form.text("before_gain"), 1,
                      "tensor<1x4x6xbf16>"),
              YieldsNear(after))
      << "before_gain does not round in exact arithmetic";
  roundTo(type, after);
  roundTo(type, before);
  EXPECT_NE(after, before) << "both orders differ here";
  EXPECT_THAT(runNorm(x, gamma, beta, form.text("after_gain"), 1,
                      "tensor<1x4x6xbf16>", {}),
              Yields(after))
      << "after_gain";
  EXPECT_THAT(runNorm(x, gamma, beta, form.text("before_gain"), 1,
                      "tensor<1x4x6xbf16>", {}),
              Yields(before))
      << "before_gain";

  Values wide = unit;
  roundTo(ElementType::F32, wide);
  wide = applyGain(form, wide, gamma, beta);
  roundTo(ElementType::F32, wide);
  EXPECT_THAT(runNorm(x, gamma, beta, form.text("before_gain"), 1,
                      "tensor<1x4x6xf32>", {}),
              Yields(wide))
      << "before_gain rounds to the type of the result";
}

TEST(NormTest, ComputesStatistics) {
  Tensor x = wild({1, 2, 4}, 10);
  const std::string stat = "tensor<1x2x2xf32>";
  llvm::ArrayRef<double> d = x.data();
  Values mean, variance, squares;
  for (int64_t i = 0; i < 8; i += 2) {
    double m = (d[i] + d[i + 1]) / 2;
    mean.push_back(m);
    variance.push_back((std::pow(d[i] - m, 2) + std::pow(d[i + 1] - m, 2)) / 2);
    squares.push_back((d[i] * d[i] + d[i + 1] * d[i + 1]) / 2);
  }
  const std::string centered =
      "%m, %v = block.norm_stats %a0 centered {groups = 2 : i64} : "
      "(tensor<1x2x4xf32>) -> (" +
      stat + ", " + stat + ")\n";
  auto copy = [&](const std::string &value) {
    return "%r = block.residual " + value + " : (" + stat + ") -> " + stat;
  };
  EXPECT_THAT(runBody(centered + copy("%m"), stat, {x}, exact()),
              YieldsNear(mean))
      << "mean";
  EXPECT_THAT(runBody(centered + copy("%v"), stat, {x}, exact()),
              YieldsNear(variance))
      << "variance";
  const std::string plain = "%r = block.norm_stats %a0 {groups = 2 : i64} : "
                            "(tensor<1x2x4xf32>) -> " +
                            stat;
  EXPECT_THAT(runBody(plain, stat, {x}, exact()), YieldsNear(squares))
      << "mean of squares";
  roundTo(ElementType::F32, squares);
  EXPECT_THAT(runBody(plain, stat, {x}), Yields(squares))
      << "statistics are f32";

  // E[x^2] - E[x]^2 would lose all digits here.
  Tensor big = tensor({1, 1, 2}, {16777214, 16777216});
  EXPECT_THAT(runBody("%m, %r = block.norm_stats %a0 centered : "
                      "(tensor<1x1x2xf32>) -> (tensor<1x1x1xf32>, "
                      "tensor<1x1x1xf32>)",
                      "tensor<1x1x1xf32>", {big}),
              YieldsNear(Values{1}))
      << "variance far from zero";
}

TEST(NormTest, StatisticsAndNormalizeAreANorm) {
  Tensor x = wild({2, 3, 6}, 11), gamma = wild({6}, 12), beta = wild({6}, 13);
  const std::string rows = "tensor<2x3x6xf32>", stat = "tensor<2x3x2xf32>";
  for (std::string kind : {"layer", "rms", "l2"}) {
    Form form = {kind, "outside_root", "one_plus", 0.0625};
    bool centered = kind == "layer";
    std::string text =
        centered
            ? "%m, %v = block.norm_stats %a0 centered {groups = 2 : i64} "
              ": (" +
                  rows + ") -> (" + stat + ", " + stat + ")\n" +
                  "%r = block.normalize %a0 mean %m moment %v"
            : "%v = block.norm_stats %a0 {groups = 2 : i64} : (" + rows +
                  ") -> " + stat + "\n" + "%r = block.normalize %a0 moment %v";
    text += " gamma %a1 beta %a2 {form = " + form.text() +
            ", groups = 2 : i64} : (" + rows + ", " + stat +
            (centered ? ", " + stat : "") +
            ", tensor<6xf32>, tensor<6xf32>) -> " + rows;
    EXPECT_THAT(
        runBody(text, rows, {x, gamma, beta}, exact()),
        YieldsNear(runNorm(x, gamma, beta, form.text(), 2, rows).values()))
        << ("statistics and normalize are a norm: " + kind);
  }
}

TEST(NormTest, StatisticsMustBeOfTheSameRows) {
  auto run = [&](int64_t meanRows, int64_t momentRows) {
    return runModule(
        "func.func @main(%x: tensor<1x?x4xf32>, %m: tensor<1x?x1xf32>, "
        "%v: tensor<1x?x1xf32>) -> tensor<1x?x4xf32> {\n"
        "%r = block.normalize %x mean %m moment %v {form = "
        "#block.norm<kind = layer, eps = 1.0>} : (tensor<1x?x4xf32>, "
        "tensor<1x?x1xf32>, tensor<1x?x1xf32>) -> tensor<1x?x4xf32>\n"
        "return %r : tensor<1x?x4xf32>\n}",
        {wild({1, 3, 4}, 14), wild({1, meanRows, 1}, 15),
         tensor({1, momentRows, 1}, Values(momentRows, 1.0))});
  };
  EXPECT_THAT(run(3, 3), Runs()) << "statistics of every row";
  EXPECT_THAT(run(2, 3), IsRefusedWith("expected dimension 1 of mean to be 3"))
      << "a mean of other rows";
  EXPECT_THAT(run(3, 2),
              IsRefusedWith("expected dimension 1 of moment to be 3"))
      << "a moment of other rows";
}
