//===- PrepackRecipe.cpp - @prepack as a recipe ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PrepackRecipe.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/IR/BlockDialect.h"
#include "parablock/IR/BlockOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;
using llvm::Expected;
using recipe::Expression;
using recipe::ExpressionPtr;
using Kind = recipe::Operation;

std::optional<recipe::TensorType> block::getTensorType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return std::nullopt;
  std::string keyword;
  llvm::raw_string_ostream(keyword) << tensor.getElementType();
  std::optional<ElementType> element = recipe::parseElementTypeKeyword(keyword);
  if (!element)
    return std::nullopt;
  recipe::TensorType result;
  result.element = *element;
  result.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  return result;
}

/// The one number of a constant.
static std::optional<double> getSplatValue(arith::ConstantOp op) {
  auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
  if (!splat)
    return std::nullopt;
  if (isa<FloatType>(splat.getElementType())) {
    APFloat value = splat.getSplatValue<APFloat>();
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    if (!value.isFinite())
      return std::nullopt;
    return value.convertToDouble();
  }
  if (isa<IntegerType>(splat.getElementType()))
    return splat.getSplatValue<APInt>().roundToDouble(
        /*isSigned=*/!splat.getElementType().isInteger(1));
  return std::nullopt;
}

bool block::hasRecipeOperation(Operation *op) {
  if (!llvm::all_of(op->getResultTypes(),
                    [](Type type) { return getTensorType(type); }))
    return false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](arith::ConstantOp constant) {
        return getSplatValue(constant).has_value();
      })
      .Case([](arith::TruncFOp cast) {
        return !cast.getRoundingmode() ||
               *cast.getRoundingmode() == arith::RoundingMode::to_nearest_even;
      })
      .Case([](tensor::ExtractSliceOp slice) {
        return slice->getNumOperands() == 1; // nothing dynamic
      })
      .Case<arith::ExtFOp, tensor::EmptyOp, tensor::ConcatOp,
            tensor::CollapseShapeOp, tensor::ExpandShapeOp, linalg::TransposeOp,
            FoldGainOp, FoldBiasOp, FoldScaleOp, WeightSumsOp, BiasSumOp,
            ReparamOp>([](auto) { return true; })
      .Default(false);
}

namespace {
/// Translates the ops of @prepack, in order.
class RecipeBuilder {
public:
  FailureOr<recipe::Recipe> build(func::FuncOp prepack);

private:
  Expected<ExpressionPtr> translate(Operation *op);
  Expected<ExpressionPtr> translateSlice(tensor::ExtractSliceOp op);

  /// A draft with the type of the op's result.
  Expression draft(Kind operation, Operation *op, ValueRange operands) const {
    Expression draft;
    draft.operation = operation;
    draft.type = *getTensorType(op->getResult(0).getType());
    for (Value operand : operands)
      draft.operands.push_back(operand ? values.lookup(operand) : nullptr);
    return draft;
  }
  Expected<ExpressionPtr> simple(Kind operation, Operation *op,
                                 ValueRange operands) const {
    return recipe::makeExpression(draft(operation, op, operands));
  }

  DenseMap<Value, ExpressionPtr> values;
};
} // namespace

Expected<ExpressionPtr>
RecipeBuilder::translateSlice(tensor::ExtractSliceOp op) {
  Expression slice = draft(Kind::Slice, op, op.getSource());
  recipe::TensorType type = slice.type;
  slice.type.shape.assign(op.getStaticSizes().begin(),
                          op.getStaticSizes().end());
  slice.offsets.assign(op.getStaticOffsets().begin(),
                       op.getStaticOffsets().end());
  slice.strides.assign(op.getStaticStrides().begin(),
                       op.getStaticStrides().end());
  Expected<ExpressionPtr> box = recipe::makeExpression(std::move(slice));
  if (!box || (*box)->type == type)
    return box;
  // The result leaves out dimensions of size one.
  Expression reshape;
  reshape.operation = Kind::Reshape;
  reshape.type = type;
  reshape.operands = {*box};
  return recipe::makeExpression(std::move(reshape));
}

