//===- Sites.cpp - what rules look for ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Sites.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::spellings;

std::optional<Operation *> spellings::getOnlyBodyOp(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || generic.getNumReductionLoops() != 0 ||
      generic->getNumResults() != 1)
    return std::nullopt;
  Block *body = generic.getBody();
  if (body->getOperations().size() != 2)
    return std::nullopt;
  Operation *only = &body->front();
  if (body->getTerminator()->getOperand(0).getDefiningOp() != only)
    return std::nullopt;
  return only;
}

bool spellings::isPlainBinary(Operation *op, StringRef tosaName,
                              StringRef scalarName) {
  bool found = op->getName().getStringRef() == tosaName;
  if (std::optional<Operation *> only = getOnlyBodyOp(op)) {
    auto generic = cast<linalg::GenericOp>(op);
    found = (*only)->getName().getStringRef() == scalarName &&
            generic.getNumDpsInputs() == 2 &&
            (*only)->getOperand(0) == generic.getBody()->getArgument(0) &&
            (*only)->getOperand(1) == generic.getBody()->getArgument(1) &&
            llvm::all_of(generic.getIndexingMapsArray(),
                         [](AffineMap map) { return map.isIdentity(); });
  }
  return found && op->getOperand(0).getType() == op->getResult(0).getType() &&
         op->getOperand(1).getType() == op->getResult(0).getType();
}

std::optional<double> spellings::getConstant(Value value) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    if (auto constant = value.getDefiningOp<tosa::ConstOp>())
      attribute = constant.getValues();
  if (auto dense = dyn_cast_or_null<SplatElementsAttr>(attribute))
    attribute = dense.getSplatValue<Attribute>();
  if (auto number = dyn_cast_or_null<FloatAttr>(attribute))
    return number.getValueAsDouble();
  return std::nullopt;
}

std::optional<double> spellings::getFactor(Operation *op) {
  if (auto multiply = dyn_cast<tosa::MulOp>(op))
    return getConstant(multiply.getInput2());
  std::optional<Operation *> only = getOnlyBodyOp(op);
  if (!only || !isa<arith::MulFOp>(*only) || op->getNumOperands() != 2)
    return std::nullopt;
  return getConstant((*only)->getOperand(1));
}

Value spellings::getScaled(Operation *op) { return op->getOperand(0); }

Value spellings::scaleLike(Operation *like, OpBuilder &builder, Value value,
                           double factor) {
  Location loc = like->getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  if (isa<tosa::MulOp>(like)) {
    auto one = RankedTensorType::get(SmallVector<int64_t>(type.getRank(), 1),
                                     type.getElementType());
    Value number = tosa::ConstOp::create(
        builder, loc, one,
        DenseElementsAttr::get(one, Attribute(builder.getFloatAttr(
                                        type.getElementType(), factor))));
    return tosa::MulOp::create(builder, loc, type, value, number,
                               like->getOperand(2));
  }
  Value number = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(type.getElementType(), factor));
  Value init = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, value),
      type.getElementType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  return linalg::GenericOp::create(
             builder, loc, type, value, init,
             SmallVector<AffineMap>{identity, identity},
             SmallVector<utils::IteratorType>(type.getRank(),
                                              utils::IteratorType::parallel),
             [&](OpBuilder &inner, Location loc, ValueRange scalars) {
               Value product =
                   arith::MulFOp::create(inner, loc, scalars[0], number);
               linalg::YieldOp::create(inner, loc, product);
             })
      .getResult(0);
}
