//===- PlanSizeTest.cpp - sizes that are known later ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Launch/PlanSize.h"
#include "Failures.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using testing::HasSubstr;
using unittest::FailsWith;

static const PlanSize batchSize{0, "batch"}, seqSize{0, "seq"};

static PlanSize number(int64_t value) { return {value, ""}; }

/// The size where seq is 17 and batch is 2, or the message.
static std::string evaluate(const PlanSize &size) {
  int64_t value = 0;
  launch::Status failure =
      evaluateSize(size, "x", {{"batch", 2}, {"seq", 17}, {"none", 0}}, value);
  return failure ? failure->text : std::to_string(value);
}

TEST(PlanSizeTest, EveryStepHasTextAndValue) {
  const struct {
    PlanSize::Step step;
    const char *text, *value;
  } cases[] = {{PlanSize::Add, "seq + 4", "21"},
               {PlanSize::Subtract, "seq - 4", "13"},
               {PlanSize::Multiply, "seq * 4", "68"},
               {PlanSize::FloorDiv, "seq floordiv 4", "4"},
               {PlanSize::CeilDiv, "seq ceildiv 4", "5"},
               {PlanSize::Mod, "seq mod 4", "1"},
               {PlanSize::Min, "min(seq, 4)", "4"},
               {PlanSize::Max, "max(seq, 4)", "17"}};
  for (const auto &known : cases) {
    PlanSize size = makeSize(known.step, seqSize, number(4));
    EXPECT_EQ(formatSize(size), std::string(known.text)) << known.text;
    EXPECT_EQ(evaluate(size), std::string(known.value)) << known.text;
    EXPECT_EQ(size, makeSize(known.step, seqSize, number(4))) << known.text;
    EXPECT_FALSE((size == makeSize(known.step, seqSize, number(5))))
        << known.text;
    EXPECT_FALSE((size == makeSize(known.step, batchSize, number(4))))
        << known.text;
  }
  EXPECT_EQ(formatSize(makeSize(PlanSize::CeilDiv, number(9), number(4))), "3")
      << "numbers";
  EXPECT_EQ(formatSize(makeSize(PlanSize::Add, seqSize, number(0))), "seq")
      << "nothing to add";
  EXPECT_EQ(formatSize(makeSize(PlanSize::FloorDiv, seqSize, number(1))), "seq")
      << "one of it";
}

TEST(PlanSizeTest, DivisionsRoundDown) {
  PlanSize below = makeSize(PlanSize::Subtract, batchSize, seqSize);
  PlanSize half = makeSize(PlanSize::FloorDiv, below, number(2));
  EXPECT_EQ(formatSize(half), "(batch - seq) floordiv 2") << "text";
  auto from = [&](PlanSize::Step step, int64_t divisor) {
    PlanSize part = makeSize(step, below, number(divisor));
    return evaluate(makeSize(PlanSize::Add, part, number(100)));
  };
  // 2 - 17 is -15.
  EXPECT_EQ(from(PlanSize::FloorDiv, 2), "92") << "down";
  EXPECT_EQ(from(PlanSize::CeilDiv, 2), "93") << "up";
  EXPECT_EQ(from(PlanSize::Mod, 2), "101") << "left over";
}

TEST(PlanSizeTest, SharesAreWhole) {
  PlanSize share = makeShare(seqSize, 17);
  EXPECT_EQ(formatSize(share), "seq/17") << "text";
  EXPECT_EQ(evaluate(share), "1") << "value";
  EXPECT_EQ(formatSize(makeShare(makeShare(seqSize, 2), 3)), "seq/6")
      << "of a share";
  EXPECT_EQ(evaluate(makeShare(seqSize, 2)),
            "expected dimension 'seq' to be a multiple of the 2 "
            "ranks, got 17")
      << "left over";
  EXPECT_EQ(formatSize(makeShare(seqSize, 1)), "seq") << "all";
}

TEST(PlanSizeTest, RefusesSizesWithoutAValue) {
  auto refuses = [](PlanSize::Step step, PlanSize first, PlanSize second,
                    const char *text) {
    EXPECT_EQ(evaluate(makeSize(step, first, second)), std::string(text))
        << text;
  };
  PlanSize nothing = makeSize(PlanSize::Subtract, seqSize, seqSize);
  refuses(PlanSize::FloorDiv, seqSize, number(0),
          "size 'seq floordiv 0' of 'x' is a division by 0");
  refuses(PlanSize::Mod, batchSize, nothing,
          "size 'batch mod (seq - seq)' of 'x' is a division by 0");
  refuses(PlanSize::CeilDiv, seqSize,
          makeSize(PlanSize::Subtract, batchSize, seqSize),
          "size 'seq ceildiv (batch - seq)' of 'x' is a division by a negative "
          "number");
  refuses(PlanSize::Subtract, batchSize, seqSize,
          "size 'batch - seq' of 'x': expected at least 1, got -15");
  refuses(PlanSize::Subtract, seqSize, seqSize,
          "size 'seq - seq' of 'x': expected at least 1, got 0");
  refuses(PlanSize::Add, seqSize, {0, "past"},
          "dimension 'past' of 'x' has no size");
  refuses(PlanSize::Add, seqSize, {0, "none"},
          "dimension 'none': expected a size of at least 1, got 0");
  PlanSize large = seqSize;
  for (unsigned i = 0; i < 3; ++i)
    large = makeSize(PlanSize::Multiply, large, number(INT32_MAX));
  EXPECT_NE(evaluate(large).find("is a number of more than 64 bits"),
            std::string::npos)
      << "64 bits";
}

TEST(PlanSizeTest, DepthAndWidthHaveLimits) {
  EXPECT_THAT(checkSize(number(-1)), FailsWith(HasSubstr("numbers from 0 to")))
      << "a number";
  EXPECT_THAT(
      checkSize(makeSize(PlanSize::Add, seqSize, number(int64_t(1) << 31))),
      FailsWith(HasSubstr("numbers from 0 to 2147483647")))
      << "inside";
  PlanSize deep = seqSize;
  for (unsigned i = 0; i < mostSizeDepth; ++i)
    deep = makeSize(PlanSize::Add, deep, batchSize);
  EXPECT_EQ(checkSize(deep), std::nullopt) << "deep";
  EXPECT_THAT(checkSize(makeSize(PlanSize::Add, deep, batchSize)),
              FailsWith(HasSubstr("24 of them in each other")))
      << "too deep";
  PlanSize wide = seqSize;
  for (unsigned i = 0; i < 8; ++i)
    wide = makeSize(PlanSize::Max, wide, wide);
  EXPECT_EQ(checkSize(wide), std::nullopt) << "wide";
  EXPECT_THAT(checkSize(makeSize(PlanSize::Add,
                                 makeSize(PlanSize::Max, wide, wide), wide)),
              FailsWith(HasSubstr("at most 256 steps")))
      << "too wide";
}
