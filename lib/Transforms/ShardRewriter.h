//===- ShardRewriter.h - a function becomes that of one rank ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_SHARDREWRITER_H
#define PARABLOCK_LIB_TRANSFORMS_SHARDREWRITER_H

#include "ShardPlan.h"
#include "parablock/Transforms/Shard/RankSlices.h"

namespace parablock::block {

inline constexpr llvm::StringLiteral kShardPass = "block-shard";

/// The part of a value that a rank holds.
struct Local {
  enum class Kind {
    /// All of it, as every rank does.
    Whole,
    /// The columns of a map.
    Columns,
    /// A summand: the value is the sum over all ranks, plus a bias.
    Partial,
    /// Its share of the rows of each sequence.
    Rows,
  };
  Kind kind = Kind::Whole;
  mlir::Value value;
  ColumnMap columns = {};
  mlir::Value bias = {};
};

/// Turns a function of level 2 into what one rank of a grid runs, following a
/// plan. Ops are replaced in their order, so what a rank holds of an operand is
/// known before its readers; values change their form where they have to, and
/// only then.
class ShardRewriter {
public:
  ShardRewriter(mlir::FunctionOpInterface function, const ShardPlan &plan,
                llvm::StringRef grid, bool sequenceParallel);
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
  void setLocal(mlir::Value result, Local local);

  // From one form to another.
  Local getLocal(mlir::Value value) const;
  mlir::Value getWhole(mlir::Value value);
  mlir::Value gatherRows(mlir::Value value, Local local);
  mlir::Value getColumns(mlir::Value value, const ColumnMap &map);
  mlir::Value getRows(mlir::Value value);
  /// The sum over all ranks, as `kind` Whole or Rows, bias included, in f32.
  mlir::Value reduce(mlir::Value partial, mlir::Value bias, Kind kind);
  mlir::Value gather(mlir::Value value, int64_t dim, mlir::Type type);
  /// Columns as a summand: zeros where other ranks have theirs.
  mlir::Value embedInZeros(mlir::Value value, const Local &local);
  /// Columns of all ranks side by side, each once; none may be padding.
  mlir::Value joinColumns(const Local &local);
  /// Zeros of the rows of `like`.
  mlir::Value createZeros(mlir::RankedTensorType type, mlir::Value like);
  mlir::Value takeColumns(mlir::Value value, int64_t first, int64_t size);
  mlir::Value insertColumns(mlir::Value part, mlir::Value into,
                            mlir::OpFoldResult first);
  mlir::Value slice(mlir::Value value, unsigned dim, const ColumnMap &map) {
    return slicer.slice(builder, value, dim, map);
  }

  // ShardProjections.cpp
  void keepProjection(mlir::Operation *op);
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
  int64_t getRanks() const { return plan.getRanks(); }

  mlir::FunctionOpInterface function;
  const ShardPlan &plan;
  std::string grid;
  /// Between the sums over ranks, each rank has its share of the rows.
  bool sequenceParallel;
  RankSlicer slicer;
  mlir::OpBuilder builder;
  llvm::DenseMap<mlir::Value, Local> locals;
  /// Values that ranks have rows of, put together in a basic block.
  llvm::DenseMap<std::pair<mlir::Value, mlir::Block *>, mlir::Value> gathered;
  llvm::SmallVector<mlir::Operation *> replaced;
};

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_SHARDREWRITER_H
