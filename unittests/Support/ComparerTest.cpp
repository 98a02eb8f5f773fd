//===- ComparerTest.cpp - The comparer fails in every way it should -------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/Comparer.h"
#include "parablock/Support/SeededRandom.h"
#include "parablock/Support/Tolerances.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace parablock;
using Values = std::vector<double>;
using testing::HasSubstr;
using testing::StartsWith;

static const double infinity = std::numeric_limits<double>::infinity();
static const double notANumber = std::numeric_limits<double>::quiet_NaN();
static const int64_t rows = 500, width = 16;
static const int64_t shape[] = {rows, width};

static Values makeValues(llvm::StringRef name = "x") {
  Values values(rows * width);
  SeededStream(1, name).fillNormal(0, values);
  return values;
}

static Verdict judgeValues(const Values &got, const Values &want,
                           CompareOptions options = {}, ErrorFloor floor = {},
                           ElementType type = ElementType::F32) {
  return judge("y", {type, shape, got}, {type, shape, want}, options, floor);
}

static void PrintTo(const Verdict &verdict, std::ostream *os) {
  *os << (verdict.pass() ? "pass" : "fail");
  for (const std::string &reason : verdict.reasons)
    *os << "; " << reason;
}

MATCHER(Passes, "") { return arg.pass(); }

/// Matches a verdict that does not pass, and one of whose reasons holds `part`.
MATCHER_P(FailsFor, part, "") {
  return !arg.pass() && llvm::any_of(arg.reasons, [&](llvm::StringRef reason) {
    return reason.contains(part);
  });
}

MATCHER_P(IsNear, want, "") {
  return std::fabs(arg - want) <= 1e-12 * std::fabs(want);
}

TEST(ComparerTest, ComputesEveryMetric) {
  Values got = {3, 4.5, 0, 1}, want = {3, 4, 0, -1}, base = {3, 4, 0, 1};
  CompareOptions options;
  options.updateBase = base;
  ErrorMetrics metrics = compare(got, want, options);
  EXPECT_EQ(metrics.maxAbs, 2) << "max_abs";
  EXPECT_THAT(metrics.rms, IsNear(std::sqrt(4.25 / 4))) << "rms";
  EXPECT_THAT(metrics.relL2, IsNear(std::sqrt(4.25 / 26))) << "rel_l2";
  EXPECT_THAT(*metrics.relL2Update, IsNear(std::sqrt(4.25 / 4)))
      << "rel_l2_update";
  EXPECT_THAT(metrics.cosine, IsNear(26 / std::sqrt(30.25 * 26))) << "cosine";

  options.rowLength = 2;
  metrics = compare(got, want, options);
  EXPECT_EQ(metrics.worstRow, 1) << "worst row";
  EXPECT_THAT(metrics.worstRowRelL2, IsNear(std::sqrt(4 / 13.0)))
      << "worst row";
  const uint8_t mask[] = {1, 0};
  options.rowMask = mask;
  metrics = compare(got, want, options);
  EXPECT_EQ(metrics.maxAbs, 0.5) << "masked rows do not count";
  EXPECT_EQ(metrics.numCompared, 2) << "masked rows do not count";
  EXPECT_EQ(compare(want, want).relL2, 0) << "equal";
  EXPECT_THAT(compare(want, want).cosine, IsNear(1)) << "equal";
  EXPECT_EQ(compare({1}, {0}).relL2, infinity) << "zero wanted";
  EXPECT_EQ(compare({1}, {0}).cosine, 0) << "zero wanted";
  EXPECT_EQ(compare({0}, {0}).relL2, 0) << "zero wanted";
  EXPECT_EQ(compare({0}, {0}).cosine, 1) << "zero wanted";
  EXPECT_EQ(compare({}, {}).numCompared, 0) << "nothing at all";
}

