//===- AttentionGrad.h - gradients of attention by tiles --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ATTENTIONGRAD_H
#define PARABLOCK_LIB_CONVERSION_ATTENTIONGRAD_H

#include "AttentionScores.h"
#include "GradientKernels.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

namespace parablock {

/// A fact of a query, an f32 for each head, that gradients by keys and by gains
/// read.
enum class QueryFact : unsigned {
  /// The logarithm, to base 2, of the sum of the exponentials of scores.
  LogSum,
  /// The largest score, and the factor of weights relative to it, instead,
  /// where a bias may be as low as numbers go, and in f32, whose digits the
  /// logarithm of large scores does not have.
  Largest,
  Factor,
  /// The sum of weights times pulls: of gradient . value, without beta.
  Mean,
  /// That of pulls over the number of keys, if there is gamma.
  PullMean,
  /// That of the sink's weight times `Mean`, if there are sinks.
  SinkPull,
  /// Halves of the key of dropout, as bits.
  DropLow,
  DropHigh,
};

/// A gradient of attention, and the ways to cut it.
struct AttentionGradPlan {
  AttentionGradPlan(block::SdpaGradOp op, llvm::StringRef chip);

  block::SdpaGradOp op;
  /// Tiles of queries with keys passing by, and of keys with queries.
  /// Past keys have tiles of their own.
  AttentionPlan ofQueries, ofKeys, ofPast;
  /// The facts that there are, in order.
  llvm::SmallVector<QueryFact> facts;
  /// Operands that all scores have an addend of, the gradients by which are
  /// stored.
  llvm::SmallVector<llvm::StringRef, 2> stored;
  /// Shaw's tables of which each query and head have a sum of factors for each
  /// row: of gradients by products, or of weights.
  llvm::SmallVector<llvm::StringRef, 2> factors;
  /// True if gradients by keys and by values have a launch each: sums of wide
  /// heads would be too many registers.
  bool isApart;
  /// True if tiles have room in shared memory.
  bool fits;

