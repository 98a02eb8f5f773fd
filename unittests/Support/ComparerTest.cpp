//===- ComparerTest.cpp - The comparer fails in every way it should -------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/Comparer.h"
#include "Check.h"
#include "parablock/Support/SeededRandom.h"
#include "parablock/Support/Tolerances.h"
#include <cmath>
#include <limits>

using namespace parablock;
using Values = std::vector<double>;

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

/// The verdict does not pass, and one of its reasons holds `part`.
static bool failsWith(const Verdict &verdict, llvm::StringRef part) {
  for (llvm::StringRef reason : verdict.reasons)
    if (reason.contains(part))
      return !verdict.pass();
  return false;
}

static bool isNear(double a, double b) {
  return std::fabs(a - b) <= 1e-12 * std::fabs(b);
}

static void testMetrics() {
  Values got = {3, 4.5, 0, 1}, want = {3, 4, 0, -1}, base = {3, 4, 0, 1};
  CompareOptions options;
  options.updateBase = base;
  ErrorMetrics metrics = compare(got, want, options);
  CHECK("max_abs", metrics.maxAbs == 2);
  CHECK("rms", isNear(metrics.rms, std::sqrt(4.25 / 4)));
  CHECK("rel_l2", isNear(metrics.relL2, std::sqrt(4.25 / 26)));
  CHECK("rel_l2_update", isNear(*metrics.relL2Update, std::sqrt(4.25 / 4)));
  CHECK("cosine", isNear(metrics.cosine, 26 / std::sqrt(30.25 * 26)));

  options.rowLength = 2;
  metrics = compare(got, want, options);
  CHECK("worst row", metrics.worstRow == 1 &&
                         isNear(metrics.worstRowRelL2, std::sqrt(4 / 13.0)));
  const uint8_t mask[] = {1, 0};
  options.rowMask = mask;
  metrics = compare(got, want, options);
  CHECK("masked rows do not count",
        metrics.maxAbs == 0.5 && metrics.numCompared == 2);
  CHECK("equal", compare(want, want).relL2 == 0 &&
                     isNear(compare(want, want).cosine, 1));
  CHECK("zero wanted",
        compare({1}, {0}).relL2 == infinity && compare({1}, {0}).cosine == 0 &&
            compare({0}, {0}).relL2 == 0 && compare({0}, {0}).cosine == 1);
  CHECK("nothing at all", compare({}, {}).numCompared == 0);
}

static void testForm() {
  Values values = makeValues();
  const int64_t turned[] = {width, rows};
  ComparedTensor tensor = {ElementType::F32, shape, values};
  Verdict verdict = judge("y", {ElementType::F32, turned, values}, tensor);
  CHECK("another shape", failsWith(verdict, "shape differs: expected [500, 16]"
                                            ", got [16, 500]"));
  CHECK("another shape has no metrics", std::isnan(verdict.metrics.relL2));
  CHECK("another dtype",
        failsWith(judge("y", {ElementType::BF16, shape, values}, tensor),
                  "dtype differs: expected f32, got bf16"));
  CHECK("missing values",
        failsWith(judge("y",
                        {ElementType::F32, shape,
                         llvm::ArrayRef<double>(values).drop_back()},
                        tensor),
                  "number of elements differs"));
  CompareOptions options;
  const uint8_t mask[] = {1, 1, 1};
  options.rowMask = mask;
  CHECK("mask of another size",
        failsWith(judgeValues(values, values, options), "row mask"));
  options = {};
  options.updateBase = llvm::ArrayRef<double>(values).drop_back();
  CHECK("stream of another size",
        failsWith(judgeValues(values, values, options),
                  "residual stream of 8000 elements, got 7999"));
}

static void testNonFinite() {
  Values want = makeValues(), got = want;
  got[37] = notANumber;
  CHECK("NaN on one side",
        failsWith(judgeValues(got, want), "on one side only: 1 elements, the "
                                          "first at index 37"));
  CHECK("NaN on the other side",
        failsWith(judgeValues(want, got), "on one side only"));
  CHECK("NaN on both sides", judgeValues(got, got).pass());
  want[37] = infinity;
  CHECK("NaN for infinity",
        failsWith(judgeValues(got, want), "on one side only"));
  got[37] = -infinity;
  CHECK("the other infinity",
        failsWith(judgeValues(got, want), "on one side only"));
  CHECK("same infinity", judgeValues(want, want).pass());
  Values allNan(rows * width, notANumber);
  CHECK("nothing but NaN",
        failsWith(judgeValues(allNan, allNan), "no element to compare"));
  CompareOptions options;
  std::vector<uint8_t> mask(rows, 0);
  options.rowMask = mask;
  CHECK("everything masked",
        failsWith(judgeValues(want, want, options), "no element to compare"));
  mask[0] = 1; // element 37 is in row 2
  got[37] = notANumber;
  CHECK("NaN in a masked row", judgeValues(got, want, options).pass());
  const int64_t none[] = {0, 4};
  ComparedTensor empty = {ElementType::F32, none, {}};
  CHECK("an empty tensor is equal to itself", judge("y", empty, empty).pass());
}

static void testValues() {
  Values want = makeValues(), zero(rows * width, 0), one(rows * width, 1);
  CHECK("equal passes", judgeValues(want, want).pass());
  CHECK("zero output", failsWith(judgeValues(zero, want), "output is zero"));
  CHECK("zero wanted", failsWith(judgeValues(want, zero), "rel_l2 inf above"));
  CHECK("zero and wanted", judgeValues(zero, zero).pass());
  CHECK("constant output",
        failsWith(judgeValues(one, want), "output is constant"));
  CHECK("constant and wanted", judgeValues(one, one).pass());
  CHECK("another output",
        failsWith(judgeValues(makeValues("z"), want), "above limit"));
  // A hidden constant: within the tolerance, so only its own check sees it.
  Values almost = one;
  almost[5] += 1e-6;
  CHECK("constant within tolerance",
        failsWith(judgeValues(one, almost), "output is constant") &&
            judgeValues(almost, one).pass());
}

