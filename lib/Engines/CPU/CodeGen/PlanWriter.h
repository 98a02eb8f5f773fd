//===- PlanWriter.h - writes the plan of a function -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_PLANWRITER_H
#define PARABLOCK_LIB_CPU_PLANWRITER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Dialect/Plan/PlanOps.h"
#include "parablock/Engines/CPU/CpuProgram.h"
#include "llvm/ADT/StringMap.h"

namespace parablock::cpugen {

using mlir::Value;
using Shape = llvm::SmallVector<Extent, 4>;

/// A plan.launch to be.
struct Launch {
  mlir::SymbolRefAttr kernel;
  llvm::SmallVector<plan::TensorOp> inputs, outputs;
  llvm::SmallVector<Extent> dims;
  WorkItems items;
  int64_t grain = 1, scratchBytes = 0;
};

/// The type of the elements of `type`; an error at `at` for one that no program
/// holds.
mlir::FailureOr<mlir::Type> getStoredType(mlir::Operation *at, mlir::Type type);

/// The program of a function while it is written: its sizes, its tensors, its
/// launches, and which of the function's values have a tensor.
class PlanWriter {
public:
  PlanWriter(mlir::func::FuncOp function, mlir::ModuleOp kernels);

  /// Adds the sizes and tensors of the function's arguments.
  mlir::LogicalResult addArguments();
  plan::TensorOp addTensor(plan::TensorKind kind, const llvm::Twine &name,
                           mlir::Type element, llvm::ArrayRef<Extent> shape,
                           std::optional<int64_t> position = std::nullopt);
  /// Adds a launch to what is done once, or else in every run.
  void addLaunch(const Launch &launch, bool isOnce = false);
  /// Makes `tensor` a result of the function.
  void makeResult(plan::TensorOp tensor, unsigned position);
  plan::ProgramOp finish();

  /// The kernel of that name; of the module of leftovers, if that is said.
  mlir::SymbolRefAttr getKernel(llvm::StringRef name,
                                llvm::StringRef inner = "");

  /// The tensor of a value, or null.
  plan::TensorOp lookup(Value value) const { return tensorOf.lookup(value); }
  void assign(Value value, plan::TensorOp tensor) { tensorOf[value] = tensor; }

  Shape getShape(plan::TensorOp tensor) const;
  /// A size of a value that has a tensor, or whose type knows it.
  Extent getExtent(Value value, unsigned dim) const;

  unsigned countTensors() const { return tensors.size(); }
  plan::TensorOp getTensor(unsigned number) const { return tensors[number]; }
  /// Those of every run.
  unsigned countLaunches() const { return numLaunches; }

private:
  mlir::LogicalResult addArgument(mlir::BlockArgument argument);
  /// The size called `name`, which is new unless an argument had it before.
  Extent addSize(llvm::StringRef name);
  Value getValue(Extent symbolic);
  /// Splits `extents` as ops hold them.
  mlir::DenseI64ArrayAttr split(llvm::ArrayRef<Extent> extents,
                                llvm::SmallVectorImpl<Value> &open);

  mlir::func::FuncOp function;
  mlir::ModuleOp kernels;
  plan::ProgramOp program;
  plan::PrepackOp prepack;
  plan::RunOp run;
  /// Where sizes and tensors come.
  mlir::OpBuilder builder;
  llvm::SmallVector<plan::SizeOp> symbols;
  llvm::StringMap<int> symbolOf;
  llvm::DenseMap<std::pair<int, int64_t>, Value> shares;
  llvm::DenseMap<Value, Extent> extentOf;
  llvm::SmallVector<plan::TensorOp> tensors;
  llvm::DenseMap<Value, plan::TensorOp> tensorOf;
  unsigned numLaunches = 0;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_PLANWRITER_H
