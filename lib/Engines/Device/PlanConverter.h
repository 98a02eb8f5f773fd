//===- PlanConverter.h - conversion to plans --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DEVICE_PLANCONVERTER_H
#define PARABLOCK_LIB_DEVICE_PLANCONVERTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Plan/PlanBuilder.h"
#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock {

/// Converts a function, op by op, to launches and rank steps.
class PlanConverter {
public:
  PlanConverter(mlir::func::FuncOp function, int64_t ranks)
      : function(function), ranks(ranks),
        plan(function, function.getSymName()) {}

  /// Returns the function's program, inserted next to it.
  mlir::FailureOr<plan::ProgramOp> convert();

private:
  using Sizes = mlir::ArrayRef<mlir::OpFoldResult>;
  using Groups = mlir::ArrayRef<mlir::ReassociationIndices>;

  /// Begin an error at `op`: "no GPU code for ", and its name.
  mlir::InFlightDiagnostic refuse(mlir::Operation *op) const;
  mlir::InFlightDiagnostic refuseName(mlir::Operation *op) const;
  /// The tensor that `op` reads as `value`.
  mlir::FailureOr<mlir::Value> getTensor(mlir::Operation *op,
                                         mlir::Value value) const;
  mlir::FailureOr<plan::TensorOp>
  addTensor(mlir::Operation *op, plan::TensorKind kind, const llvm::Twine &name,
            mlir::Type type, Sizes sizes,
            std::optional<int64_t> position = std::nullopt);
  plan::Sizes getNumbers(mlir::ArrayRef<int64_t> shape);

  mlir::LogicalResult addFunction();
  mlir::LogicalResult addArguments();
  mlir::LogicalResult addBody(mlir::Block &body);
  mlir::LogicalResult addOp(mlir::Operation *op);
  mlir::LogicalResult addLayer(block::LayerOp layer);

  mlir::LogicalResult addLaunch(tile::LaunchOp launch);
  /// Gives a result memory: that of an operand, or a temporary of its own.
  mlir::FailureOr<mlir::Value> addOutput(tile::LaunchOp launch,
                                         mlir::OpResult result,
                                         llvm::ArrayRef<mlir::Value> inputs,
                                         llvm::StringRef device);
  mlir::FailureOr<plan::Sizes> findSizes(tile::LaunchOp launch,
                                         mlir::ValueRange inputs,
                                         mlir::OpResult result);
  mlir::LogicalResult
  addWorkspaces(mlir::Operation *device,
                mlir::SmallVectorImpl<mlir::Value> &outputs);

  mlir::LogicalResult addView(mlir::Operation *op);
  plan::Sizes collapse(Sizes source, Groups groups);
  mlir::FailureOr<plan::Sizes> expand(Sizes source, Groups groups,
                                      mlir::RankedTensorType type);
  mlir::LogicalResult addCast(mlir::tensor::CastOp cast);

  // RankStepsToPlan.cpp
  mlir::LogicalResult addRankStep(mlir::Operation *op);
  mlir::LogicalResult addExchange(mlir::Operation *op, plan::ExchangeStep step,
                                  uint64_t dim, std::optional<int64_t> offset,
                                  mlir::ValueRange inputs, Sizes sizes,
                                  std::optional<int64_t> experts = {});
  template <typename OpT>
  mlir::LogicalResult addRows(OpT op, plan::ExchangeStep step);
  mlir::LogicalResult addWhole(mlir::Operation *op, plan::ExchangeStep step,
                               uint64_t dim);
  template <typename OpT>
  mlir::LogicalResult addPart(OpT op, mlir::Value part, mlir::Value whole,
                              plan::ExchangeStep step);

  mlir::func::FuncOp function;
  int64_t ranks;
  plan::PlanBuilder plan;
  plan::ProgramOp program;
  llvm::DenseMap<mlir::Value, mlir::Value> tensorOf;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>>
      workspacesOf;
  /// The layer being converted, or null.
  mlir::IntegerAttr layerAttr;
  unsigned numLaunches = 0;
};

} // namespace parablock

#endif // PARABLOCK_LIB_DEVICE_PLANCONVERTER_H