TEST(ComparerTest, RefusesAnotherShapeOrType) {
  Values values = makeValues();
  const int64_t turned[] = {width, rows};
  ComparedTensor tensor = {ElementType::F32, shape, values};
  Verdict verdict = judge("y", {ElementType::F32, turned, values}, tensor);
  EXPECT_THAT(verdict, FailsFor("shape differs: expected [500, 16]"
                                ", got [16, 500]"))
      << "another shape";
  EXPECT_TRUE(std::isnan(verdict.metrics.relL2))
      << "another shape has no metrics";
  EXPECT_THAT(judge("y", {ElementType::BF16, shape, values}, tensor),
              FailsFor("dtype differs: expected f32, got bf16"))
      << "another dtype";
  EXPECT_THAT(judge("y",
                    {ElementType::F32, shape,
                     llvm::ArrayRef<double>(values).drop_back()},
                    tensor),
              FailsFor("number of elements differs"))
      << "missing values";
  CompareOptions options;
  const uint8_t mask[] = {1, 1, 1};
  options.rowMask = mask;
  EXPECT_THAT(judgeValues(values, values, options), FailsFor("row mask"))
      << "mask of another size";
  options = {};
  options.updateBase = llvm::ArrayRef<double>(values).drop_back();
  EXPECT_THAT(judgeValues(values, values, options),
              FailsFor("residual stream of 8000 elements, got 7999"))
      << "stream of another size";
}

TEST(ComparerTest, NonFiniteValuesMustMatch) {
  Values want = makeValues(), got = want;
  got[37] = notANumber;
  EXPECT_THAT(judgeValues(got, want),
              FailsFor("on one side only: 1 elements, the "
                       "first at index 37"))
      << "NaN on one side";
  EXPECT_THAT(judgeValues(want, got), FailsFor("on one side only"))
      << "NaN on the other side";
  EXPECT_THAT(judgeValues(got, got), Passes()) << "NaN on both sides";
  want[37] = infinity;
  EXPECT_THAT(judgeValues(got, want), FailsFor("on one side only"))
      << "NaN for infinity";
  got[37] = -infinity;
  EXPECT_THAT(judgeValues(got, want), FailsFor("on one side only"))
      << "the other infinity";
  EXPECT_THAT(judgeValues(want, want), Passes()) << "same infinity";
  Values allNan(rows * width, notANumber);
  EXPECT_THAT(judgeValues(allNan, allNan), FailsFor("no element to compare"))
      << "nothing but NaN";
  CompareOptions options;
  std::vector<uint8_t> mask(rows, 0);
  options.rowMask = mask;
  EXPECT_THAT(judgeValues(want, want, options),
              FailsFor("no element to compare"))
      << "everything masked";
  mask[0] = 1; // element 37 is in row 2
  got[37] = notANumber;
  EXPECT_THAT(judgeValues(got, want, options), Passes())
      << "NaN in a masked row";
  const int64_t none[] = {0, 4};
  ComparedTensor empty = {ElementType::F32, none, {}};
  EXPECT_THAT(judge("y", empty, empty), Passes())
      << "an empty tensor is equal to itself";
}

TEST(ComparerTest, ZeroAndConstantOutputsFail) {
  Values want = makeValues(), zero(rows * width, 0), one(rows * width, 1);
  EXPECT_THAT(judgeValues(want, want), Passes()) << "equal passes";
  EXPECT_THAT(judgeValues(zero, want), FailsFor("output is zero"))
      << "zero output";
  EXPECT_THAT(judgeValues(want, zero), FailsFor("rel_l2 inf above"))
      << "zero wanted";
  EXPECT_THAT(judgeValues(zero, zero), Passes()) << "zero and wanted";
  EXPECT_THAT(judgeValues(one, want), FailsFor("output is constant"))
      << "constant output";
  EXPECT_THAT(judgeValues(one, one), Passes()) << "constant and wanted";
  EXPECT_THAT(judgeValues(makeValues("z"), want), FailsFor("above limit"))
      << "another output";
  // A hidden constant: within the tolerance, so only its own check sees it.
  Values almost = one;
  almost[5] += 1e-6;
  EXPECT_THAT(judgeValues(one, almost), FailsFor("output is constant"))
      << "constant within tolerance";
  EXPECT_THAT(judgeValues(almost, one), Passes())
      << "constant within tolerance";
  almost[5] = 1 + 1e-12;
  EXPECT_THAT(judgeValues(one, almost), Passes())
      << "no output of this type could be another";
}

