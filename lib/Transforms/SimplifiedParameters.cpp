//===- SimplifiedParameters.cpp - adds and erases parameters --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SimplifiedParameters.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

/// The argument that `weight` is read from, in one piece or not.
static BlockArgument findRoot(Value weight) {
  while (Operation *op = weight.getDefiningOp())
    weight = op->getOperand(0);
  return cast<BlockArgument>(weight);
}

/// Nothing else is in the parameter that `weight` is read from.
static bool isWholeParameter(Value weight) {
  while (Operation *op = weight.getDefiningOp()) {
    if (!isa<linalg::TransposeOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp>(op))
      return false;
    weight = op->getOperand(0);
  }
  return true;
}

static InitAttr makeConstant(MLIRContext *context, double value) {
  return InitAttr::get(context, InitKind::Constant, getReal(context, value),
                       {});
}

Value SimplifiedParameters::append(const Twine &name, RankedTensorType type,
                                   InitAttr init) {
  Builder builder(function.getContext());
  SmallVector<NamedAttribute> attributes = {
      builder.getNamedAttr(kParamAttr, builder.getStringAttr(name))};
  if (init)
    attributes.push_back(builder.getNamedAttr(kInitAttr, init));
  unsigned position = function.getNumArguments();
  // A function op with an entry block takes any further argument.
  (void)function.insertArgument(
      position, type, builder.getDictionaryAttr(attributes), function.getLoc());
  return function.getArgument(position);
}

Value SimplifiedParameters::add(const Twine &name, RankedTensorType type,
                                double start) {
  return append(name, type, makeConstant(function.getContext(), start));
}

Value SimplifiedParameters::separate(Value weight, const Twine &name) {
  if (isWholeParameter(weight))
    return weight;
  auto init = function.getArgAttrOfType<InitAttr>(
      findRoot(weight).getArgNumber(), kInitAttr);
  return append(name, cast<RankedTensorType>(weight.getType()), init);
}

void SimplifiedParameters::setStart(Value weight, double start) {
  function.setArgAttr(findRoot(weight).getArgNumber(), kInitAttr,
                      makeConstant(function.getContext(), start));
}

void SimplifiedParameters::eraseUnread() {
  llvm::BitVector unread(function.getNumArguments());
  for (unsigned i = 0; i < known; ++i)
    if (function.getArgAttr(i, kParamAttr) &&
        function.getArgument(i).use_empty())
      unread.set(i);
  (void)function.eraseArguments(unread);
}
