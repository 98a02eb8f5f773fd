//===- GuardAngles.cpp - inserts selections behind atan2 ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/GuardAngles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;

/// Returns whether `value` depends on constants alone.
static bool isOfConstants(Value value) {
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (size_t i = 0; i < seen.size(); ++i) {
    Operation *op = seen[i].getDefiningOp();
    if (!op)
      return false;
    seen.insert_range(op->getOperands());
  }
  return true;
}

/// Returns the replacement of `angle`, of a number or of a tensor of static
/// shape: a selection of constants if both operands are 0.
static Value guard(OpBuilder &builder, Location loc, Value angle, Value y,
                   Value x) {
  auto real = [&](double number) -> Value {
    Type type = y.getType();
    TypedAttr value = builder.getFloatAttr(
        cast<FloatType>(getElementTypeOrSelf(type)), number);
    if (auto shaped = dyn_cast<ShapedType>(type))
      value = DenseElementsAttr::get(shaped, cast<Attribute>(value));
    return arith::ConstantOp::create(builder, loc, value);
  };
  auto compare = [&](arith::CmpFPredicate predicate, Value a) -> Value {
    return arith::CmpFOp::create(builder, loc, predicate, a, real(0));
  };
  Value areZeros =
      arith::AndIOp::create(builder, loc, compare(arith::CmpFPredicate::OEQ, y),
                            compare(arith::CmpFPredicate::OEQ, x));
  // -0 is on the left.
  Value side = math::CopySignOp::create(builder, loc, real(1), x);
  Value size = arith::SelectOp::create(builder, loc,
                                       compare(arith::CmpFPredicate::OLT, side),
                                       real(llvm::numbers::pi), real(0));
  Value ofZeros = math::CopySignOp::create(builder, loc, size, y);
  return arith::SelectOp::create(builder, loc, areZeros, ofZeros, angle);
}

/// Tensors of dynamic sizes have no constants: the selection is on their
/// elements.
static void guardElements(math::Atan2Op op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  Value init = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, op.getLhs()),
      type.getElementType());
  SmallVector<AffineMap> maps(
      3, builder.getMultiDimIdentityMap(static_cast<unsigned>(type.getRank())));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, loc, type, ValueRange{op.getLhs(), op.getRhs()}, init, maps,
      loops, [&](OpBuilder &inner, Location at, ValueRange elements) {
        Value y = elements[0], x = elements[1];
        Value angle = math::Atan2Op::create(inner, at, y, x, op.getFastmath());
        linalg::YieldOp::create(inner, at, guard(inner, at, angle, y, x));
      });
  op.replaceAllUsesWith(generic.getResult(0));
  op.erase();
}

void parablock::guardAngles(Operation *root, bool ofConstants) {
  SmallVector<math::Atan2Op> found;
  root->walk([&](math::Atan2Op op) {
    if (!ofConstants || isOfConstants(op.getResult()))
      found.push_back(op);
  });
  for (math::Atan2Op op : found) {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (type && !type.hasStaticShape()) {
      guardElements(op);
      continue;
    }
    OpBuilder builder(op);
    builder.setInsertionPointAfter(op);
    Value angle = op.getResult();
    Value guarded =
        guard(builder, op.getLoc(), angle, op.getLhs(), op.getRhs());
    angle.replaceAllUsesExcept(guarded, guarded.getDefiningOp());
  }
}
