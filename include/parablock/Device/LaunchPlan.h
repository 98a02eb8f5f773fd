//===- LaunchPlan.h - the host side of a device program ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a host has to do to run a function whose steps are launches: tensors to
// hold, and launches in order with their parameters. Read from IR once, then
// independent of it, so that every launcher follows the same plan.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DEVICE_LAUNCHPLAN_H
#define PARABLOCK_DEVICE_LAUNCHPLAN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Support/FloatFormats.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace parablock {

/// A tensor in device memory.
struct PlanTensor {
  std::string name;
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t, 4> shape;

  uint64_t getNumElements() const;
  uint64_t getBytes() const;
  /// Elements of the last dimension, and how many such rows there are.
  int64_t getColumns() const { return shape.empty() ? 1 : shape.back(); }
  int64_t getRows() const;
};

/// One parameter of a kernel.
struct PlanArgument {
  enum Kind { Pointer, TensorMap, Dim } kind = Pointer;
  /// Index into LaunchPlan::tensors.
  unsigned tensor = 0;
  unsigned dim = 0;
  /// Rows and columns of a tensor map's box.
  uint32_t boxRows = 0, boxColumns = 0;
};

struct PlanLaunch {
  std::string kernel;
  uint32_t grid = 1, cluster = 1, threads = 32, sharedBytes = 0;
  std::vector<PlanArgument> arguments;
  /// What it writes.
  llvm::SmallVector<unsigned, 4> outputs;
};

struct LaunchPlan {
  /// First the function's arguments, in order.
  std::vector<PlanTensor> tensors;
  /// Those that hold 0 before the first launch, and that kernels share in
  /// turns.
  std::vector<unsigned> workspaces;
  std::vector<PlanLaunch> launches;
  /// The function's results.
  std::vector<unsigned> results;
};

/// Reads the plan of `function`, whose arguments have the shapes of
/// `arguments`. The kernels it launches are device functions already. An op
/// that is neither a launch nor structure is an error naming it: nothing runs
/// on the host in silence.
llvm::Expected<LaunchPlan>
readLaunchPlan(mlir::func::FuncOp function,
               llvm::ArrayRef<llvm::SmallVector<int64_t, 4>> arguments);

} // namespace parablock

#endif // PARABLOCK_DEVICE_LAUNCHPLAN_H
