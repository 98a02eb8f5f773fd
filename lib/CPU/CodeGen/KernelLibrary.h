//===- KernelLibrary.h - kernels, each generated once -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_KERNELLIBRARY_H
#define PARABLOCK_LIB_CPU_KERNELLIBRARY_H

#include "Frame.h"
#include "PanelLayout.h"
#include "parablock/IR/BlockOps.h"
#include "llvm/ADT/StringMap.h"
#include <memory>
#include <optional>

namespace parablock::cpugen {

/// A kernel, and what its launches have to know.
struct KernelInfo {
  KernelCode code;
  enum Items { PerRow, PerQueryBlock } items = PerRow;
  /// The fewest items worth a call.
  int64_t grain = 1;
  /// By operand: how it has to be packed.
  llvm::SmallVector<std::optional<PanelLayout>> layouts;
};

/// Kernels that say the same share one function, so code size and compile time
/// grow with the number of different layers, not with their number.
class KernelLibrary {
public:
  KernelLibrary(mlir::ModuleOp module, const CpuTarget &target)
      : module(module), target(target) {}

  /// The kernel of `kernel`, generated now where there is none. Errors are
  /// diagnostics.
  mlir::FailureOr<const KernelInfo *> lookupOrBuild(block::KernelOp kernel);

  /// A kernel that computes `value` from its leaves.
  KernelCode lookupOrBuild(Value value, const PanelLayout *layout);

  /// The kernel of that name, written by `build` where there is none.
  KernelCode lookupOrBuild(llvm::StringRef name,
                           llvm::function_ref<KernelCode(Frame &)> build);

private:
  mlir::FailureOr<KernelInfo> build(block::KernelOp kernel);
  std::string makeName(llvm::StringRef kind);

  mlir::ModuleOp module;
  const CpuTarget &target;
  llvm::SmallVector<std::pair<block::KernelOp, std::unique_ptr<KernelInfo>>>
      kernels;
  llvm::SmallVector<std::pair<mlir::func::FuncOp, KernelCode>> weightKernels;
  llvm::StringMap<KernelCode> named;
  llvm::StringMap<unsigned> numOfKind;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_KERNELLIBRARY_H
