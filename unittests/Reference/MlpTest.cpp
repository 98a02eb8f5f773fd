//===- MlpTest.cpp - linear, activations, gate, clamp, mlp ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RunText.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;

/// Rows of `x` times rows of `w`, by the schoolbook.
static Values multiply(const Tensor &x, const Tensor &w, const Tensor *bias) {
  int64_t inner = w.shape[1], width = w.shape[0];
  Values y;
  for (int64_t row = 0; row < x.getNumElements() / inner; ++row)
    for (int64_t o = 0; o < width; ++o) {
      double sum = 0;
      for (int64_t k = 0; k < inner; ++k)
        sum += x.data()[row * inner + k] * w.data()[o * inner + k];
      y.push_back(sum + (bias ? bias->data()[o] : 0));
    }
  return y;
}

TEST(MlpTest, LinearRoundsOnce) {
  // Sizes around the blocking of the products.
  for (int64_t rows : {1, 3, 4, 5, 9})
    for (int64_t width : {1, 4, 6}) {
      Tensor x = wild({1, rows, 7}, 1), w = wild({width, 7}, 2);
      std::string result = "tensor<1x" + std::to_string(rows) + "x" +
                           std::to_string(width) + "xf32>";
      EXPECT_THAT(runBody("%r = block.linear %a0, %a1 : (" + typeOf(x) + ", " +
                              typeOf(w) + ") -> " + result,
                          result, {x, w}, exact()),
                  YieldsNear(multiply(x, w, nullptr)))
          << ("linear of " + std::to_string(rows) + " rows to width " +
              std::to_string(width));
    }

  Tensor x = wild({2, 3, 5}, 3), w = wild({4, 5}, 4), bias = wild({4}, 5);
  auto run = [&](llvm::StringRef type, const Options &options) {
    std::string result = ("tensor<2x3x4x" + type + ">").str();
    return runBody("%r = block.linear %a0, %a1 bias %a2 : (tensor<2x3x5xf32>, "
                   "tensor<4x5xf32>, tensor<4xf32>) -> " +
                       result,
                   result, {x, w, bias}, options);
  };
  Values sums = multiply(x, w, &bias);
  EXPECT_THAT(run("f32", exact()), YieldsNear(sums)) << "linear with a bias";
  for (auto [name, type] : {std::pair("f32", ElementType::F32),
                            std::pair("bf16", ElementType::BF16),
                            std::pair("f16", ElementType::F16)}) {
    Values rounded = sums;
    roundTo(type, rounded);
    EXPECT_THAT(run(name, {}), Yields(rounded))
        << (std::string("linear rounds once, to ") + name);
  }
}

TEST(MlpTest, ActivationsMatchTheirFormulas) {
  Tensor x = tensor({5}, {-3, -0.5, 0, 1, 2.5});
  auto run = [&](const std::string &kind) {
    return runBody("%r = block.activation %a0 {kind = #block.activation<" +
                       kind + ">} : tensor<5xf32>",
                   "tensor<5xf32>", {x}, exact());
  };
  EXPECT_THAT(run("identity"), YieldsNear(Values{-3, -0.5, 0, 1, 2.5}))
      << "identity";
  EXPECT_THAT(run("relu"), YieldsNear(Values{0, 0, 0, 1, 2.5})) << "relu";
  EXPECT_THAT(run("leaky_relu"), YieldsNear(Values{-0.03, -0.005, 0, 1, 2.5}))
      << "leaky_relu";
  EXPECT_THAT(run("relu_squared"), YieldsNear(Values{0, 0, 0, 1, 6.25}))
      << "relu_squared";
  EXPECT_THAT(run("gelu_erf"),
              YieldsNear(Values{-0.00404969409489031, -0.15426876936299347, 0,
                                0.8413447460685429, 2.4844758366855596}))
      << "gelu_erf";
  EXPECT_THAT(run("gelu_tanh"),
              YieldsNear(Values{-0.0036373920817729943, -0.15428599017485606, 0,
                                0.8411919906082768, 2.484915733910001}))
      << "gelu_tanh";
  EXPECT_THAT(run("quick_gelu"),
              YieldsNear(Values{-0.01807130970778597, -0.1496115633936199, 0,
                                0.8457957659328212, 2.46501383495143}))
      << "quick_gelu";
  EXPECT_THAT(run("silu"),
              YieldsNear(Values{-0.14227761953270035, -0.1887703343990727, 0,
                                0.7310585786300049, 2.3103545499468914}))
      << "silu";
  EXPECT_THAT(run("sigmoid"),
              YieldsNear(Values{0.04742587317756678, 0.3775406687981454, 0.5,
                                0.7310585786300049, 0.9241418199787566}))
      << "sigmoid";
  EXPECT_THAT(run("tanh"),
              YieldsNear(Values{-0.9950547536867305, -0.46211715726000976, 0,
                                0.7615941559557649, 0.9866142981514303}))
      << "tanh";
  EXPECT_THAT(run("hardswish"),
              YieldsNear(Values{0.0, -0.20833333333333334, 0.0,
                                0.6666666666666666, 2.2916666666666665}))
      << "hardswish";
  EXPECT_THAT(run("mish"),
              YieldsNear(Values{-0.1456474612756246, -0.22074377465173, 0.0,
                                0.8650983882673103, 2.471392304557881}))
      << "mish";
  EXPECT_THAT(run("softplus"),
              YieldsNear(Values{0.04858735157374206, 0.4740769841801067,
                                0.6931471805599453, 1.3132616875182228,
                                2.5788897342925496}))
      << "softplus";
  // No exponential is too large.
  Tensor far = tensor({2}, {-1000, 1000});
  for (const char *kind : {"mish", "softplus"})
    EXPECT_THAT(runBody("%r = block.activation %a0 {kind = #block.activation<" +
                            std::string(kind) + ">} : tensor<2xf32>",
                        "tensor<2xf32>", {far}, exact()),
                YieldsNear(Values{0, 1000}))
        << (std::string(kind) + " far from 0");

  Tensor odd = tensor({2}, {std::nan(""), -HUGE_VAL});
  Outcome relu =
      runBody("%r = block.activation %a0 {kind = #block.activation<relu>} : "
              "tensor<2xf32>",
              "tensor<2xf32>", {odd});
  EXPECT_TRUE(std::isnan(relu.values()[0])) << "relu keeps a NaN";
  EXPECT_EQ(relu.values()[1], 0.0) << "relu of minus infinity";
}

