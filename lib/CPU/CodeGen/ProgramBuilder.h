//===- ProgramBuilder.h - from a function to a CPU program ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_PROGRAMBUILDER_H
#define PARABLOCK_LIB_CPU_PROGRAMBUILDER_H

#include "KernelLibrary.h"
#include "llvm/ADT/StringMap.h"

namespace parablock::cpugen {

using Shape = llvm::SmallVector<Extent, 4>;

class ProgramBuilder {
public:
  ProgramBuilder(mlir::func::FuncOp function, CpuProgram &program)
      : function(function), program(program),
        library(program.module.get(), program.target) {}

  mlir::LogicalResult build();

private:
  // Tensors.
  mlir::LogicalResult addArguments();
  unsigned addTensor(CpuTensor tensor, Value value);
  mlir::FailureOr<ElementType> getElementType(mlir::Operation *at,
                                              mlir::Type type);
  Extent getExtent(Value value, unsigned dim);
  Shape inferShape(Value value, const llvm::DenseMap<Value, Shape> &known);
  mlir::FailureOr<Extent> getSize(Value value);
  void setLifetimes();

  // Launches.
  mlir::LogicalResult addBody(mlir::Block &body);
  mlir::LogicalResult addLaunch(block::KernelOp kernel);
  mlir::LogicalResult addOperands(block::KernelOp kernel,
                                  const KernelInfo &info, CpuLaunch &launch);
  mlir::LogicalResult addResults(block::KernelOp kernel, CpuLaunch &launch,
                                 llvm::DenseMap<Value, Shape> &shapes);
  void setSizes(block::KernelOp kernel, const KernelInfo &info,
                const llvm::DenseMap<Value, Shape> &shapes, CpuLaunch &launch);
  mlir::LogicalResult returnResults();
  mlir::FailureOr<unsigned> getOwnTensor(mlir::Operation *user, Value value);
  /// A launch that computes `value`, without its result, and whether that is
  /// from parameters alone.
  mlir::FailureOr<std::pair<CpuLaunch, bool>>
  makeWeightLaunch(mlir::Operation *user, Value value,
                   const PanelLayout *layout);
  /// The tensor of `value`, computed by a launch of its own if it is work on
  /// weights; packed if `layout` is not null.
  mlir::FailureOr<unsigned> getTensor(mlir::Operation *user, Value value,
                                      const PanelLayout *layout = nullptr);

  mlir::func::FuncOp function;
  CpuProgram &program;
  KernelLibrary library;
  llvm::DenseMap<Value, unsigned> tensorOf;
  llvm::StringMap<int> symbolOf;
  struct PackedWeight {
    Value value;
    PanelLayout layout;
    unsigned tensor;
  };
  llvm::SmallVector<PackedWeight> packed;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_PROGRAMBUILDER_H
