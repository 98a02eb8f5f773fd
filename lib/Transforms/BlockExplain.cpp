//===- BlockExplain.cpp - what was rewritten, what was not, and why -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/ModelCounts.h"
#include "parablock/IR/BlockOps.h"
#include "parablock/Support/AtomicOutput.h"
#include "parablock/Support/StrictJSON.h"
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

/// What the log of a layer and its present form say.
struct LayerStory {
  LayerOp layer;
  bool approximate = false;
  double launchesBefore = 0, bytesBefore = 0, launchesAfter = 0, bytesAfter = 0;
  double attentions = 0, mlps = 0, norms = 0;
  /// Predicted for the chip that kernels were formed for, if it has peaks:
  /// of the steps one by one, and of the kernels.
  double microsecondsBefore = 0, microsecondsAfter = 0;
  SmallVector<DecisionAttr> decisions;
};

/// A number of a decision, or `otherwise` where it has none of that name.
double getMetric(DecisionAttr decision, StringRef name, double otherwise) {
  if (DictionaryAttr metrics = decision.getMetrics())
    if (auto value = metrics.getAs<FloatAttr>(name))
      return value.getValueAsDouble();
  return otherwise;
}

LayerStory tell(const LayerCounts &counts) {
  LayerStory story;
  story.layer = counts.layer;
  story.approximate = story.layer.getApprox().has_value();
  story.launchesBefore = counts.unfused.launches;
  story.bytesBefore = counts.unfused.bytes;
  story.launchesAfter = counts.steps.launches;
  story.bytesAfter = counts.steps.bytes;
  // Attention without its projections, as block-raise may leave it.
  double coreAttentions = 0;
  for (Operation &op : story.layer.getBody().front()) {
    story.attentions += isa<AttentionOp>(op);
    coreAttentions += isa<SdpaOp>(op);
    story.mlps += isa<MlpOp>(op);
    story.norms += isa<NormOp>(op);
  }
  bool isExpanded = false;
  if (std::optional<ArrayAttr> log = story.layer.getLog())
    for (auto decision : log->getAsRange<DecisionAttr>()) {
      if (decision.getPass() != "block-expand") {
        story.decisions.push_back(decision);
        story.microsecondsBefore += getMetric(decision, "us_before", 0);
        story.microsecondsAfter += getMetric(decision, "us_after", 0);
        continue;
      }
      isExpanded = true;
      story.attentions += getMetric(decision, "attention", 0);
      story.mlps += getMetric(decision, "mlp", 0);
      story.norms += getMetric(decision, "norm", 0);
      story.launchesBefore =
          getMetric(decision, "launches", story.launchesBefore);
      story.bytesBefore = getMetric(decision, "bytes", story.bytesBefore);
    }
  if (!isExpanded)
    story.attentions += coreAttentions;
  return story;
}

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

/// Candidates that block-raise did not recognise, as it left them.
json::Array describeMissed(Operation *function) {
  json::Array missed;
  auto list = function->getAttrOfType<ArrayAttr>("raise_missed");
  if (!list)
    return missed;
  for (auto miss : list.getAsRange<DictionaryAttr>()) {
    auto text = [&](StringRef name) {
      return toText(miss.getAs<StringAttr>(name));
    };
    missed.push_back(json::Object{{"kind", text("kind")},
                                  {"path", nullptr},
                                  {"reason", text("reason")},
                                  {"detail", text("detail")},
                                  {"location", text("location")}});
  }
  return missed;
}

/// What was recognised, in layers and, where a layer's other half was not,
/// outside.
struct Recognised {
  double attentions = 0, mlps = 0, norms = 0;
};

Recognised countRecognised(ArrayRef<LayerStory> stories, Operation *function) {
  Recognised all;
  for (const LayerStory &story : stories) {
    all.attentions += story.attentions;
    all.mlps += story.mlps;
    all.norms += story.norms;
  }
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    all.attentions += isa<AttentionOp, SdpaOp>(op);
    all.mlps += isa<MlpOp>(op);
    return isa<LayerOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return all;
}

