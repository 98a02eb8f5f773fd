//===- RecipeWork.cpp - classifies ops that recipes allow -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RecipeWork.h"

#include "ConstantWork.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Transforms/Recipe/Recipe.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

bool block::isStored(Type type) {
  return recipe::declare("", type).has_value();
}

static bool isFloat(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

/// True for a number that bodies of structured ops read.
static bool isNumber(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (constant && constant.getType().isSignlessInteger(32))
    return true;
  auto number =
      constant ? dyn_cast<FloatAttr>(constant.getValue()) : FloatAttr();
  return number && number.getValue().isFinite();
}

/// True for a function of numbers or, element by element, of tensors.
static bool isFunction(Operation *op) {
  if (op->getNumResults() != 1 || !isFloat(op->getResult(0).getType()))
    return false;
  if (auto round = dyn_cast<arith::TruncFOp>(op))
    return round.getRoundingmode().value_or(
               arith::RoundingMode::to_nearest_even) ==
           arith::RoundingMode::to_nearest_even;
  // A product's shift is for whole numbers.
  if (auto product = dyn_cast<tosa::MulOp>(op))
    return matchPattern(product.getShift(), m_Zero());
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::ExtFOp, math::SqrtOp, math::RsqrtOp,
             math::ExpOp, tosa::AddOp, tosa::SubOp, tosa::RsqrtOp,
             tosa::ReciprocalOp, tosa::ExpOp>(op);
}

/// Returns true for ops that compute codes of few bits, in bodies, or extract
/// them from the words of a checkpoint.
static bool isCoding(Operation *op) {
  return isa<arith::AddIOp, arith::AndIOp, arith::IndexCastOp, arith::MulIOp,
             arith::OrIOp, arith::ShLIOp, arith::ShRSIOp, arith::XOrIOp,
             linalg::IndexOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::CmpFOp, arith::SelectOp, arith::FPToSIOp, arith::TruncIOp,
             math::AbsFOp, math::RoundEvenOp, math::FloorOp, math::CeilOp,
             math::Log2Op, math::Exp2Op>(op);
}

/// Returns true if loops other than those of the result do at most a search for
/// the maximum.
static bool isPointwise(linalg::LinalgOp op) {
  if (op.getNumLoops() == op.getNumParallelLoops())
    return true;
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  return yielded.getDefiningOp<arith::MaximumFOp>() != nullptr;
}

static bool isNumeric(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isFloat(type) || element.isSignlessInteger(8) ||
         element.isSignlessInteger(32);
}

/// Numbers from outside the body are constants.
static bool isElementwise(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.getNumDpsInits() != 1 || !isPointwise(op) ||
      !llvm::all_of(op->getOperandTypes(), isNumeric))
    return false;
  Block &body = *op.getBlock();
  auto isKnown = [&](Value value) {
    Operation *maker = value.getDefiningOp();
    return value.getParentBlock() == &body || (maker && isNumber(maker));
  };
  return llvm::all_of(body, [&](Operation &inner) {
    return (isa<linalg::YieldOp>(inner) || isNumber(&inner) ||
            isFunction(&inner) || isCoding(&inner)) &&
           llvm::all_of(inner.getOperands(), isKnown);
  });
}

/// Returns true for a constant with available numeric elements.
static bool isReadable(Operation *op) {
  SplatElementsAttr splat;
  if (matchPattern(op, m_Constant(&splat)) && isFloat(splat.getElementType()))
    return splat.getSplatValue<APFloat>().isFinite();
  return readConstant(op).has_value();
}

bool block::isRecipeWork(Operation *op) {
  if (isa<tosa::ConstShapeOp>(op) || isNumber(op))
    return true;
  if (op->getNumResults() == 0 || !llvm::all_of(op->getResultTypes(), isStored))
    return false;
  if (isConstantTensor(op))
    return isReadable(op);
  if (isFunction(op))
    return true;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<tensor::EmptyOp, tensor::ConcatOp, tensor::CollapseShapeOp,
            tensor::ExpandShapeOp, linalg::TransposeOp, tosa::ConcatOp,
            tosa::ReshapeOp, tosa::TransposeOp, WeightOpInterface>(
          [](auto) { return true; })
      .Case([](tensor::ExtractSliceOp slice) {
        return slice->getNumOperands() == 1; // nothing dynamic
      })
      .Case([](linalg::LinalgOp op) { return isElementwise(op); })
      .Default([](Operation *) { return false; });
}
