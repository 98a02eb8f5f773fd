//===- Processor.h - features of this processor -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_RUNTIME_PROCESSOR_H
#define PARABLOCK_CPU_RUNTIME_PROCESSOR_H

#include <cstdint>

namespace parablock::cpu {

/// A set of features, one bit for each row of Features.def.
using FeatureSet = uint64_t;

inline constexpr const char *featureNames[] = {
#define PARABLOCK_CPU_FEATURE(name, leaf, subleaf, reg, bit, state) name,
#include "parablock/Engines/CPU/Runtime/Features.def"
};

/// Returns the features that this machine has and programs may use. The first
/// call requests tile registers from the kernel, for the whole process.
FeatureSet getFeatures();

} // namespace parablock::cpu

#endif // PARABLOCK_CPU_RUNTIME_PROCESSOR_H