  bool wants(llvm::StringRef operand) const;
  /// Tells whether gradients by past keys or values have launches.
  bool wantsPast() const { return wants("past_key") || wants("past_value"); }
  bool has(QueryFact fact) const { return llvm::is_contained(facts, fact); }
  /// The place of a fact among all.
  int64_t getPlace(QueryFact fact) const {
    return llvm::find(facts, fact) - facts.begin();
  }
  /// Tells whether launches copy by tensor maps and multiply by wgmma: whole
  /// tiles at a time, where rows beside the last one are hidden as keys are
  /// that a query does not see.
  bool isWhole() const { return ofKeys.usesTensorMaps(); }
  /// Tells whether so many rows, of which a tile has some, may end within a
  /// tile.
  bool endsInside(int64_t rows) const;
  /// The tensor of facts, and those of gradients by scores.
  mlir::RankedTensorType getFactsType() const;
  mlir::RankedTensorType getScoresType() const;
  /// The tensor of a number for each query, head and row of a Shaw table.
  mlir::RankedTensorType getRelationsType(mlir::Value table) const;
  static int64_t countRows(mlir::Value table);
  /// A buffer of facts of the queries that pass a tile of keys.
  tile::BufferType getFactsBuffer() const;
  /// The column of a fact of head `head` in that tensor: those of a head follow
  /// each other.
  mlir::Value createColumn(TileCode code, QueryFact fact,
                           mlir::Value head) const;
};

/// Sums that one pass of keys over a tile of queries, or the other way round,
/// is made of.
class AttentionGradTile {
public:
  explicit AttentionGradTile(const AttentionGradPlan &plan) : plan(plan) {}

protected:
  bool isWhole() const { return plan.isWhole(); }
  /// Columns of a head as the unit multiplies them: what is added is zeros.
  int64_t getDepth(int64_t columns) const;
  /// A buffer of a tile's own rows, and sums of them.
  static tile::BufferType getRows(const AttentionPlan &plan, int64_t columns);
  static tile::AccumulatorType getSums(const AttentionPlan &plan,
                                       int64_t columns);
  /// Tells whether steps of whole tiles may have hidden elements anywhere: keys
  /// that a window or packed sequences hide.
  bool hidesAnywhere() const {
    block::AttentionOpInterface op = plan.ofKeys.op;
    return isWhole() && (op.getCuSeqlens() || op.getScores().getWindow());
  }
  /// Tells whether whole tiles that a causal mask passes may be behind the last
  /// query or key.
  bool mayPassEnds() const {
    block::AttentionOpInterface op = plan.ofKeys.op;
    return isWhole() && op.getScores().getCausal() &&
           block::getDim(op.getQuery(), 1) != block::getDim(op.getKey(), 1);
  }
  /// Tells whether the keys that queries see may end within a whole tile: what
  /// follows may be no numbers.
  bool hasKeyEnd() const {
    block::AttentionOpInterface op = plan.ofKeys.op;
    return plan.endsInside(block::getDim(op.getKey(), 1)) || hidesAnywhere() ||
           mayPassEnds() || (isWhole() && op.getLengths());
  }
  /// Returns how many of the first `rows` keys of new tokens any query sees:
  /// what follows may be no numbers.
  mlir::Value limitKeys(TileCode code, mlir::Value rows,
                        mlir::Value queryRows) const;
  /// True for 0, false for NaN: weights of queries that see NaN are NaN.
  static mlir::Value isZero(TileCode code, mlir::Value weight) {
    return mlir::arith::CmpFOp::create(code.builder, code.loc,
                                       mlir::arith::CmpFPredicate::OEQ, weight,
                                       code.f32(0));
  }
  /// Returns `element` for columns of `range`, whose first column is 0, and
  /// `hidden` for others.
  static mlir::Value selectWithin(TileCode code, mlir::Value column,
                                  const KeyRange &range, mlir::Value element,
                                  mlir::Value hidden);
  /// Tells whether a column of a tile is before `end`. A thread's columns
  /// differ in other bits than those that lanes have, so that each is one
  /// comparison with a constant.
  static mlir::Value isBefore(TileCode code, mlir::Value column,
                              mlir::Value end);
  /// left * right by the columns of both, which may still run.
  static mlir::Value multiply(TileCode code, mlir::Value left,
                              mlir::Value right, tile::AccumulatorType type,
                              int64_t depth);
  /// sums + left * right by the rows of the right one.
  static mlir::Value addProduct(TileCode code, mlir::Value left,
                                mlir::Value right, mlir::Value sums);
  /// Returns `pull` and what the row of `shaw_value` for a key adds to it.
  mlir::Value addShawPull(TileCode code, const AttentionTile &tile,
                          mlir::Value relations, mlir::Value row,
                          mlir::Value key, mlir::Value pull) const;
  /// Copies rows of one head, and zeros from `end` on. Tensor maps, unless
  /// `hasEnd`, copy what is there.
  static void copyRows(TileCode code, const AttentionPlan &plan,
                       mlir::Value tensor, mlir::Value row, mlir::Value end,
                       mlir::Value head, int64_t width, mlir::Value buffer,
                       int64_t rows, bool hasEnd = false);
  /// 2^(score - largest).
  static mlir::Value createShare(TileCode code, const AttentionPlan &plan,
                                 mlir::Value score, mlir::Value largest);
  /// The weight of a score in the softmax, by what the query has of `facts`.
  mlir::Value
  createWeight(TileCode code, mlir::Value score,
               llvm::function_ref<mlir::Value(QueryFact)> getFact) const;
  /// Joins facts in columns of a tile that all units can hold.
  static mlir::Value joinFacts(TileCode code, int64_t rows,
                               mlir::ValueRange facts);
  using FinishElement = llvm::function_ref<mlir::Value(
      TileCode, mlir::Value element, mlir::Value row, mlir::Value column)>;
  /// Stores sums to the rows below `count` of a head, from `row` on; `finish`
  /// may change an element.
  static void storeSums(TileCode code, const AttentionPlan &plan,
                        mlir::Value sums, mlir::Value count, int64_t width,
                        mlir::Value tensor, mlir::Value row, mlir::Value head,
                        FinishElement finish = nullptr);

  /// The gradient by a score and by its product, of a weight and its pull.
  struct ScoreGradient {
    mlir::Value byScore, byCap, byProduct;
  };
  /// Where `mayHide`, elements without weight may hold any value.
  ScoreGradient createGradient(TileCode code, mlir::Value weight,
                               mlir::Value pull, mlir::Value mean,
                               mlir::Value beta, mlir::Value capSlope,
                               bool mayHide) const;

