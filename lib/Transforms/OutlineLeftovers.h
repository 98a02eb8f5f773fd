//===- OutlineLeftovers.h - leftovers as functions --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_OUTLINELEFTOVERS_H
#define PARABLOCK_LIB_TRANSFORMS_OUTLINELEFTOVERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Transforms/Leftovers/GroupLeftovers.h"
#include <vector>

namespace parablock {

/// The leftovers of one basic block as a function.
struct LeftoverOutline {
  mlir::Block *block = nullptr;
  mlir::func::FuncOp function;
  /// Values for the arguments and the results of the function.
  llvm::SmallVector<mlir::Value> inputs, outputs;
  LeftoverPlaces places;
};

/// The ops of a model that become kernels, and those as functions.
class LeftoverOutlines {
public:
  explicit LeftoverOutlines(mlir::func::FuncOp main);

  /// Adds a function to `module` for each basic block that has any.
  std::vector<LeftoverOutline> outline(mlir::ModuleOp module);
  /// Erases ops that have become unread.
  void erase();

private:
  bool isTaken(mlir::Operation *op) const { return taken.contains(op); }
  bool isReadOutside(mlir::Value value) const;
  bool isPulled(mlir::Operation *op, mlir::Block *block) const;
  mlir::Value clone(LeftoverOutline &made, mlir::OpBuilder &builder,
                    mlir::IRMapping &mapping, mlir::Value value);
  void findPlaces(LeftoverOutline &made);

  mlir::func::FuncOp main;
  llvm::SmallVector<mlir::Block *> blocks;
  /// Ops that create tensors, except recomputed ones.
  llvm::SetVector<mlir::Operation *> taken;
  /// For ranks, some slices are steps of the launch plan.
  bool hasRanks;
};

} // namespace parablock

#endif // PARABLOCK_LIB_TRANSFORMS_OUTLINELEFTOVERS_H
