//===- AttentionPropertiesTest.cpp - what holds for every attention -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Facts that need no formula: who sees whom, what order does not matter, and
// that tokens may come at once or after a past. Checked on block.attention,
// with a rotation and grouped heads where they do not spoil the property.
//
//===----------------------------------------------------------------------===//

#include "RunText.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;

namespace {
/// A self-attention of width 6 with 4 heads of 4 on 2.
struct Model {
  std::string scores = "scale = 0.5";
  std::string more;
  Values lengths;

  Outcome run(const Tensor &x, llvm::ArrayRef<Tensor> past = {}) const {
    std::vector<Tensor> arguments = {x, wild({16, 6}, 11), wild({8, 6}, 12),
                                     wild({8, 6}, 13), wild({6, 16}, 14)};
    std::string text = "%r = block.attention %a0 q %a1 k %a2 v %a3 o %a4";
    if (!lengths.empty()) {
      text += " lengths %a5";
      arguments.push_back(tensor({x.shape[0]}, lengths, ElementType::I64));
    }
    if (!past.empty()) {
      size_t first = arguments.size();
      text += " past_key %a" + std::to_string(first) + " past_value %a" +
              std::to_string(first + 1);
      arguments.insert(arguments.end(), past.begin(), past.end());
    }
    text += " {heads = 4 : i64, kv_heads = 2 : i64, scores = #block.scores<" +
            scores + ">" + more + "} : (";
    for (size_t i = 0; i < arguments.size(); ++i)
      text += (i ? ", " : "") + typeOf(arguments[i]);
    return runBody(text + ") -> " + typeOf(x), typeOf(x), arguments, exact());
  }
};
} // namespace

constexpr llvm::StringLiteral rotation =
    ", rope = #block.rope<style = half, dim = 4>";

/// `x` with row `row` of batch row 0 replaced.
static Tensor replaceRow(const Tensor &x, int64_t row) {
  Values values(x.data());
  for (int64_t c = 0; c < 6; ++c)
    values[row * 6 + c] = 0.9 - 0.2 * c;
  return tensor(x.shape, values);
}

/// Which rows of batch row 0 change when row `row` of the input does: "..x" is
/// the last of three.
static std::string influence(const Model &model, const Tensor &x, int64_t row) {
  Outcome before = model.run(x), after = model.run(replaceRow(x, row));
  if (!before.ok() || !after.ok())
    return before.errors + after.errors;
  std::string text;
  for (int64_t t = 0; t < x.shape[1]; ++t) {
    bool changed = false;
    for (int64_t c = 0; c < 6; ++c)
      changed |= before.values()[t * 6 + c] != after.values()[t * 6 + c];
    text += changed ? 'x' : '.';
  }
  return text;
}

TEST(AttentionPropertiesTest, MasksSayWhoSeesWhom) {
  Tensor x = wild({1, 6, 6}, 1);
  Model model;
  model.more = rotation;
  EXPECT_EQ(influence(model, x, 2), "xxxxxx") << "everyone sees everyone";
  model.lengths = {4};
  EXPECT_EQ(influence(model, x, 5), ".....x") << "padding is not seen";
  EXPECT_EQ(influence(model, x, 3), "xxxxxx") << "what is not padding is";
  model.lengths.clear();
  model.scores += ", window = 2";
  EXPECT_EQ(influence(model, x, 2), ".xxx..") << "a window on both sides";
  model.scores = "scale = 0.5, causal = true";
  EXPECT_EQ(influence(model, x, 2), "..xxxx") << "causal";
  model.scores += ", window = 3";
  EXPECT_EQ(influence(model, x, 2), "..xxx.") << "a causal window";
}

