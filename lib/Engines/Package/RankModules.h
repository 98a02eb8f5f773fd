//===- RankModules.h - a split function for each of its ranks ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_PACKAGE_RANKMODULES_H
#define PARABLOCK_LIB_PACKAGE_RANKMODULES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace parablock {

/// A copy of `module`, whose weight-only work is in `@prepack`, for one rank:
/// of the model `name`,
/// kernels have the numbers that they are told of the rank in them, `@prepack`
/// makes the tables that they are told, and caches are those of its heads.
mlir::OwningOpRef<mlir::ModuleOp>
makeRankModule(mlir::ModuleOp module, llvm::StringRef name, int64_t rank);

/// Gives what `function` is called for one of its ranks, among those of all.
std::string getRankFunctionName(llvm::StringRef function, int64_t rank);

} // namespace parablock

#endif // PARABLOCK_LIB_PACKAGE_RANKMODULES_H
