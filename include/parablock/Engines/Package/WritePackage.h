//===- WritePackage.h - writer of packages ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PACKAGE_WRITEPACKAGE_H
#define PARABLOCK_PACKAGE_WRITEPACKAGE_H

#include "mlir/IR/BuiltinOps.h"
#include "parablock/Engines/Device/EmulateEngine.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parablock {

struct PackageOptions {
  /// Chips to generate code for, in this order.
  std::vector<std::string> chips;
  /// Location of ptxas, as for findAssembler.
  std::string cudaPath;
  /// Adds getForwardChip(), so that later devices run the package, too.
  bool addForwardChip = true;
  /// Condition for machine code, which ptxas makes of PTX.
  enum Assembly { Never, IfFound, IfFoundOrRemark };
  Assembly assembly = IfFoundOrRemark;
  /// Makes machine code of each kernel by itself, on all threads.
  bool splitsKernels = false;
  /// Find and keep results of kernels by what they depend on; called on several
  /// threads.
  std::function<std::optional<std::string>(llvm::StringRef key)> findKernel =
      nullptr;
  std::function<void(llvm::StringRef key, llvm::StringRef result)> keepKernel =
      nullptr;
};

/// Lowers a module to kernels, with weight-only work in `@prepack` and a recipe
/// for it in a file of that name.
using DevicePreparation = std::function<mlir::LogicalResult(
    mlir::ModuleOp, llvm::StringRef chip, llvm::StringRef recipePath)>;

/// Drops file names from decisions and keeps lines: a path is private, and
/// would make the bytes of equal models differ.
void dropFileNames(mlir::ModuleOp module);

/// Writes the package of the model to the folder `path`, which appears whole or
/// not at all; an older package there is replaced, anything else is an error.
/// Without ptxas it contains PTX alone, with a remark. `module` is changed.
llvm::Error writePackage(mlir::ModuleOp module, llvm::StringRef path,
                         const PackageOptions &options,
                         const DevicePreparation &prepare,
                         const DeviceLowering &lower,
                         llvm::raw_ostream &remarks);

} // namespace parablock

#endif // PARABLOCK_PACKAGE_WRITEPACKAGE_H