  const AttentionGradPlan &plan;
};

/// Gradients by queries, facts of queries, and gradients by scores.
class QueryGradient : public AttentionGradTile {
public:
  using AttentionGradTile::AttentionGradTile;
  tile::KernelOp build(const GradientSite &site);

private:
  void buildTile(TileCode code, KernelShell &shell, const AttentionTile &tile);
  void storeFacts(TileCode code, KernelShell &shell, const AttentionTile &tile,
                  mlir::Value facts);
};

/// Gradients by keys, by values, or by both, of new tokens or of past ones.
class KeyGradient : public AttentionGradTile {
public:
  KeyGradient(const AttentionGradPlan &plan, bool isPast, bool ofKeys,
              bool ofValues)
      : AttentionGradTile(plan), cut(isPast ? plan.ofPast : plan.ofKeys),
        isPast(isPast), ofKeys(ofKeys), ofValues(ofValues) {}
  tile::KernelOp build(const GradientSite &site, llvm::StringRef suffix);

private:
  void buildTile(TileCode code, KernelShell &shell,
                 const AttentionOperands &operands, mlir::Value batch,
                 mlir::Value firstKey, mlir::Value keyHead);
  mlir::Value getKeys() const;
  mlir::Value getValues() const;

  const AttentionPlan &cut;
  bool isPast, ofKeys, ofValues;
};

/// Inputs of the launches of queries and of keys behind operands: products of
/// queries and of the result's gradients with the rows of Shaw's tables.
llvm::SmallVector<mlir::Value, 2> listShawTables(const AttentionGradPlan &plan);
/// Finds the input with the products of the rows of such a table, from `first`
/// on; null if there is no table.
mlir::Value findRelations(const AttentionGradPlan &plan, KernelShell &shell,
                          unsigned first, mlir::Value table);
tile::KernelOp buildRelations(const GradientSite &site,
                              const AttentionGradPlan &plan, mlir::Value table);
/// The factors of the products of a tile's queries with the rows of Shaw's
/// tables, as sums over keys, in tensors that the launch of queries writes.
class ShawFactors {
public:
  ShawFactors(const AttentionGradPlan &plan, KernelShell &shell,
              const AttentionTile &tile)
      : plan(plan), op(plan.op), shell(shell), tile(tile) {}

  /// Starts the sums.
  void clear(TileCode code) const;
  /// Adds factors of keys from `firstKey` on to those of the table `name`.
  void add(TileCode code, llvm::StringRef name, mlir::Value factors,
           mlir::Value firstKey) const;
  /// Adds to an element of a query's gradient what `shaw_key` gives it.
  mlir::Value addTo(TileCode code, mlir::Value element, mlir::Value line,
                    mlir::Value column) const;

private:
  mlir::Value getPlace(llvm::StringRef name) const;
  int64_t countRows(llvm::StringRef name) const;

  const AttentionGradPlan &plan;
  /// Its accessors are not const.
  mutable block::AttentionOpInterface op;
  KernelShell &shell;
  const AttentionTile &tile;
};

/// The gradient by a Shaw table: parts, each of some queries, and their sum.
tile::KernelOp buildShawParts(const GradientSite &site,
                              const AttentionGradPlan &plan, mlir::Value table);
tile::KernelOp buildShawTotal(const GradientSite &site,
                              const AttentionGradPlan &plan, mlir::Value table);

/// The kernels of gradients by tables and gains.
tile::KernelOp buildScoreDiagonals(const GradientSite &site,
                                   const AttentionGradPlan &plan);
tile::KernelOp buildTableGradient(const GradientSite &site,
                                  const AttentionGradPlan &plan,
                                  mlir::Type type);
tile::KernelOp buildBiasGradient(const GradientSite &site,
                                 const AttentionGradPlan &plan,
                                 mlir::Type type);
tile::KernelOp buildOwnPulls(const GradientSite &site,
                             const AttentionGradPlan &plan);
tile::KernelOp buildGainGradient(const GradientSite &site,
                                 const AttentionGradPlan &plan,
                                 llvm::StringRef operand, mlir::Type type);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ATTENTIONGRAD_H
