//===- RopeTest.cpp - rotary position embedding ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RunText.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;

/// `block.rope` with two heads of 6, at `offset`.
static Outcome runRope(const Tensor &x, const std::string &form,
                       int64_t offset = 0, const Options &options = exact()) {
  return runBody("%p = arith.constant " + std::to_string(offset) +
                     " : index\n%r = block.rope %a0 offset %p {heads = 2 : "
                     "i64, form = #block.rope<" +
                     form + ">} : (" + typeOf(x) + ", index) -> " + typeOf(x),
                 typeOf(x), {x}, options);
}

namespace {
/// The expected effect of a rotation.
struct Rotation {
  bool half;
  Values frequencies;
  double scale = 1;
  ElementType table = ElementType::F64;
  int64_t offset = 0;
};
} // namespace

static Values rotate(const Tensor &x, const Rotation &rotation) {
  Values y(x.data());
  int64_t tokens = x.shape[1], pairs = rotation.frequencies.size();
  for (int64_t b = 0; b < x.shape[0]; ++b)
    for (int64_t t = 0; t < tokens; ++t)
      for (int64_t head = 0; head < 2; ++head)
        for (int64_t i = 0; i < pairs; ++i) {
          int64_t first = (b * tokens + t) * 12 + head * 6;
          int64_t a = first + (rotation.half ? i : 2 * i);
          int64_t c = first + (rotation.half ? i + pairs : 2 * i + 1);
          double angle = (rotation.offset + t) * rotation.frequencies[i];
          double cosine =
              roundTo(rotation.table, rotation.scale * std::cos(angle));
          double sine =
              roundTo(rotation.table, rotation.scale * std::sin(angle));
          y[a] = x.data()[a] * cosine - x.data()[c] * sine;
          y[c] = x.data()[c] * cosine + x.data()[a] * sine;
        }
  return y;
}

static const Values of10000 = {1, std::pow(10000.0, -2.0 / 6),
                               std::pow(10000.0, -4.0 / 6)};

TEST(RopeTest, RotatesPairsOfHeads) {
  Tensor x = wild({2, 3, 12}, 1);
  EXPECT_THAT(runRope(x, "style = half, dim = 6"),
              YieldsNear(rotate(x, {true, of10000})))
      << "half";
  EXPECT_THAT(runRope(x, "style = interleaved, dim = 6"),
              YieldsNear(rotate(x, {false, of10000})))
      << "interleaved";
  EXPECT_THAT(runRope(x, "style = half, dim = 4, base = 100.0"),
              YieldsNear(rotate(x, {true, {1, 0.1}})))
      << "a part of the head";
  EXPECT_THAT(runRope(x, "style = interleaved, dim = 4, base = 100.0"),
              YieldsNear(rotate(x, {false, {1, 0.1}})))
      << "interleaved part of the head";
  EXPECT_THAT(runRope(x, "style = half, dim = 6, inv_freq = [0.5, 0.25, "
                         "0.125]"),
              YieldsNear(rotate(x, {true, {0.5, 0.25, 0.125}})))
      << "given frequencies";
  EXPECT_THAT(runRope(x, "style = half, dim = 4, base = 100.0, table_scale = "
                         "1.5"),
              YieldsNear(rotate(x, {true, {1, 0.1}, 1.5})))
      << "scaled table";
}

TEST(RopeTest, RoundsTheTableInExactArithmeticToo) {
  Tensor x = wild({2, 3, 12}, 1);
  Rotation narrow = {true, {1, 0.1}, 1.5, ElementType::BF16};
  EXPECT_THAT(runRope(x, "style = half, dim = 4, base = 100.0, table_scale = "
                         "1.5, table_type = bf16"),
              YieldsNear(rotate(x, narrow)))
      << "rounded table";
  EXPECT_GT(
      largestDifference(rotate(x, narrow), rotate(x, {true, {1, 0.1}, 1.5})),
      1e-4)
      << "which moves the result";
}

TEST(RopeTest, StartsAtAnOffset) {
  Tensor x = wild({2, 3, 12}, 1);
  EXPECT_THAT(runRope(x, "style = half, dim = 6", 5),
              YieldsNear(rotate(x, {true, of10000, 1, ElementType::F64, 5})))
      << "offset";
}

TEST(RopeTest, RoundsOnce) {
  Tensor bf16 = wild({1, 4, 12}, 2, ElementType::BF16);
  Values rounded = rotate(bf16, {true, of10000});
  roundTo(ElementType::BF16, rounded);
  EXPECT_THAT(runRope(bf16, "style = half, dim = 6", 0, {}), Yields(rounded))
      << "one rounding";
}

TEST(RopeTest, RefusesATableTypeWithoutValues) {
  EXPECT_THAT(
      runRope(wild({2, 3, 12}, 1), "style = half, dim = 4, table_type = f128"),
      IsRefusedWith("expected table_type to be f64, f32, bf16 or f16"))
      << "a table type without values";
}

TEST(RopeTest, AFrequencyOfZeroDoesNotRotate) {
  Outcome longer =
      runRope(wild({1, 1, 12}, 3),
              "style = half, dim = 6, inv_freq = [0.0, 0.0, 0.0]", 1000000);
  EXPECT_THAT(longer, YieldsNear(wild({1, 1, 12}, 3).data()))
      << "a frequency of 0 does not rotate";
}
