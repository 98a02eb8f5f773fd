//===- ProgramSegments.h - parts of a run -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A run returns its results all at once, or in parts: results that are final
// after a layer are available early, such as gradients to be sent to other
// processes.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_PROGRAMSEGMENTS_H
#define PARABLOCK_CPU_PROGRAMSEGMENTS_H

#include "parablock/Engines/CPU/CpuProgram.h"

namespace parablock {

/// A part of a run that ends at the end of a layer. Lists contain positions of
/// the function's results and arguments.
struct CpuSegment {
  cpu::LaunchRange launches;
  /// Results that this segment writes first, and results that no later segment
  /// reads or writes.
  llvm::SmallVector<unsigned> begun, finished;
  /// Arguments that no later segment reads. Arguments of packing are read
  /// before all segments.
  llvm::SmallVector<unsigned> left;
};

/// Divides the launches of `program`, in order, into the most segments that
/// finish at least one result each. There is always one.
std::vector<CpuSegment> listSegments(const CpuProgram &program);

} // namespace parablock

#endif // PARABLOCK_CPU_PROGRAMSEGMENTS_H
