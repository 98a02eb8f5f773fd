//===- KernelCache.h - code shared by equal kernels -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_KERNELCACHE_H
#define PARABLOCK_ANALYSIS_KERNELCACHE_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/StringMap.h"

namespace parablock {

/// Returns whether two regions contain the same ops, regardless of location.
bool isSameCode(mlir::Region &first, mlir::Region &second);

/// Returns whether two kernels do the same on tensors of the same types.
bool isSameKernel(block::KernelOp first, block::KernelOp second);

/// Returns whether two experts do the same on tensors of the same types, and
/// codes of the same form.
bool isSameExperts(block::ExpertsOp first, block::ExpertsOp second);

/// Returns whether `op`, outside a kernel, is itself a launch that moves rows,
/// new ones into a cache or rows by index, or chooses tokens or experts.
bool isMove(mlir::Operation *op);

/// Returns whether two moves do the same to tensors of the same types.
bool isSameMove(mlir::Operation *first, mlir::Operation *second);

/// Names of kernels, numbered separately for each kind.
class KernelNames {
public:
  /// Suffix of a kernel's name for its variant for few rows.
  static constexpr llvm::StringLiteral fewSuffix = "_few";

  std::string make(llvm::StringRef kind) {
    return (kind + "_" + llvm::Twine(numOfKind[kind]++)).str();
  }
  /// Releases the last name of a kind.
  void takeBack(llvm::StringRef kind) { --numOfKind[kind]; }

private:
  llvm::StringMap<unsigned> numOfKind;
};

/// The code that a backend generated for kernels. Equal kernels share their
/// code, so code size and compile time depend on the number of distinct
/// layers.
template <typename CodeT> class KernelCache {
public:
  /// Returns the code of `kernel`, calling `build` if there is none yet.
  mlir::FailureOr<CodeT> lookupOrBuild(
      block::KernelOp kernel,
      llvm::function_ref<mlir::FailureOr<CodeT>(block::KernelOp)> build) {
    for (auto &[known, code] : entries)
      if (isSameKernel(known, kernel))
        return code;
    mlir::FailureOr<CodeT> code = build(kernel);
    if (succeeded(code))
      entries.push_back({kernel, *code});
    return code;
  }

private:
  llvm::SmallVector<std::pair<block::KernelOp, CodeT>> entries;
};

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_KERNELCACHE_H
