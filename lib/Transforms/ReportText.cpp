//===- ReportText.cpp - prints counts as text -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LayerStory.h"
#include "ReportFormats.h"

#include "parablock/Analysis/DeviceTimes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace parablock;
using llvm::formatv;

/// One line of the first table: a name, a number and its share of `whole`.
static void writeShare(raw_ostream &os, StringRef name, double number,
                       double whole) {
  os << formatv("  {0,-34} {1,20:F0}", name, number);
  if (whole > 0)
    os << formatv(" {0,6:F1}%", 100 * number / whole);
  os << "\n";
}

static void writeParameters(raw_ostream &os, const ModelCounts &model) {
  const ParameterCounts &parameters = model.parameters;
  double total = parameters.total;
  os << "parameters\n";
  writeShare(os, "total", total, 0);
  writeShare(os, "embedding", parameters.embedding, total);
  writeShare(os, "attention", parameters.attention, total);
  writeShare(os, "mlp", parameters.mlp, total);
  writeShare(os, "norm", parameters.norm, total);
  writeShare(os, "head", parameters.head, total);
  if (parameters.other)
    writeShare(os, "other", parameters.other, total);
  writeShare(os, "matrices", parameters.matrices, 0);
  writeShare(os, "no positions, biases, outer norms", model.coreParameters, 0);
}

/// Returns the chip and the product whose numbers predictions use.
static std::string describeChip(const Chip &chip) {
  return (chip.name + (chip.product.empty() ? "" : " (" + chip.product + ")"))
      .str();
}

static void writeCodes(raw_ostream &os, const ReportSubject &subject) {
  const CodeCounts &codes = subject.codes;
  if (codes.weights == 0)
    return;
  writeShare(os, "weights of codes", codes.weights, 0);
  writeShare(os, "bytes of their codes", codes.codeBytes, 0);
  StringRef how =
      subject.chip.isDevice() ? ", as they run" : ", as GPUs run them";
  if (codes.readBytes != 0)
    writeShare(os, ("bytes of codes" + how).str(), codes.readBytes, 0);
  if (codes.readNumberBytes != 0)
    writeShare(os, ("bytes unpacked" + how).str(), codes.readNumberBytes, 0);
}

static void writeWork(raw_ostream &os, const ReportSubject &subject) {
  const ModelCounts &model = subject.model;
  const StepCounts &steps = model.steps;
  double flops = steps.getFlops();
  double perToken = flops > 0 ? model.getFlopsPerToken() / flops : 0;
  os << "FLOPs per token\n";
  writeShare(os, "total", model.getFlopsPerToken(), 0);
  writeShare(os, "attention", steps.attentionFlops * perToken,
             model.getFlopsPerToken());
  writeShare(os, "mlp", steps.mlpFlops * perToken, model.getFlopsPerToken());
  writeShare(os, "other", steps.otherFlops * perToken,
             model.getFlopsPerToken());
  os << "  attention costs more than the MLPs ";
  if (model.attentionPassesMlp)
    os << "from sequence " << *model.attentionPassesMlp << " on\n";
  else
    os << "at no sequence\n";

  os << "one pass\n";
  writeShare(os, "activation bytes", steps.bytes, 0);
  writeShare(os, "launches", steps.launches, 0);
  writeShare(os, "GEMMs", steps.gemms, 0);
  writeShare(os, "norms", steps.norms, 0);
  if (std::optional<double> time =
          computeRooflineTime(model, subject.codes, subject.chip))
    os << formatv("  {0,-34} {1,20:F3} ms\n",
                  "least time on " + describeChip(subject.chip), *time);
  if (std::optional<double> time =
          computeReachableTime(model, subject.codes, subject.chip))
    os << formatv("  {0,-34} {1,20:F3} ms\n",
                  formatv("at the {0:F0} TFLOP/s, {1:F1} TB/s reached",
                          subject.chip.reachedFlops16 / 1e12,
                          subject.chip.reachedBandwidth / 1e12)
                      .str(),
                  *time);
  writeCodes(os, subject);
}

