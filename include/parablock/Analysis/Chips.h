//===- Chips.h - peak numbers of the chips that are known -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_CHIPS_H
#define PARABLOCK_ANALYSIS_CHIPS_H

#include "parablock/Analysis/ModelCounts.h"

namespace parablock {

/// Peaks as the maker gives them, for dense matrix products. For `cpu` they are
/// 0: CPUs differ too much for one number.
struct Chip {
  llvm::StringRef name;
  /// Operations per second on 16-bit operands, and on f32.
  double flops16, flops32;
  /// Bytes per second of device memory.
  double bandwidth;
  /// What a launch costs behind one that it depends on.
  double launchSeconds;
  /// Bytes per second that a device sends to its neighbours while it receives
  /// as many, and what one step of a collective costs whatever its size.
  double linkBandwidth, linkSeconds;
};

/// The chip of that name, or null.
const Chip *findChip(llvm::StringRef name);

/// Their names, for messages: "cpu, sm_80 or sm_90a".
llvm::StringRef getChipNames();

/// The least time, in milliseconds, that a pass over the model can take on
/// `chip`: arithmetic at its peak, or reading every weight once and moving the
/// activations at full bandwidth, whichever is longer. None where the chip has
/// no peaks.
std::optional<double> computeRooflineTime(const ModelCounts &model,
                                          const Chip &chip);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_CHIPS_H
