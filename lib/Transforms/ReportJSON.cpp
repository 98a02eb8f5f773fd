//===- ReportJSON.cpp - prints counts as JSON -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ReportFormats.h"

#include "mlir/IR/TypeUtilities.h"
#include "parablock/Analysis/DeviceTimes.h"
#include "parablock/Support/StrictJSON.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
namespace json = llvm::json;

/// Whole numbers are written as such, as far as a double holds them exactly.
static json::Value toNumber(double value) {
  constexpr double exact = 9007199254740992.0; // 2^53
  if (std::abs(value) < exact &&
      value == static_cast<double>(static_cast<int64_t>(value)))
    return static_cast<int64_t>(value);
  return toJSONNumber(value);
}

static json::Object describeShares(ArrayRef<std::pair<StringRef, double>> parts,
                                   double total) {
  json::Object shares;
  for (auto [name, part] : parts)
    shares[name] = total > 0 ? part / total : 0.0;
  return shares;
}

/// Returns predictions; null for one rank of several devices, and for a chip
/// without peaks.
static json::Value describeDevices(const ReportSubject &subject) {
  SmallVector<DeviceTime> times =
      predictDeviceTimes(subject.model, subject.codes, subject.chip);
  if (times.empty() || subject.ranks)
    return nullptr;
  json::Array devices;
  for (const DeviceTime &time : times)
    devices.push_back(json::Object{
        {"ranks", time.devices},
        {"compute_ms", toJSONNumber(1e3 * time.computeSeconds)},
        {"all_reduce_us", toJSONNumber(1e6 * time.allReduceSeconds)},
        {"serial_ms", toJSONNumber(1e3 * time.serialSeconds)},
        {"parallel_ms", toJSONNumber(1e3 * time.parallelSeconds)}});
  return devices;
}

static json::Object describeCollectives(const ReportSubject &subject,
                                        Operation *op) {
  CollectiveCounts counts = countCollectives(op);
  return json::Object{{"all_reduce", counts.allReduce},
                      {"all_gather", counts.allGather},
                      {"all_to_all", counts.allToAll},
                      {"exposed", countSums(subject.exposedSums, op)},
                      {"reduce_scatter", counts.reduceScatter}};
}

/// Returns null if no rows are exchanged.
static json::Value describeExchanged(Operation *op) {
  ExchangedBytes bytes = countExchangedBytes(op);
  if (bytes.most == 0)
    return nullptr;
  return json::Object{{"expected", toNumber(bytes.expected)},
                      {"most", toNumber(bytes.most)}};
}

/// Returns null if no weights are codes.
static json::Value describeCodes(const ReportSubject &subject) {
  const CodeCounts &codes = subject.codes;
  if (codes.weights == 0)
    return nullptr;
  return json::Object{
      {"weights", codes.weights},
      {"code_bytes", codes.codeBytes},
      {"unpacked_bytes", codes.unpackedBytes},
      {"read_bytes", codes.readBytes},
      {"read_number_bytes", codes.readNumberBytes},
      {"runs_unpacked", subject.chip.isDevice() && codes.readNumberBytes != 0}};
}

json::Object parablock::describeLeftovers(const LeftoverCounts &leftovers) {
  json::Object ops;
  for (const auto &[name, count] : leftovers.ops)
    ops[name] = count;
  return json::Object{{"launches", leftovers.launches},
                      {"bytes", toNumber(leftovers.bytes)},
                      {"outside", leftovers.outside},
                      {"ops", std::move(ops)}};
}

static json::Object describeModel(const ReportSubject &subject) {
  const ModelCounts &model = subject.model;
  const ParameterCounts &parameters = model.parameters;
  const StepCounts &steps = model.steps;
  json::Object params{{"total", parameters.total},
                      {"matrices", parameters.matrices},
                      {"embedding", parameters.embedding},
                      {"attention", parameters.attention},
                      {"mlp", parameters.mlp},
                      {"norm", parameters.norm},
                      {"head", parameters.head},
                      {"other", parameters.other},
                      {"biases", parameters.biases},
                      {"positions", parameters.positions},
                      {"core", model.coreParameters}};
  json::Object paramShares =
      describeShares({{"embedding", parameters.embedding},
                      {"attention", parameters.attention},
                      {"mlp", parameters.mlp},
                      {"norm", parameters.norm},
                      {"head", parameters.head},
                      {"other", parameters.other}},
                     parameters.total);
  json::Object flopsShares =
      describeShares({{"attention", steps.attentionFlops},
                      {"mlp", steps.mlpFlops},
                      {"other", steps.otherFlops}},
                     steps.getFlops());
  std::optional<double> roofline =
      computeRooflineTime(model, subject.codes, subject.chip);
  std::optional<double> reachable =
      computeReachableTime(model, subject.codes, subject.chip);
  return json::Object{
      {"params", std::move(params)},
      {"norms", steps.norms},
      {"gemms", steps.gemms},
      {"launches", steps.launches},
      {"flops_per_token", toNumber(model.getFlopsPerToken())},
      {"activation_bytes", toNumber(steps.bytes)},
      {"leftovers", describeLeftovers(model.leftovers)},
      {"params_shares", std::move(paramShares)},
      {"flops_shares", std::move(flopsShares)},
      {"attention_passes_mlp_at", model.attentionPassesMlp},
      {"roofline_ms", roofline ? toJSONNumber(*roofline) : nullptr},
      {"reachable_ms", reachable ? toJSONNumber(*reachable) : nullptr},
      {"codes", describeCodes(subject)},
      {"exposed_sums", static_cast<int64_t>(subject.exposedSums.size())},
      {"devices", describeDevices(subject)}};
}

