//===- PlanSize.h - symbolic sizes of tensors -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The size of a dimension of a plan's tensor: a number, a name, or an
// expression of other sizes. Nothing here needs LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LAUNCH_PLANSIZE_H
#define PARABLOCK_LAUNCH_PLANSIZE_H

#include "parablock/Engines/Launch/Status.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace parablock {

/// The size of a dimension: a number, a name that is resolved later, or an
/// arithmetic step on two others.
struct PlanSize {
  enum Step {
    Add,
    Subtract,
    Multiply,
    /// Division towards minus infinity, towards infinity, and its remainder;
    /// the divisor is at least 1.
    FloorDiv,
    CeilDiv,
    Mod,
    Min,
    Max,
    /// The share of one of several ranks; the division is exact.
    Share
  };

  int64_t value = 0;
  std::string name;
  Step step = Add;
  /// The two operands of a step.
  std::vector<PlanSize> operands = {};

  bool isNumber() const { return name.empty() && operands.empty(); }
  bool isNamed() const { return !name.empty(); }
  bool isStep() const { return !operands.empty(); }
  bool operator==(const PlanSize &other) const {
    return value == other.value && name == other.name && step == other.step &&
           operands == other.operands;
  }
};

/// Largest nesting depth and number of steps of a size: both fit a manifest and
/// exceed the needs of models.
inline constexpr unsigned mostSizeDepth = 24, mostSizeSteps = 256;

/// Returns "add", "floordiv", ...: the spelling of manifests.
const char *getSizeStepName(PlanSize::Step step);

/// Returns a step, or a number if both sizes are numbers with a result.
PlanSize makeSize(PlanSize::Step step, PlanSize first, PlanSize second);

/// Returns the share of each of `ranks` in a size that they divide.
PlanSize makeShare(const PlanSize &size, int64_t ranks);

/// Returns none, or why a size is rejected: too deep, too long, or with invalid
/// numbers.
launch::Status checkSize(const PlanSize &size);

/// Returns "seq", "(seq + 1) floordiv 2", "seq/2", for messages.
std::string formatSize(const PlanSize &size);

using PlanDims = std::map<std::string, int64_t>;

/// Evaluates a size for these dimensions; `tensor` is named in failures.
launch::Status evaluateSize(const PlanSize &size, const std::string &tensor,
                            const PlanDims &dims, int64_t &value);

} // namespace parablock

#endif // PARABLOCK_LAUNCH_PLANSIZE_H
