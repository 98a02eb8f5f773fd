//===- ShardProjections.cpp - splits projections and residuals ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ShardRewriter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/BlockRankOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock::block;

/// Keeps `op`, and records that each rank does all of its work.
void ShardRewriter::keepProjection(Operation *op) {
  parablock::recordMissed(
      op, kShardPass, parablock::Reason::WholeOnEveryRank,
      "every rank computes all columns of the projection",
      {{"columns", static_cast<double>(getDim(op->getResult(0), -1))}});
  keepWhole(op);
}

Value ShardRewriter::localizeSlots(ExpertsOp op, Value value, Value indices,
                                   const ColumnRun &own) {
  Location loc = op.getLoc();
  bool areIndices = value == indices;
  auto type = cast<RankedTensorType>(value.getType());
  Value first = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                           values.getOffset(own));
  Value init = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, value),
      type.getElementType());
  SmallVector<AffineMap> maps(areIndices ? 2 : 3,
                              builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  SmallVector<Value> inputs = {indices};
  if (!areIndices)
    inputs.push_back(value);
  return linalg::GenericOp::create(
             builder, loc, type, inputs, ValueRange(init), maps, loops,
             [&](OpBuilder &body, Location, ValueRange arguments) {
               auto constant = [&](int64_t number) -> Value {
                 return arith::ConstantOp::create(
                     body, loc, body.getI64IntegerAttr(number));
               };
               Value place =
                   arith::SubIOp::create(body, loc, arguments[0], first);
               auto compare = [&](arith::CmpIPredicate how, int64_t with) {
                 return arith::CmpIOp::create(body, loc, how, place,
                                              constant(with));
               };
               Value isOwn = arith::AndIOp::create(
                   body, loc, compare(arith::CmpIPredicate::sge, 0),
                   compare(arith::CmpIPredicate::slt, own.size));
               // Every rank reports an index without an expert.
               Value isKnown = arith::AndIOp::create(
                   body, loc,
                   arith::CmpIOp::create(body, loc, arith::CmpIPredicate::sge,
                                         arguments[0], constant(0)),
                   arith::CmpIOp::create(
                       body, loc, arith::CmpIPredicate::slt, arguments[0],
                       constant(getDim(op.getUpWeight(), 0))));
               Value none = areIndices
                                ? constant(own.size)
                                : arith::ConstantOp::create(
                                      body, loc,
                                      body.getZeroAttr(type.getElementType()));
               Value slot = arith::SelectOp::create(
                   body, loc, isKnown, none, arguments[areIndices ? 0 : 1]);
               slot = arith::SelectOp::create(
                   body, loc, isOwn, areIndices ? place : arguments[1], slot);
               linalg::YieldOp::create(body, loc, slot);
             })
      .getResult(0);
}

void ShardRewriter::rewriteRoute(RouteOp op) {
  if (choice.exchangesRows && values.get(op.getLogits()).kind == Kind::Rows)
    return rewriteOnRows(op);
  keepWhole(op);
}

/// Returns whether routers alone read `logits`, through steps on rows.
static bool isReadByRouters(Value logits) {
  return !logits.use_empty() &&
         llvm::all_of(logits.getUsers(), [](Operation *user) {
           return isa<RouteOp>(user) || (user->getNumResults() == 1 &&
                                         !getColumnOperands(user).empty() &&
                                         isReadByRouters(user->getResult(0)));
         });
}

Value ShardRewriter::collectRows(ExpertsOp op, Value partial, Value indices) {
  Location loc = op.getLoc();
  Value like = values.getRows(op.getInput());
  int64_t ranks = values.getRanks(), width = getDim(partial, 2);
  auto symbol = FlatSymbolRefAttr::get(builder.getContext(), grid);
  auto type = cast<RankedTensorType>(resized(like, 2, width).clone(getF32()));
  Value parts = RowsFromExpertsOp::create(
      builder, loc,
      type.clone({type.getDimSize(0), type.getDimSize(1), width * ranks}),
      partial, indices, symbol,
      builder.getI64IntegerAttr(getDim(op.getUpWeight(), 0)));
  // A reduction over the ranks, whose parts lie side by side.
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, like);
  sizes.back() = builder.getIndexAttr(width);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0));
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, getF32());
  Value init = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  sizes.insert(sizes.begin() + 2, builder.getIndexAttr(ranks));
  SmallVector<ReassociationIndices> groups = {{0}, {1}, {2, 3}};
  Value byRank = tensor::ExpandShapeOp::create(
      builder, loc,
      type.clone({type.getDimSize(0), type.getDimSize(1), ranks, width}), parts,
      groups, sizes);
  return linalg::ReduceOp::create(
             builder, loc, ValueRange{byRank}, ValueRange{init},
             ArrayRef<int64_t>{2},
             [](OpBuilder &body, Location at, ValueRange arguments) {
               Value sum =
                   arith::AddFOp::create(body, at, arguments[0], arguments[1]);
               linalg::YieldOp::create(body, at, sum);
             })
      .getResult(0);
}

