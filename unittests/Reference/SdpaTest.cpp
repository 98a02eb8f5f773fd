//===- SdpaTest.cpp - scaled dot-product attention against its formula ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "NaiveAttention.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;

/// The engine's result is the formula's, and not that of `other`.
static void checkForm(const std::string &name, const Attention &attention,
                      const Attention &other) {
  Values want = attention.compute();
  EXPECT_THAT(attention.run(), YieldsNear(want)) << name;
  EXPECT_GT(largestDifference(want, other.compute()), 1e-3)
      << ("... which matters: " + name);
}

TEST(SdpaTest, MasksHideKeys) {
  Attention plain = makeAttention(), causal = plain;
  EXPECT_THAT(plain.run(), YieldsNear(plain.compute())) << "bidirectional";
  causal.causal = true;
  checkForm("causal", causal, plain);
  for (int64_t window : {1, 2, 3}) {
    Attention windowed = causal;
    windowed.window = window;
    checkForm("causal window of " + std::to_string(window), windowed, causal);
    windowed.causal = false;
    checkForm("window of " + std::to_string(window) + " on both sides",
              windowed, plain);
  }
  Attention wide = causal;
  wide.window = INT64_MAX;
  EXPECT_THAT(wide.run(), YieldsNear(causal.compute()))
      << "a window without end";
  wide.causal = false;
  EXPECT_THAT(wide.run(), YieldsNear(plain.compute()))
      << "a window without end on both sides";
  Attention padded = plain;
  padded.lengths = {3, 5};
  checkForm("padding", padded, plain);
  padded.causal = true;
  checkForm("causal padding", padded, causal);

  // More queries than are blocked together, and ranges that begin late.
  Attention longer = makeAttention(70);
  longer.causal = true;
  longer.window = 9;
  longer.lengths = {70, 41};
  EXPECT_THAT(longer.run(), YieldsNear(longer.compute()))
      << "many blocks of queries";
  longer.causal = false;
  EXPECT_THAT(longer.run(), YieldsNear(longer.compute()))
      << "many blocks, both sides";
}

TEST(SdpaTest, FullyMaskedRowsAreZero) {
  Attention attention = makeAttention();
  attention.lengths = {0, 2};
  attention.gamma = tensor({1}, {0.5});
  Outcome outcome = attention.run();
  EXPECT_THAT(outcome, YieldsNear(attention.compute())) << "no allowed key";
  for (int64_t i = 0; i < 30; ++i)
    if (outcome.values()[i] != 0) {
      EXPECT_TRUE(false) << "fully masked rows are 0";
      return;
    }
  EXPECT_TRUE(true) << "fully masked rows are 0";

  // A window that has left the valid keys behind.
  attention.window = 2;
  attention.causal = true;
  attention.alpha = tensor({1}, {2});
  outcome = attention.run();
  EXPECT_EQ(outcome.values()[0], 2 * attention.value.data()[0])
      << "only alpha remains where no key is allowed";

  // Padding may hold anything.
  Attention clean = makeAttention(), dirty = clean;
  clean.lengths = dirty.lengths = {3, 4};
  Values keys(clean.key.data()), values(clean.value.data());
  for (int64_t j : {3, 4, 9}) {
    keys[j * 4 + 1] = std::nan("");
    values[j * 3 + 2] = HUGE_VAL;
  }
  dirty.key = tensor(clean.key.shape, keys);
  dirty.value = tensor(clean.value.shape, values);
  EXPECT_THAT(dirty.run(), Yields(clean.run().values()))
      << "padding never reaches a row";
}