TEST(MlpTest, GatesAndClamps) {
  Tensor a = tensor({2, 2}, {1, -1, 2, 0.5}), b = tensor({2, 2}, {3, 4, -5, 6});
  EXPECT_THAT(
      runBody("%r = block.gate %a0, %a1 {kind = #block.activation<relu>}"
              " : tensor<2x2xf32>",
              "tensor<2x2xf32>", {a, b}),
      YieldsNear(Values{3, 0, -10, 3}))
      << "gate activates its first operand";
  Tensor narrow = wild({3}, 1, ElementType::BF16);
  Values squares;
  for (double x : narrow.data())
    squares.push_back(roundToBF16(x * x));
  EXPECT_THAT(runBody("%r = block.gate %a0, %a0 "
                      "{kind = #block.activation<identity>} : tensor<3xbf16>",
                      "tensor<3xbf16>", {narrow}),
              Yields(squares))
      << "gate rounds once";
  EXPECT_THAT(runBody("%r = block.clamp %a0 {limit = 4.5 : f64} : "
                      "tensor<2x2xf32>",
                      "tensor<2x2xf32>", {b}),
              YieldsNear(Values{3, 4, -4.5, 4.5}))
      << "clamp";
}

TEST(MlpTest, RoundsWhereTheStepsDo) {
  constexpr ElementType type = ElementType::BF16;
  Tensor x = wild({1, 3, 4}, 1, type), up = wild({6, 4}, 2, type),
         gate = wild({6, 4}, 3, type), down = wild({5, 6}, 4, type),
         upBias = wild({6}, 5, type), gateBias = wild({6}, 6, type),
         downBias = wild({5}, 7, type);
  auto rounded = [](const llvm::ArrayRef<int64_t> shape, Values values) {
    return tensor(shape, std::move(values), type);
  };
  Tensor hidden = rounded({1, 3, 6}, multiply(x, up, &upBias));
  Tensor gated = rounded({1, 3, 6}, multiply(x, gate, &gateBias));

  Values active(hidden.data());
  for (double &h : active)
    h = h > 0 ? h * h : 0;
  Values plain = multiply(rounded({1, 3, 6}, active), down, &downBias);
  roundTo(type, plain);
  EXPECT_THAT(
      runBody("%r = block.mlp %a0 up %a1 down %a2 up_bias %a3 down_bias %a4 "
              "{activation = #block.activation<relu_squared>} : "
              "(tensor<1x3x4xbf16>, tensor<6x4xbf16>, tensor<5x6xbf16>, "
              "tensor<6xbf16>, tensor<5xbf16>) -> tensor<1x3x5xbf16>",
              "tensor<1x3x5xbf16>", {x, up, down, upBias, downBias}),
      Yields(plain))
      << "plain mlp rounds projection, activation and result";

  Values product;
  for (int64_t i = 0; i < 18; ++i) {
    double g = gated.data()[i];
    product.push_back(g / (1 + std::exp(-g)) * hidden.data()[i]);
  }
  Values result = multiply(rounded({1, 3, 6}, product), down, nullptr);
  roundTo(type, result);
  EXPECT_THAT(
      runBody("%r = block.mlp %a0 up %a1 gate %a2 down %a3 up_bias %a4 "
              "gate_bias %a5 {activation = #block.activation<silu>} : "
              "(tensor<1x3x4xbf16>, tensor<6x4xbf16>, tensor<6x4xbf16>, "
              "tensor<5x6xbf16>, tensor<6xbf16>, tensor<6xbf16>) -> "
              "tensor<1x3x5xbf16>",
              "tensor<1x3x5xbf16>", {x, up, gate, down, upBias, gateBias}),
      Yields(result))
      << "gated mlp activates the gate and rounds the product";
}
