//===- PlanSize.h - sizes that are known later ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The size of a dimension of a plan's tensor: a number, a name, or what
// follows from other sizes. Nothing here needs LLVM.
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

/// The size of a dimension: a number, a name that gets one later, or a step of
/// arithmetic on two others.
struct PlanSize {
  enum Step {
    Add,
    Subtract,
    Multiply,
    /// Towards minus infinity, towards infinity, and what FloorDiv leaves; the
    /// second is at least 1.
    FloorDiv,
    CeilDiv,
    Mod,
    Min,
    Max,
    /// The part of each of so many ranks; there is nothing left over.
    Share
  };

  int64_t value = 0;
  std::string name;
  Step step = Add;
  /// The two operands of a step.
  std::vector<PlanSize> operands;

  bool isNumber() const { return name.empty() && operands.empty(); }
  bool isNamed() const { return !name.empty(); }
  bool isStep() const { return !operands.empty(); }
  bool operator==(const PlanSize &other) const {
    return value == other.value && name == other.name && step == other.step &&
           operands == other.operands;
  }
};

/// How deep steps may lie in each other, and how many a size may have: what a
/// manifest can hold, and more than models need.
inline constexpr unsigned mostSizeDepth = 24, mostSizeSteps = 256;

/// "add", "floordiv", ...: how manifests spell it.
const char *getSizeStepName(PlanSize::Step step);

/// A step; a number where both sizes are ones that give one.
PlanSize makeSize(PlanSize::Step step, PlanSize first, PlanSize second);

/// Makes what each of `ranks` has of a size that they share.
PlanSize makeShare(const PlanSize &size, int64_t ranks);

/// Nothing, or why a size is none to keep: too deep, too long or of numbers
/// that are none of sizes.
launch::Status checkSize(const PlanSize &size);

/// "seq", "(seq + 1) floordiv 2", "seq/2": how messages spell it.
std::string formatSize(const PlanSize &size);

using PlanDims = std::map<std::string, int64_t>;

/// A size where the named ones are these; `tensor` is for failures.
launch::Status evaluateSize(const PlanSize &size, const std::string &tensor,
                            const PlanDims &dims, int64_t &value);

} // namespace parablock

#endif // PARABLOCK_LAUNCH_PLANSIZE_H