TEST(SdpaTest, HeadsShareKeys) {
  Attention grouped = makeAttention();
  grouped.heads = 6;
  grouped.query = wild({2, 5, 24}, 4);
  for (int64_t kvHeads : {1, 2, 3, 6}) {
    grouped.kvHeads = kvHeads;
    grouped.key = wild({2, 5, 4 * kvHeads}, 5);
    grouped.value = wild({2, 5, 3 * kvHeads}, 6);
    EXPECT_THAT(grouped.run(), YieldsNear(grouped.compute()))
        << ("6 heads on " + std::to_string(kvHeads));
  }
  Attention cross = makeAttention();
  cross.key = wild({2, 3, 4}, 7);
  cross.value = wild({2, 3, 3}, 8);
  cross.lengths = {1, 3};
  EXPECT_THAT(cross.run(), YieldsNear(cross.compute()))
      << "fewer keys than queries";
}

TEST(SdpaTest, ScoresAreScaledBiasedAndCappedInOrder) {
  Attention plain = makeAttention();
  plain.causal = true;
  plain.softcap = 0.5;
  plain.alibiMax = 8;
  Attention biasFirst = plain, biasLast = plain;
  biasFirst.order = "bias_scale_cap";
  biasLast.order = "scale_cap_bias";
  checkForm("scale, bias, cap", plain, biasFirst);
  checkForm("bias, scale, cap", biasFirst, biasLast);
  checkForm("scale, cap, bias", biasLast, plain);
  Attention uncapped = plain;
  uncapped.softcap = 0;
  checkForm("no cap", uncapped, plain);
  Attention steep = plain;
  steep.alibiMax = 4;
  checkForm("another ALiBi maximum", steep, plain);
  Attention rounded = plain;
  rounded.alibiType = ElementType::BF16;
  checkForm("rounded ALiBi", rounded, plain);
  steep.causal = false;
  checkForm("ALiBi on both sides", steep, plain);
}

/// The weights of query `row` where scores are nothing but bias: zero queries,
/// and values that are the unit matrix.
static Values readBias(Attention attention, int64_t tokens, int64_t row,
                       int64_t head) {
  attention.query = tensor({1, tokens, attention.heads},
                           Values(tokens * attention.heads, 0.0));
  attention.key = tensor({1, tokens, 1}, Values(tokens, 0.0));
  Values unit(tokens * tokens, 0.0);
  for (int64_t i = 0; i < tokens; ++i)
    unit[i * tokens + i] = 1;
  attention.value = tensor({1, tokens, tokens}, unit);
  Outcome outcome = attention.run();
  if (!outcome.ok())
    return {};
  auto first =
      outcome.values().begin() + row * attention.heads * tokens + head * tokens;
  Values bias(first, first + tokens);
  double own = bias[row];
  for (double &weight : bias)
    weight = std::log(weight / own);
  return bias;
}

TEST(SdpaTest, AlibiHasTheSlopesOfItsHeads) {
  for (auto [heads, exponents] :
       {std::pair<int64_t, Values>(6, {2, 4, 6, 8, 1, 3}),
        std::pair<int64_t, Values>(4, {2, 4, 6, 8}),
        std::pair<int64_t, Values>(3, {4, 8, 2})}) {
    Attention attention;
    attention.heads = heads;
    attention.alibiMax = 8;
    for (int64_t head = 0; head < heads; ++head) {
      Values bias = readBias(attention, 3, 2, head);
      double slope = std::exp2(-exponents[head]);
      EXPECT_LT(largestDifference(bias, {-2 * slope, -slope, 0}), 1e-12)
          << ("slope " + std::to_string(head) + " of " + std::to_string(heads));
    }
  }
  Attention rounded;
  rounded.heads = 1;
  rounded.causal = true;
  rounded.alibiMax = 0.3;
  rounded.alibiType = ElementType::BF16;
  double slope = roundToBF16(std::exp2(-0.3));
  EXPECT_LT(largestDifference(
                readBias(rounded, 4, 3, 0),
                {-roundToBF16(3 * slope), slope - roundToBF16(3 * slope),
                 roundToBF16(2 * slope) - roundToBF16(3 * slope), 0}),
            1e-12)
      << "rounded ALiBi counts keys";
}