TEST(ComparerTest, LimitsFollowTheTypeAndTheFloor) {
  Values want = makeValues(), noise = makeValues("noise");
  auto withError = [&](double relative) {
    Values got = want;
    double wantNorm = compare(want, Values(rows * width, 0)).rms;
    double noiseNorm = compare(noise, Values(rows * width, 0)).rms;
    for (size_t i = 0; i < got.size(); ++i)
      got[i] += noise[i] * relative * wantNorm / noiseNorm;
    return got;
  };
  struct Row {
    ElementType type;
    double base;
  };
  for (Row row : {Row{ElementType::F32, 1e-5}, Row{ElementType::F16, 2e-3},
                  Row{ElementType::BF16, 1e-2}, Row{ElementType::F64, 1e-12}}) {
    SCOPED_TRACE(getElementTypeKeyword(row.type).str());
    EXPECT_TRUE(
        judgeValues(withError(0.95 * row.base), want, {}, {}, row.type).pass())
        << "below the base passes";
    EXPECT_THAT(judgeValues(withError(1.05 * row.base), want, {}, {}, row.type),
                FailsFor("rel_l2 "))
        << "above the base fails";
    ErrorFloor floor;
    floor.relL2 = 2 * row.base;
    EXPECT_TRUE(
        judgeValues(withError(2.9 * row.base), want, {}, floor, row.type)
            .pass())
        << "a floor allows 1.5 times itself";
    EXPECT_THAT(
        judgeValues(withError(3.1 * row.base), want, {}, floor, row.type),
        FailsFor("above limit"))
        << "and no more";
  }
  EXPECT_EQ(getToleranceLimit(ElementType::F32, notANumber), 1e-5)
      << "a floor of NaN allows nothing";
  EXPECT_EQ(getToleranceLimit(ElementType::F32, infinity), 1e-5)
      << "a floor of NaN allows nothing";
  Values off = want;
  off[7] += 1;
  EXPECT_FALSE(judgeValues(off, want, {}, {}, ElementType::I64).pass())
      << "integers must be equal";
  EXPECT_THAT(judgeValues(want, want, {}, {}, ElementType::I64), Passes())
      << "integers must be equal";
}

TEST(ComparerTest, WhatIsNothingButRoundingHasTheSizeOfItsTerms) {
  // 1e-17 is what float64 leaves of 0, 1e-7 what f32 does.
  Values want = makeValues("noise"), got = makeValues("other");
  for (double &value : want)
    value *= 1e-17;
  for (double &value : got)
    value *= 1e-7;
  EXPECT_THAT(judgeValues(got, want), FailsFor("above limit"))
      << "relative to itself";
  ErrorFloor floor;
  floor.leastNorm = compare(makeValues(), want).errorNorm / 2;
  Verdict verdict = judgeValues(got, want, {}, floor);
  EXPECT_THAT(verdict, Passes());
  EXPECT_NEAR(verdict.metrics.relL2, 2e-7, 1e-8);
  Values zero(rows * width, 0);
  EXPECT_THAT(judgeValues(zero, want, {}, floor), Passes())
      << "0 is as good as noise";
  Values wrong = got;
  for (double &value : wrong)
    value *= 200;
  EXPECT_THAT(judgeValues(wrong, want, {}, floor), FailsFor("above limit"))
      << "larger than rounding";
  wrong = got;
  for (size_t i = 0; i < width; ++i)
    wrong[7 * width + i] += 1e-3;
  EXPECT_THAT(judgeValues(wrong, want, {}, floor), FailsFor("of row 7"))
      << "one row of it";
  EXPECT_THAT(judgeValues(zero, makeValues(), {}, floor),
              FailsFor("output is zero"))
      << "what is as large as the least norm is something";
}

TEST(ComparerTest, RowsThatRoundingSwitchesHaveTheirOwnLimit) {
  Values want = makeValues(), got = want;
  for (size_t i = 0; i < width; ++i)
    got[7 * width + i] *= 0.1;
  ErrorFloor floor;
  floor.relL2 = 0.06;
  EXPECT_THAT(judgeValues(got, want, {}, floor), FailsFor("of row 7"));
  floor.worstRow = 0.65;
  EXPECT_THAT(judgeValues(got, want, {}, floor), FailsFor("element"))
      << "elements have a limit of their own";
  floor.worstElement = 0.65;
  EXPECT_THAT(judgeValues(got, want, {}, floor), Passes())
      << "one that the original's rounding switches, too";
  floor.worstRow = 5;
  for (size_t i = 0; i < width; ++i)
    got[7 * width + i] = want[8 * width + i];
  EXPECT_THAT(judgeValues(got, want, {}, floor), FailsFor("of row 7"))
      << "another row is wrong whatever rounding does";
}