static void testLimits() {
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
    std::string name = getElementTypeKeyword(row.type).str();
    CHECK(
        name + ": below the base passes",
        judgeValues(withError(0.95 * row.base), want, {}, {}, row.type).pass());
    CHECK(name + ": above the base fails",
          failsWith(
              judgeValues(withError(1.05 * row.base), want, {}, {}, row.type),
              "rel_l2 "));
    ErrorFloor floor;
    floor.relL2 = 2 * row.base;
    CHECK(name + ": a floor allows 1.5 times itself",
          judgeValues(withError(2.9 * row.base), want, {}, floor, row.type)
              .pass());
    CHECK(name + ": and no more",
          failsWith(
              judgeValues(withError(3.1 * row.base), want, {}, floor, row.type),
              "above limit"));
  }
  CHECK("a floor of NaN allows nothing",
        getToleranceLimit(ElementType::F32, notANumber) == 1e-5 &&
            getToleranceLimit(ElementType::F32, infinity) == 1e-5);
  Values off = want;
  off[7] += 1;
  CHECK("integers must be equal",
        !judgeValues(off, want, {}, {}, ElementType::I64).pass() &&
            judgeValues(want, want, {}, {}, ElementType::I64).pass());
}

static void testUpdate() {
  // A stream far larger than its update hides an update that is wrong.
  Values base = makeValues("stream"), update = makeValues("update");
  Values want = base, got = base;
  for (size_t i = 0; i < want.size(); ++i) {
    base[i] *= 1e6;
    want[i] = base[i] + update[i];
    got[i] = base[i] + 1.01 * update[i];
  }
  CHECK("the stream hides it", judgeValues(got, want).pass());
  CompareOptions options;
  options.updateBase = base;
  Verdict verdict = judgeValues(got, want, options);
  CHECK("the update shows it", failsWith(verdict, "rel_l2_update 1.00e-02"));
  ErrorFloor floor;
  floor.relL2Update = 0.008;
  CHECK("the update has a floor of its own",
        judgeValues(got, want, options, floor).pass());
}

static void testRows() {
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
  CHECK("the error of swapped rows drowns",
        verdict.metrics.relL2 < verdict.limit);
  CHECK("swapped rows fail", failsWith(verdict, "above row limit") &&
                                 (verdict.metrics.worstRow == 1000 ||
                                  verdict.metrics.worstRow == 2000));
  // Neither a row far above the typical one nor one far below is held to the
  // scale of the other.
  Values uneven = makeValues(), near = uneven;
  for (int64_t i = 0; i < width; ++i) {
    uneven[3 * width + i] *= 1e3;
    uneven[4 * width + i] *= 1e-6;
  }
  for (size_t i = 0; i < uneven.size(); ++i)
    near[i] = uneven[i] * (1 + 0.9e-5);
  CHECK("a large row passes by its own norm", judgeValues(near, uneven).pass());
  for (size_t i = 0; i < uneven.size(); ++i)
    near[i] = uneven[i] + 1e-5;
  CHECK("a small row passes by the typical norm",
        judgeValues(near, uneven).pass());
  CHECK("row limits stay below a wrong row's error",
        getRowLimit(0.05) <= 0.7 && getRowLimit(1e-5) < 1e-3);
}

static bool isNull(const llvm::json::Object &object, llvm::StringRef field) {
  const llvm::json::Value *value = object.get(field);
  return value && value->kind() == llvm::json::Value::Null;
}

static void testReports() {
  Values want = makeValues(), got = want;
  got[3] = notANumber;
  Verdict good = judgeValues(want, want), bad = judgeValues(got, want);
  std::string text;
  llvm::raw_string_ostream os(text);
  printVerdicts(os, {good, bad});
  CHECK("a line that passes",
        llvm::StringRef(text).starts_with(
            "PASS y f32 [500, 16]  rel_l2 0.00e+00 (base 1.00e-05, floor "
            "0.00e+00, limit 1.00e-05)"));
  CHECK("a line that fails", llvm::StringRef(text).contains("\nFAIL y f32"));
  CHECK("its reason", llvm::StringRef(text).contains(
                          "\n     y: NaN or infinity on one side only"));

  llvm::json::Object json = toJSON(bad);
  CHECK("json: pass", json.getBoolean("pass") == false &&
                          toJSON(good).getBoolean("pass") == true);
  CHECK("json: dtype", json.getString("dtype") == "f32");
  CHECK("json: shape", json.getArray("shape")->size() == 2);
  CHECK("json: tolerance", json.getNumber("tolerance") == 1e-5);
  CHECK("json: no update", isNull(json, "rel_l2_update"));
  for (const char *field : {"name", "max_abs", "rms", "rel_l2", "cosine",
                            "base", "floor", "reasons"})
    CHECK(llvm::Twine("json: has ") + field, json.get(field) != nullptr);
  CHECK("json: infinity is null",
        isNull(toJSON(judgeValues(want, Values(rows * width, 0))), "rel_l2"));
}

int main() {
  testMetrics();
  testForm();
  testNonFinite();
  testValues();
  testLimits();
  testUpdate();
  testRows();
  testReports();
  return unittest::finish();
}
