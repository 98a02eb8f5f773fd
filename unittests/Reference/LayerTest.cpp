//===- LayerTest.cpp - layer, residual, scale, and weight-only steps ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RunText.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;

/// `value(i)` for every element of a tensor of `count`.
template <typename Function> static Values make(int64_t count, Function value) {
  Values values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(value(i));
  return values;
}

TEST(LayerTest, ResidualsAddScaledBranches) {
  Tensor x = wild({1, 2, 3}, 1), a = wild({1, 2, 3}, 2), b = wild({1, 2, 3}, 3);
  const std::string type = "tensor<1x2x3xf32>";
  auto run = [&](const std::string &attributes, const Options &options) {
    return runBody("%r = block.residual %a0, %a1, %a2" + attributes + " : (" +
                       type + ", " + type + ", " + type + ") -> " + type,
                   type, {x, a, b}, options);
  };
  Values sum =
      make(6, [&](int i) { return x.data()[i] + a.data()[i] + b.data()[i]; });
  EXPECT_THAT(run("", exact()), YieldsNear(sum)) << "residual";
  EXPECT_THAT(run(" {input_scale = 0.5 : f64, branch_scales = [2.0, "
                  "-0.7071]}",
                  exact()),
              YieldsNear(make(6,
                              [&](int i) {
                                return 0.5 * x.data()[i] + 2 * a.data()[i] -
                                       0.7071 * b.data()[i];
                              })))
      << "scaled residual";

  // Summed before it is rounded: the branches cancel, what is left is small.
  Tensor big = tensor({1, 1, 2}, {1, 1}, ElementType::BF16);
  Tensor plus = tensor({1, 1, 2}, {512, 1024}, ElementType::BF16);
  Tensor minus = tensor({1, 1, 2}, {-512, -1024}, ElementType::F32);
  EXPECT_THAT(
      runBody("%r = block.residual %a0, %a1, %a2 : (tensor<1x1x2xbf16>, "
              "tensor<1x1x2xbf16>, tensor<1x1x2xf32>) -> "
              "tensor<1x1x2xbf16>",
              "tensor<1x1x2xbf16>", {big, plus, minus}),
      Yields(Values{1, 1}))
      << "branches of another type, rounded once";
  EXPECT_THAT(
      runModule("func.func @main(%x: tensor<1x?x2xf32>, %y: "
                "tensor<1x?x2xf32>) -> tensor<1x?x2xf32> {\n%r = "
                "block.residual %x, %y : (tensor<1x?x2xf32>, "
                "tensor<1x?x2xf32>) -> tensor<1x?x2xf32>\nreturn %r : "
                "tensor<1x?x2xf32>\n}",
                {wild({1, 2, 2}, 1), wild({1, 3, 2}, 1)}),
      IsRefusedWith(
          "expected branch to have the shape of input, f32 [1, 2, 2], got f32 "
          "[1, 3, 2]"))
      << "branches of other rows";
}

TEST(LayerTest, ScalesByFactorAndGain) {
  Tensor x = wild({1, 2, 3}, 4), gain = wild({3}, 5);
  const std::string type = "tensor<1x2x3xf32>";
  EXPECT_THAT(runBody("%r = block.scale %a0 {factor = 2.5 : f64} : (" + type +
                          ") -> " + type,
                      type, {x}, exact()),
              YieldsNear(make(6, [&](int i) { return 2.5 * x.data()[i]; })))
      << "scale by a factor";
  EXPECT_THAT(
      runBody("%r = block.scale %a0 by %a1 {factor = 2.5 : f64} : (" + type +
                  ", tensor<3xf32>) -> " + type,
              type, {x, gain}, exact()),
      YieldsNear(make(
          6, [&](int i) { return 2.5 * gain.data()[i % 3] * x.data()[i]; })))
      << "scale by channel";
  EXPECT_THAT(runBody("%r = block.scale %a0 by %a1 : (" + type +
                          ", tensor<1xf32>) -> " + type,
                      type, {x, tensor({1}, {-3})}, exact()),
              YieldsNear(make(6, [&](int i) { return -3 * x.data()[i]; })))
      << "scale by one gain";
  EXPECT_THAT(
      runModule("func.func @main(%x: tensor<?xf32>, %g: "
                "tensor<2xf32>) -> tensor<?xf32> {\n%r = block.scale "
                "%x by %g : (tensor<?xf32>, tensor<2xf32>) -> "
                "tensor<?xf32>\nreturn %r : tensor<?xf32>\n}",
                {wild({3}, 1), wild({2}, 1)}),
      IsRefusedWith("expected gain to have one element, or one per channel, 3, "
                    "got 2"))
      << "gains of other channels";
}

TEST(LayerTest, ReparametrisesAChange) {
  Tensor delta = wild({3, 3}, 6), initial = wild({3, 3}, 7);
  const std::string type = "tensor<3x3xf32>",
                    factors = " {skip = 0.5 : f64, residual = 2.0 : f64}";
  EXPECT_THAT(runBody("%r = block.reparam %a0 from %a1" + factors + " : (" +
                          type + ", " + type + ") -> " + type,
                      type, {delta, initial}, exact()),
              YieldsNear(make(9,
                              [&](int i) {
                                return 0.5 * initial.data()[i] +
                                       2 * delta.data()[i];
                              })))
      << "change of a start";
  EXPECT_THAT(runBody("%r = block.reparam %a0" + factors + " : (" + type +
                          ") -> " + type,
                      type, {delta}, exact()),
              YieldsNear(make(9,
                              [&](int i) {
                                return (i % 4 == 0 ? 0.5 : 0) +
                                       2 * delta.data()[i];
                              })))
      << "change of the identity";
}

