//===- PlanWriter.h - writer of plans ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_PLANWRITER_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_PLANWRITER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Dialect/Plan/PlanBuilder.h"

namespace parablock::cpugen {

struct KernelCode;

using mlir::OpFoldResult;
using mlir::Value;
using Shape = plan::Sizes;

/// A number as a size.
OpFoldResult makeSize(mlir::MLIRContext *context, int64_t number);

/// The number of independent items of a launch: `factor * product(outer) *
/// ceil(product(inner) / block)`.
struct WorkItems {
  int64_t factor = 1;
  Shape outer, inner;
  int64_t block = 1;
};

/// Words of a launch about rows that need not be there all at once.
struct LaunchParts {
  /// Places of the tensors that have a part for each row, or each sequence.
  llvm::SmallVector<int64_t> rows;
  bool bySequence = false;
  /// Pairs of an output and the input that it may be written over.
  llvm::SmallVector<int64_t> inPlace;
};

/// A plan.launch to be.
struct Launch {
  mlir::SymbolRefAttr kernel;
  llvm::SmallVector<plan::TensorOp> inputs, outputs;
  Shape dims;
  WorkItems items;
  int64_t grain = 1, scratchBytes = 0;
  LaunchParts parts;
  /// True if the last output is a cpu::Fault.
  bool reports = false;
  /// True if it starts a sum, or awaits one.
  bool starts = false, awaits = false;
};

/// Returns the stored type of the elements of `type`; an error at `at` if
/// programs do not support it.
mlir::FailureOr<mlir::Type> getStoredType(mlir::Operation *at, mlir::Type type);

/// The program of a function under construction, and the tensors of the
/// function's values.
class PlanWriter : public plan::PlanBuilder {
public:
  PlanWriter(mlir::func::FuncOp function, mlir::ModuleOp kernels);

  /// Adds the sizes and tensors of the function's arguments.
  mlir::LogicalResult addArguments();
  /// Returns a launch of `kernel` without tensors and sizes.
  Launch start(const KernelCode &kernel);
  /// Adds a tensor that the next launch makes.
  plan::TensorOp addTemporary(const llvm::Twine &name, mlir::Type element,
                              const Shape &shape);
  /// Adds a launch whose only output is `made`.
  void addLaunchOf(Value made, const llvm::Twine &name, const Shape &shape,
                   Launch launch);
  /// Adds a launch, to the work of every run or, if `isOnce`, to the work done
  /// once.
  void addLaunch(const Launch &launch, bool isOnce = false);
  /// Sets the layer of the following launches, if any; returns the previous
  /// one.
  mlir::IntegerAttr setLayer(mlir::IntegerAttr index) {
    return std::exchange(layer, index);
  }
  /// Adds `tensor` as the next result of the function.
  void addResult(plan::TensorOp tensor);
  plan::ProgramOp finish() { return PlanBuilder::finish(results); }

  /// Returns the kernel of that name; in the module of leftovers if `inner` is
  /// its name.
  mlir::SymbolRefAttr getKernel(llvm::StringRef name,
                                llvm::StringRef inner = "");

  /// The tensor of a value, or null.
  plan::TensorOp lookup(Value value) const { return tensorOf.lookup(value); }
  void assign(Value value, plan::TensorOp tensor) { tensorOf[value] = tensor; }

  Shape getShape(plan::TensorOp tensor) const {
    return Shape(tensor.getMixedSizes());
  }
  /// Returns a size of a value with a tensor, or a static size of its type.
  OpFoldResult getExtent(Value value, unsigned dim) const;

  /// The first tensor of the program.
  plan::TensorOp getFirstTensor() { return first; }
  /// Returns the number of launches of every run.
  unsigned countLaunches() const { return numLaunches; }

private:
  mlir::LogicalResult addArgument(mlir::BlockArgument argument);

  mlir::func::FuncOp function;
  mlir::ModuleOp kernels;
  plan::TensorOp first;
  llvm::DenseMap<Value, plan::TensorOp> tensorOf;
  llvm::SmallVector<Value> results;
  unsigned numLaunches = 0;
  mlir::IntegerAttr layer;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_PLANWRITER_H