Expected<ExpressionPtr> RecipeBuilder::translate(Operation *op) {
  using Result = Expected<ExpressionPtr>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::ConstantOp constant) -> Result {
        Expression splat = draft(Kind::Splat, op, {});
        splat.value = *getSplatValue(constant);
        return recipe::makeExpression(std::move(splat));
      })
      .Case([&](tensor::ConcatOp concat) -> Result {
        Expression result = draft(Kind::Concat, op, concat.getInputs());
        result.dim = concat.getDim();
        return recipe::makeExpression(std::move(result));
      })
      .Case([&](tensor::ExtractSliceOp slice) { return translateSlice(slice); })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
          [&](auto reshape) -> Result {
            return simple(Kind::Reshape, op, reshape.getSrc());
          })
      .Case([&](linalg::TransposeOp transpose) -> Result {
        Expression result = draft(Kind::Transpose, op, transpose.getInput());
        result.permutation.assign(transpose.getPermutation().begin(),
                                  transpose.getPermutation().end());
        return recipe::makeExpression(std::move(result));
      })
      .Case<arith::ExtFOp, arith::TruncFOp>([&](auto cast) -> Result {
        return simple(Kind::Convert, op, cast.getIn());
      })
      .Case([&](FoldGainOp fold) -> Result {
        Expression result =
            draft(Kind::FoldGain, op, {fold.getWeight(), fold.getGamma()});
        result.onePlus = fold.getForm().getGammaForm() == GammaForm::OnePlus;
        return recipe::makeExpression(std::move(result));
      })
      .Case([&](FoldBiasOp fold) -> Result {
        return simple(Kind::FoldBias, op,
                      {fold.getWeight(), fold.getBeta(), fold.getBias()});
      })
      .Case([&](FoldScaleOp fold) -> Result {
        Expression result =
            draft(Kind::FoldScale, op, {fold.getWeight(), fold.getGain()});
        result.factor = fold.getFactor().convertToDouble();
        return recipe::makeExpression(std::move(result));
      })
      .Case([&](WeightSumsOp sums) -> Result {
        return simple(Kind::WeightSums, op, sums.getWeight());
      })
      .Case([&](BiasSumOp sum) -> Result {
        return simple(Kind::BiasSum, op, sum.getBiases());
      })
      .Case([&](ReparamOp reparam) -> Result {
        Expression result = draft(Kind::Reparam, op,
                                  {reparam.getDelta(), reparam.getInitial()});
        result.skip = reparam.getSkip().convertToDouble();
        result.residual = reparam.getResidual().convertToDouble();
        return recipe::makeExpression(std::move(result));
      })
      .Default([](Operation *) -> Result {
        llvm_unreachable("checked by hasRecipeOperation");
      });
}

FailureOr<recipe::Recipe> RecipeBuilder::build(func::FuncOp prepack) {
  recipe::Recipe recipe;
  for (BlockArgument argument : prepack.getArguments()) {
    auto name = prepack.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                     kParamAttr);
    std::optional<recipe::TensorType> type = getTensorType(argument.getType());
    if (!name || !type)
      return prepack.emitError()
             << "expected argument " << argument.getArgNumber()
             << " of @prepack to be a named parameter of static shape, got "
             << argument.getType();
    Expression source;
    source.source = name.str();
    source.type = *type;
    Expected<ExpressionPtr> leaf = recipe::makeExpression(std::move(source));
    if (!leaf)
      return prepack.emitError() << llvm::toString(leaf.takeError());
    values[argument] = *leaf;
    recipe.sources.push_back({name.str(), *type, nullptr, ""});
  }
  for (Operation &op : prepack.front().without_terminator()) {
    if (!hasRecipeOperation(&op))
      return op.emitError("has no place in a recipe");
    if (isa<tensor::EmptyOp>(op)) // says no more than its type
      continue;
    Expected<ExpressionPtr> expression = translate(&op);
    if (!expression)
      return op.emitError() << "has no place in a recipe: "
                            << llvm::toString(expression.takeError());
    values[op.getResult(0)] = *expression;
  }
  for (OpOperand &result : prepack.front().getTerminator()->getOpOperands()) {
    auto name = prepack.getResultAttrOfType<StringAttr>(
        result.getOperandNumber(), kOutputAttr);
    if (!name || !values.contains(result.get()))
      return prepack.emitError()
             << "expected result " << result.getOperandNumber()
             << " of @prepack to be a named value of parameters";
    recipe.packed.push_back({name.str(), values.lookup(result.get())});
  }
  recipe::deriveRestores(recipe);
  return recipe;
}

FailureOr<recipe::Recipe> block::makeRecipe(func::FuncOp prepack) {
  return RecipeBuilder().build(prepack);
}