TEST(LayerTest, FoldsIntoWeights) {
  Tensor weight = wild({2, 3}, 8), gain = wild({3}, 9), perRow = wild({2}, 10);
  auto run = [&](const std::string &text, const std::string &result,
                 llvm::ArrayRef<Tensor> arguments) {
    return runBody("%r = block." + text + " -> " + result, result, arguments,
                   exact());
  };
  for (bool onePlus : {false, true})
    EXPECT_THAT(
        run(std::string("fold_gain %a0, %a1 {form = #block.norm<kind = rms, "
                        "eps = 0.0, gamma_form = ") +
                (onePlus ? "one_plus" : "direct") +
                ">} : (tensor<2x3xf32>, tensor<3xf32>)",
            "tensor<2x3xf32>", {weight, gain}),
        YieldsNear(make(6,
                        [&](int i) {
                          return (onePlus + gain.data()[i % 3]) *
                                 weight.data()[i];
                        })))
        << (onePlus ? "fold 1 + gain" : "fold a gain");
  EXPECT_THAT(run("fold_scale %a0 by %a1 {factor = 3.0 : f64} : "
                  "(tensor<2x3xf32>, tensor<2xf32>)",
                  "tensor<2x3xf32>", {weight, perRow}),
              YieldsNear(make(6,
                              [&](int i) {
                                return 3 * perRow.data()[i / 3] *
                                       weight.data()[i];
                              })))
      << "fold a scale into rows";
  EXPECT_THAT(run("fold_scale %a0 by %a1 : (tensor<3xf32>, tensor<3xf32>)",
                  "tensor<3xf32>", {gain, gain}),
              YieldsNear(make(
                  3, [&](int i) { return gain.data()[i] * gain.data()[i]; })))
      << "fold a scale into a bias";
  EXPECT_THAT(run("fold_scale %a0 by %a1 : (tensor<2x3xf32>, tensor<1xf32>)",
                  "tensor<2x3xf32>", {weight, tensor({1}, {4})}),
              YieldsNear(make(6, [&](int i) { return 4 * weight.data()[i]; })))
      << "fold one factor";
  auto row = [&](int n, auto value) {
    double sum = 0;
    for (int k = 0; k < 3; ++k)
      sum += value(k) * weight.data()[n * 3 + k];
    return sum;
  };
  EXPECT_THAT(run("fold_bias %a0 beta %a1 bias %a2 : (tensor<2x3xf32>, "
                  "tensor<3xf32>, tensor<2xf32>)",
                  "tensor<2xf32>", {weight, gain, perRow}),
              YieldsNear(make(2,
                              [&](int n) {
                                return perRow.data()[n] + row(n, [&](int k) {
                                         return gain.data()[k];
                                       });
                              })))
      << "fold a bias";
  EXPECT_THAT(
      run("weight_sums %a0 : (tensor<2x3xf32>)", "tensor<2xf32>", {weight}),
      YieldsNear(
          make(2, [&](int n) { return row(n, [](int) { return 1.0; }); })))
      << "sums of weights";
  EXPECT_THAT(run("bias_sum %a0, %a1, %a0 : (tensor<3xf32>, tensor<3xf32>, "
                  "tensor<3xf32>)",
                  "tensor<3xf32>", {gain, wild({3}, 11)}),
              YieldsNear(make(3,
                              [&](int i) {
                                return 2 * gain.data()[i] +
                                       wild({3}, 11).data()[i];
                              })))
      << "sum of biases";
}

TEST(LayerTest, LayersAndKernelsHoldSteps) {
  Tensor x = wild({1, 2, 3}, 12);
  const std::string type = "tensor<1x2x3xf32>";
  auto doubled = [&](const std::string &name, const std::string &of) {
    return "%" + name + " = block.residual %" + of + ", %" + of + " : (" +
           type + ", " + type + ") -> " + type + "\n";
  };
  EXPECT_THAT(runBody("%h = block.layer \"h.0\" at 0 -> " + type + " {\n" +
                          doubled("i", "a0") + doubled("o", "i") +
                          "block.yield %o : " + type + "\n}\n" +
                          "%r = block.residual %h, %a0 : (" + type + ", " +
                          type + ") -> " + type,
                      type, {x}, exact()),
              YieldsNear(make(6, [&](int i) { return 5 * x.data()[i]; })))
      << "a layer reads what surrounds it and yields";
  EXPECT_THAT(runBody("%r = block.kernel \"rows\" (%u = %a0 : " + type +
                          ", %w = %a0 : " + type + ") -> " + type + " {\n" +
                          doubled("i", "u") + "%o = block.residual %i, %w : (" +
                          type + ", " + type + ") -> " + type +
                          "\nblock.yield %o : " + type + "\n}",
                      type, {x}, exact()),
              YieldsNear(make(6, [&](int i) { return 3 * x.data()[i]; })))
      << "a kernel binds its operands";
}
