//===- Checkpoints.h - plans of recomputation -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The plans that block-checkpoint chooses from, for callers with a better model
// of a step's memory, such as an engine with its own memory plan.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_DIFFERENTIATE_CHECKPOINTS_H
#define PARABLOCK_TRANSFORMS_DIFFERENTIATE_CHECKPOINTS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace parablock::block {

/// A choice of the layers' values that a step keeps.
struct Checkpoint {
  /// The value of the option `layers` of block-checkpoint.
  std::string layers;
  /// Bytes kept of recomputable values, and the work of recomputing the
  /// others.
  uint64_t keptBytes = 0;
  double flops = 0;
};

/// Lists the plans for `step`, for which `isStepFunction` returns true, that
/// are optimal in bytes and work, the one that keeps most first; at most
/// `most`, chosen to differ most.
llvm::Expected<std::vector<Checkpoint>>
listCheckpoints(mlir::FunctionOpInterface step, size_t most);

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_DIFFERENTIATE_CHECKPOINTS_H
