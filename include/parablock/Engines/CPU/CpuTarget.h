//===- CpuTarget.h - the processor that code is made for --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_CPUTARGET_H
#define PARABLOCK_CPU_CPUTARGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace parablock {

struct CpuTarget {
  /// As LLVM names them; for its TargetMachine.
  std::string triple, cpu, features;
  /// Width of the registers to use.
  unsigned vectorBits = 128;
  bool hasFma = false;
  /// Converts between f16 and f32.
  bool hasF16C = false;
  /// Multiplies pairs of bf16 into f32 sums (AVX512-BF16).
  bool hasBF16Dot = false;

  /// Elements of f32 in a register.
  int64_t getLanes() const { return vectorBits / 32; }
};

/// The processor this runs on for an empty name, "host" or "native", else the
/// one that LLVM knows by that name, such as x86-64, x86-64-v3 or znver4. An
/// unknown name is an error.
llvm::Expected<CpuTarget> findCpuTarget(llvm::StringRef name);

/// An error that names what `target` has and this machine lacks.
llvm::Error checkRunsHere(const CpuTarget &target);

} // namespace parablock

#endif // PARABLOCK_CPU_CPUTARGET_H
