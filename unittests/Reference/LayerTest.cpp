//===- LayerTest.cpp - layer, residual, scale, and weight-only steps ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RunText.h"

using namespace parablock;
using namespace parablock::unittest;

/// `value(i)` for every element of a tensor of `count`.
template <typename Function> static Values make(int64_t count, Function value) {
  Values values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(value(i));
  return values;
}

static void testResidual() {
  Tensor x = wild({1, 2, 3}, 1), a = wild({1, 2, 3}, 2), b = wild({1, 2, 3}, 3);
  const std::string type = "tensor<1x2x3xf32>";
  auto run = [&](const std::string &attributes, const Options &options) {
    return runBody("%r = block.residual %a0, %a1, %a2" + attributes + " : (" +
                       type + ", " + type + ", " + type + ") -> " + type,
                   type, {x, a, b}, options);
  };
  Values sum =
      make(6, [&](int i) { return x.data()[i] + a.data()[i] + b.data()[i]; });
  CHECK_NEAR("residual", run("", exact()), sum);
  CHECK_NEAR("scaled residual",
             run(" {input_scale = 0.5 : f64, branch_scales = [2.0, "
                 "-0.7071]}",
                 exact()),
             make(6, [&](int i) {
               return 0.5 * x.data()[i] + 2 * a.data()[i] -
                      0.7071 * b.data()[i];
             }));

  // Summed before it is rounded: the branches cancel, what is left is small.
  Tensor big = tensor({1, 1, 2}, {1, 1}, ElementType::BF16);
  Tensor plus = tensor({1, 1, 2}, {512, 1024}, ElementType::BF16);
  Tensor minus = tensor({1, 1, 2}, {-512, -1024}, ElementType::F32);
  CHECK_SAME("branches of another type, rounded once",
             runBody("%r = block.residual %a0, %a1, %a2 : (tensor<1x1x2xbf16>, "
                     "tensor<1x1x2xbf16>, tensor<1x1x2xf32>) -> "
                     "tensor<1x1x2xbf16>",
                     "tensor<1x1x2xbf16>", {big, plus, minus}),
             (Values{1, 1}));
  CHECK_REFUSED(
      "branches of other rows",
      runModule("func.func @main(%x: tensor<1x?x2xf32>, %y: "
                "tensor<1x?x2xf32>) -> tensor<1x?x2xf32> {\n%r = "
                "block.residual %x, %y : (tensor<1x?x2xf32>, "
                "tensor<1x?x2xf32>) -> tensor<1x?x2xf32>\nreturn %r : "
                "tensor<1x?x2xf32>\n}",
                {wild({1, 2, 2}, 1), wild({1, 3, 2}, 1)}),
      "expected branch to have the shape of input, f32 [1, 2, 2], got f32 "
      "[1, 3, 2]");
}

static void testScale() {
  Tensor x = wild({1, 2, 3}, 4), gain = wild({3}, 5);
  const std::string type = "tensor<1x2x3xf32>";
  CHECK_NEAR("scale by a factor",
             runBody("%r = block.scale %a0 {factor = 2.5 : f64} : (" + type +
                         ") -> " + type,
                     type, {x}, exact()),
             make(6, [&](int i) { return 2.5 * x.data()[i]; }));
  CHECK_NEAR(
      "scale by channel",
      runBody("%r = block.scale %a0 by %a1 {factor = 2.5 : f64} : (" + type +
                  ", tensor<3xf32>) -> " + type,
              type, {x, gain}, exact()),
      make(6, [&](int i) { return 2.5 * gain.data()[i % 3] * x.data()[i]; }));
  CHECK_NEAR("scale by one gain",
             runBody("%r = block.scale %a0 by %a1 : (" + type +
                         ", tensor<1xf32>) -> " + type,
                     type, {x, tensor({1}, {-3})}, exact()),
             make(6, [&](int i) { return -3 * x.data()[i]; }));
  CHECK_REFUSED("gains of other channels",
                runModule("func.func @main(%x: tensor<?xf32>, %g: "
                          "tensor<2xf32>) -> tensor<?xf32> {\n%r = block.scale "
                          "%x by %g : (tensor<?xf32>, tensor<2xf32>) -> "
                          "tensor<?xf32>\nreturn %r : tensor<?xf32>\n}",
                          {wild({3}, 1), wild({2}, 1)}),
                "expected gain to have one element, or one per channel, 3, "
                "got 2");
}

static void testReparam() {
  Tensor delta = wild({3, 3}, 6), initial = wild({3, 3}, 7);
  const std::string type = "tensor<3x3xf32>",
                    factors = " {skip = 0.5 : f64, residual = 2.0 : f64}";
  CHECK_NEAR("change of a start",
             runBody("%r = block.reparam %a0 from %a1" + factors + " : (" +
                         type + ", " + type + ") -> " + type,
                     type, {delta, initial}, exact()),
             make(9, [&](int i) {
               return 0.5 * initial.data()[i] + 2 * delta.data()[i];
             }));
  CHECK_NEAR("change of the identity",
             runBody("%r = block.reparam %a0" + factors + " : (" + type +
                         ") -> " + type,
                     type, {delta}, exact()),
             make(9, [&](int i) {
               return (i % 4 == 0 ? 0.5 : 0) + 2 * delta.data()[i];
             }));
}