/// Divides experts over ranks. Each rank runs its own on all rows, or on those
/// that it receives, with empty slots for those of other ranks, so results are
/// summands.
void ShardRewriter::rewriteExperts(ExpertsOp op) {
  if (!isWeightOnly(op.getUpWeight()) || !isWeightOnly(op.getDownWeight())) {
    parablock::recordMissed(
        op, kShardPass, parablock::Reason::WholeOnEveryRank,
        "every rank computes all experts, whose stacks are no parameters",
        {{"experts", static_cast<double>(getDim(op.getUpWeight(), 0))}});
    return keepWhole(op);
  }
  ColumnMap map =
      ColumnMap::split(getDim(op.getUpWeight(), 0), 1, values.getRanks());
  const ColumnRun &own = map.getRuns().front();
  auto slice = [&](Value stack) {
    return stack ? values.slice(stack, 0, map) : Value();
  };
  Value indices = values.getWhole(op.getIndices());
  Value weights = values.getWhole(op.getWeights());
  Value input;
  if (choice.exchangesRows)
    input = RowsToExpertsOp::create(
        builder, op.getLoc(), op.getInput().getType(),
        values.getRows(op.getInput()), indices,
        FlatSymbolRefAttr::get(builder.getContext(), grid),
        builder.getI64IntegerAttr(getDim(op.getUpWeight(), 0)));
  else
    input = values.getWhole(op.getInput());
  Value ownWeights = localizeSlots(op, weights, indices, own);
  Value ownIndices = localizeSlots(op, indices, indices, own);
  Value partial = ExpertsOp::create(
      builder, op.getLoc(), withElementType(op.getResult(), getF32()), input,
      ownIndices, ownWeights, slice(op.getUpWeight()),
      slice(op.getDownWeight()), slice(op.getUpBias()), slice(op.getDownBias()),
      op.getForm());
  if (!choice.exchangesRows)
    return replace(op, {Kind::Partial, partial});
  Value rows = collectRows(op, partial, indices);
  replace(
      op,
      {Kind::Rows,
       castElements(
           builder, op.getLoc(), rows,
           cast<RankedTensorType>(op.getResult().getType()).getElementType())});
}

/// Sums over ranks are exchanged in f32: each rank's part has one rounding more
/// than the whole.
void ShardRewriter::rewriteLinear(LinearOp op) {
  Location loc = op.getLoc();
  if (const ColumnMap *map = plan.lookup(op.getResult())) {
    Value weight = values.slice(op.getWeight(), 0, *map);
    Value bias = op.getBias() ? values.slice(op.getBias(), 0, *map) : Value();
    Type type = withWidth(
        op.getResult(), map->getWidth(),
        cast<RankedTensorType>(op.getResult().getType()).getElementType());
    Value input = values.getWhole(op.getInput());
    return replace(
        op, {Kind::Columns,
             LinearOp::create(builder, loc, type, input, weight, bias), *map});
  }
  Local input = values.get(op.getInput());
  bool isOnRows = input.kind == Kind::Rows || input.kind == Kind::Partial;
  if (choice.exchangesRows && isOnRows && isReadByRouters(op.getResult()))
    return rewriteOnRows(op);
  if (input.kind != Kind::Columns || !input.columns.isPartition())
    return keepProjection(op);
  Value weight = values.slice(op.getWeight(), 1, input.columns);
  replace(op, {Kind::Partial,
               LinearOp::create(builder, loc,
                                withElementType(op.getResult(), getF32()),
                                input.value, weight, Value()),
               {},
               op.getBias()});
}

void ShardRewriter::rewriteLinearSum(LinearSumOp op) {
  auto isPart = [&](Value input) {
    Local local = values.get(input);
    return local.kind == Kind::Columns && local.columns.isPartition();
  };
  if (llvm::none_of(op.getInputs(), isPart))
    return keepProjection(op);
  SmallVector<Value> inputs, weights;
  for (auto [input, weight] :
       llvm::zip_equal(op.getInputs(), op.getWeights())) {
    // A value that every rank has must be counted once.
    ColumnMap map = isPart(input) ? values.get(input).columns
                                  : ColumnMap::split(getDim(input, -1), 1,
                                                     values.getRanks());
    inputs.push_back(values.getColumns(input, map));
    weights.push_back(values.slice(weight, 1, map));
  }
  replace(op, {Kind::Partial,
               LinearSumOp::create(builder, op.getLoc(),
                                   withElementType(op.getResult(), getF32()),
                                   inputs, weights, Value()),
               {},
               op.getBias()});
}

