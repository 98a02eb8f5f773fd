//===- ShardPlan.h - which values ranks hold parts of -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_SHARDPLAN_H
#define PARABLOCK_LIB_TRANSFORMS_SHARDPLAN_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Transforms/Shard/ColumnMap.h"
#include "llvm/ADT/DenseMap.h"

namespace parablock::block {

/// The heads of one attention, per rank.
struct HeadSplit {
  int64_t heads, kvHeads;
  ColumnMap query, key, value, result;
  /// One column per head: gains, tables of biases.
  ColumnMap perHead;
};

/// The parts of a function of level 2 that are split over the ranks: the heads
/// of every attention and the hidden values of every MLP, with all that leads
/// from a projection to them.
class ShardPlan {
public:
  explicit ShardPlan(int64_t ranks) : ranks(ranks) {}

  /// A diagnostic where heads cannot be split so.
  mlir::LogicalResult make(mlir::FunctionOpInterface function);

  /// Null for a value of which every rank holds all.
  const ColumnMap *lookup(mlir::Value value) const {
    auto found = columns.find(value);
    return found == columns.end() ? nullptr : &found->second;
  }
  const HeadSplit &getHeads(mlir::Operation *op) const {
    return heads.find(op)->second;
  }
  int64_t getRanks() const { return ranks; }

private:
  mlir::FailureOr<HeadSplit> splitHeads(AttentionOpInterface op) const;
  mlir::LogicalResult checkPadding(AttentionOpInterface op) const;
  void splitHidden(mlir::Operation *projection, mlir::Value input);
  void assign(mlir::Value value, const ColumnMap &map);
  void assignSplit(SplitOp split);

  int64_t ranks;
  llvm::DenseMap<mlir::Value, ColumnMap> columns;
  llvm::DenseMap<mlir::Operation *, HeadSplit> heads;
};

/// The operands of `op` whose columns are those of its result, if it works on
/// columns, or on heads, one by one; nothing for other ops.
llvm::SmallVector<mlir::Value, 2> getColumnOperands(mlir::Operation *op);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_SHARDPLAN_H