json::Value parablock::describeApprox(block::ApproxAttr approx) {
  if (!approx)
    return nullptr;
  json::Value measured = nullptr;
  if (auto number = dyn_cast<FloatAttr>(approx.getMeasured()))
    measured = toJSONNumber(number.getValueAsDouble());
  else if (auto text = dyn_cast<StringAttr>(approx.getMeasured()))
    measured = json::fixUTF8(text.getValue());
  return json::Object{{"pass", json::fixUTF8(approx.getPass())},
                      {"parameters", json::fixUTF8(approx.getParameters())},
                      {"measured", std::move(measured)},
                      {"previous", describeApprox(approx.getPrevious())}};
}

static json::Object describeLayer(const ReportSubject &subject,
                                  const LayerCounts &counts) {
  block::LayerOp layer = counts.layer;
  const ParameterCounts &parameters = counts.parameters;
  const StepCounts &steps = counts.steps;
  return json::Object{
      {"name", json::fixUTF8(layer.getLabel())},
      {"index", static_cast<int64_t>(layer.getIndex())},
      {"form", counts.form},
      {"params", parameters.total},
      {"params_by", json::Object{{"attention", parameters.attention},
                                 {"mlp", parameters.mlp},
                                 {"norm", parameters.norm},
                                 {"other", parameters.other}}},
      {"flops", toNumber(steps.getFlops())},
      {"bytes", toNumber(steps.bytes)},
      {"norms", steps.norms},
      {"gemms", steps.gemms},
      {"launches", steps.launches},
      {"collectives", describeCollectives(subject, layer)},
      {"exchanged_bytes_per_row", describeExchanged(layer)},
      {"approx", describeApprox(layer.getApproxAttr())}};
}

static json::Value describeTime(const block::RecomputedWork &work) {
  return work.microseconds ? toJSONNumber(*work.microseconds)
                           : json::Value(nullptr);
}

/// Launches of a layer, forward and backward.
static int64_t countLayerLaunches(const StepReport &step,
                                  block::LayerOp layer) {
  int64_t launches = 0;
  for (const LayerCounts &own : step.counts.layers)
    if (block::LayerOp(own.layer).getLabel() == layer.getLabel() &&
        block::LayerOp(own.layer).getIndex() == layer.getIndex())
      launches += own.steps.launches;
  return launches;
}

static json::Object describeStep(const StepReport &step) {
  const block::StepMemory &memory = step.memory;
  auto tokens =
      static_cast<double>(step.counts.sizes.batch * step.counts.sizes.sequence);
  auto perToken = [&](uint64_t bytes) {
    return tokens ? toNumber(static_cast<double>(bytes) / tokens)
                  : json::Value(nullptr);
  };
  json::Array layers, values;
  for (const block::LayerMemory &own : memory.layers) {
    block::LayerOp layer = own.layer;
    layers.push_back(
        json::Object{{"name", json::fixUTF8(layer.getLabel())},
                     {"index", static_cast<int64_t>(layer.getIndex())},
                     {"saved_bytes", own.savedBytes},
                     {"saved_bytes_per_token", perToken(own.savedBytes)},
                     {"recompute_flops", toNumber(own.recomputed.flops)},
                     {"recompute_us", describeTime(own.recomputed)},
                     {"launches", countLayerLaunches(step, layer)}});
  }
  for (const block::SavedValue &saved : memory.saved) {
    std::string type;
    llvm::raw_string_ostream os(type);
    os << getElementTypeOrSelf(saved.value.getType());
    block::LayerOp layer = saved.layer;
    values.push_back(json::Object{
        {"name", json::fixUTF8(saved.name)},
        {"layer", layer ? json::Value(json::fixUTF8(layer.getLabel()))
                        : json::Value(nullptr)},
        {"type", type},
        {"bytes", saved.bytes},
        {"bytes_per_token", perToken(saved.bytes)}});
  }
  return json::Object{{"peak_bytes", memory.peakBytes},
                      {"saved_bytes", memory.savedBytes},
                      {"saved_bytes_per_token", perToken(memory.savedBytes)},
                      {"recompute_flops", toNumber(memory.recomputed.flops)},
                      {"recompute_us", describeTime(memory.recomputed)},
                      {"launches", step.counts.steps.launches},
                      {"layers", std::move(layers)},
                      {"saved", std::move(values)}};
}

void parablock::writeReportJSON(raw_ostream &os, const ReportSubject &subject) {
  const ModelCounts &model = subject.model;
  json::Array layers;
  for (const LayerCounts &layer : model.layers)
    layers.push_back(describeLayer(subject, layer));
  json::Object report{{"schema", 1},
                      {"function", json::fixUTF8(subject.function)},
                      {"level", model.level},
                      {"chip", subject.chip.name},
                      {"product", subject.chip.product},
                      {"ranks", subject.ranks.value_or(1)},
                      {"sizes", json::Object{{"batch", model.sizes.batch},
                                             {"sequence", model.sizes.sequence},
                                             {"assumed", model.sizes.assumed}}},
                      {"model", describeModel(subject)},
                      {"layers", std::move(layers)}};
  if (subject.machineCode)
    report["machine_code"] = describeMachineCode(*subject.machineCode);
  if (subject.step)
    report["step"] = describeStep(*subject.step);
  os << llvm::formatv("{0:2}", json::Value(std::move(report))) << "\n";
}