/// Buckets that checkpoints with 32 of them, up to distance 128, were trained
/// with.
TEST(SdpaTest, BucketsAreThoseOfTraining) {
  Attention attention;
  attention.heads = 1;
  Values rows(32);
  for (int64_t i = 0; i < 32; ++i)
    rows[i] = i / 64.0;
  attention.relativeTable = tensor({32, 1}, rows);
  auto check = [&](int64_t distance, int64_t bucket) {
    int64_t row = distance < 0 ? 0 : 130;
    Values bias = readBias(attention, 131, row, 0);
    double own = row - distance < 0 || bias.empty() ? HUGE_VAL
                                                    : bias[row - distance] * 64;
    EXPECT_EQ(std::lround(own), bucket)
        << ("bucket of distance " + std::to_string(distance));
  };
  attention.causal = true;
  for (auto [distance, bucket] : {std::pair(0, 0),
                                  {1, 1},
                                  {15, 15},
                                  {16, 16},
                                  {18, 16},
                                  {19, 17},
                                  {32, 21},
                                  {64, 26},
                                  {112, 30},
                                  {113, 31},
                                  {130, 31}})
    check(distance, bucket);
  attention.causal = false;
  attention.bidirectional = true;
  // Powers of two lie on the edges.
  for (auto [distance, bucket] : {std::pair(7, 7),
                                  {8, 8},
                                  {11, 8},
                                  {12, 9},
                                  {15, 9},
                                  {16, 10},
                                  {22, 10},
                                  {23, 11},
                                  {31, 11},
                                  {32, 12},
                                  {45, 12},
                                  {46, 13},
                                  {63, 13},
                                  {64, 14},
                                  {90, 14},
                                  {91, 15},
                                  {127, 15},
                                  {130, 15}}) {
    check(distance, bucket);
    check(-distance, 16 + bucket);
  }
}

TEST(SdpaTest, TablesBiasScoresAndValues) {
  Attention plain = makeAttention(24), causal = plain;
  causal.causal = true;
  for (bool bidirectional : {false, true}) {
    Attention biased = bidirectional ? plain : causal;
    biased.relativeTable = wild({8, 2}, 9);
    biased.bidirectional = bidirectional;
    biased.maxDistance = 16;
    checkForm(bidirectional ? "buckets on both sides" : "buckets", biased,
              bidirectional ? plain : causal);
    Attention nearer = biased;
    nearer.maxDistance = 9;
    checkForm("a nearer last bucket", nearer, biased);
  }
  Attention shaw = plain;
  shaw.shawKey = wild({5, 4}, 10);
  checkForm("Shaw keys", shaw, plain);
  Attention both = shaw;
  both.shawValue = wild({7, 3}, 11);
  checkForm("Shaw keys and values", both, shaw);
}

TEST(SdpaTest, GainsShapeTheResult) {
  Attention plain = makeAttention();
  plain.causal = true;
  Attention shaped = plain;
  shaped.alpha = tensor({2}, {0.5, -1.5});
  checkForm("alpha per head", shaped, plain);
  shaped.beta = tensor({2}, {2, 0.25});
  shaped.gamma = tensor({2}, {1, 0.75});
  checkForm("alpha, beta and gamma per head", shaped, plain);
  Attention common = shaped;
  common.alpha = tensor({1}, {0.5});
  common.beta = tensor({1}, {3});
  common.gamma = tensor({1}, {1});
  checkForm("one alpha, beta and gamma", common, shaped);
  common.lengths = {2, 4};
  common.window = 2;
  common.shawValue = wild({3, 3}, 12);
  checkForm("the mean is over allowed keys", common, shaped);
}

TEST(SdpaTest, RoundsOnceAtTheResult) {
  Attention narrow = makeAttention();
  narrow.query = wild({2, 5, 8}, 1, ElementType::BF16);
  narrow.key = wild({2, 5, 4}, 2, ElementType::BF16);
  narrow.value = wild({2, 5, 3}, 3, ElementType::BF16);
  Values want = narrow.compute();
  roundTo(ElementType::BF16, want);
  EXPECT_THAT(narrow.run({}), Yields(want)) << "one rounding, at the result";
}
