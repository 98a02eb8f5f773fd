//===- FusionTest.cpp - merged projections, deferred norms, partials ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each step equals the unfused ops it stands for, which other tests judge.
//
//===----------------------------------------------------------------------===//

#include "RunText.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;

/// Both bodies, which end in %r, give the same.
static void checkEqual(const std::string &name, const std::string &fused,
                       const std::string &unfused, const std::string &type,
                       llvm::ArrayRef<Tensor> arguments) {
  Outcome want = runBody(unfused, type, arguments, exact());
  EXPECT_THAT(want, Runs())
      << (name + ": the unfused form runs " + want.errors);
  EXPECT_THAT(runBody(fused, type, arguments, exact()),
              YieldsNear(want.values()))
      << name;
}

TEST(FusionTest, FusedProjectionsEqualUnfusedOnes) {
  Tensor a = wild({1, 3, 4}, 1), b = wild({1, 3, 5}, 2), wa = wild({6, 4}, 3),
         wb = wild({6, 5}, 4), bias = wild({6}, 5);
  const std::string rows = "tensor<1x3x6xf32>";
  const std::string types = "(tensor<1x3x4xf32>, tensor<1x3x5xf32>, "
                            "tensor<6x4xf32>, tensor<6x5xf32>, tensor<6xf32>)";
  const std::string fused = "%r = block.linear_sum (%a0, %a1) weights (%a2, "
                            "%a3) bias %a4 : " +
                            types + " -> " + rows;
  checkEqual("linear_sum", fused,
             "%p = block.linear %a0, %a2 bias %a4 : (tensor<1x3x4xf32>, "
             "tensor<6x4xf32>, tensor<6xf32>) -> " +
                 rows + "\n%q = block.linear %a1, %a3 : (tensor<1x3x5xf32>, " +
                 "tensor<6x5xf32>) -> " + rows +
                 "\n%r = block.residual %p, %q : (" + rows + ", " + rows +
                 ") -> " + rows,
             rows, {a, b, wa, wb, bias});
  Values rounded = runBody(fused, rows, {a, b, wa, wb, bias}, exact()).values();
  roundTo(ElementType::F32, rounded);
  EXPECT_THAT(runBody(fused, rows, {a, b, wa, wb, bias}), Yields(rounded))
      << "linear_sum rounds once";
  EXPECT_THAT(
      runModule("func.func @main(%x: tensor<1x?x4xf32>, %y: "
                "tensor<1x?x4xf32>, %w: tensor<6x4xf32>) -> "
                "tensor<1x?x6xf32> {\n%r = block.linear_sum (%x, %y) weights "
                "(%w, %w) : (tensor<1x?x4xf32>, tensor<1x?x4xf32>, "
                "tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<1x?x6xf32>\n"
                "return %r : tensor<1x?x6xf32>\n}",
                {a, wild({1, 2, 4}, 1), wa}),
      IsRefusedWith(
          "expected dimension 1 of input to be 3 (size in the first input)"))
      << "sources of other rows";

  checkEqual("add_bias",
             "%p = block.linear %a0, %a2 : (tensor<1x3x4xf32>, "
             "tensor<6x4xf32>) -> " +
                 rows + "\n%r = block.add_bias %p, %a4 : (" + rows +
                 ", tensor<6xf32>) -> " + rows,
             "%r = block.linear %a0, %a2 bias %a4 : (tensor<1x3x4xf32>, "
             "tensor<6x4xf32>, tensor<6xf32>) -> " +
                 rows,
             rows, {a, b, wa, wb, bias});

  const std::string split = "%s, %t = block.split %a0 : (tensor<1x3x5xf32>) "
                            "-> (tensor<1x3x2xf32>, tensor<1x3x3xf32>)\n";
  for (auto [segment, first, width] :
       {std::tuple("s", 0, 2), std::tuple("t", 2, 3)}) {
    const std::string type = "tensor<1x3x" + std::to_string(width) + "xf32>";
    checkEqual("split",
               split + "%r = block.residual %" + segment + " : (" + type +
                   ") -> " + type,
               "%r = tensor.extract_slice %a0[0, 0, " + std::to_string(first) +
                   "] [1, 3, " + std::to_string(width) +
                   "] [1, 1, 1] : tensor<1x3x5xf32> to " + type,
               type, {b});
  }
}

