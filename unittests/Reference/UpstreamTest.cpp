//===- UpstreamTest.cpp - upstream ops beside those of the dialect --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RunText.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;

/// 0, 1, 2, ... in this shape.
static Tensor count(llvm::ArrayRef<int64_t> shape) {
  Values values(countOf(shape));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = i;
  return tensor(shape, std::move(values));
}

static void checkShape(const std::string &name, const Outcome &outcome,
                       llvm::ArrayRef<int64_t> shape) {
  EXPECT_THAT(outcome, Runs()) << ("... of the right shape: " + name);
  EXPECT_EQ(llvm::ArrayRef<int64_t>(outcome.results[0].shape), shape)
      << ("... of the right shape: " + name);
}

TEST(UpstreamTest, ReshapesAndCasts) {
  Outcome expanded = runBody(
      "%r = tensor.expand_shape %a0 [[0], [1, 2]] output_shape [2, 3, 2] : "
      "tensor<2x6xf32> into tensor<2x3x2xf32>",
      "tensor<2x3x2xf32>", {count({2, 6})});
  EXPECT_THAT(expanded, Yields(count({12}).data())) << "expand_shape";
  checkShape("expand_shape", expanded, {2, 3, 2});
  Outcome collapsed = runBody("%r = tensor.collapse_shape %a0 [[0, 1], [2]] : "
                              "tensor<2x3x2xf32> into tensor<6x2xf32>",
                              "tensor<6x2xf32>", {count({2, 3, 2})});
  EXPECT_THAT(collapsed, Yields(count({12}).data())) << "collapse_shape";
  checkShape("collapse_shape", collapsed, {6, 2});

  auto expand = [](const Tensor &x, int64_t size) {
    return runModule("func.func @main(%x: tensor<?x4xf32>) -> "
                     "tensor<?x2x4xf32> {\n%n = arith.constant " +
                         std::to_string(size) +
                         " : index\n%r = tensor.expand_shape %x [[0, 1], [2]] "
                         "output_shape [%n, 2, 4] : tensor<?x4xf32> into "
                         "tensor<?x2x4xf32>\nreturn %r : tensor<?x2x4xf32>\n}",
                     {x});
  };
  checkShape("expand_shape to a size of the run", expand(count({6, 4}), 3),
             {3, 2, 4});
  EXPECT_THAT(
      expand(count({6, 4}), 2),
      IsRefusedWith(
          "expected the product of the sizes that dimension 0 becomes to be "
          "6, got 4"))
      << "expand_shape to other sizes";
  EXPECT_THAT(expand(count({6, 4}), 9223372036854775807),
              IsRefusedWith("expected sizes whose product is a size"))
      << "expand_shape to nonsense";

  Outcome cast = runModule("func.func @main(%x: tensor<2x?xf32>) -> "
                           "tensor<?x3xf32> {\n%r = tensor.cast %x : "
                           "tensor<2x?xf32> to tensor<?x3xf32>\nreturn %r : "
                           "tensor<?x3xf32>\n}",
                           {count({2, 3})});
  EXPECT_THAT(cast, Yields(count({6}).data())) << "cast";
  EXPECT_THAT(
      runModule("func.func @main(%x: tensor<?xf32>) -> "
                "tensor<3xf32> {\n%r = tensor.cast %x : "
                "tensor<?xf32> to tensor<3xf32>\nreturn %r : "
                "tensor<3xf32>\n}",
                {count({2})}),
      IsRefusedWith("expected result 0 to be 'tensor<3xf32>', got f32 [2]"))
      << "cast to a shape it has not";
}