TEST(AttentionPropertiesTest, OnlyPositionsMakeOrderMatter) {
  Model model;
  Tensor x = wild({1, 5, 6}, 2);
  const std::vector<int64_t> order = {3, 0, 4, 2, 1};
  auto permute = [&](llvm::ArrayRef<double> rows) {
    Values values;
    for (int64_t row : order)
      values.insert(values.end(), rows.begin() + row * 6,
                    rows.begin() + row * 6 + 6);
    return values;
  };
  Tensor permuted = tensor(x.shape, permute(x.data()));
  EXPECT_THAT(model.run(permuted), YieldsNear(permute(model.run(x).values())))
      << "without positions rows may come in any order";
  model.more = rotation;
  EXPECT_GT(largestDifference(model.run(permuted).values(),
                              permute(model.run(x).values())),
            1e-3)
      << "with positions they may not";
}

/// Shifting every position by the same amount changes nothing that is relative.
TEST(AttentionPropertiesTest, PositionsAreRelative) {
  Tensor x = wild({1, 4, 6}, 3);
  Model model;
  model.scores = "scale = 0.5, causal = true, alibi_max = 8.0, window = 3";
  model.more = rotation;
  Values padded = {0.3, -0.2, 0.7, 0.1, 0.5, -0.4};
  Values values;
  for (int64_t i = 0; i < 3; ++i)
    values.insert(values.end(), padded.begin(), padded.end());
  values.insert(values.end(), x.data().begin(), x.data().end());
  Outcome shifted = model.run(tensor({1, 7, 6}, values));
  Outcome plain = model.run(x);
  // The last two rows see, within the window, nothing but rows of x.
  Values got(shifted.values().end() - 12, shifted.values().end());
  Values want(plain.values().end() - 12, plain.values().end());
  EXPECT_LT(largestDifference(got, want), 1e-12)
      << "rotation, ALiBi and window are relative";
}

/// Keys and values of the rows of `x` as the model caches them: rotated.
static std::vector<Tensor> cache(const Tensor &x, bool rotated) {
  std::string type = "tensor<1x" + std::to_string(x.shape[1]) + "x8xf32>";
  auto project = [&](int seed, bool rotate) {
    Tensor weight = wild({8, 6}, seed);
    std::string text = "%p = block.linear %a0, %a1 : (" + typeOf(x) + ", " +
                       typeOf(weight) + ") -> " + type + "\n";
    text += rotate ? "%r = block.rope %p {heads = 2 : i64, form = #block.rope"
                     "<style = half, dim = 4>} : (" +
                         type + ") -> " + type
                   : "%r = block.residual %p : (" + type + ") -> " + type;
    return runBody(text, type, {x, weight}, exact()).results.front();
  };
  return {project(12, rotated), project(13, false)};
}

TEST(AttentionPropertiesTest, APastIsAsGoodAsTheWhole) {
  Tensor x = wild({1, 6, 6}, 4);
  auto rows = [&](int64_t first, int64_t end) {
    return tensor({1, end - first, 6}, Values(x.data().begin() + first * 6,
                                              x.data().begin() + end * 6));
  };
  Model model;
  for (auto [name, scores, rope] :
       {std::tuple("rotation", "", true),
        std::tuple("ALiBi", ", alibi_max = 8.0", false),
        std::tuple("window", ", window = 3", true)}) {
    model.scores = std::string("scale = 0.5, causal = true") + scores;
    model.more = rope ? std::string(rotation) : "";
    Values whole = model.run(x).values();
    for (int64_t past : {1, 4, 5}) {
      Values want(whole.begin() + past * 6, whole.end());
      EXPECT_THAT(model.run(rows(past, 6), cache(rows(0, past), rope)),
                  YieldsNear(want))
          << (std::string(name) + ": a past of " + std::to_string(past) +
              " is as good as the whole");
    }
  }
}

/// Batch rows do not know of each other.
TEST(AttentionPropertiesTest, BatchRowsDoNotKnowOfEachOther) {
  Tensor both = wild({2, 4, 6}, 5);
  Tensor second =
      tensor({1, 4, 6}, Values(both.data().begin() + 24, both.data().end()));
  Model model;
  model.more = rotation;
  model.scores = "scale = 0.5, causal = true";
  Values all = model.run(both).values();
  EXPECT_THAT(model.run(second), Yields(Values(all.begin() + 24, all.end())))
      << "a batch row alone";
}
