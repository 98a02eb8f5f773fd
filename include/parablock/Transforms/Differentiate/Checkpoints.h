//===- Checkpoints.h - what steps may keep ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The plans that block-checkpoint chooses from, for those who know better than
// it what a step takes of memory: an engine that has its own plan of it.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_DIFFERENTIATE_CHECKPOINTS_H
#define PARABLOCK_TRANSFORMS_DIFFERENTIATE_CHECKPOINTS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace parablock::block {

/// A choice of what a step keeps of its layers.
struct Checkpoint {
  /// As block-checkpoint takes it for its option `layers`.
  std::string layers;
  /// Bytes that are kept of what may be computed again, and the work of that
  /// which is.
  uint64_t keptBytes = 0;
  double flops = 0;
};

/// Lists what `step`, of which `isStepFunction` is true, may keep: of all plans
/// those that none beats in both bytes and work, the one that keeps most first;
/// at most `most`, which differ most.
llvm::Expected<std::vector<Checkpoint>>
listCheckpoints(mlir::FunctionOpInterface step, size_t most);

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_DIFFERENTIATE_CHECKPOINTS_H
