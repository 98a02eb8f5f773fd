//===- Reductions.h - reductions of models ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TOOLS_BLOCK_REDUCE_REDUCTIONS_H
#define PARABLOCK_TOOLS_BLOCK_REDUCE_REDUCTIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"

namespace parablock {

/// One way to make a model smaller, at any number of places.
struct ModelReduction {
  llvm::StringRef name;
  /// How many places of `module` it could be applied to.
  unsigned (*count)(mlir::ModuleOp module);
  /// Applies it to the places `first` to `first + number - 1`, and removes
  /// unused values.
  void (*apply)(mlir::ModuleOp module, unsigned first, unsigned number);
};

/// All of them, the coarsest first.
llvm::ArrayRef<ModelReduction> getReductions();

} // namespace parablock

#endif // PARABLOCK_TOOLS_BLOCK_REDUCE_REDUCTIONS_H
