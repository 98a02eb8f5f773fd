//===- DeviceTimes.cpp - times of rings, trees and whole passes -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/DeviceTimes.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;
using namespace parablock;

/// Devices that one box holds.
static constexpr int64_t kMaxDevices = 8;

/// Sums over devices travel in f32.
static constexpr double kSumBytes = 4;

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

double parablock::estimateRingAllReduce(const Chip &chip, int64_t devices,
                                        double bytes) {
  auto steps = static_cast<double>(2 * (devices - 1));
  return steps * (chip.linkSeconds +
                  bytes / static_cast<double>(devices) / chip.linkBandwidth);
}

double parablock::estimateTreeAllReduce(const Chip &chip, int64_t devices,
                                        double bytes) {
  // Up to the root and down again; pieces follow each other without a gap.
  if (devices == 1)
    return 0;
  auto steps = static_cast<double>(2 * llvm::Log2_64_Ceil(devices));
  return steps * chip.linkSeconds + 2 * bytes / chip.linkBandwidth;
}

double parablock::estimateAllReduce(const Chip &chip, int64_t devices,
                                    double bytes) {
  return std::min(estimateRingAllReduce(chip, devices, bytes),
                  estimateTreeAllReduce(chip, devices, bytes));
}

//===----------------------------------------------------------------------===//
// A pass
//===----------------------------------------------------------------------===//

/// Bytes of the stream in f32.
static double getStreamBytes(const ModelCounts &model) {
  block::LayerOp layer = model.layers.front().layer;
  auto type = cast<RankedTensorType>(layer.getResult(0).getType());
  return kSumBytes * static_cast<double>(model.sizes.batch) *
         static_cast<double>(model.sizes.sequence) *
         static_cast<double>(type.getShape().back());
}

/// Returns the bytes of all weights: codes and scales where a run reads these.
static double countWeightBytes(const ModelCounts &model,
                               const CodeCounts &codes, const Chip &chip) {
  double numbers = static_cast<double>(model.parameters.total) -
                   static_cast<double>(codes.elements);
  return numbers * model.elementBits / 8 +
         static_cast<double>(codes.getRunBytes(chip.isDevice()));
}

/// Matrix products and weights are split; activations count as if every device
/// moved all of them, an upper bound.
static double estimateCompute(const ModelCounts &model, const CodeCounts &codes,
                              const Chip &chip, int64_t devices) {
  double peak = model.elementBits == 16 ? chip.flops16 : chip.flops32;
  double weights = countWeightBytes(model, codes, chip);
  auto share = static_cast<double>(devices);
  double arithmetic = model.steps.getFlops() / share / peak;
  double memory = (weights / share + model.steps.bytes) / chip.bandwidth;
  return std::max(arithmetic, memory) +
         static_cast<double>(model.steps.launches) * chip.launchSeconds;
}

llvm::SmallVector<DeviceTime>
parablock::predictDeviceTimes(const ModelCounts &model, const CodeCounts &codes,
                              const Chip &chip) {
  llvm::SmallVector<DeviceTime> times;
  if (chip.bandwidth <= 0 || chip.linkBandwidth <= 0 || model.layers.empty() ||
      model.layers.front().layer->getNumResults() == 0)
    return times;
  double stream = getStreamBytes(model);
  auto layers = static_cast<double>(model.layers.size());
  for (int64_t devices = 1; devices <= kMaxDevices; ++devices) {
    double compute = estimateCompute(model, codes, chip, devices);
    double sum = estimateAllReduce(chip, devices, stream);
    times.push_back({devices, compute, sum, compute + 2 * layers * sum,
                     compute + layers * sum});
  }
  return times;
}

/// Milliseconds at these rates.
static double computeLeastTime(const ModelCounts &model, double weightBytes,
                               double flops, double bandwidth) {
  return 1e3 * std::max(model.steps.getFlops() / flops,
                        (weightBytes + model.steps.bytes) / bandwidth);
}

std::optional<double> parablock::computeRooflineTime(const ModelCounts &model,
                                                     const CodeCounts &codes,
                                                     const Chip &chip) {
  if (chip.bandwidth <= 0)
    return std::nullopt;
  double peak = model.elementBits == 16 ? chip.flops16 : chip.flops32;
  return computeLeastTime(model, countWeightBytes(model, codes, chip), peak,
                          chip.bandwidth);
}

std::optional<double> parablock::computeReachableTime(const ModelCounts &model,
                                                      const CodeCounts &codes,
                                                      const Chip &chip) {
  if (!chip.isMeasured() || model.elementBits != 16)
    return std::nullopt;
  return computeLeastTime(model, countWeightBytes(model, codes, chip),
                          chip.reachedFlops16, chip.reachedBandwidth);
}