static void testWeights() {
  Tensor weight = wild({2, 3}, 8), gain = wild({3}, 9), perRow = wild({2}, 10);
  auto run = [&](const std::string &text, const std::string &result,
                 llvm::ArrayRef<Tensor> arguments) {
    return runBody("%r = block." + text + " -> " + result, result, arguments,
                   exact());
  };
  for (bool onePlus : {false, true})
    CHECK_NEAR(
        onePlus ? "fold 1 + gain" : "fold a gain",
        run(std::string("fold_gain %a0, %a1 {form = #block.norm<kind = rms, "
                        "eps = 0.0, gamma_form = ") +
                (onePlus ? "one_plus" : "direct") +
                ">} : (tensor<2x3xf32>, tensor<3xf32>)",
            "tensor<2x3xf32>", {weight, gain}),
        make(6, [&](int i) {
          return (onePlus + gain.data()[i % 3]) * weight.data()[i];
        }));
  CHECK_NEAR("fold a scale into rows",
             run("fold_scale %a0 by %a1 {factor = 3.0 : f64} : "
                 "(tensor<2x3xf32>, tensor<2xf32>)",
                 "tensor<2x3xf32>", {weight, perRow}),
             make(6, [&](int i) {
               return 3 * perRow.data()[i / 3] * weight.data()[i];
             }));
  CHECK_NEAR("fold a scale into a bias",
             run("fold_scale %a0 by %a1 : (tensor<3xf32>, tensor<3xf32>)",
                 "tensor<3xf32>", {gain, gain}),
             make(3, [&](int i) { return gain.data()[i] * gain.data()[i]; }));
  CHECK_NEAR("fold one factor",
             run("fold_scale %a0 by %a1 : (tensor<2x3xf32>, tensor<1xf32>)",
                 "tensor<2x3xf32>", {weight, tensor({1}, {4})}),
             make(6, [&](int i) { return 4 * weight.data()[i]; }));
  auto row = [&](int n, auto value) {
    double sum = 0;
    for (int k = 0; k < 3; ++k)
      sum += value(k) * weight.data()[n * 3 + k];
    return sum;
  };
  CHECK_NEAR("fold a bias",
             run("fold_bias %a0 beta %a1 bias %a2 : (tensor<2x3xf32>, "
                 "tensor<3xf32>, tensor<2xf32>)",
                 "tensor<2xf32>", {weight, gain, perRow}),
             make(2, [&](int n) {
               return perRow.data()[n] +
                      row(n, [&](int k) { return gain.data()[k]; });
             }));
  CHECK_NEAR(
      "sums of weights",
      run("weight_sums %a0 : (tensor<2x3xf32>)", "tensor<2xf32>", {weight}),
      make(2, [&](int n) { return row(n, [](int) { return 1.0; }); }));
  CHECK_NEAR("sum of biases",
             run("bias_sum %a0, %a1, %a0 : (tensor<3xf32>, tensor<3xf32>, "
                 "tensor<3xf32>)",
                 "tensor<3xf32>", {gain, wild({3}, 11)}),
             make(3, [&](int i) {
               return 2 * gain.data()[i] + wild({3}, 11).data()[i];
             }));
}

static void testLayer() {
  Tensor x = wild({1, 2, 3}, 12);
  const std::string type = "tensor<1x2x3xf32>";
  auto doubled = [&](const std::string &name, const std::string &of) {
    return "%" + name + " = block.residual %" + of + ", %" + of + " : (" +
           type + ", " + type + ") -> " + type + "\n";
  };
  CHECK_NEAR("a layer reads what surrounds it and yields",
             runBody("%h = block.layer \"h.0\" at 0 -> " + type + " {\n" +
                         doubled("i", "a0") + doubled("o", "i") +
                         "block.yield %o : " + type + "\n}\n" +
                         "%r = block.residual %h, %a0 : (" + type + ", " +
                         type + ") -> " + type,
                     type, {x}, exact()),
             make(6, [&](int i) { return 5 * x.data()[i]; }));
  CHECK_NEAR("a kernel binds its operands",
             runBody("%r = block.kernel \"rows\" (%u = %a0 : " + type +
                         ", %w = %a0 : " + type + ") -> " + type + " {\n" +
                         doubled("i", "u") + "%o = block.residual %i, %w : (" +
                         type + ", " + type + ") -> " + type +
                         "\nblock.yield %o : " + type + "\n}",
                     type, {x}, exact()),
             make(6, [&](int i) { return 3 * x.data()[i]; }));
}

int main() {
  testResidual();
  testScale();
  testReparam();
  testWeights();
  testLayer();
  return finish();
}
