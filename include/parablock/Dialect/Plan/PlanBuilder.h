//===- PlanBuilder.h - builder of plan programs -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PLAN_PLANBUILDER_H
#define PARABLOCK_PLAN_PLANBUILDER_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "parablock/Dialect/Plan/PlanOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace parablock::plan {

using Sizes = llvm::SmallVector<mlir::OpFoldResult, 4>;

/// Builds a program. Each size is added once.
class PlanBuilder {
public:
  /// Starts a program called `name` before `place`.
  PlanBuilder(mlir::Operation *place, llvm::StringRef name);

  /// The insertion point of sizes and tensors.
  mlir::ImplicitLocOpBuilder builder;

  /// Returns the size called `name`, and adds it if it is new.
  mlir::Value addSize(llvm::StringRef name);
  /// Returns an equal part of a size.
  mlir::OpFoldResult addShare(mlir::OpFoldResult size, int64_t parts);
  /// Returns the size whose equal parts these are; fails unless they are known
  /// to divide it.
  mlir::FailureOr<mlir::OpFoldResult> joinShares(mlir::OpFoldResult share,
                                                 int64_t count);

  TensorOp addTensor(TensorKind kind, const llvm::Twine &label,
                     mlir::Type element,
                     llvm::ArrayRef<mlir::OpFoldResult> sizes,
                     std::optional<int64_t> position = std::nullopt);
  ViewOp addView(const llvm::Twine &label, TensorOp source,
                 llvm::ArrayRef<mlir::OpFoldResult> sizes);
  /// Counts tensors and views.
  unsigned countTensors() const { return numTensors; }

  /// Return a builder after the steps so far.
  mlir::ImplicitLocOpBuilder atEndOfPrepack();
  mlir::ImplicitLocOpBuilder atEndOfRun();

  /// Ends the program with these results.
  ProgramOp finish(mlir::ValueRange results);
  /// Drops it.
  void abandon() { program.erase(); }

private:
  ProgramOp program;
  PrepackOp prepack;
  RunOp run;
  llvm::StringMap<mlir::Value> sizeOf;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> shares;
  unsigned numTensors = 0;
};

} // namespace parablock::plan

#endif // PARABLOCK_PLAN_PLANBUILDER_H
