//===- DeviceTimes.h - predicted times on several devices -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Predictions for a model split over devices by block-shard, from the peak
// rates of chip and link; docs/use/Scale.md explains the model.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_DEVICETIMES_H
#define PARABLOCK_ANALYSIS_DEVICETIMES_H

#include "parablock/Analysis/CodeCounts.h"
#include "parablock/Analysis/ModelCounts.h"
#include "parablock/Support/Chips.h"

namespace parablock {

/// Seconds that `devices` devices take to sum `bytes` bytes each, by the faster
/// of a ring and a tree.
double estimateAllReduce(const Chip &chip, int64_t devices, double bytes);
/// The two algorithms. A ring moves the fewest bytes, a tree has fewer steps.
double estimateRingAllReduce(const Chip &chip, int64_t devices, double bytes);
double estimateTreeAllReduce(const Chip &chip, int64_t devices, double bytes);

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

/// Predictions for 1 to 8 devices; empty if the chip has no peaks or link, or
/// the model no layers.
llvm::SmallVector<DeviceTime> predictDeviceTimes(const ModelCounts &model,
                                                 const CodeCounts &codes,
                                                 const Chip &chip);

/// Returns the minimum time, in milliseconds, of a pass over the model on
/// `chip`: arithmetic at its peak, or reading every weight once and moving the
/// activations at full bandwidth, whichever is longer. None if the chip has no
/// peaks.
std::optional<double> computeRooflineTime(const ModelCounts &model,
                                          const CodeCounts &codes,
                                          const Chip &chip);

/// Like computeRooflineTime, at measured rates. None if no rates were measured
/// or the products are not 16-bit.
std::optional<double> computeReachableTime(const ModelCounts &model,
                                           const CodeCounts &codes,
                                           const Chip &chip);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_DEVICETIMES_H
