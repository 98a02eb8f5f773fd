//===- RankModules.h - modules of single ranks ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_PACKAGE_RANKMODULES_H
#define PARABLOCK_LIB_PACKAGE_RANKMODULES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace parablock {

/// Returns a copy of `module`, whose weight-only work is in `@prepack`, for one
/// rank: in the model `name`, kernels contain the numbers of the rank,
/// `@prepack` creates the tables of the rank, and caches are those of its
/// heads.
mlir::OwningOpRef<mlir::ModuleOp>
makeRankModule(mlir::ModuleOp module, llvm::StringRef name, int64_t rank);

/// Returns the name of `function` for one of its ranks, in a module for all of
/// them.
std::string getRankFunctionName(llvm::StringRef function, int64_t rank);

} // namespace parablock

#endif // PARABLOCK_LIB_PACKAGE_RANKMODULES_H
