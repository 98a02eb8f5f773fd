//===- LayerStory.cpp - reads logs and words decisions --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LayerStory.h"

#include "parablock/Analysis/FittedLayers.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;
using llvm::formatv;

/// Returns a number of a decision, or `otherwise` if it has none of that name.
static double getMetric(DecisionAttr decision, StringRef name,
                        double otherwise) {
  if (DictionaryAttr metrics = decision.getMetrics())
    if (auto value = metrics.getAs<FloatAttr>(name))
      return value.getValueAsDouble();
  return otherwise;
}

bool parablock::isExperts(Operation *op) { return isa<MoeOp, ExpertsOp>(op); }

bool parablock::isAttention(Operation *op) {
  auto step = dyn_cast<StepOpInterface>(op);
  if (!step || step.getPart() != ModelPart::Attention)
    return false;
  return isComposite(op) || step.getRootKind() == KernelKind::Sdpa;
}

LayerStory parablock::tellStory(const LayerCounts &counts) {
  LayerStory story;
  story.layer = counts.layer;
  story.approximate = story.layer.getApprox().has_value();
  story.launchesBefore = counts.unfused.launches;
  story.bytesBefore = counts.unfused.bytes;
  story.launchesAfter = counts.steps.launches;
  story.bytesAfter = counts.steps.bytes;
  // Attentions without projections, also in kernels; once expanded, the log has
  // them.
  double coreAttentions = 0, coreExperts = 0;
  story.layer->walk([&](Operation *op) {
    if (!isComposite(op)) {
      coreAttentions += isAttention(op);
      coreExperts += isExperts(op);
      return;
    }
    ModelPart part = cast<StepOpInterface>(op).getPart();
    story.attentions += part == ModelPart::Attention;
    story.experts += isExperts(op);
    story.mlps += part == ModelPart::Mlp && !isExperts(op);
    story.norms += part == ModelPart::Norm;
  });
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
      story.experts += getMetric(decision, "experts", 0);
      story.norms += getMetric(decision, "norm", 0);
      story.launchesBefore =
          getMetric(decision, "launches", story.launchesBefore);
      story.bytesBefore = getMetric(decision, "bytes", story.bytesBefore);
    }
  if (!isExpanded) {
    story.attentions += coreAttentions;
    story.experts += coreExperts;
  }
  return story;
}

Recognised parablock::countRecognised(ArrayRef<LayerStory> stories,
                                      Operation *function) {
  Recognised all;
  all.layers = static_cast<int64_t>(stories.size());
  for (const LayerStory &story : stories) {
    all.attentions += static_cast<int64_t>(story.attentions);
    all.mlps += static_cast<int64_t>(story.mlps);
    all.experts += static_cast<int64_t>(story.experts);
    all.norms += static_cast<int64_t>(story.norms);
  }
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    all.attentions += isAttention(op);
    all.experts += isExperts(op);
    all.mlps +=
        isComposite(op) && getPart(op) == ModelPart::Mlp && !isExperts(op);
    return isa<LayerOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return all;
}

void parablock::writeRecognised(raw_ostream &os, const Recognised &found) {
  os << formatv("recognised {0} attention, {1} mlp, ", found.attentions,
                found.mlps);
  if (found.experts)
    os << found.experts << " experts, ";
  os << formatv("{0} norm in {1} {2}", found.norms, found.layers,
                found.layers == 1 ? "layer" : "layers");
}

std::string parablock::describeStamp(ApproxAttr stamp) {
  std::string text = stamp.getPass().str();
  if (std::string parameters = dropPair(stamp.getParameters());
      !parameters.empty())
    text += " (" + parameters + ")";
  return text;
}

void parablock::writeKeptStamps(raw_ostream &os, const KeptStamps &kept) {
  for (const KeptStamp &each : kept.stamps)
    for (ApproxAttr stamp = each.stamp; stamp; stamp = stamp.getPrevious())
      os << "approximate: " << describeStamp(stamp) << " in what was layer "
         << each.layer << " \"" << each.name << "\"\n";
}

llvm::SmallVector<MissedPiece> parablock::getMissed(Operation *function) {
  llvm::SmallVector<MissedPiece> missed;
  auto list = function->getAttrOfType<ArrayAttr>("raise_missed");
  if (!list)
    return missed;
  for (auto decision : list.getAsRange<DecisionAttr>()) {
    auto getText = [&](StringRef name) -> StringRef {
      DictionaryAttr facts = decision.getMetrics();
      auto text = facts ? facts.getAs<StringAttr>(name) : StringAttr();
      return text ? text.getValue() : StringRef();
    };
    auto getValue = [](StringAttr text) {
      return text ? text.getValue() : StringRef();
    };
    missed.push_back({getText("kind"), getText("detail"),
                      getValue(decision.getReason()),
                      getValue(decision.getLocation())});
  }
  return missed;
}

void parablock::writeMissed(raw_ostream &os, Operation *function) {
  for (const MissedPiece &miss : getMissed(function)) {
    os << "missed " << miss.kind << ": " << miss.reason;
    if (!miss.detail.empty())
      os << ": " << miss.detail;
    if (!miss.location.empty())
      os << " (" << miss.location << ")";
    os << "\n";
  }
}

void parablock::writeLeftovers(raw_ostream &os,
                               const LeftoverCounts &leftovers) {
  if (leftovers.empty())
    return;
  if (leftovers.launches)
    os << formatv("leftovers: {0} {1}, {2} bytes", leftovers.launches,
                  leftovers.launches == 1 ? "launch" : "launches",
                  static_cast<int64_t>(leftovers.bytes));
  if (leftovers.outside)
    os << (leftovers.launches ? "; " : "leftovers: ")
       << formatv("{0} {1} in no block or kernel", leftovers.outside,
                  leftovers.outside == 1 ? "op" : "ops");
  StringRef separator = ": ";
  for (const auto &[name, count] : leftovers.ops) {
    os << separator << name;
    if (count > 1)
      os << " x " << count;
    separator = ", ";
  }
  os << "\n";
}