//===----------------------------------------------------------------------===//
// Vocabulary
//===----------------------------------------------------------------------===//

/// Returns whether a table depends on no parameter, such as the zeros for
/// absent tokens.
static bool isConstant(Value table) {
  WalkResult sources =
      parablock::walkSources(table, [](Value source) -> WalkResult {
        return success(source.getDefiningOp() != nullptr);
      });
  return !sources.wasInterrupted();
}

void ShardRewriter::rewriteEmbedding(EmbeddingOp op) {
  Value table = op.getTable();
  if (!isWeightOnly(table) || isConstant(table))
    return keepWhole(op);
  Location loc = op.getLoc();
  Type element =
      cast<RankedTensorType>(op.getResult().getType()).getElementType();
  RankedTensorType type = withElementType(op.getResult(), getF32());
  int64_t ids = getDim(table, 0);
  ColumnMap map = ColumnMap::split(ids, 1, values.getRanks());
  Value ownRows = values.slice(table, 0, map);
  Value tokenIds = values.getWhole(op.getIds());
  IntegerAttr none = builder.getI64IntegerAttr(0);
  Value tokens = EmbeddingOp::create(
      builder, loc, type, tokenIds, ownRows, Value(), Value(), Value(), Value(),
      values.getOffset(map.getRuns().front()), op.getScaleAttr(), none,
      IntegerAttr(), SinusoidAttr());
  Kind kind = choice.rows ? Kind::Rows : Kind::Whole;
  Value sum = values.reduce(tokens, {}, kind);
  if (op.getPositionTable() || op.getTypeTable() || op.getSinusoid()) {
    // Positions and types are added once, from a table without
    // tokens.
    RankedTensorType rowType = RankedTensorType::get(
        {1, getDim(table, 1)},
        cast<RankedTensorType>(table.getType()).getElementType());
    Value row = arith::ConstantOp::create(
        builder, loc, rowType,
        DenseElementsAttr::get(rowType,
                               builder.getZeroAttr(rowType.getElementType())));
    Value behind = values.getOffset({ids, 1, 0, 1});
    Value places = EmbeddingOp::create(
        builder, loc, type, tokenIds, row, op.getPositionTable(),
        op.getTypeIds() ? values.getWhole(op.getTypeIds()) : Value(),
        op.getTypeTable(), op.getOffset(), behind,
        FloatAttr(builder.getF64FloatAttr(1.0)), op.getPositionOffsetAttr(),
        op.getPadIdAttr(), op.getSinusoidAttr());
    if (kind == Kind::Rows) {
      values.set(places, {Kind::Whole, places});
      places = values.getRows(places);
    }
    sum = ResidualOp::create(builder, loc, sum.getType(), places,
                             ValueRange(sum), builder.getF64FloatAttr(1.0),
                             builder.getF64ArrayAttr({}));
  }
  replace(op, {kind, castElements(builder, loc, sum, element)});
}

void ShardRewriter::rewriteHead(HeadOp op) {
  Location loc = op.getLoc();
  int64_t vocabulary = getDim(op.getWeight(), 0);
  ColumnMap map = ColumnMap::split(vocabulary, 1, values.getRanks());
  auto type = cast<RankedTensorType>(op.getResult().getType());
  Value weight = values.slice(op.getWeight(), 0, map);
  Value bias = op.getBias() ? values.slice(op.getBias(), 0, map) : Value();
  Value input = values.getWhole(op.getInput());
  Value own = HeadOp::create(
      builder, loc, withWidth(input, map.getWidth(), type.getElementType()),
      input, weight, bias, op.getScaleAttr(), op.getSoftcapAttr());
  int64_t padded = map.getWidth() * values.getRanks();
  Value logits =
      values.gather(own, 2, withWidth(own, padded, type.getElementType()));
  // Padding belongs to the last rank, so it comes last.
  ColumnMap all = ColumnMap::whole(vocabulary);
  replace(op, {Kind::Whole, values.slice(logits, 2, all)});
}

//===----------------------------------------------------------------------===//
// Residuals
//===----------------------------------------------------------------------===//

namespace {
/// A summand of a residual with its factor.
struct Term {
  Value value;
  double factor;
};
} // namespace