static void writeLayers(raw_ostream &os, const ModelCounts &model) {
  if (model.layers.empty())
    return;
  size_t nameWidth = 5, formWidth = 4;
  for (const LayerCounts &counts : model.layers) {
    block::LayerOp layer = counts.layer;
    nameWidth = std::max(nameWidth, layer.getLabel().size());
    formWidth = std::max(formWidth, counts.form.size());
  }
  auto writeCell = [&](StringRef text, size_t width) {
    os << text;
    os.indent(width - text.size() + 2);
  };
  writeCell("layer", nameWidth);
  os << "index  ";
  writeCell("form", formWidth);
  os << formatv("{0,12} {1,16} {2,14} {3,5} {4,8}  {5}\n", "parameters",
                "FLOPs", "bytes", "GEMMs", "launches", "approximation");
  for (const LayerCounts &counts : model.layers) {
    block::LayerOp layer = counts.layer;
    block::ApproxAttr approx = layer.getApproxAttr();
    writeCell(layer.getLabel(), nameWidth);
    os << formatv("{0,5}  ", layer.getIndex());
    writeCell(counts.form, formWidth);
    os << formatv("{0,12} {1,16:F0} {2,14:F0} {3,5} {4,8}  {5}\n",
                  counts.parameters.total, counts.steps.getFlops(),
                  counts.steps.bytes, counts.steps.gemms, counts.steps.launches,
                  approx ? approx.getPass() : "none");
  }
}

/// Writes the link traffic of each layer, if there is any.
static void writeCollectives(raw_ostream &os, const ReportSubject &subject) {
  os << "collectives per layer: all-reduce, all-gather, reduce-scatter, "
        "exposed sums, all-to-all, its bytes a row: expected, at most\n";
  for (const LayerCounts &counts : subject.model.layers) {
    block::LayerOp layer = counts.layer;
    CollectiveCounts own = countCollectives(layer);
    ExchangedBytes bytes = countExchangedBytes(layer);
    os << formatv("  {0,-34} {1,5} {2,5} {3,5} {4,5} {5,5} {6,9:F0} {7,9:F0}\n",
                  layer.getLabel(), own.allReduce, own.allGather,
                  own.reduceScatter, countSums(subject.exposedSums, layer),
                  own.allToAll, bytes.expected, bytes.most);
  }
}

static void writeDevices(raw_ostream &os, const ReportSubject &subject) {
  SmallVector<DeviceTime> times =
      predictDeviceTimes(subject.model, subject.codes, subject.chip);
  if (times.empty())
    return;
  os << "predicted ms on several devices: two sums per layer (serial), one "
        "(parallel)\n";
  for (const DeviceTime &time : times)
    os << formatv("  {0,7} {1,12:F3} {2,12:F3}\n", time.devices,
                  1e3 * time.serialSeconds, 1e3 * time.parallelSeconds);
}

static void writeStep(raw_ostream &os, const StepReport &step) {
  os << "one step, with gradients: what ops make, not packed weights, "
        "scratch, arguments\n";
  writeShare(os, "peak bytes", step.memory.peakBytes, 0);
  writeShare(os, "bytes saved for backward", step.memory.savedBytes,
             step.memory.peakBytes);
  if (double tokens = static_cast<double>(step.counts.sizes.batch) *
                      static_cast<double>(step.counts.sizes.sequence))
    writeShare(os, "bytes saved a token",
               static_cast<double>(step.memory.savedBytes) / tokens, 0);
  const block::RecomputedWork &again = step.memory.recomputed;
  writeShare(os, "FLOPs computed again", again.flops, 0);
  if (again.microseconds)
    os << formatv("  {0,-34} {1,20:F3} us\n", "predicted to take",
                  *again.microseconds);
  writeShare(os, "launches", step.counts.steps.launches, 0);
}

void parablock::writeReportText(raw_ostream &os, const ReportSubject &subject) {
  const ModelCounts &model = subject.model;
  os << formatv("{0}: level {1}, batch {2}, sequence {3}{4}, chip {5}",
                subject.function, model.level, model.sizes.batch,
                model.sizes.sequence, model.sizes.assumed ? " (assumed)" : "",
                describeChip(subject.chip));
  if (subject.ranks)
    os << ", one of " << *subject.ranks << " ranks";
  os << "\n";
  writeParameters(os, model);
  writeWork(os, subject);
  writeLeftovers(os, model.leftovers);
  if (subject.step)
    writeStep(os, *subject.step);
  writeLayers(os, model);
  if (subject.ranks)
    writeCollectives(os, subject);
  else
    writeDevices(os, subject);
  if (subject.machineCode)
    writeMachineText(os, *subject.machineCode);
}
