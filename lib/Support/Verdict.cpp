//===- Verdict.cpp - Judging one result by another ------------------------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/Comparer.h"
#include "parablock/Support/FloatFormats.h"
#include "parablock/Support/SafeTensors.h"
#include "parablock/Support/StrictJSON.h"
#include "parablock/Support/Tolerances.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <limits>

using namespace parablock;
using llvm::StringRef;
using llvm::Twine;

/// Three digits are enough to judge by and few enough to read.
static std::string formatNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.2e", value);
  return text;
}

namespace {
class Judge {
public:
  Judge(Verdict &verdict, const ComparedTensor &got, const ComparedTensor &want,
        CompareOptions options)
      : verdict(verdict), got(got), want(want), options(options) {}

  void run() {
    if (!checkForm()) {
      double none = std::numeric_limits<double>::quiet_NaN();
      ErrorMetrics &metrics = verdict.metrics;
      metrics.maxAbs = metrics.rms = metrics.relL2 = metrics.cosine = none;
      return;
    }
    if (options.rowMask.empty() && !options.rowLength && !want.shape.empty())
      options.rowLength = want.shape.back();
    options.leastNorm = verdict.floor.leastNorm;
    verdict.metrics = compare(got.values, want.values, options);
    checkValues();
    checkErrors();
  }

private:
  void fail(const Twine &reason) { verdict.reasons.push_back(reason.str()); }

  /// Everything that must hold before elements can be compared at all.
  bool checkForm() {
    if (got.type != want.type)
      fail("dtype differs: expected " + getElementTypeKeyword(want.type) +
           ", got " + getElementTypeKeyword(got.type));
    if (got.shape != want.shape) {
      fail("shape differs: expected " + formatShape(want.shape) + ", got " +
           formatShape(got.shape));
      return false;
    }
    size_t size = want.values.size();
    std::optional<uint64_t> expectedSize = countElements(want.shape);
    if (!expectedSize || *expectedSize != size || got.values.size() != size) {
      fail("number of elements differs: expected " + formatShape(want.shape) +
           ", got " + Twine(got.values.size()) + " and " + Twine(size));
      return false;
    }
    size_t numMaskRows = options.rowMask.size();
    if (numMaskRows && size % numMaskRows) {
      fail("expected a row mask that divides " + Twine(size) +
           " elements, got " + Twine(numMaskRows) + " rows");
      return false;
    }
    if (!options.updateBase.empty() && options.updateBase.size() != size) {
      fail("expected a residual stream of " + Twine(size) + " elements, got " +
           Twine(options.updateBase.size()));
      return false;
    }
    return true;
  }

  void checkValues() {
    const ErrorMetrics &metrics = verdict.metrics;
    if (metrics.numDifferentNonFinite) {
      size_t first = metrics.firstDifferentNonFinite;
      fail("NaN or infinity on one side only: " +
           Twine(metrics.numDifferentNonFinite) +
           " elements, the first at index " + Twine(first) + ": expected " +
           formatNumber(want.values[first]) + ", got " +
           formatNumber(got.values[first]));
    } else if (!want.values.empty() && metrics.numCompared == 0) {
      fail("no element to compare: every one is masked, NaN or infinite");
    }
    if (metrics.gotIsZero && !metrics.wantIsZero)
      fail("output is zero, expected is not");
    else if (metrics.gotIsConstant && !metrics.wantIsConstant &&
             !isRoundedWantConstant())
      fail("output is constant, expected is not");
  }

  /// Returns true if all expected values round to the same number of the
  /// output's type, such as sums in different orders for equal rows.
  bool isRoundedWantConstant() const {
    std::vector<double> rounded = want.values.vec();
    roundTo(want.type, rounded);
    return compare(rounded, rounded, options).wantIsConstant;
  }

  void checkErrors() {
    const ErrorMetrics &metrics = verdict.metrics;
    // Written so that NaN fails.
    if (!(metrics.relL2 <= verdict.limit))
      fail("rel_l2 " + formatNumber(metrics.relL2) + " above limit " +
           formatNumber(verdict.limit));
    if (metrics.relL2Update && !(*metrics.relL2Update <= verdict.updateLimit))
      fail("rel_l2_update " + formatNumber(*metrics.relL2Update) +
           " above limit " + formatNumber(verdict.updateLimit));
    double rowLimit = getRowLimit(verdict.limit, verdict.floor.worstRow);
    if (!(metrics.worstRowRelL2 <= rowLimit))
      fail("rel_l2 " + formatNumber(metrics.worstRowRelL2) + " of row " +
           Twine(metrics.worstRow) + " above row limit " +
           formatNumber(rowLimit));
    double elementLimit =
        getElementLimit(verdict.limit, verdict.floor.worstElement);
    if (!(metrics.worstElementError <= elementLimit))
      fail("error " + formatNumber(metrics.worstElementError) + " of element " +
           Twine(metrics.worstElement) +
           ", relative to its row's rms, above element limit " +
           formatNumber(elementLimit));
  }