TEST(UpstreamTest, SlicesInsertsAndConcatenates) {
  EXPECT_THAT(runBody("%r = tensor.extract_slice %a0[1, 1] [2, 2] [1, 3] : "
                      "tensor<3x5xf32> to tensor<2x2xf32>",
                      "tensor<2x2xf32>", {count({3, 5})}),
              Yields(Values{6, 9, 11, 14}))
      << "extract_slice with offsets and strides";
  Outcome reduced =
      runBody("%r = tensor.extract_slice %a0[0, 2, 0] [2, 1, 2] [1, 1, 1] : "
              "tensor<2x3x2xf32> to tensor<2x2xf32>",
              "tensor<2x2xf32>", {count({2, 3, 2})});
  EXPECT_THAT(reduced, Yields(Values{4, 5, 10, 11}))
      << "extract_slice that drops a dimension";
  checkShape("extract_slice", reduced, {2, 2});
  Tensor small = tensor({2, 1}, {100, 200});
  EXPECT_THAT(runBody("%r = tensor.insert_slice %a1 into %a0[0, 1] [2, 1] "
                      "[2, 1] : tensor<2x1xf32> into tensor<3x2xf32>",
                      "tensor<3x2xf32>", {count({3, 2}), small}),
              Yields(Values{0, 100, 2, 3, 4, 200}))
      << "insert_slice";
  EXPECT_THAT(runBody("%r = tensor.insert_slice %a1 into %a0[1, 0] [1, 2] "
                      "[1, 1] : tensor<2xf32> into tensor<2x2xf32>",
                      "tensor<2x2xf32>",
                      {count({2, 2}), tensor({2}, {100, 200})}),
              Yields(Values{0, 1, 100, 200}))
      << "insert_slice that adds a dimension";
  EXPECT_THAT(runBody("%r = tensor.concat dim(1) %a0, %a1, %a0 : "
                      "(tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x2xf32>) -> "
                      "tensor<2x5xf32>",
                      "tensor<2x5xf32>", {count({2, 2}), small}),
              Yields(Values{0, 1, 100, 0, 1, 2, 3, 200, 2, 3}))
      << "concat";
  EXPECT_THAT(
      runModule("func.func @main(%x: tensor<?x1xf32>, %y: "
                "tensor<?x1xf32>) -> tensor<?x2xf32> {\n%r = "
                "tensor.concat dim(1) %x, %y : (tensor<?x1xf32>, "
                "tensor<?x1xf32>) -> tensor<?x2xf32>\nreturn %r : "
                "tensor<?x2xf32>\n}",
                {count({2, 1}), count({3, 1})}),
      IsRefusedWith("expected dimension 0 of every input to be 2, got 3"))
      << "concat of other sizes";

  auto slice = [](int64_t offset, int64_t size, int64_t stride) {
    auto constant = [](const std::string &name, int64_t value) {
      return "%" + name + " = arith.constant " + std::to_string(value) +
             " : index\n";
    };
    return runModule("func.func @main(%x: tensor<5xf32>) -> tensor<?xf32> {\n" +
                         constant("o", offset) + constant("n", size) +
                         constant("s", stride) +
                         "%r = tensor.extract_slice %x[%o] [%n] [%s] : "
                         "tensor<5xf32> to tensor<?xf32>\nreturn %r : "
                         "tensor<?xf32>\n}",
                     {count({5})});
  };
  EXPECT_THAT(slice(1, 2, 2), Yields(Values{1, 3}))
      << "a slice of the run's size";
  EXPECT_THAT(slice(4, 3, -2), Yields(Values{4, 2, 0})) << "a slice backwards";
  checkShape("an empty slice at the end", slice(5, 0, 1), {0});
  const std::string outside = "expected a part of dimension 0 of size 5, got "
                              "offset ";
  EXPECT_THAT(slice(1, 3, 2), IsRefusedWith(outside + "1, size 3 and stride 2"))
      << "a slice beyond the end";
  EXPECT_THAT(slice(-1, 2, 1), IsRefusedWith(outside + "-1"))
      << "a slice before the start";
  EXPECT_THAT(slice(1, 3, -1), IsRefusedWith(outside + "1"))
      << "a slice through the start";
  EXPECT_THAT(slice(0, -1, 1), IsRefusedWith(outside + "0"))
      << "a slice of negative size";
  EXPECT_THAT(slice(1, 9223372036854775807, 9223372036854775807),
              IsRefusedWith(outside + "1"))
      << "a slice of nonsense";
}

