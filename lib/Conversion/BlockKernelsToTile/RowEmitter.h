//===- RowEmitter.h - writes the code of one row ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// First, directly in the row, the facts that all of its columns share:
// statistics, what norms multiply with, positions. Then, in columns, the
// elements. Norms of heads have such facts once per head, in a loop over heads.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ROWEMITTER_H
#define PARABLOCK_LIB_CONVERSION_ROWEMITTER_H

#include "RowProgram.h"
#include "TileCode.h"
#include "parablock/IR/BlockOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace parablock {

using Steps = llvm::SetVector<mlir::Operation *>;

class RowEmitter {
public:
  RowEmitter(const RowProgram &program, mlir::Value row)
      : program(program), row(row) {}

  mlir::LogicalResult run(TileCode code, llvm::ArrayRef<RowOutput> outputs,
                          mlir::Value from, mlir::Value to);

private:
  using Value = mlir::Value;

  // Which steps there are (RowSteps.cpp).
  /// What `tensor` is computed by, up to bound values; operands first.
  Steps collectSteps(Value tensor) const;
  mlir::LogicalResult checkSteps(const Steps &steps) const;

  // Outputs (RowProgram.cpp).
  /// Outputs that are computed in the same loops.
  struct Sheet {
    llvm::SmallVector<RowOutput> columns;
    llvm::MapVector<mlir::Operation *, llvm::SmallVector<RowOutput>> statistics;
    Steps steps;
  };
  void emitSheet(TileCode code, const Sheet &sheet, Value from, Value to);
  void emitGroups(TileCode code, const Sheet &sheet, Value size, Value from,
                  Value to);
  void emitColumns(TileCode code, llvm::ArrayRef<RowOutput> outputs, Value from,
                   Value to);

  // Facts of a row, or of a group of its columns.
  void prepare(TileCode code, mlir::Operation *op, Value group);
  /// The number of the row within its sequence, and of its sequence.
  Value getTime(TileCode code) const;
  Value getBatch(TileCode code) const;

  // RowOpsStats.cpp
  struct Statistics {
    /// Null where the statistics are not centred.
    Value mean;
    /// The sum of squared distances to it.
    Value squares;
  };
  Statistics computeStatistics(TileCode code, Value tensor, Value from,
                               Value to, Value count, bool centered);
  /// The statistic of the group at hand, from a fact or from memory.
  Value getStatistic(TileCode code, Value tensor, Value group);
  void prepareNormStats(TileCode code, block::NormStatsOp op, Value group);
  void prepareMergeStats(TileCode code, block::MergeStatsOp op);
  void emitPartialStats(TileCode code, block::PartialStatsOp op,
                        llvm::ArrayRef<RowOutput> outputs, Value from,
                        Value to);

  // Elements.
  Value load(TileCode code, Value tensor, Value row, Value column) const;
  Value element(TileCode code, Value tensor, Value column);
  Value compute(TileCode code, mlir::OpResult value, Value column);

  // RowOpsElementwise.cpp
  Value evaluate(TileCode code, mlir::arith::TruncFOp op, Value column);
  Value evaluate(TileCode code, mlir::arith::ExtFOp op, Value column);
  Value evaluate(TileCode code, block::AddBiasOp op, Value column);
  Value evaluate(TileCode code, block::ActivationOp op, Value column);
  Value evaluate(TileCode code, block::GateOp op, Value column);
  Value evaluate(TileCode code, block::ClampOp op, Value column);
  Value evaluate(TileCode code, block::ScaleOp op, Value column);
  Value evaluate(TileCode code, block::ResidualOp op, Value column);
  // RowOpsNorm.cpp
  /// `mean` may be null; `size` is how many columns `moment` is about.
  void prepareFactor(TileCode code, mlir::Operation *op, Value mean,
                     Value moment, Value group, block::NormAttr form,
                     int64_t size);
  Value evaluate(TileCode code, block::NormalizeOp op, Value column);
  Value evaluate(TileCode code, block::DeferredNormOp op, Value column);
  // RowOpsRope.cpp
  void preparePosition(TileCode code, Value offset);
  /// An element of a table that has rows of one sequence, or of all.
  Value loadTable(TileCode code, Value table, Value column) const;
  Value evaluate(TileCode code, block::RopeOp op, Value column);
  Value evaluate(TileCode code, block::RotateOp op, Value column);
  // RowOpsEmbedding.cpp
  void prepareToken(TileCode code, block::EmbeddingOp op);
  Value evaluate(TileCode code, block::EmbeddingOp op, Value column);
  Value evaluate(TileCode code, block::PatchEmbeddingOp op, Value column);

  const RowProgram &program;
  const Value row;

  /// Facts: statistics by their tensor, factors by their norm, positions by
  /// their offset.
  llvm::DenseMap<Value, Value> statistics;
  llvm::DenseMap<mlir::Operation *, Value> factors;
  llvm::DenseMap<Value, Value> positions;
  struct TokenFacts {
    /// The token's id, and its row in the table.
    Value id, tableRow;
    /// Whether the table has the row; null where it has all.
    Value isHere;
    Value position, type;
  };
  llvm::DenseMap<mlir::Operation *, TokenFacts> tokens;
  /// What was computed of a tensor at a column.
  llvm::DenseMap<std::pair<Value, Value>, Value> elements;
};

/// Steps whose results are statistics, rather than rows.
inline bool isStatisticsStep(mlir::Operation *op) {
  return mlir::isa_and_nonnull<block::NormStatsOp, block::MergeStatsOp,
                               block::PartialStatsOp>(op);
}

Steps sortSteps(const Steps &steps);

/// Columns per group of a norm of heads, or of all steps; 0 for none.
int64_t getGroupSize(mlir::Operation *op);
int64_t getGroupSize(const Steps &steps);

/// The width of a tensor: its last dimension.
int64_t getWidth(mlir::Value tensor);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ROWEMITTER_H
