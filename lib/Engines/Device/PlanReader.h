//===- PlanReader.h - launch plans from IR ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DEVICE_PLANREADER_H
#define PARABLOCK_LIB_DEVICE_PLANREADER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Dialect/Tile/TileOps.h"
#include "parablock/Engines/Device/ReadLaunchPlan.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock {

using PlanShape = std::vector<PlanSize>;

PlanShape getPlanShape(llvm::ArrayRef<int64_t> sizes);

/// An error with the op's location.
llvm::Error createErrorAt(mlir::Operation *op, const llvm::Twine &text);

class PlanReader {
public:
  explicit PlanReader(PlanRank rank) : rank(rank) {}
  llvm::Error read(mlir::func::FuncOp function);
  LaunchPlan take() { return std::move(plan); }

private:
  llvm::Error readBody(mlir::Block &body, int64_t layer);
  llvm::Error readLaunch(tile::LaunchOp launch, int64_t layer);
  llvm::Error addWorkspaces(mlir::LLVM::LLVMFuncOp device,
                            llvm::SmallVector<unsigned> &operands);
  /// The tensor that `op` reads as `value`.
  llvm::Expected<unsigned> getTensor(mlir::Operation *op, mlir::Value value);
  llvm::Expected<unsigned> addTensor(mlir::Value value, std::string name,
                                     PlanShape shape);

  // ReadSizes.cpp
  llvm::Expected<PlanShape> findShape(tile::LaunchOp launch,
                                      llvm::ArrayRef<unsigned> operands,
                                      mlir::OpResult result);
  llvm::Error readView(mlir::Operation *op);
  llvm::Error readCast(mlir::tensor::CastOp cast);

  // ReadRankSteps.cpp
  llvm::Error readRankStep(mlir::Operation *op, int64_t layer);
  llvm::Error addRankStep(mlir::Operation *op, PlanRankStep step,
                          llvm::ArrayRef<unsigned> inputs, PlanShape shape,
                          int64_t layer);
  llvm::Error readGather(mlir::Operation *op, uint64_t dim, int64_t layer);
  llvm::Error readShare(mlir::Operation *op, PlanRankStep::Kind kind,
                        uint64_t dim, int64_t layer);
  template <typename OpT>
  llvm::Error readPart(OpT op, mlir::Value part, mlir::Value whole,
                       PlanRankStep::Kind kind, int64_t layer);

  const PlanRank rank;
  LaunchPlan plan;
  llvm::DenseMap<mlir::Value, unsigned> tensorOf;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> workspacesOf;
};

} // namespace parablock

#endif // PARABLOCK_LIB_DEVICE_PLANREADER_H
