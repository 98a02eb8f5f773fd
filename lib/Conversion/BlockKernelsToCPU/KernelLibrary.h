//===- KernelLibrary.h - kernels, each generated once -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_KERNELLIBRARY_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_KERNELLIBRARY_H

#include "parablock/Analysis/KernelCache.h"
#include "parablock/Conversion/CPUCode/Frame.h"
#include "parablock/Conversion/CPUCode/PanelLayout.h"
#include "llvm/ADT/StringMap.h"
#include <memory>
#include <optional>

namespace parablock::cpugen {

/// A kernel, with data for its launches.
struct KernelInfo {
  KernelCode code;
  enum Items { PerRow, PerQueryBlock } items = PerRow;
  /// The fewest items worth a call.
  int64_t grain = 1;
  /// The packing of each operand.
  llvm::SmallVector<std::optional<PanelLayout>> layouts;
};

/// The functions of a module that kernels, weights and launches call.
class KernelLibrary {
public:
  KernelLibrary(mlir::ModuleOp module, const CpuTarget &target)
      : module(module), target(target) {}

  const CpuTarget &getTarget() const { return target; }

  /// Returns the kernel of `kernel`, generating it if necessary. Errors are
  /// diagnostics.
  mlir::FailureOr<const KernelInfo *> lookupOrBuild(block::KernelOp kernel);

  /// A kernel that computes `value` from its leaves.
  KernelCode lookupOrBuild(Value value, const PanelLayout *layout);

  /// The kernel of that name, written by `build` where there is none.
  KernelCode lookupOrBuild(llvm::StringRef name,
                           llvm::function_ref<KernelCode(Frame &)> build);

  /// Generates a product that other kernels call, and no launch does. Code of
  /// its own for each call: code of launches is compiled apart.
  mlir::FailureOr<KernelInfo> buildCallee(block::KernelOp kernel,
                                          llvm::StringRef name);

private:
  mlir::FailureOr<KernelInfo> build(block::KernelOp kernel);

  mlir::ModuleOp module;
  const CpuTarget &target;
  KernelCache<std::shared_ptr<const KernelInfo>> kernels;
  /// A kernel, and the first of the weights that it computes.
  struct WeightKernel {
    Value value;
    std::optional<PanelLayout> layout;
    mlir::func::FuncOp function;
    KernelCode code;
  };
  llvm::SmallVector<WeightKernel> weightKernels;
  llvm::StringMap<KernelCode> named;
  KernelNames names;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_KERNELLIBRARY_H
