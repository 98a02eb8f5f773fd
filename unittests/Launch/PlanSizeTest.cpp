//===- PlanSizeTest.cpp - sizes that are known later ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Launch/PlanSize.h"

#include "Check.h"

using namespace parablock;

static const PlanSize batch{0, "batch"}, seq{0, "seq"};

static PlanSize number(int64_t value) { return {value, ""}; }

static bool failsWith(const launch::Status &status, const std::string &part) {
  return status && status->text.find(part) != std::string::npos;
}

/// The size where seq is 17 and batch is 2, or the message.
static std::string evaluate(const PlanSize &size) {
  int64_t value = 0;
  launch::Status failure =
      evaluateSize(size, "x", {{"batch", 2}, {"seq", 17}, {"none", 0}}, value);
  return failure ? failure->text : std::to_string(value);
}

static void testSteps() {
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
    PlanSize size = makeSize(known.step, seq, number(4));
    CHECK_EQUAL(known.text, formatSize(size), std::string(known.text));
    CHECK_EQUAL(known.text, evaluate(size), std::string(known.value));
    CHECK(known.text, size == makeSize(known.step, seq, number(4)));
    CHECK(known.text, !(size == makeSize(known.step, seq, number(5))));
    CHECK(known.text, !(size == makeSize(known.step, batch, number(4))));
  }
  CHECK_EQUAL("numbers",
              formatSize(makeSize(PlanSize::CeilDiv, number(9), number(4))),
              std::string("3"));
  CHECK_EQUAL("nothing to add",
              formatSize(makeSize(PlanSize::Add, seq, number(0))),
              std::string("seq"));
  CHECK_EQUAL("one of it",
              formatSize(makeSize(PlanSize::FloorDiv, seq, number(1))),
              std::string("seq"));
}

static void testNesting() {
  PlanSize below = makeSize(PlanSize::Subtract, batch, seq);
  PlanSize half = makeSize(PlanSize::FloorDiv, below, number(2));
  CHECK_EQUAL("text", formatSize(half),
              std::string("(batch - seq) floordiv 2"));
  auto from = [&](PlanSize::Step step, int64_t divisor) {
    PlanSize part = makeSize(step, below, number(divisor));
    return evaluate(makeSize(PlanSize::Add, part, number(100)));
  };
  // 2 - 17 is -15.
  CHECK_EQUAL("down", from(PlanSize::FloorDiv, 2), std::string("92"));
  CHECK_EQUAL("up", from(PlanSize::CeilDiv, 2), std::string("93"));
  CHECK_EQUAL("left over", from(PlanSize::Mod, 2), std::string("101"));
}

static void testShares() {
  PlanSize share = makeShare(seq, 17);
  CHECK_EQUAL("text", formatSize(share), std::string("seq/17"));
  CHECK_EQUAL("value", evaluate(share), std::string("1"));
  CHECK_EQUAL("of a share", formatSize(makeShare(makeShare(seq, 2), 3)),
              std::string("seq/6"));
  CHECK_EQUAL("left over", evaluate(makeShare(seq, 2)),
              std::string("expected dimension 'seq' to be a multiple of the 2 "
                          "ranks, got 17"));
  CHECK_EQUAL("all", formatSize(makeShare(seq, 1)), std::string("seq"));
}

static void testRefusals() {
  auto refuses = [](PlanSize::Step step, PlanSize first, PlanSize second,
                    const char *text) {
    CHECK_EQUAL(text, evaluate(makeSize(step, first, second)),
                std::string(text));
  };
  PlanSize nothing = makeSize(PlanSize::Subtract, seq, seq);
  refuses(PlanSize::FloorDiv, seq, number(0),
          "size 'seq floordiv 0' of 'x' is a division by 0");
  refuses(PlanSize::Mod, batch, nothing,
          "size 'batch mod (seq - seq)' of 'x' is a division by 0");
  refuses(PlanSize::CeilDiv, seq, makeSize(PlanSize::Subtract, batch, seq),
          "size 'seq ceildiv (batch - seq)' of 'x' is a division by a negative "
          "number");
  refuses(PlanSize::Subtract, batch, seq,
          "size 'batch - seq' of 'x': expected at least 1, got -15");
  refuses(PlanSize::Subtract, seq, seq,
          "size 'seq - seq' of 'x': expected at least 1, got 0");
  refuses(PlanSize::Add, seq, {0, "past"},
          "dimension 'past' of 'x' has no size");
  refuses(PlanSize::Add, seq, {0, "none"},
          "dimension 'none': expected a size of at least 1, got 0");
  PlanSize large = seq;
  for (unsigned i = 0; i < 3; ++i)
    large = makeSize(PlanSize::Multiply, large, number(INT32_MAX));
  CHECK("64 bits", evaluate(large).find("is a number of more than 64 bits") !=
                       std::string::npos);
}

static void testLimits() {
  CHECK("a number", failsWith(checkSize(number(-1)), "numbers from 0 to"));
  CHECK("inside", failsWith(checkSize(makeSize(PlanSize::Add, seq,
                                               number(int64_t(1) << 31))),
                            "numbers from 0 to 2147483647"));
  PlanSize deep = seq;
  for (unsigned i = 0; i < mostSizeDepth; ++i)
    deep = makeSize(PlanSize::Add, deep, batch);
  CHECK("deep", !checkSize(deep));
  CHECK("too deep", failsWith(checkSize(makeSize(PlanSize::Add, deep, batch)),
                              "24 of them in each other"));
  PlanSize wide = seq;
  for (unsigned i = 0; i < 8; ++i)
    wide = makeSize(PlanSize::Max, wide, wide);
  CHECK("wide", !checkSize(wide));
  CHECK(
      "too wide",
      failsWith(checkSize(makeSize(PlanSize::Add,
                                   makeSize(PlanSize::Max, wide, wide), wide)),
                "at most 256 steps"));
}

int main() {
  testSteps();
  testNesting();
  testShares();
  testRefusals();
  testLimits();
  return unittest::finish();
}