TEST(ComparerTest, AnUpdateIsJudgedApartFromItsStream) {
  // A stream far larger than its update hides an update that is wrong.
  Values base = makeValues("stream"), update = makeValues("update");
  Values want = base, got = base;
  for (size_t i = 0; i < want.size(); ++i) {
    base[i] *= 1e6;
    want[i] = base[i] + update[i];
    got[i] = base[i] + 1.01 * update[i];
  }
  EXPECT_THAT(judgeValues(got, want), Passes()) << "the stream hides it";
  CompareOptions options;
  options.updateBase = base;
  Verdict verdict = judgeValues(got, want, options);
  EXPECT_THAT(verdict, FailsFor("rel_l2_update 1.00e-02"))
      << "the update shows it";
  ErrorFloor floor;
  floor.relL2Update = 0.008;
  EXPECT_THAT(judgeValues(got, want, options, floor), Passes())
      << "the update has a floor of its own";
}

TEST(ComparerTest, WrongRowsAreFoundAmongMany) {
  // Two of 100000 rows swapped are 0.6% of the whole: within bf16's tolerance.
  const int64_t manyRows = 100000;
  const int64_t largeShape[] = {manyRows, width};
  Values want(manyRows * width);
  SeededStream(1, "rows").fillNormal(0, want);
  Values got = want;
  for (int64_t i = 0; i < width; ++i)
    std::swap(got[1000 * width + i], got[2000 * width + i]);
  Verdict verdict = judge("y", {ElementType::BF16, largeShape, got},
                          {ElementType::BF16, largeShape, want});
  EXPECT_LT(verdict.metrics.relL2, verdict.limit)
      << "the error of swapped rows drowns";
  EXPECT_THAT(verdict, FailsFor("above row limit")) << "swapped rows fail";
  EXPECT_TRUE(verdict.metrics.worstRow == 1000 ||
              verdict.metrics.worstRow == 2000)
      << "swapped rows fail";
  // Neither a row far above the typical one nor one far below is held to the
  // scale of the other.
  Values uneven = makeValues(), near = uneven;
  for (int64_t i = 0; i < width; ++i) {
    uneven[3 * width + i] *= 1e3;
    uneven[4 * width + i] *= 1e-6;
  }
  for (size_t i = 0; i < uneven.size(); ++i)
    near[i] = uneven[i] * (1 + 0.9e-5);
  EXPECT_THAT(judgeValues(near, uneven), Passes())
      << "a large row passes by its own norm";
  for (size_t i = 0; i < uneven.size(); ++i)
    near[i] = uneven[i] + 1e-5;
  EXPECT_THAT(judgeValues(near, uneven), Passes())
      << "a small row passes by the typical norm";
  EXPECT_LE(getRowLimit(0.05), 0.7)
      << "row limits stay below a wrong row's error";
  EXPECT_LT(getRowLimit(1e-5), 1e-3)
      << "row limits stay below a wrong row's error";
}