static Value createResidual(OpBuilder &builder, Location loc, Type type,
                            ArrayRef<Term> terms) {
  SmallVector<Value> branches;
  SmallVector<double> factors;
  for (const Term &term : terms.drop_front()) {
    branches.push_back(term.value);
    factors.push_back(term.factor);
  }
  if (llvm::all_of(factors, [](double factor) { return factor == 1.0; }))
    factors.clear();
  return ResidualOp::create(builder, loc, type, terms.front().value, branches,
                            builder.getF64FloatAttr(terms.front().factor),
                            builder.getF64ArrayAttr(factors));
}

/// Returns the bias of a sum of summands, each times its factor; null if none
/// has one.
static Value sumBiases(OpBuilder &builder, Location loc,
                       ArrayRef<Term> biases) {
  SmallVector<Value> summands;
  for (const Term &bias : biases) {
    Value value = bias.value;
    if (value && bias.factor != 1.0)
      value = FoldScaleOp::create(builder, loc, value.getType(), value, Value(),
                                  builder.getF64FloatAttr(bias.factor));
    if (value)
      summands.push_back(value);
  }
  if (summands.size() <= 1)
    return summands.empty() ? Value() : summands.front();
  auto type = cast<RankedTensorType>(summands.front().getType());
  return BiasSumOp::create(builder, loc, type.clone(builder.getF32Type()),
                           summands);
}

/// Adds all summands that are parts of sums over ranks first, so that there is
/// one sum over ranks for any number of branches.
void ShardRewriter::rewriteResidual(ResidualOp op) {
  if (const ColumnMap *map = plan.lookup(op.getResult())) {
    SmallVector<Value> own;
    for (Value operand : op->getOperands())
      own.push_back(values.getColumns(operand, *map));
    return replace(op, {Kind::Columns,
                        ResidualOp::create(
                            builder, op.getLoc(), own.front().getType(),
                            own.front(), ArrayRef(own).drop_front(),
                            op.getInputScaleAttr(), op.getBranchScalesAttr()),
                        *map});
  }
  SmallVector<Term> parts, biases, others;
  auto add = [&](Value value, double factor) {
    Local local = values.get(value);
    // A value that something else reads too is summed for both.
    bool isPart = value.hasOneUse() &&
                  (local.kind == Kind::Partial || local.kind == Kind::Columns);
    if (!isPart) {
      others.push_back({value, factor});
      return;
    }
    parts.push_back({local.kind == Kind::Columns
                         ? values.embedInZeros(value, local)
                         : local.value,
                     factor});
    biases.push_back({local.bias, factor});
  };
  add(op.getInput(), op.getInputScale().convertToDouble());
  for (auto [k, branch] : llvm::enumerate(op.getBranches()))
    add(branch, op.getBranchScale(k));

  Location loc = op.getLoc();
  // A sum of summands alone, such as routed and shared experts, is one.
  if (others.empty() && op.getResult().hasOneUse() &&
      isa<ResidualOp>(*op.getResult().user_begin())) {
    Value partial =
        createResidual(builder, loc, parts.front().value.getType(), parts);
    return replace(
        op, {Kind::Partial, partial, {}, sumBiases(builder, loc, biases)});
  }
  bool onRows = choice.rows &&
                (!parts.empty() || llvm::any_of(others, [&](const Term &term) {
                  return values.get(term.value).kind == Kind::Rows;
                }));
  Kind kind = onRows ? Kind::Rows : Kind::Whole;
  SmallVector<Term> terms;
  for (const Term &other : others)
    terms.push_back(
        {onRows ? values.getRows(other.value) : values.getWhole(other.value),
         other.factor});
  auto type = cast<RankedTensorType>(op.getResult().getType());
  if (!parts.empty()) {
    // A factor that they share costs nothing behind the sum.
    double shared = parts.front().factor;
    for (const Term &part : parts)
      if (part.factor != shared)
        shared = 1.0;
    for (auto &list : {&parts, &biases})
      for (Term &term : *list)
        term.factor /= shared;
    Value partial = parts.front().value;
    if (parts.size() > 1 || parts.front().factor != 1.0)
      partial = createResidual(builder, loc, partial.getType(), parts);
    terms.push_back(
        {values.reduce(partial, sumBiases(builder, loc, biases), kind),
         shared});
  }
  if (terms.size() == 1 && terms.front().factor == 1.0)
    return replace(op, {kind, castElements(builder, loc, terms.front().value,
                                           type.getElementType())});
  // A residual has the type of its input, which here may be a sum in f32.
  Value sum =
      createResidual(builder, loc, terms.front().value.getType(), terms);
  replace(op, {kind, castElements(builder, loc, sum, type.getElementType())});
}
