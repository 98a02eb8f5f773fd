//===- BlockExplain.cpp - pass block-explain as text or JSON --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LayerStory.h"
#include "ReportFormats.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Support/AtomicOutput.h"
#include "parablock/Support/StrictJSON.h"
#include "parablock/Transforms/Launches.h"
#include "parablock/Transforms/Passes.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKEXPLAIN
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;
namespace json = llvm::json;

namespace {
json::Value toText(StringAttr text) {
  if (!text)
    return nullptr;
  return json::fixUTF8(text.getValue());
}

json::Value toWhole(double value) { return static_cast<int64_t>(value); }

json::Object describeDecision(DecisionAttr decision) {
  json::Object metrics;
  if (DictionaryAttr numbers = decision.getMetrics())
    for (NamedAttribute number : numbers)
      if (auto value = dyn_cast<FloatAttr>(number.getValue()))
        metrics[number.getName().getValue()] =
            toJSONNumber(value.getValueAsDouble());
  return json::Object{{"pass", json::fixUTF8(decision.getPass())},
                      {"status", stringifyOutcome(decision.getOutcome())},
                      {"reason", toText(decision.getReason())},
                      {"location", toText(decision.getLocation())},
                      {"metrics", std::move(metrics)}};
}

json::Value describeTimes(const LayerStory &story) {
  if (story.microsecondsAfter <= 0)
    return nullptr;
  return json::Object{{"before", toJSONNumber(story.microsecondsBefore)},
                      {"after", toJSONNumber(story.microsecondsAfter)}};
}

json::Array describeMissed(Operation *function) {
  json::Array missed;
  for (const MissedPiece &miss : getMissed(function))
    missed.push_back(json::Object{{"kind", json::fixUTF8(miss.kind)},
                                  {"path", nullptr},
                                  {"reason", json::fixUTF8(miss.reason)},
                                  {"detail", json::fixUTF8(miss.detail)},
                                  {"location", json::fixUTF8(miss.location)}});
  return missed;
}

/// The stamps of layers that are ops of other dialects.
json::Array describeKeptStamps(const KeptStamps &kept) {
  json::Array stamps;
  for (const KeptStamp &each : kept.stamps)
    stamps.push_back(json::Object{{"layer", each.layer},
                                  {"name", json::fixUTF8(each.name)},
                                  {"approx", describeApprox(each.stamp)}});
  return stamps;
}

/// Lists the reasons of all misses, once each.
SmallVector<Reason> collectReasons(ArrayRef<LayerStory> stories,
                                   Operation *function) {
  llvm::SmallSetVector<StringRef, 4> names;
  for (const MissedPiece &miss : getMissed(function))
    names.insert(miss.reason);
  for (const LayerStory &story : stories)
    for (DecisionAttr decision : story.decisions)
      if (decision.getOutcome() != Outcome::Passed && decision.getReason())
        names.insert(decision.getReason().getValue());
  return llvm::filter_to_vector(getAllReasons(), [&](Reason reason) {
    return names.contains(getReasonName(reason));
  });
}

void writeJSON(llvm::raw_ostream &os, ArrayRef<LayerStory> stories,
               const ModelCounts &counts, const KeptStamps &kept,
               Operation *function) {
  json::Array layers;
  for (const LayerStory &story : stories) {
    LayerOp layer = story.layer;
    json::Array fusions;
    for (DecisionAttr decision : story.decisions)
      fusions.push_back(describeDecision(decision));
    layers.push_back(json::Object{
        {"name", json::fixUTF8(layer.getLabel())},
        {"index", static_cast<int64_t>(layer.getIndex())},
        {"backward", layer.getBackward()},
        {"exactness", story.approximate ? "approximate" : "exact"},
        {"approx", describeApprox(layer.getApproxAttr())},
        {"launches", json::Object{{"before", toWhole(story.launchesBefore)},
                                  {"after", toWhole(story.launchesAfter)}}},
        {"bytes", json::Object{{"before", toWhole(story.bytesBefore)},
                               {"after", toWhole(story.bytesAfter)}}},
        {"predicted_us", describeTimes(story)},
        {"fusions", std::move(fusions)}});
  }
  json::Object reasons;
  for (Reason reason : collectReasons(stories, function))
    reasons[getReasonName(reason)] = getReasonMeaning(reason);
  Recognised all = countRecognised(stories, function);
  json::Object report{{"schema", 1},
                      {"recognised", json::Object{{"attention", all.attentions},
                                                  {"mlp", all.mlps},
                                                  {"experts", all.experts},
                                                  {"norm", all.norms}}},
                      {"approximations", describeKeptStamps(kept)},
                      {"missed", describeMissed(function)},
                      {"launches", toWhole(counts.steps.launches)},
                      {"leftovers", describeLeftovers(counts.leftovers)},
                      {"layers", std::move(layers)},
                      {"reasons", std::move(reasons)}};
  os << llvm::formatv("{0:2}", json::Value(std::move(report))) << "\n";
}

/// Writes facts about the whole function.
void writeSummary(llvm::raw_ostream &os, ArrayRef<LayerStory> stories,
                  const LeftoverCounts &leftovers, const KeptStamps &kept,
                  Operation *function) {
  writeRecognised(os, countRecognised(stories, function));
  os << "\n";
  if (stories.empty() && !function->hasAttr("raise_missed"))
    os << "no layer: block-raise finds them in ops of other dialects\n";
  writeKeptStamps(os, kept);
  writeMissed(os, function);
  writeLeftovers(os, leftovers);
}

void writeText(llvm::raw_ostream &os, ArrayRef<LayerStory> stories,
               const LeftoverCounts &leftovers, const KeptStamps &kept,
               Operation *function) {
  writeSummary(os, stories, leftovers, kept, function);
  for (const LayerStory &story : stories) {
    LayerOp layer = story.layer;
    os << llvm::formatv(
        "layer {0} \"{1}\"{2}: {3}, launches {4} -> {5}, activation bytes {6} "
        "-> {7}",
        layer.getIndex(), layer.getLabel(),
        layer.getBackward() ? " backward" : "",
        story.approximate ? "approximate" : "exact",
        static_cast<int64_t>(story.launchesBefore),
        static_cast<int64_t>(story.launchesAfter),
        static_cast<int64_t>(story.bytesBefore),
        static_cast<int64_t>(story.bytesAfter));
    if (story.microsecondsAfter > 0)
      os << llvm::format(", predicted us %.1f -> %.1f",
                         story.microsecondsBefore, story.microsecondsAfter);
    os << "\n";
    for (ApproxAttr stamp = layer.getApproxAttr(); stamp;
         stamp = stamp.getPrevious())
      os << "  stamped " << stamp.getPass() << ": " << stamp.getParameters()
         << "\n";
    for (DecisionAttr decision : story.decisions) {
      os << "  "
         << llvm::formatv("{0,-7}", stringifyOutcome(decision.getOutcome()))
         << decision.getPass();
      if (StringAttr reason = decision.getReason())
        os << ": " << reason.getValue();
      if (DictionaryAttr numbers = decision.getMetrics())
        for (NamedAttribute number : numbers)
          if (auto value = dyn_cast<FloatAttr>(number.getValue()))
            os << " " << number.getName().getValue()
               << llvm::format("=%g", value.getValueAsDouble());
      if (StringAttr location = decision.getLocation())
        os << " (" << location.getValue() << ")";
      os << "\n";
    }
  }
  for (Reason reason : collectReasons(stories, function))
    os << getReasonName(reason) << ": " << getReasonMeaning(reason) << "\n";
}

struct BlockExplainPass
    : public block::impl::BlockExplainBase<BlockExplainPass> {
  using BlockExplainBase::BlockExplainBase;

  void getDependentDialects(DialectRegistry &registry) const final {
    registerLaunchedDialects(registry);
  }

  void runOnOperation() final {
    markAllAnalysesPreserved();
    if (failed(explain()))
      signalPassFailure();
  }

  LogicalResult explain() {
    FunctionOpInterface found = findMainFunction(getOperation(), functionName);
    if (!found)
      return failure();
    FailureOr<ModelCounts> counts = countLaunched(found);
    FailureOr<KeptStamps> kept = readKeptStamps(found);
    if (failed(counts) || failed(kept))
      return failure();
    SmallVector<LayerStory> stories =
        llvm::map_to_vector(counts->layers, tellStory);
    std::string text;
    llvm::raw_string_ostream os(text);
    if (format == ReportFormat::JSON)
      writeJSON(os, stories, *counts, *kept, found);
    else
      writeText(os, stories, counts->leftovers, *kept, found);
    if (file.empty()) {
      llvm::errs() << text;
      return success();
    }
    if (llvm::Error error = writeFile(file, text))
      return getOperation()->emitError() << llvm::toString(std::move(error));
    return success();
  }
};
} // namespace
