//===- PrepackRecipe.cpp - @prepack as a recipe ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PrepackRecipe.h"

#include "ConstantWork.h"
#include "RecipeElementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Transforms/Recipe/Constants.h"
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
static std::optional<double> getSplatValue(Operation *op) {
  Attribute value;
  auto splat = matchPattern(op, m_Constant(&value))
                   ? dyn_cast<SplatElementsAttr>(value)
                   : SplatElementsAttr();
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

/// Ops that say how others move or compute, and are nothing by themselves.
static bool isForOthers(Operation *op) {
  return isa<tensor::EmptyOp, tosa::ConstShapeOp>(op) || isScalarConstant(op);
}

bool block::hasRecipeOperation(Operation *op) {
  if (isa<tosa::ConstShapeOp>(op) || isScalarConstant(op))
    return true;
  if (!llvm::all_of(op->getResultTypes(),
                    [](Type type) { return getTensorType(type); }))
    return false;
  if (isConstantTensor(op))
    return getSplatValue(op) || readConstant(op);
  if (isRecipeElementwise(op))
    return true;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](arith::TruncFOp cast) {
        return !cast.getRoundingmode() ||
               *cast.getRoundingmode() == arith::RoundingMode::to_nearest_even;
      })
      .Case([](tensor::ExtractSliceOp slice) {
        return slice->getNumOperands() == 1; // nothing dynamic
      })
      .Case<arith::ExtFOp, tensor::EmptyOp, tensor::ConcatOp,
            tensor::CollapseShapeOp, tensor::ExpandShapeOp, linalg::TransposeOp,
            tosa::ConcatOp, tosa::ReshapeOp, tosa::TransposeOp, FoldGainOp,
            FoldBiasOp, FoldScaleOp, WeightSumsOp, BiasSumOp, ReparamOp>(
          [](auto) { return true; })
      .Default(false);
}

namespace {
/// Translates the ops of @prepack, in order.
class RecipeBuilder {
public:
  FailureOr<recipe::Recipe> build(func::FuncOp prepack);

private:
  Expected<ExpressionPtr> translate(Operation *op);
  Expected<ExpressionPtr> translateConstant(Operation *op);
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

  recipe::Recipe recipe;
  DenseMap<Value, ExpressionPtr> values;
};
} // namespace

/// One number, or a tensor that the recipe brings along.
Expected<ExpressionPtr> RecipeBuilder::translateConstant(Operation *op) {
  if (std::optional<double> value = getSplatValue(op)) {
    Expression splat = draft(Kind::Splat, op, {});
    splat.value = *value;
    return recipe::makeExpression(std::move(splat));
  }
  Expression constant;
  auto isTaken = [&](StringRef name) {
    return recipe.lookupConstant(name) ||
           llvm::any_of(recipe.sources,
                        [&](const recipe::SourceTensor &source) {
                          return source.name == name;
                        });
  };
  for (size_t i = recipe.constants.size();
       constant.source.empty() || isTaken(constant.source); ++i)
    constant.source = "constant." + std::to_string(i);
  constant.type = *getTensorType(op->getResult(0).getType());
  recipe.constants.push_back({constant.source, *readConstant(op)});
  return recipe::makeExpression(std::move(constant));
}

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
  if (isConstantTensor(op))
    return translateConstant(op);
  if (isRecipeElementwise(op))
    return translateElementwise(
        op, [&](Value value) { return values.lookup(value); });
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](tensor::ConcatOp concat) -> Result {
        Expression result = draft(Kind::Concat, op, concat.getInputs());
        result.dim = concat.getDim();
        return recipe::makeExpression(std::move(result));
      })
      .Case([&](tosa::ConcatOp concat) -> Result {
        Expression result = draft(Kind::Concat, op, concat.getInput1());
        result.dim = concat.getAxis();
        return recipe::makeExpression(std::move(result));
      })
      .Case([&](tosa::ReshapeOp reshape) -> Result {
        return simple(Kind::Reshape, op, reshape.getInput1());
      })
      .Case([&](tosa::TransposeOp transpose) -> Result {
        Expression result = draft(Kind::Transpose, op, transpose.getInput1());
        result.permutation.assign(transpose.getPerms().begin(),
                                  transpose.getPerms().end());
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
    if (isForOthers(&op))
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
  if (llvm::Error error = recipe::computeConstants(recipe))
    return prepack.emitError() << llvm::toString(std::move(error));
  recipe::deriveRestores(recipe);
  return std::move(recipe);
}

FailureOr<recipe::Recipe> block::makeRecipe(func::FuncOp prepack) {
  return RecipeBuilder().build(prepack);
}
