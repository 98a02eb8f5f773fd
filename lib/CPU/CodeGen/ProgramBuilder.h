//===- ProgramBuilder.h - from a function to a CPU program ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_PROGRAMBUILDER_H
#define PARABLOCK_LIB_CPU_PROGRAMBUILDER_H

#include "KernelLibrary.h"
#include "LeftoverKernel.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringMap.h"

namespace parablock::cpugen {

using Shape = llvm::SmallVector<Extent, 4>;

/// Whether ProgramBuilder::addRankStep takes it.
bool isRankStep(mlir::Operation *op);

class ProgramBuilder {
public:
  ProgramBuilder(mlir::func::FuncOp function, const CpuRank &rank,
                 CpuProgram &program)
      : function(function), rank(rank), program(program),
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
  // Sizes that no launch has made yet (ProgramSizes.cpp).
  mlir::FailureOr<Extent> findExtent(Value value, unsigned dim);
  mlir::FailureOr<Extent> getSize(mlir::OpFoldResult size);
  void setLifetimes();

  // Launches.
  mlir::LogicalResult addBody(mlir::Block &body);
  mlir::LogicalResult addLaunch(block::KernelOp kernel);
  mlir::LogicalResult addOperands(block::KernelOp kernel,
                                  const KernelInfo &info, CpuLaunch &launch);
  mlir::LogicalResult addResults(block::KernelOp kernel, CpuLaunch &launch,
                                 llvm::DenseMap<Value, Shape> &shapes);
  mlir::LogicalResult checkTables(block::KernelOp kernel,
                                  const llvm::DenseMap<Value, Shape> &shapes);
  void setSizes(block::KernelOp kernel, const KernelInfo &info,
                const llvm::DenseMap<Value, Shape> &shapes, CpuLaunch &launch);

  // What ranks do together, and parts of tensors (ProgramRanks.cpp). The
  // numbers are those of the tensors made.
  struct Part;
  unsigned addStep(llvm::StringRef name, CpuLaunch launch, ElementType type,
                   const Shape &shape);
  unsigned addMove(llvm::StringRef name, const KernelCode &kernel,
                   llvm::ArrayRef<unsigned> operands, const Part &part,
                   const Shape &whole, const Shape &result);
  unsigned addPut(const Part &part, unsigned tensor,
                  std::optional<unsigned> base, const Shape &whole);
  unsigned addTake(const Part &part, unsigned whole);
  unsigned addSum(llvm::StringRef name, unsigned summand, mlir::Type unit);
  Part getShare(const llvm::APInt &dim, Extent size) const;
  template <typename OpT> mlir::FailureOr<unsigned> addReduction(OpT op);
  mlir::FailureOr<unsigned> addGather(mlir::shard::AllGatherOp op);
  mlir::FailureOr<unsigned> addScatter(mlir::shard::ReduceScatterOp op);
  mlir::FailureOr<unsigned> addShare(mlir::shard::AllSliceOp op);
  mlir::FailureOr<unsigned> addInsertion(mlir::tensor::InsertSliceOp op);
  mlir::FailureOr<unsigned> addColumns(mlir::tensor::ExtractSliceOp op);
  mlir::LogicalResult addRankStep(mlir::Operation *op);

  // Ops that are no blocks (ProgramLeftovers.cpp).
  bool followsLeftovers(mlir::Operation *op) const;
  mlir::LogicalResult addLeftover(mlir::Operation *op);
  /// A tensor for `value`, which no launch makes yet.
  mlir::FailureOr<CpuTensor> describe(mlir::Operation *user, Value value);
  /// Without `ofRun`, what depends on parameters alone is made once.
  mlir::LogicalResult addLeftovers(mlir::Operation *user,
                                   const Leftovers &leftovers,
                                   bool ofRun = false);
  mlir::LogicalResult flush(mlir::Operation *user,
                            llvm::SetVector<mlir::Operation *> &ops);
  /// Makes `value` a tensor where ops that are no blocks compute it.
  mlir::LogicalResult provide(mlir::Operation *user, Value value);
  mlir::LogicalResult finishLeftovers();
  /// Whether `value` depends on parameters alone.
  bool isConstant(Value value) const;

  // Results.
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
  CpuRank rank;
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
  /// In program order, those that read parameters alone, and others.
  llvm::SetVector<mlir::Operation *> waitingConstants, waiting;
  llvm::DenseSet<mlir::Operation *> leftoversOfData;
  mlir::OwningOpRef<mlir::ModuleOp> leftoverModule;
  unsigned numLeftovers = 0;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_PROGRAMBUILDER_H
