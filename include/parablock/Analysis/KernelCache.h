//===- KernelCache.h - kernels that say the same, made once -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_KERNELCACHE_H
#define PARABLOCK_ANALYSIS_KERNELCACHE_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/StringMap.h"

namespace parablock {

/// True of regions with the same ops, wherever they come from.
bool isSameCode(mlir::Region &first, mlir::Region &second);

/// True of kernels that do the same to tensors of the same types.
bool isSameKernel(block::KernelOp first, block::KernelOp second);

/// Names of code: each kind of kernel with numbers of its own.
class KernelNames {
public:
  /// Behind the name of a kernel, that of the one in its place for few rows.
  static constexpr llvm::StringLiteral fewSuffix = "_few";

  std::string make(llvm::StringRef kind) {
    return (kind + "_" + llvm::Twine(numOfKind[kind]++)).str();
  }
  /// Takes back the last name of a kind.
  void takeBack(llvm::StringRef kind) { --numOfKind[kind]; }

private:
  llvm::StringMap<unsigned> numOfKind;
};

/// The code that a backend has made of kernels. Kernels that say the same share
/// one, so code size and compile time grow with the number of different layers,
/// not with their number.
template <typename CodeT> class KernelCache {
public:
  /// The code of `kernel`, made by `build` where there is none.
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