/// A norm, then a projection; and the projection of the raw row, then the norm.
TEST(FusionTest, ADeferredNormIsANorm) {
  Tensor x = wild({1, 3, 6}, 6), weight = wild({4, 6}, 7), bias = wild({4}, 8);
  const std::string rows = "tensor<1x3x4xf32>", stat = "tensor<1x3x1xf32>";
  for (std::string kind : {"layer", "rms", "l2"})
    for (std::string epsForm : {"inside_root", "outside_root", "clamp"}) {
      const std::string form = "#block.norm<kind = " + kind +
                               ", eps = 0.5, eps_form = " + epsForm + ">";
      const std::string unfused =
          "%n = block.norm %a0 {form = " + form +
          "} : (tensor<1x3x6xf32>) -> tensor<1x3x6xf32>\n"
          "%r = block.linear %n, %a1 bias %a2 : (tensor<1x3x6xf32>, "
          "tensor<4x6xf32>, tensor<4xf32>) -> " +
          rows;
      bool centered = kind == "layer";
      std::string fused =
          "%p = block.linear %a0, %a1 : (tensor<1x3x6xf32>, tensor<4x6xf32>) "
          "-> " +
          rows + "\n";
      fused += centered
                   ? "%m, %v = block.norm_stats %a0 centered : "
                     "(tensor<1x3x6xf32>) -> (" +
                         stat + ", " + stat + ")\n" +
                         "%s = block.weight_sums %a1 : (tensor<4x6xf32>) "
                         "-> tensor<4xf32>\n"
                         "%r = block.deferred_norm %p mean %m moment %v "
                         "sums %s bias %a2"
                   : "%v = block.norm_stats %a0 : (tensor<1x3x6xf32>) -> " +
                         stat + "\n" +
                         "%r = block.deferred_norm %p moment %v bias %a2";
      fused += " {form = " + form + ", width = 6 : i64} : (" + rows + ", " +
               stat + (centered ? ", " + stat + ", tensor<4xf32>" : "") +
               ", tensor<4xf32>) -> " + rows;
      checkEqual("deferred norm: " + kind + ", " + epsForm, fused, unfused,
                 rows, {x, weight, bias});
    }
}

TEST(FusionTest, PartialStatisticsMergeToWholeOnes) {
  Tensor x = wild({2, 3, 7}, 9);
  const std::string stat = "tensor<2x3x1xf32>";
  for (int64_t tile : {1, 3, 7, 100}) {
    std::string parts =
        "tensor<2x3x" + std::to_string((7 + tile - 1) / tile) + "xf32>";
    std::string size = "tile = " + std::to_string(tile) + " : i64";
    std::string merge = " {width = 7 : i64, " + size + "} : (" + parts;
    std::string name = "tiles of " + std::to_string(tile);
    const std::string centered = "%p, %q = block.partial_stats %a0 centered {" +
                                 size + "} : (tensor<2x3x7xf32>) -> (" + parts +
                                 ", " + parts + ")\n";
    for (bool mean : {true, false}) {
      std::string names = mean ? "%r, %o" : "%o, %r";
      checkEqual((mean ? "mean of " : "variance of ") + name,
                 centered + names + " = block.merge_stats mean %p moment %q" +
                     merge + ", " + parts + ") -> (" + stat + ", " + stat + ")",
                 names +
                     " = block.norm_stats %a0 centered : "
                     "(tensor<2x3x7xf32>) -> (" +
                     stat + ", " + stat + ")",
                 stat, {x});
    }
    checkEqual("mean of squares of " + name,
               "%p = block.partial_stats %a0 {" + size +
                   "} : (tensor<2x3x7xf32>) -> " + parts +
                   "\n%r = block.merge_stats moment %p" + merge + ") -> " +
                   stat,
               "%r = block.norm_stats %a0 : (tensor<2x3x7xf32>) -> " + stat,
               stat, {x});
  }
  EXPECT_THAT(runBody("%p, %r = block.partial_stats %a0 centered {tile = 2 : "
                      "i64} : (tensor<1x1x3xf32>) -> (tensor<1x1x2xf32>, "
                      "tensor<1x1x2xf32>)",
                      "tensor<1x1x2xf32>", {tensor({1, 1, 3}, {1, 5, 7})}),
              YieldsNear(Values{8, 0}))
      << "a partial is a sum of squared distances";
  EXPECT_THAT(
      runModule("func.func @main(%m: tensor<1x?x1xf32>, %v: "
                "tensor<1x?x1xf32>) -> tensor<1x?x1xf32> {\n%r, %o = "
                "block.merge_stats mean %m moment %v {width = 2 : i64, tile = "
                "2 : i64} : (tensor<1x?x1xf32>, tensor<1x?x1xf32>) -> "
                "(tensor<1x?x1xf32>, tensor<1x?x1xf32>)\nreturn %r : "
                "tensor<1x?x1xf32>\n}",
                {wild({1, 2, 1}, 1), wild({1, 3, 1}, 1)}),
      IsRefusedWith("expected mean to have the shape of moment"))
      << "means and moments of other rows";
}
