//===- Chips.cpp - peak numbers of the chips that are known ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/Chips.h"

#include <algorithm>

using namespace parablock;

/// sm_80 is an A100 with 80 GB, sm_90a an H200, both with NVLink, of whose rate
/// half goes each way. The time of a step is an assumption.
static constexpr Chip chips[] = {
    {"cpu", 0, 0, 0, 0, 0, 0},
    {"sm_80", 312e12, 19.5e12, 2.039e12, 2e-6, 300e9, 2e-6},
    {"sm_90a", 989e12, 67e12, 4.8e12, 2e-6, 450e9, 2e-6},
};

const Chip *parablock::findChip(llvm::StringRef name) {
  const Chip *found =
      llvm::find_if(chips, [&](const Chip &chip) { return chip.name == name; });
  return found == std::end(chips) ? nullptr : found;
}

llvm::StringRef parablock::getChipNames() { return "cpu, sm_80 or sm_90a"; }

std::optional<double> parablock::computeRooflineTime(const ModelCounts &model,
                                                     const Chip &chip) {
  if (chip.bandwidth <= 0)
    return std::nullopt;
  double peak = model.elementBits == 16 ? chip.flops16 : chip.flops32;
  double weightBytes =
      static_cast<double>(model.parameters.total) * model.elementBits / 8;
  return 1e3 * std::max(model.steps.getFlops() / peak,
                        (weightBytes + model.steps.bytes) / chip.bandwidth);
}
