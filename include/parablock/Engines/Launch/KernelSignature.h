//===- KernelSignature.h - what kernels are launched with -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A manifest says how to launch kernels, and nothing stops a device from doing
// what a wrong one says. So the code records how its kernels were meant to be
// launched, in comments behind the PTX, and what it declares of itself is
// looked at, too.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LAUNCH_KERNELSIGNATURE_H
#define PARABLOCK_LAUNCH_KERNELSIGNATURE_H

#include "parablock/Engines/Launch/LaunchPlan.h"
#include <string_view>

namespace parablock::launch {

/// The comments for the kernels of a chip, which are those of all ranks.
std::string recordSignatures(const std::vector<LaunchPlan> &plans);

/// Checks that every launch fits its kernel, by what the PTX declares and
/// records.
Status checkSignatures(const LaunchPlan &plan, std::string_view ptx);

} // namespace parablock::launch

#endif // PARABLOCK_LAUNCH_KERNELSIGNATURE_H