TEST(UpstreamTest, TransposesBroadcastsAndFills) {
  EXPECT_THAT(runBody("%e = tensor.empty() : tensor<3x2xf32>\n%r = "
                      "linalg.transpose ins(%a0 : tensor<2x3xf32>) outs(%e : "
                      "tensor<3x2xf32>) permutation = [1, 0]",
                      "tensor<3x2xf32>", {count({2, 3})}),
              Yields(Values{0, 3, 1, 4, 2, 5}))
      << "transpose";
  EXPECT_THAT(runBody("%e = tensor.empty() : tensor<3x2x2xf32>\n%r = "
                      "linalg.transpose ins(%a0 : tensor<2x2x3xf32>) outs(%e : "
                      "tensor<3x2x2xf32>) permutation = [2, 0, 1]",
                      "tensor<3x2x2xf32>", {count({2, 2, 3})}),
              Yields(Values{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}))
      << "transpose of three dimensions";
  EXPECT_THAT(runBody("%e = tensor.empty() : tensor<2x3x2xf32>\n%r = "
                      "linalg.broadcast ins(%a0 : tensor<2x2xf32>) outs(%e : "
                      "tensor<2x3x2xf32>) dimensions = [1]",
                      "tensor<2x3x2xf32>", {count({2, 2})}),
              Yields(Values{0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3}))
      << "broadcast";
  EXPECT_THAT(
      runBody("%c = arith.constant 2.5 : f32\n%r = linalg.fill ins(%c : "
              "f32) outs(%a0 : tensor<2xf32>) -> tensor<2xf32>",
              "tensor<2xf32>", {count({2})}),
      Yields(Values{2.5, 2.5}))
      << "fill";
  EXPECT_THAT(runBody("%c = arith.constant 3 : i64\n%r = tensor.splat %c : "
                      "tensor<2xi64>",
                      "tensor<2xi64>", {count({1})}),
              Yields(Values{3, 3}))
      << "splat";
  Outcome sized =
      runModule("func.func @main(%x: tensor<2x?xf32>) -> tensor<?xf32> {\n"
                "%one = arith.constant 1 : index\n"
                "%two = arith.constant 2 : index\n"
                "%n = tensor.dim %x, %one : tensor<2x?xf32>\n"
                "%p = arith.muli %n, %two : index\n"
                "%s = arith.subi %p, %one : index\n"
                "%t = arith.addi %s, %two : index\n"
                "%r = tensor.empty(%t) : tensor<?xf32>\n"
                "return %r : tensor<?xf32>\n}",
                {count({2, 3})});
  checkShape("dim and index arithmetic", sized, {7});
  EXPECT_THAT(runModule("func.func @main(%x: tensor<2x?xf32>, %i: index) -> "
                        "index {\n%r = tensor.dim %x, %i : "
                        "tensor<2x?xf32>\nreturn %r : index\n}",
                        {count({2, 3}), tensor({}, {2}, ElementType::I64)}),
              IsRefusedWith("expected a dimension in [0, 2), got 2"))
      << "dim that does not exist";
  EXPECT_THAT(
      runModule("func.func @main(%x: tensor<?x2xf32>, %y: tensor<2x?xf32>) -> "
                "tensor<2x?xf32> {\n%r = linalg.transpose ins(%x : "
                "tensor<?x2xf32>) outs(%y : tensor<2x?xf32>) permutation = "
                "[1, 0]\nreturn %r : tensor<2x?xf32>\n}",
                {count({3, 2}), count({2, 4})}),
      IsRefusedWith("to have one size, got 3 and 4"))
      << "transpose into another shape";
  EXPECT_THAT(
      runModule("func.func @main(%x: tensor<?xf32>, %y: tensor<2x?xf32>) -> "
                "tensor<2x?xf32> {\n%r = linalg.broadcast ins(%x : "
                "tensor<?xf32>) outs(%y : tensor<2x?xf32>) dimensions = "
                "[0]\nreturn %r : tensor<2x?xf32>\n}",
                {count({3}), count({2, 4})}),
      IsRefusedWith("to have one size, got 3 and 4"))
      << "broadcast into another shape";
}

