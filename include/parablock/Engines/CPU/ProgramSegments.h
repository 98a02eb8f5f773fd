//===- ProgramSegments.h - parts that a run is done in ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A run gives its results all at once, or in parts: what is final behind one
// layer need not wait for the next, as gradients that other processes are to
// hear of.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_PROGRAMSEGMENTS_H
#define PARABLOCK_CPU_PROGRAMSEGMENTS_H

#include "parablock/Engines/CPU/CpuProgram.h"

namespace parablock {

/// A part of a run that ends where a layer does. Lists are of positions among
/// the function's results and arguments.
struct CpuSegment {
  cpu::LaunchRange launches;
  /// Results that it is the first to write, and those that no later one writes
  /// or reads.
  llvm::SmallVector<unsigned> begun, finished;
  /// Arguments that no later one reads. That packing reads one, too, is before
  /// all segments.
  llvm::SmallVector<unsigned> left;
};

/// Divides the launches of `program`, in order, into as many segments as finish
/// a result each. There is always one.
std::vector<CpuSegment> listSegments(const CpuProgram &program);

} // namespace parablock

#endif // PARABLOCK_CPU_PROGRAMSEGMENTS_H
