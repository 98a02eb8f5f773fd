//===- ShardRewriter.h - a function becomes that of one rank ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_SHARDREWRITER_H
#define PARABLOCK_LIB_TRANSFORMS_SHARDREWRITER_H

#include "RankValues.h"
#include "ShardPlan.h"

namespace parablock::block {

inline constexpr llvm::StringLiteral kShardPass = "block-shard";

/// Rows that are divided over ranks, beside heads, hidden values and experts.
struct ShardChoice {
  /// Between the sums over ranks, each rank has its share of the rows.
  bool rows = false;
  /// Each rank routes its rows, and sends them to the ranks of their experts.
  bool exchangesRows = false;
};

/// Turns a function of level 2 into what one rank of a grid runs, following a
/// plan. Ops are replaced in their order, so what a rank holds of an operand is
/// known before its readers; values change their form where they have to, and
/// only then.
class ShardRewriter {
public:
  ShardRewriter(mlir::FunctionOpInterface function, const ShardPlan &plan,
                llvm::StringRef grid, ShardChoice choice);
  void run();

private:
  using Kind = Local::Kind;

  // ShardRewriter.cpp
  void rewriteBlock(mlir::Block &block);
  void rewrite(mlir::Operation *op);
  void rewriteLayer(LayerOp op);
  /// Keeps `op`, on the whole of what it reads.
  void keepWhole(mlir::Operation *op);
  /// Lets `op` be erased in the end; a rank holds `local` of its result.
  void replace(mlir::Operation *op, Local local);

  // ShardProjections.cpp
  void keepProjection(mlir::Operation *op);
  void rewriteExperts(ExpertsOp op);
  /// Routes a rank's own rows, if it exchanges them.
  void rewriteRoute(RouteOp op);
  /// Returns the sum of what ranks computed of a rank's rows, in their order.
  mlir::Value collectRows(ExpertsOp op, mlir::Value partial,
                          mlir::Value indices);
  /// Returns `value`, indices or weights of slots by global expert, as those of
  /// a rank's experts, where slots of others are empty.
  mlir::Value localizeSlots(ExpertsOp op, mlir::Value value,
                            mlir::Value indices, const ColumnRun &own);
  void rewriteLinear(LinearOp op);
  void rewriteLinearSum(LinearSumOp op);
  void rewriteEmbedding(EmbeddingOp op);
  void rewriteHead(HeadOp op);
  void rewriteResidual(ResidualOp op);

  // ShardSteps.cpp
  void rewriteSplit(SplitOp op);
  void rewriteCacheAppend(CacheAppendOp op);
  void rewriteSdpa(SdpaOp op);
  void rewriteStats(NormStatsOp op);
  void rewriteStatsOfColumns(NormStatsOp op, const Local &input);
  void rewriteColumnStep(mlir::Operation *op);
  bool rewritePartialStep(mlir::Operation *op, const Local &input);
  void rewriteOnColumns(mlir::Operation *op, const ColumnMap &map);
  void rewriteOnRows(mlir::Operation *op);

  mlir::Type getF32() { return builder.getF32Type(); }

  mlir::FunctionOpInterface function;
  const ShardPlan &plan;
  std::string grid;
  ShardChoice choice;
  mlir::OpBuilder builder;
  RankValues values;
  llvm::SmallVector<mlir::Operation *> replaced;
};

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_SHARDREWRITER_H