TEST(UpstreamTest, ComputesAndRounds) {
  Tensor a = tensor({3}, {1, -2, 0.5}), b = tensor({3}, {4, 0.25, -8});
  for (auto [name, want] : {std::pair("addf", Values{5, -1.75, -7.5}),
                            std::pair("subf", Values{-3, -2.25, 8.5}),
                            std::pair("mulf", Values{4, -0.5, -4}),
                            std::pair("divf", Values{0.25, -8, -0.0625})})
    EXPECT_THAT(
        runBody(std::string("%r = arith.") + name + " %a0, %a1 : tensor<3xf32>",
                "tensor<3xf32>", {a, b}),
        Yields(want))
        << name;
  EXPECT_THAT(runBody("%r = arith.addf %a0, %a1 : tensor<1xbf16>",
                      "tensor<1xbf16>",
                      {tensor({1}, {1}, ElementType::BF16),
                       tensor({1}, {0.00390625}, ElementType::BF16)}),
              Yields(Values{1}))
      << "arithmetic rounds";
  EXPECT_THAT(runBody("%r = arith.truncf %a0 : tensor<1xf32> to tensor<1xbf16>",
                      "tensor<1xbf16>", {tensor({1}, {1.0078})}),
              Yields(Values{1.0078125}))
      << "truncf";
  EXPECT_THAT(runBody("%r = arith.truncf %a0 : tensor<1xf32> to tensor<1xbf16>",
                      "tensor<1xbf16>", {tensor({1}, {1.001})}, exact()),
              YieldsNear(Values{roundToF32(1.001)}))
      << "truncf in exact arithmetic";
  EXPECT_THAT(runBody("%r = arith.truncf %a0 upward : tensor<1xf32> to "
                      "tensor<1xbf16>",
                      "tensor<1xbf16>", {tensor({1}, {1})}),
              IsRefusedWith("has a form that cannot be evaluated"))
      << "truncf of another rounding mode";
  EXPECT_THAT(runBody("%r = arith.extf %a0 : tensor<1xbf16> to tensor<1xf32>",
                      "tensor<1xf32>", {tensor({1}, {1.5}, ElementType::BF16)}),
              Yields(Values{1.5}))
      << "extf";
  EXPECT_THAT(runBody("%c = arith.constant dense<[1.0, 2.0, 3.0]> : "
                      "tensor<3xf32>\n%r = arith.addf %a0, %c : tensor<3xf32>",
                      "tensor<3xf32>", {a}),
              Yields(Values{2, 0, 3.5}))
      << "dense constant";
  EXPECT_THAT(runBody("%c = arith.constant dense<2.0> : tensor<3xf32>\n%r = "
                      "arith.mulf %a0, %c : tensor<3xf32>",
                      "tensor<3xf32>", {a}),
              Yields(Values{2, -4, 1}))
      << "splat constant";
  EXPECT_THAT(
      runBody("%c = arith.constant dense<[-7, 9]> : tensor<2xi32>\n%r = "
              "arith.muli %c, %c : tensor<2xi32>",
              "tensor<2xi32>", {a}),
      Yields(Values{49, 81}))
      << "integer constants";
  EXPECT_THAT(
      runBody("%c = arith.constant -3 : i64\n%i = arith.index_cast %c : "
              "i64 to index\n%j = arith.index_cast %i : index to i32\n"
              "%r = tensor.splat %j : tensor<1xi32>",
              "tensor<1xi32>", {a}),
      Yields(Values{-3}))
      << "index_cast";
  EXPECT_THAT(runBody("%c = arith.constant dense<100000> : tensor<1xi32>\n"
                      "%r = arith.muli %c, %c : tensor<1xi32>",
                      "tensor<1xi32>", {a}),
              Yields(Values{1410065408}))
      << "an integer that leaves its type wraps";
  EXPECT_THAT(runBody("%c = arith.constant dense<4503599627370497> : "
                      "tensor<1xi64>\n%r = arith.muli %c, %c : "
                      "tensor<1xi64>",
                      "tensor<1xi64>", {a}),
              IsRefusedWith("expected a whole number of at most 2^53"))
      << "an integer that a double does not hold";
  auto runElsewhere = [](llvm::StringRef type, llvm::StringRef resources) {
    return runModule(
        "func.func @main() -> " + type.str() +
            " {\n%r = arith.constant dense_resource<blob> : " + type.str() +
            "\nreturn %r : " + type.str() + "\n}\n" + resources.str(),
        {});
  };
  constexpr llvm::StringLiteral one =
      "{-# dialect_resources: { builtin: { blob: "
      "\"0x040000000000803F\" } } #-}";
  EXPECT_THAT(runElsewhere("tensor<1xf32>", one), Yields(Values{1}))
      << "a constant kept elsewhere";
  EXPECT_THAT(runElsewhere("tensor<1xf32>", ""),
              IsRefusedWith("expected a resource 'blob' in the file, got none"))
      << "a constant that is nowhere";
  EXPECT_THAT(runElsewhere("tensor<2xf32>", one),
              IsRefusedWith("expected 8 bytes in resource 'blob', got 4"))
      << "a constant of another size";
}