void writeJSON(llvm::raw_ostream &os, ArrayRef<LayerStory> stories,
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
        {"exactness", story.approximate ? "approximate" : "exact"},
        {"launches", json::Object{{"before", toWhole(story.launchesBefore)},
                                  {"after", toWhole(story.launchesAfter)}}},
        {"bytes", json::Object{{"before", toWhole(story.bytesBefore)},
                               {"after", toWhole(story.bytesAfter)}}},
        {"predicted_us", describeTimes(story)},
        {"fusions", std::move(fusions)}});
  }
  Recognised all = countRecognised(stories, function);
  json::Object report{
      {"schema", 1},
      {"recognised", json::Object{{"attention", toWhole(all.attentions)},
                                  {"mlp", toWhole(all.mlps)},
                                  {"norm", toWhole(all.norms)}}},
      {"missed", describeMissed(function)},
      {"layers", std::move(layers)}};
  os << llvm::formatv("{0:2}", json::Value(std::move(report))) << "\n";
}

/// What is true of the whole function.
void writeSummary(llvm::raw_ostream &os, ArrayRef<LayerStory> stories,
                  Operation *function) {
  Recognised all = countRecognised(stories, function);
  os << llvm::formatv(
      "recognised {0} attention, {1} mlp, {2} norm in {3} {4}\n",
      static_cast<int64_t>(all.attentions), static_cast<int64_t>(all.mlps),
      static_cast<int64_t>(all.norms), stories.size(),
      stories.size() == 1 ? "layer" : "layers");
  auto missed = function->getAttrOfType<ArrayAttr>("raise_missed");
  if (stories.empty() && !missed)
    os << "no layer: block-raise finds them in ops of other dialects\n";
  if (!missed)
    return;
  for (auto miss : missed.getAsRange<DictionaryAttr>()) {
    auto text = [&](StringRef name) {
      auto value = miss.getAs<StringAttr>(name);
      return value ? value.getValue() : StringRef();
    };
    os << "missed " << text("kind") << ": " << text("reason");
    if (!text("detail").empty())
      os << ": " << text("detail");
    if (!text("location").empty())
      os << " (" << text("location") << ")";
    os << "\n";
  }
}

void writeText(llvm::raw_ostream &os, ArrayRef<LayerStory> stories,
               Operation *function) {
  writeSummary(os, stories, function);
  for (const LayerStory &story : stories) {
    LayerOp layer = story.layer;
    os << llvm::formatv(
        "layer {0} \"{1}\": {2}, launches {3} -> {4}, activation bytes {5} -> "
        "{6}",
        layer.getIndex(), layer.getLabel(),
        story.approximate ? "approximate" : "exact",
        static_cast<int64_t>(story.launchesBefore),
        static_cast<int64_t>(story.launchesAfter),
        static_cast<int64_t>(story.bytesBefore),
        static_cast<int64_t>(story.bytesAfter));
    if (story.microsecondsAfter > 0)
      os << llvm::format(", predicted us %.1f -> %.1f",
                         story.microsecondsBefore, story.microsecondsAfter);
    os << "\n";
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
}

struct BlockExplainPass
    : public block::impl::BlockExplainBase<BlockExplainPass> {
  using BlockExplainBase::BlockExplainBase;

  void runOnOperation() final {
    markAllAnalysesPreserved();
    if (failed(explain()))
      signalPassFailure();
  }

  LogicalResult explain() {
    if (format != "text" && format != "json")
      return getOperation()->emitError()
             << "unknown format '" << format << "': expected text or json";
    FunctionOpInterface function = findMainFunction(getOperation());
    if (!function)
      return failure();
    FailureOr<ModelCounts> counts = countModel(function);
    if (failed(counts))
      return failure();
    SmallVector<LayerStory> stories = llvm::map_to_vector(counts->layers, tell);
    std::string text;
    llvm::raw_string_ostream os(text);
    if (format == "json")
      writeJSON(os, stories, function);
    else
      writeText(os, stories, function);
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
