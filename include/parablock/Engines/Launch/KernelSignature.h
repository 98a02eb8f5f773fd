//===- KernelSignature.h - recorded launches of kernels ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A device cannot check a manifest that describes how to launch kernels. The
// code therefore records the intended launch of each kernel in comments
// behind the PTX; these and the PTX declarations are compared with the
// manifest.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LAUNCH_KERNELSIGNATURE_H
#define PARABLOCK_LAUNCH_KERNELSIGNATURE_H

#include "parablock/Engines/Launch/LaunchPlan.h"
#include <string_view>

namespace parablock::launch {

/// Returns the comments for the kernels of a chip, which all ranks share.
std::string recordSignatures(const std::vector<LaunchPlan> &plans);

/// Checks that every launch fits its kernel, by the declarations and comments
/// of the PTX.
Status checkSignatures(const LaunchPlan &plan, std::string_view ptx);

} // namespace parablock::launch

#endif // PARABLOCK_LAUNCH_KERNELSIGNATURE_H
