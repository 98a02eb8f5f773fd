//===- ShardSteps.cpp - steps on the columns or rows of a rank ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ShardRewriter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "parablock/Analysis/ScoreTables.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock::block;

static Type getElement(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

/// Gains, biases and what is computed of them: the same for all rows.
static bool isVector(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank() == 1;
}

//===----------------------------------------------------------------------===//
// Splits and attention
//===----------------------------------------------------------------------===//

void ShardRewriter::rewriteSplit(SplitOp op) {
  Local input = values.get(op.getInput());
  const ColumnMap *merged = plan.lookup(op.getInput());
  if (input.kind != Kind::Columns || !merged || !(input.columns == *merged))
    return keepWhole(op);
  SmallVector<Type> types;
  SmallVector<ColumnMap> maps;
  for (Value segment : op.getSegments()) {
    const ColumnMap *map = plan.lookup(segment);
    maps.push_back(map ? *map : ColumnMap::whole(getDim(segment, -1)));
    types.push_back(
        withWidth(segment, maps.back().getWidth(), getElement(segment)));
  }
  auto own = SplitOp::create(builder, op.getLoc(), types, input.value);
  for (auto [segment, part, map] :
       llvm::zip_equal(op.getSegments(), own.getSegments(), maps))
    values.set(segment, plan.lookup(segment) ? Local{Kind::Columns, part, map}
                                             : Local{Kind::Whole, part});
  replaced.push_back(op);
}

/// Adds rows of a rank's own heads to what it has of the cache.
void ShardRewriter::rewriteCacheAppend(CacheAppendOp op) {
  Local added = values.get(op.getAdded());
  if (added.kind != Kind::Columns)
    return keepWhole(op);
  Value cache = values.getColumns(op.getCache(), added.columns);
  Value pages = op.getPages();
  replace(op,
          {Kind::Columns,
           CacheAppendOp::create(builder, op.getLoc(), cache.getType(), cache,
                                 added.value, values.getWhole(op.getLengths()),
                                 pages ? values.getWhole(pages) : pages),
           added.columns});
}

/// ALiBi's slopes of all heads, for ranks to take theirs from.
static Value createSlopes(OpBuilder &builder, SdpaOp op) {
  auto slopes = llvm::to_vector_of<float>(
      parablock::computeAlibiSlopes(op.getHeads(), op.getScores()));
  auto type = RankedTensorType::get({static_cast<int64_t>(slopes.size())},
                                    builder.getF32Type());
  return arith::ConstantOp::create(
      builder, op.getLoc(), type,
      DenseElementsAttr::get(type, ArrayRef<float>(slopes)));
}

void ShardRewriter::rewriteSdpa(SdpaOp op) {
  const HeadSplit &split = plan.getHeads(op);
  Location loc = op.getLoc();
  auto whole = [&](Value value) {
    return value ? values.getWhole(value) : Value();
  };
  auto columns = [&](Value value, const ColumnMap &map) {
    return value ? values.getColumns(value, map) : Value();
  };
  auto perHead = [&](Value gain) {
    return gain && getDim(gain, 0) != 1 ? values.slice(gain, 0, split.perHead)
                                        : gain;
  };
  using Operand = AttentionOperand;
  NamedOperands named = op.getNamedOperands();
  Value &bias = named[Operand::ScoreBias];
  bias = whole(bias);
  if (bias && getDim(bias, 1) != 1)
    bias = values.slice(bias, 1, split.perHead);
  if (op.getScores().getAlibiMax() && !op.getSlopes())
    named[Operand::Slopes] = createSlopes(builder, op);
  Value query = columns(op.getQuery(), split.query);
  Value key = columns(op.getKey(), split.key);
  Value value = columns(op.getValue(), split.value);
  for (const NamedOperandInfo &info : SdpaOp::getNamedOperandTable()) {
    Value &operand = named[info.which];
    if (info.which == Operand::RelativeTable && operand)
      operand = values.slice(operand, 1, split.perHead);
    else if (info.which == Operand::PastKey)
      operand = columns(operand, split.key);
    else if (info.which == Operand::PastValue)
      operand = columns(operand, split.value);
    else if (info.which == Operand::Seed)
      operand = Value();
    else if (info.role == OperandRole::Gain)
      operand = perHead(operand);
    else if (info.role == OperandRole::Setting)
      operand = whole(operand);
  }
  auto own = SdpaOp::create(builder, loc,
                            withWidth(op.getResult(), split.result.getWidth(),
                                      getElement(op.getResult())),
                            query, key, value, named, split.heads,
                            split.kvHeads, op.getScoresAttr(),
                            op.getBucketsAttr(), /*dropout=*/DropoutAttr());
  replace(op, {Kind::Columns, own, split.result});
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

/// Rewrites statistics of a row that no rank has all of: each makes those of
/// its columns, as kernels do of their tiles, and all merge them alike.
void ShardRewriter::rewriteStatsOfColumns(NormStatsOp op, const Local &input) {
  Location loc = op.getLoc();
  int64_t width = getDim(op.getInput(), -1);
  int64_t own = input.columns.getWidth();
  SmallVector<Type> types(op->getNumResults(),
                          withWidth(input.value, 1, getF32()));
  auto partial = PartialStatsOp::create(builder, loc, types, input.value,
                                        op.getCentered(), own);
  SmallVector<Value> gathered;
  for (Value statistic : partial.getPartials())
    gathered.push_back(values.gather(
        statistic, 2, withWidth(statistic, values.getRanks(), getF32())));
  auto merged = MergeStatsOp::create(
      builder, loc, op.getResultTypes(),
      op.getCentered() ? gathered.front() : Value(), gathered.back(),
      builder.getI64IntegerAttr(width), builder.getI64IntegerAttr(own));
  for (auto [result, statistic] :
       llvm::zip_equal(op.getStatistics(), merged.getStatistics()))
    values.set(result, {Kind::Whole, statistic});
  replaced.push_back(op);
}

void ShardRewriter::rewriteStats(NormStatsOp op) {
  Local input = values.get(op.getInput());
  int64_t width = getDim(op.getInput(), -1), groups = op.getGroups();
  if (input.kind == Kind::Rows ||
      (input.kind == Kind::Partial && choice.rows)) {
    // A norm behind a projection reads whole sequences, and so may its
    // statistics.
    if (llvm::all_of(op->getUsers(),
                     [](Operation *user) { return isa<DeferredNormOp>(user); }))
      return keepWhole(op);
    return rewriteOnRows(op);
  }
  if (input.kind != Kind::Columns)
    return keepWhole(op);
  if (groups == 1) {
    bool isEven = input.columns.isPartition() &&
                  input.columns.getRuns().size() == 1 &&
                  input.columns.getEnd(values.getRanks()) == width;
    return isEven ? rewriteStatsOfColumns(op, input) : keepWhole(op);
  }
  ColumnMap ofGroups = input.columns.dividedBy(width / groups);
  SmallVector<Type> types(
      op->getNumResults(),
      withWidth(input.value, ofGroups.getWidth(), getF32()));
  auto own = NormStatsOp::create(builder, op.getLoc(), types, input.value,
                                 op.getCentered(), ofGroups.getWidth());
  for (auto [result, statistic] :
       llvm::zip_equal(op.getStatistics(), own.getStatistics()))
    values.set(result, {Kind::Columns, statistic, ofGroups});
  replaced.push_back(op);
}

//===----------------------------------------------------------------------===//
// Steps that work on columns one by one
//===----------------------------------------------------------------------===//

/// A summand stays one under what is linear; its bias goes along. False for
/// steps that are not.
bool ShardRewriter::rewritePartialStep(Operation *op, const Local &input) {
  Location loc = op->getLoc();
  if (isa<arith::TruncFOp, arith::ExtFOp>(op)) {
    replace(op, input);
    return true;
  }
  if (auto add = dyn_cast<AddBiasOp>(op)) {
    Local sum = input;
    auto type = cast<RankedTensorType>(add.getBias().getType());
    sum.bias = input.bias
                   ? BiasSumOp::create(builder, loc, type.clone(getF32()),
                                       ValueRange{input.bias, add.getBias()})
                         .getResult()
                   : add.getBias();
    replace(op, sum);
    return true;
  }
  auto scale = dyn_cast<ScaleOp>(op);
  if (!scale)
    return false;
  Local scaled = input;
  scaled.value =
      ScaleOp::create(builder, loc, input.value.getType(), input.value,
                      scale.getGain(), scale.getFactorAttr());
  if (input.bias)
    scaled.bias =
        FoldScaleOp::create(builder, loc, input.bias.getType(), input.bias,
                            scale.getGain(), scale.getFactorAttr());
  replace(op, scaled);
  return true;
}

/// Tells whether the norm can be applied to some columns of its row.
static bool isNormOfColumns(NormalizeOp op) {
  return op.getGroups() != 1 || op.getForm().getKind() != NormKind::L2;
}

void ShardRewriter::rewriteOnColumns(Operation *op, const ColumnMap &map) {
  int64_t width = getDim(op->getResult(0), -1);
  int64_t own = map.getWidth();
  auto step = cast<StepOpInterface>(op);
  auto localize = [&](OpOperand &operand) {
    Value value = operand.get();
    OperandRole role = step.getOperandRole(operand);
    if (role == OperandRole::Columns)
      return values.getColumns(value, map);
    // All heads read the same values.
    if (role == OperandRole::Table || role == OperandRole::Setting)
      return values.getWhole(value);
    // A gain of one element, or of one head, is for all columns. Whether it is
    // a parameter is not said in models of other tools.
    if (isWeightOnly(value) || isVector(value))
      return getDim(value, 0) == width ? values.slice(value, 0, map) : value;
    Local local = values.get(value); // a statistic
    return local.kind == Kind::Columns ? local.value : values.getWhole(value);
  };
  auto operands = llvm::map_to_vector(op->getOpOperands(), localize);
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  copy->getResult(0).setType(
      withWidth(op->getResult(0), own, getElement(op->getResult(0))));
  cast<StepOpInterface>(copy).takeColumns(own, width);
  replace(op, {Kind::Columns, copy->getResult(0), map});
}

/// As it is, on a rank's share of the rows.
void ShardRewriter::rewriteOnRows(Operation *op) {
  auto operands = llvm::map_to_vector(op->getOperands(), [&](Value value) {
    return isWeightOnly(value) || isVector(value) ? value
                                                  : values.getRows(value);
  });
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  int64_t rows = getDim(operands.front(), 1);
  for (auto [result, own] :
       llvm::zip_equal(op->getResults(), copy->getResults())) {
    SmallVector<int64_t> shape(
        cast<RankedTensorType>(own.getType()).getShape());
    shape[1] = rows;
    own.setType(RankedTensorType::get(shape, getElement(own)));
    values.set(result, {Kind::Rows, own});
  }
  replaced.push_back(op);
}

void ShardRewriter::rewriteColumnStep(Operation *op) {
  Local input = values.get(op->getOperand(0));
  // Dropout depends on an element's place among all.
  if (isa<DropoutOp>(op))
    return keepWhole(op);
  // A rotation counts positions, which a share of the rows does not know.
  bool isRotation = getReach(op) == StepReach::Pair;
  switch (input.kind) {
  case Kind::Whole:
    return keepWhole(op);
  case Kind::Rows:
    return isRotation ? keepWhole(op) : rewriteOnRows(op);
  case Kind::Partial:
    if (rewritePartialStep(op, input))
      return;
    return choice.rows && !isRotation ? rewriteOnRows(op) : keepWhole(op);
  case Kind::Columns:
    if (auto norm = dyn_cast<NormalizeOp>(op); norm && !isNormOfColumns(norm))
      return keepWhole(op);
    return rewriteOnColumns(op, input.columns);
  }
}
