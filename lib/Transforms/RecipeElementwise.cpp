//===- RecipeElementwise.cpp - elementwise ops as recipes -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RecipeElementwise.h"

#include "PrepackRecipe.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;
using llvm::Expected;
using recipe::Expression;
using recipe::ExpressionPtr;
using Kind = recipe::Operation;
using recipe::Function;

/// Bodies are trees of as many levels as they have ops, at most.
static constexpr unsigned mostBodyOps = 8;

static std::optional<Function> getFunction(Operation *op) {
  return llvm::StringSwitch<std::optional<Function>>(
             op->getName().getStringRef())
      .Cases({"arith.addf", "tosa.add"}, Function::Add)
      .Cases({"arith.subf", "tosa.sub"}, Function::Subtract)
      .Cases({"arith.mulf", "tosa.mul"}, Function::Multiply)
      .Case("arith.divf", Function::Divide)
      .Case("arith.negf", Function::Negate)
      .Case("math.sqrt", Function::Sqrt)
      .Cases({"math.rsqrt", "tosa.rsqrt"}, Function::Rsqrt)
      .Case("tosa.reciprocal", Function::Reciprocal)
      .Cases({"math.exp", "tosa.exp"}, Function::Exp)
      .Default(std::nullopt);
}

static bool isFloat(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

bool block::isScalarConstant(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  auto number =
      constant ? dyn_cast<FloatAttr>(constant.getValue()) : FloatAttr();
  return number && number.getValue().isFinite();
}

/// A cast that keeps numbers, or rounds them to the nearest.
static bool isCast(Operation *op) {
  if (auto round = dyn_cast<arith::TruncFOp>(op))
    return !round.getRoundingmode() ||
           *round.getRoundingmode() == arith::RoundingMode::to_nearest_even;
  return isa<arith::ExtFOp>(op);
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

/// Finds, for a map whose results are loops, each once, and zeros, the loop of
/// each dimension, -1 where it is a zero.
static std::optional<SmallVector<int64_t>> getLoops(AffineMap map) {
  if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return std::nullopt;
  SmallVector<int64_t> loops;
  for (AffineExpr result : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    loops.push_back(dim ? static_cast<int64_t>(dim.getPosition()) : -1);
  }
  return loops;
}

static bool isBodyOp(Operation &op) {
  return isa<linalg::YieldOp>(op) || isScalarConstant(&op) ||
         ((getFunction(&op) || isCast(&op)) &&
          isFloat(op.getResult(0).getType()));
}

static bool isElementwise(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.getNumDpsInits() != 1 ||
      op.getNumLoops() != op.getNumParallelLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return false;
  Block &body = *op.getBlock();
  if (body.getOperations().size() > mostBodyOps + 1 ||
      !body.getArguments().back().use_empty() || !llvm::all_of(body, isBodyOp))
    return false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    auto loops = getLoops(op.getMatchingIndexingMap(input));
    if (!type || !isFloat(type) || !loops)
      return false;
    for (auto [loop, size] : llvm::zip_equal(*loops, type.getShape()))
      if (loop < 0 && size != 1)
        return false;
  }
  // Numbers from outside are constants.
  auto isKnown = [&](Value value) {
    Operation *maker = value.getDefiningOp();
    return value.getParentBlock() == &body ||
           (maker && isScalarConstant(maker));
  };
  return llvm::all_of(body, [&](Operation &inner) {
    return llvm::all_of(inner.getOperands(), isKnown);
  });
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static unsigned countOperands(Operation *op) {
  std::optional<Function> function = getFunction(op);
  return function ? getNumOperands(*function) : 1;
}

/// Operands have the result's rank, and its sizes or 1.
static bool isTensorElementwise(Operation *op) {
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!getFunction(op) || !result || !result.hasStaticShape())
    return false;
  // A product's shift is for whole numbers.
  if (auto product = dyn_cast<tosa::MulOp>(op))
    if (!matchPattern(product.getShift(), m_Zero()))
      return false;
  return llvm::all_of(
      op->getOperands().take_front(countOperands(op)), [&](Value operand) {
        auto type = dyn_cast<RankedTensorType>(operand.getType());
        return type && isFloat(type) && type.hasStaticShape() &&
               type.getRank() == result.getRank();
      });
}

bool block::isRecipeElementwise(Operation *op) {
  if (op->getNumResults() != 1 || !getTensorType(op->getResult(0).getType()) ||
      !isFloat(op->getResult(0).getType()))
    return false;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return isElementwise(structured);
  return isTensorElementwise(op);
}

//===----------------------------------------------------------------------===//
// Translation
//===----------------------------------------------------------------------===//

static Expression draftOf(Kind kind, ArrayRef<ExpressionPtr> operands) {
  Expression draft;
  draft.operation = kind;
  draft.operands.assign(operands.begin(), operands.end());
  return draft;
}

/// `value` over loops of `shape`: its dimensions are those that `loops` say.
static Expected<ExpressionPtr>
spread(ExpressionPtr value, ArrayRef<int64_t> loops, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> kept;
  Expression reshape = draftOf(Kind::Reshape, value);
  for (auto [loop, size] : llvm::zip_equal(loops, value->type.shape))
    if (loop >= 0) {
      kept.push_back(loop);
      reshape.type.shape.push_back(size);
    }
  if (kept.size() != loops.size()) {
    Expected<ExpressionPtr> made = recipe::makeExpression(std::move(reshape));
    if (!made)
      return made;
    value = *made;
  }
  Expression transpose = draftOf(Kind::Transpose, value);
  transpose.permutation.assign(llvm::seq<int64_t>(0, kept.size()).begin(),
                               llvm::seq<int64_t>(0, kept.size()).end());
  llvm::sort(transpose.permutation,
             [&](int64_t a, int64_t b) { return kept[a] < kept[b]; });
  if (!llvm::is_sorted(kept)) {
    Expected<ExpressionPtr> made = recipe::makeExpression(std::move(transpose));
    if (!made)
      return made;
    value = *made;
    llvm::sort(kept);
  }
  if (kept.size() == shape.size())
    return value;
  Expression broadcast = draftOf(Kind::Broadcast, value);
  broadcast.type.shape.assign(shape.begin(), shape.end());
  broadcast.permutation.assign(kept.begin(), kept.end());
  return recipe::makeExpression(std::move(broadcast));
}

static ElementType getElement(Type type) {
  return getTensorType(RankedTensorType::get({}, getElementTypeOrSelf(type)))
      ->element;
}

static Expected<ExpressionPtr> makeNumber(arith::ConstantOp op,
                                          ArrayRef<int64_t> shape) {
  Expression splat;
  splat.operation = Kind::Splat;
  splat.value = cast<FloatAttr>(op.getValue()).getValueAsDouble();
  splat.type.element = getElement(op.getType());
  splat.type.shape.assign(shape.begin(), shape.end());
  return recipe::makeExpression(std::move(splat));
}

/// One op on operands of one shape.
static Expected<ExpressionPtr> makeStep(Operation *op,
                                        ArrayRef<ExpressionPtr> operands) {
  std::optional<Function> function = getFunction(op);
  Expression step = draftOf(function ? Kind::Map : Kind::Convert, operands);
  if (function)
    step.function = *function;
  step.type.element = getElement(op->getResult(0).getType());
  return recipe::makeExpression(std::move(step));
}

using Lookup = llvm::function_ref<ExpressionPtr(Value)>;

static Expected<ExpressionPtr> translate(linalg::LinalgOp op, Lookup lookup) {
  SmallVector<int64_t> shape = op.getStaticLoopRanges();
  DenseMap<Value, ExpressionPtr> values;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Expected<ExpressionPtr> value =
        spread(lookup(input->get()),
               *getLoops(op.getMatchingIndexingMap(input)), shape);
    if (!value)
      return value;
    values[op.getMatchingBlockArgument(input)] = *value;
  }
  auto find = [&](Value value) -> Expected<ExpressionPtr> {
    if (ExpressionPtr known = values.lookup(value))
      return known;
    return makeNumber(value.getDefiningOp<arith::ConstantOp>(), shape);
  };
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (isScalarConstant(&inner))
      continue;
    SmallVector<ExpressionPtr> operands;
    for (Value operand : inner.getOperands()) {
      Expected<ExpressionPtr> value = find(operand);
      if (!value)
        return value;
      operands.push_back(*value);
    }
    Expected<ExpressionPtr> made = makeStep(&inner, operands);
    if (!made)
      return made;
    values[inner.getResult(0)] = *made;
  }
  return find(op.getBlock()->getTerminator()->getOperand(0));
}

Expected<ExpressionPtr> block::translateElementwise(Operation *op,
                                                    Lookup lookup) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return translate(structured, lookup);
  auto shape = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  SmallVector<ExpressionPtr> operands;
  for (Value operand : op->getOperands().take_front(countOperands(op))) {
    SmallVector<int64_t> loops;
    auto own = cast<RankedTensorType>(operand.getType()).getShape();
    for (auto [dim, size] : llvm::enumerate(own))
      loops.push_back(size == shape[dim] ? static_cast<int64_t>(dim) : -1);
    Expected<ExpressionPtr> value = spread(lookup(operand), loops, shape);
    if (!value)
      return value;
    operands.push_back(*value);
  }
  return makeStep(op, operands);
}