  Verdict &verdict;
  const ComparedTensor &got, &want;
  CompareOptions options;
};
} // namespace

Verdict parablock::judge(StringRef name, const ComparedTensor &got,
                         const ComparedTensor &want, CompareOptions options,
                         ErrorFloor floor) {
  Verdict verdict;
  verdict.name = name.str();
  verdict.type = want.type;
  verdict.shape.assign(want.shape.begin(), want.shape.end());
  verdict.floor = floor;
  verdict.limit = getToleranceLimit(want.type, floor.relL2);
  verdict.updateLimit = getToleranceLimit(want.type, floor.relL2Update);
  Judge(verdict, got, want, options).run();
  return verdict;
}

llvm::json::Object parablock::toJSON(const Verdict &verdict) {
  const ErrorMetrics &metrics = verdict.metrics;
  auto optional = [](std::optional<double> value) {
    return value ? toJSONNumber(*value) : llvm::json::Value(nullptr);
  };
  bool hasUpdate = metrics.relL2Update.has_value();
  return llvm::json::Object{
      {"name", verdict.name},
      {"shape", llvm::json::Array(verdict.shape)},
      {"dtype", getElementTypeKeyword(verdict.type)},
      {"max_abs", toJSONNumber(metrics.maxAbs)},
      {"rms", toJSONNumber(metrics.rms)},
      {"rel_l2", toJSONNumber(metrics.relL2)},
      {"rel_l2_update", optional(metrics.relL2Update)},
      {"cosine", toJSONNumber(metrics.cosine)},
      {"worst_row", toJSONNumber(metrics.worstRowRelL2)},
      {"worst_element", toJSONNumber(metrics.worstElementError)},
      {"base", getBaseTolerance(verdict.type)},
      {"floor", toJSONNumber(verdict.floor.relL2)},
      {"floor_update", hasUpdate ? toJSONNumber(verdict.floor.relL2Update)
                                 : llvm::json::Value(nullptr)},
      {"least_norm", toJSONNumber(verdict.floor.leastNorm)},
      {"tolerance", verdict.limit},
      {"tolerance_update", hasUpdate ? llvm::json::Value(verdict.updateLimit)
                                     : llvm::json::Value(nullptr)},
      {"pass", verdict.pass()},
      {"reasons", llvm::json::Array(verdict.reasons)},
  };
}

void parablock::printVerdicts(llvm::raw_ostream &os,
                              llvm::ArrayRef<Verdict> verdicts) {
  for (const Verdict &verdict : verdicts) {
    const ErrorMetrics &metrics = verdict.metrics;
    os << (verdict.pass() ? "PASS " : "FAIL ") << verdict.name << " "
       << getElementTypeKeyword(verdict.type) << " "
       << formatShape(verdict.shape) << "  rel_l2 "
       << formatNumber(metrics.relL2) << " (base "
       << formatNumber(getBaseTolerance(verdict.type)) << ", floor "
       << formatNumber(verdict.floor.relL2) << ", limit "
       << formatNumber(verdict.limit) << ")";
    if (metrics.relL2Update)
      os << "  rel_l2_update " << formatNumber(*metrics.relL2Update)
         << " (floor " << formatNumber(verdict.floor.relL2Update) << ", limit "
         << formatNumber(verdict.updateLimit) << ")";
    if (verdict.floor.leastNorm)
      os << "  0 but for rounding, relative to "
         << formatNumber(verdict.floor.leastNorm);
    os << "  max_abs " << formatNumber(metrics.maxAbs) << "  rms "
       << formatNumber(metrics.rms) << "  cosine "
       << llvm::format("%.9f", metrics.cosine) << "\n";
    for (const std::string &reason : verdict.reasons)
      os << "     " << verdict.name << ": " << reason << "\n";
  }
}
