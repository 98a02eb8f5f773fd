//===- Decisions.cpp - remarks and log entries of decisions ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/Decisions.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace parablock;

//===----------------------------------------------------------------------===//
// Reasons
//===----------------------------------------------------------------------===//

static const struct {
  Reason reason;
  StringRef name, meaning;
} reasonTable[] = {
#define PARABLOCK_REASON(NAME, TEXT, MEANING) {Reason::NAME, TEXT, MEANING},
#include "parablock/Analysis/Reasons.def"
};

StringRef parablock::getReasonName(Reason reason) {
  return reasonTable[static_cast<size_t>(reason)].name;
}

StringRef parablock::getReasonMeaning(Reason reason) {
  return reasonTable[static_cast<size_t>(reason)].meaning;
}

ArrayRef<Reason> parablock::getAllReasons() {
  static const Reason all[] = {
#define PARABLOCK_REASON(NAME, TEXT, MEANING) Reason::NAME,
#include "parablock/Analysis/Reasons.def"
  };
  return all;
}

//===----------------------------------------------------------------------===//
// The log of a layer
//===----------------------------------------------------------------------===//

/// Returns the first file, line and column in `location`, or null.
static StringAttr describeLocation(Location location) {
  std::string text;
  location->walk([&](Location inner) {
    auto file = dyn_cast<FileLineColLoc>(inner);
    if (!file)
      return WalkResult::advance();
    llvm::raw_string_ostream(text) << file.getFilename().getValue() << ":"
                                   << file.getLine() << ":" << file.getColumn();
    return WalkResult::interrupt();
  });
  return text.empty() ? StringAttr()
                      : StringAttr::get(location.getContext(), text);
}

/// Appends an entry to the log of the layer around `at`, unless it is already
/// there.
static void appendToLog(Operation *at, Location location, StringRef pass,
                        block::Outcome outcome, StringRef reason,
                        ArrayRef<Metric> metrics) {
  auto layer = dyn_cast<block::LayerOp>(at);
  if (!layer)
    layer = at->getParentOfType<block::LayerOp>();
  if (!layer)
    return;
  Builder builder(at->getContext());
  SmallVector<NamedAttribute> numbers;
  for (const Metric &metric : metrics)
    numbers.push_back(builder.getNamedAttr(
        metric.name, builder.getF64FloatAttr(metric.value)));
  auto decision = block::DecisionAttr::get(
      at->getContext(), pass, outcome,
      reason.empty() ? StringAttr() : builder.getStringAttr(reason),
      describeLocation(location),
      numbers.empty() ? DictionaryAttr() : builder.getDictionaryAttr(numbers));
  SmallVector<Attribute> log;
  if (layer.getLog())
    log.append(layer.getLog()->begin(), layer.getLog()->end());
  if (llvm::is_contained(log, decision))
    return;
  log.push_back(decision);
  layer.setLogAttr(builder.getArrayAttr(log));
}

static StringRef getFunctionName(Operation *at) {
  auto function = dyn_cast<FunctionOpInterface>(at);
  if (!function)
    function = at->getParentOfType<FunctionOpInterface>();
  return function ? function.getName() : StringRef();
}

static remark::RemarkOpts describe(Operation *at, StringRef pass,
                                   StringRef name) {
  return remark::RemarkOpts::name(name).category(pass).function(
      getFunctionName(at));
}

/// Whole numbers, which most are, are written without a fraction.
static void addMetrics(remark::detail::InFlightRemark &remark,
                       ArrayRef<Metric> metrics) {
  for (const Metric &metric : metrics) {
    auto whole = static_cast<int64_t>(metric.value);
    if (static_cast<double>(whole) == metric.value)
      remark << remark::metric(metric.name, whole);
    else
      remark << remark::metric(metric.name, metric.value);
  }
}

void parablock::remarkPassed(Operation *at, StringRef pass, const Twine &what,
                             ArrayRef<Metric> metrics) {
  if (auto remark = remark::passed(
          at->getLoc(), describe(at, pass, at->getName().getStringRef()))) {
    remark << remark::add("{0}", what.str());
    addMetrics(remark, metrics);
  }
}

void parablock::recordPassed(Operation *at, StringRef pass, const Twine &what,
                             ArrayRef<Metric> metrics) {
  remarkPassed(at, pass, what, metrics);
  appendToLog(at, at->getLoc(), pass, block::Outcome::Passed, "", metrics);
}

void parablock::recordChoice(Operation *at, Location location, StringRef pass,
                             const Twine &what, ArrayRef<Metric> metrics) {
  remarkPassed(at, pass, what, metrics);
  appendToLog(at, location, pass, block::Outcome::Passed, what.str(), metrics);
}

void parablock::remarkMissed(Operation *at, StringRef pass, Reason reason,
                             const Twine &detail, ArrayRef<Metric> metrics) {
  remarkMissedAt(at->getLoc(), at, pass, reason, detail, metrics);
}

void parablock::remarkMissedAt(Location at, Operation *of, StringRef pass,
                               Reason reason, const Twine &detail,
                               ArrayRef<Metric> metrics) {
  if (auto remark = remark::missed(
          at, describe(of, pass, of->getName().getStringRef()))) {
    remark << remark::reason("{0}: {1}", getReasonName(reason).str(),
                             detail.str());
    addMetrics(remark, metrics);
  }
}

void parablock::recordMissed(Operation *at, StringRef pass, Reason reason,
                             const Twine &detail, ArrayRef<Metric> metrics) {
  recordMissedAt(at->getLoc(), at, pass, reason, detail, metrics);
}

void parablock::recordMissedAt(Location at, Operation *of, StringRef pass,
                               Reason reason, const Twine &detail,
                               ArrayRef<Metric> metrics) {
  remarkMissedAt(at, of, pass, reason, detail, metrics);
  appendToLog(of, at, pass, block::Outcome::Missed, getReasonName(reason),
              metrics);
}

void parablock::remarkAnalysis(Operation *function, StringRef pass,
                               StringRef name, const Twine &what,
                               ArrayRef<Metric> metrics) {
  if (auto remark = remark::analysis(function->getLoc(),
                                     describe(function, pass, name))) {
    remark << remark::add("{0}", what.str());
    addMetrics(remark, metrics);
  }
}

void parablock::recordNoMatch(Operation *function, StringRef pass,
                              const Twine &sought) {
  remarkAnalysis(function, pass, "no-match", "found no " + sought, {});
}
