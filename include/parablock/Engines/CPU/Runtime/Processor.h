//===- Processor.h - what the processor at hand has -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_RUNTIME_PROCESSOR_H
#define PARABLOCK_CPU_RUNTIME_PROCESSOR_H

#include <cstdint>

namespace parablock::cpu {

/// A set of features, a bit for each row of Features.def.
using FeatureSet = uint64_t;

inline constexpr const char *featureNames[] = {
#define PARABLOCK_CPU_FEATURE(name, leaf, subleaf, reg, bit, state) name,
#include "parablock/Engines/CPU/Runtime/Features.def"
};

/// Finds what this machine has and lets programs use. The first call asks the
/// kernel for tiles, which are granted to the whole process.
FeatureSet getFeatures();

} // namespace parablock::cpu

#endif // PARABLOCK_CPU_RUNTIME_PROCESSOR_H
