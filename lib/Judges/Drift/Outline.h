//===- Outline.h - parts of a model as functions ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_OUTLINE_H
#define PARABLOCK_LIB_DRIFT_OUTLINE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "parablock/Judges/Drift/Drift.h"
#include "parablock/Judges/Reference/RouteLog.h"

namespace parablock::drift {

using Tensor = runner::Tensor;
using Tensors = std::vector<Tensor>;

/// Ops of a model as a separate function.
struct Outline {
  mlir::func::FuncOp function;
  /// Values of the model for the function's arguments.
  std::vector<mlir::Value> arguments;
  /// An engine's code for it, if Preparation made any.
  ReadyFunction ready;

  /// Runs on the engine, or else exactly.
  llvm::Expected<Tensors> run(llvm::ArrayRef<Tensor> values) const;
  /// On the reference, in float64 without rounding.
  llvm::Expected<Tensors> runExact(llvm::ArrayRef<Tensor> values) const;
  /// Returns the rows of the outline's routers, in order, of an exact run.
  llvm::Expected<std::vector<reference::RoutedRow>>
  findRoutes(llvm::ArrayRef<Tensor> values) const;
  /// Runs on the reference engine, rounded as in the IR.
  llvm::Expected<Tensors> runRounded(llvm::ArrayRef<Tensor> values) const;
};

/// An argument of a function to be made.
struct Formal {
  mlir::Type type;
  bool isParameter;

  /// Returns the formal argument for `value` of the model.
  static Formal of(mlir::Value value);
};

/// Creates functions in a separate module.
class Outliner {
public:
  explicit Outliner(mlir::MLIRContext *context);

  /// Returns `results` as a function of `given`, in that order, and of further
  /// arguments of the model's function that they need.
  Outline outline(llvm::ArrayRef<mlir::Value> results,
                  llvm::ArrayRef<mlir::Value> given = {});

  /// Creates a function of such arguments; `build` creates its body and returns
  /// its results.
  using Build = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::OpBuilder &builder, mlir::ValueRange arguments)>;
  Outline make(llvm::ArrayRef<Formal> formals, Build build);

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
  unsigned count = 0;
};

/// Returns the number of the result that is logits: the result of a head.
std::optional<unsigned> findLogits(mlir::func::FuncOp function);

/// Removes results that are not measured, such as a pooler's, with ops that
/// only they need: logits and layers stay.
void dropUnmeasured(mlir::func::FuncOp function);

/// Makes batch and sequence of `function` dynamic, named `batch` and `seq` (the
/// sequence stays static if patches or a past fix it), so that it runs on any
/// number of rows.
void makeRowsDynamic(mlir::func::FuncOp function);

/// Declares only the arguments with `batch` rows, for a function that will not
/// run but describes its data.
void declareBatches(mlir::func::FuncOp function, int64_t batch);

/// Changes the type of every float of `function`.
void setFloatType(mlir::func::FuncOp function, mlir::Type element);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_OUTLINE_H