TEST(ComparerTest, AnElementThatIsLostIsFoundInALargeTensor) {
  const int64_t largeShape[] = {200, 768};
  Values want(200 * 768);
  SeededStream(1, "elements").fillNormal(0, want);
  auto judgeLarge = [&](const Values &got, ElementType type,
                        ErrorFloor floor = {}) {
    return judge("y", {type, largeShape, got}, {type, largeShape, want}, {},
                 floor);
  };
  // Planted: an element that is 0, and one that is another's.
  const size_t lost = 100 * 768 + 5;
  want[lost] = 1;
  Values got = want;
  got[lost] = 0;
  Verdict verdict = judgeLarge(got, ElementType::BF16);
  EXPECT_LT(verdict.metrics.relL2, verdict.limit) << "it drowns in the tensor";
  EXPECT_LT(verdict.metrics.worstRowRelL2, getRowLimit(verdict.limit))
      << "and in its row";
  EXPECT_THAT(verdict, FailsFor("of element 76805, relative to its row's rms, "
                                "above element limit"));
  EXPECT_EQ(verdict.reasons.size(), 1u);
  got[lost] = -0.5;
  EXPECT_THAT(judgeLarge(got, ElementType::F16), FailsFor("of element 76805"));
  // The original's own roundings, where the judge was told of them.
  ErrorFloor floor;
  floor.worstElement = 1;
  got[lost] = -0.6;
  EXPECT_THAT(judgeLarge(got, ElementType::BF16, floor), FailsFor("element"));
  got[lost] = 0;
  EXPECT_THAT(judgeLarge(got, ElementType::BF16, floor), Passes());
  floor.worstElement = infinity;
  EXPECT_THAT(judgeLarge(got, ElementType::BF16, floor), FailsFor("element"))
      << "a floor of no number allows nothing";

  // Planted: not wrong. An outlier is rounded by a part of itself, and a small
  // element by a part of its row.
  got = want;
  want[lost] = got[lost] = 1000;
  got[lost] += 4;
  EXPECT_THAT(judgeLarge(got, ElementType::BF16), Passes()) << "an outlier";
  got = want;
  want[7] = 0;
  got[7] = 0.01;
  EXPECT_THAT(judgeLarge(got, ElementType::BF16), Passes()) << "a small one";
  // A row of nothing but small elements has those of the tensor beside it.
  for (size_t i = 0; i < 768; ++i) {
    want[i] = 0;
    got[i] = 0.005;
  }
  EXPECT_THAT(judgeLarge(got, ElementType::BF16), Passes()) << "a small row";
  got[3] = 0.9;
  EXPECT_THAT(judgeLarge(got, ElementType::BF16), FailsFor("of element 3,"));
  EXPECT_LE(getElementLimit(0.05), 0.7)
      << "limits stay below the error of a lost element";
}

static bool isNull(const llvm::json::Object &object, llvm::StringRef field) {
  const llvm::json::Value *value = object.get(field);
  return value && value->kind() == llvm::json::Value::Null;
}

TEST(ComparerTest, ReportsHoldEveryNumber) {
  Values want = makeValues(), got = want;
  got[3] = notANumber;
  Verdict good = judgeValues(want, want), bad = judgeValues(got, want);
  std::string text;
  llvm::raw_string_ostream os(text);
  printVerdicts(os, {good, bad});
  EXPECT_THAT(
      text,
      StartsWith("PASS y f32 [500, 16]  rel_l2 0.00e+00 (base 1.00e-05, floor "
                 "0.00e+00, limit 1.00e-05)"))
      << "a line that passes";
  EXPECT_THAT(text, HasSubstr("\nFAIL y f32")) << "a line that fails";
  EXPECT_THAT(text, HasSubstr("\n     y: NaN or infinity on one side only"))
      << "its reason";

  llvm::json::Object json = toJSON(bad);
  EXPECT_EQ(json.getBoolean("pass"), false) << "json: pass";
  EXPECT_EQ(toJSON(good).getBoolean("pass"), true) << "json: pass";
  EXPECT_EQ(json.getString("dtype"), "f32") << "json: dtype";
  EXPECT_EQ(json.getArray("shape")->size(), 2) << "json: shape";
  EXPECT_EQ(json.getNumber("tolerance"), 1e-5) << "json: tolerance";
  EXPECT_TRUE(isNull(json, "rel_l2_update")) << "json: no update";
  for (const char *field : {"name", "max_abs", "rms", "rel_l2", "cosine",
                            "base", "floor", "least_norm", "reasons"})
    EXPECT_NE(json.get(field), nullptr)
        << (llvm::Twine("json: has ") + field).str();
  EXPECT_TRUE(
      isNull(toJSON(judgeValues(want, Values(rows * width, 0))), "rel_l2"))
      << "json: infinity is null";

  ErrorFloor floor;
  floor.leastNorm = 250;
  text.clear();
  printVerdicts(os, {judgeValues(want, want, {}, floor)});
  EXPECT_THAT(text, HasSubstr("  0 but for rounding, relative to 2.50e+02  "))
      << "what errors are relative to";
}
