//===- ExpertPlan.h - sizes and schedules of experts ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_EXPERTPLAN_H
#define PARABLOCK_LIB_CONVERSION_EXPERTPLAN_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock {

/// One of the products of an expert: how a tile of it is computed.
struct ExpertProduct {
  /// Depth, rows of one expert's matrix, and columns of the result.
  int64_t depth, matrixRows, width;
  /// Runs of a tile's columns: of gate and of up, if these are apart.
  int64_t pieces = 1;
  /// Columns of the product that one column of the result is computed from.
  int64_t perColumn = 1;
  /// True if rows of a matrix are the depth, and its columns those of the
  /// result.
  bool isDepthFirst = false;
  /// The op that unpacks the codes of the stack, which are then the left
  /// operand; null if it has numbers.
  block::UnpackWeightOp codes;

  // Chosen by the schedule.
  int64_t tileColumns = 0;
  int64_t stepDepth = 0;
  int64_t parts = 1;
  tile::ScheduleAttr schedule;

  /// Columns of the result that a tile has.
  int64_t getTileWidth() const { return tileColumns / perColumn; }
  int64_t countColumnTiles() const {
    return llvm::divideCeil(width, getTileWidth());
  }
};

/// The part of kernels that `block.experts` and its gradient have in common.
struct ExpertPlan {
  mlir::Operation *op;
  mlir::Value input, indices, weights, upWeight, downWeight, upBias, downBias;
  block::ExpertsAttr form;
  mlir::Type element;
  int64_t experts, slots;
  /// Rows of a tile, equal for both products.
  int64_t tileRows = 0;
  /// Number of rows times slots, if known.
  std::optional<int64_t> places;
  /// Runs of slots that are counted apart.
  int64_t chunks;

  /// Returns the tensors of a stack: its numbers, or its codes.
  static llvm::SmallVector<mlir::Value> listTensors(mlir::Value stack);
  /// Returns the number of experts, and of slots without one as another.
  int64_t getNumGroups() const { return experts + 1; }
  /// Returns the tensor of all slots with `sizes` for each.
  mlir::RankedTensorType getSlotsType(mlir::Type element,
                                      llvm::ArrayRef<int64_t> sizes) const;

protected:
  template <typename Op>
  explicit ExpertPlan(Op op, mlir::Value rows)
      : op(op), input(op.getInput()), indices(op.getIndices()),
        weights(op.getWeights()), upWeight(op.getUpWeight()),
        downWeight(op.getDownWeight()), upBias(op.getUpBias()),
        downBias(op.getDownBias()), form(op.getForm()), rows(rows) {
    readSizes();
  }
  /// Chooses the tiles of all products, which have one height.
  void choose(llvm::ArrayRef<ExpertProduct *> products, llvm::StringRef chip);

private:
  void readSizes();

  /// Another value with a row for each of the input.
  mlir::Value rows;
};

/// A `block.experts` as kernels.
struct ForwardExpertPlan : ExpertPlan {
  ForwardExpertPlan(block::ExpertsOp op, llvm::StringRef chip);

  ExpertProduct up, down;
};

/// A `block.experts_grad` as kernels.
struct ExpertGradPlan : ExpertPlan {
  ExpertGradPlan(block::ExpertsGradOp op, llvm::StringRef chip);

  /// Columns of gate and up together, of hidden values and of results.
  int64_t wide, hidden, width;
  /// Gate and up again, and gradients by hidden values and by what up reads.
  ExpertProduct projected, byHidden, byRead;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_EXPERTPLAN_H
