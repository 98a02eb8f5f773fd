//===- DeviceTimes.h - what several devices would take ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Predictions for a model split over devices as block-shard does, from peaks of
// chip and link; docs/use/Scale.md says what is behind them.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_DEVICETIMES_H
#define PARABLOCK_ANALYSIS_DEVICETIMES_H

#include "parablock/Analysis/ModelCounts.h"
#include "parablock/Support/Chips.h"

namespace parablock {

/// Seconds that `devices` devices take to add up `bytes` bytes on each of them,
/// on the faster of a ring and a tree.
double estimateAllReduce(const Chip &chip, int64_t devices, double bytes);
/// The two of them. A ring moves least, a tree has fewer steps.
double estimateRingAllReduce(const Chip &chip, int64_t devices, double bytes);
double estimateTreeAllReduce(const Chip &chip, int64_t devices, double bytes);
/// Seconds until every device has all of `bytes` bytes, of which each had its
/// share.
double estimateAllGather(const Chip &chip, int64_t devices, double bytes);

/// One pass over a model on some devices.
struct DeviceTime {
  int64_t devices;
  /// Arithmetic, memory and launches.
  double computeSeconds;
  /// One sum over devices.
  double allReduceSeconds;
  /// The pass with two sums per layer, and with one.
  double serialSeconds, parallelSeconds;
};

/// For 1 to 8 devices; nothing where the chip has no peaks or link, or the
/// model no layers.
llvm::SmallVector<DeviceTime> predictDeviceTimes(const ModelCounts &model,
                                                 const Chip &chip);

/// The least time, in milliseconds, that a pass over the model can take on
/// `chip`: arithmetic at its peak, or reading every weight once and moving the
/// activations at full bandwidth, whichever is longer. None where the chip has
/// no peaks.
std::optional<double> computeRooflineTime(const ModelCounts &model,
                                          const Chip &chip);

/// The same at the rates that were measured in place of the peaks. None where
/// none were, or the products are not of 16 bits.
std::optional<double> computeReachableTime(const ModelCounts &model,
                                           const Chip &chip);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_DEVICETIMES_H
