//===- Respellings.cpp - the same function, written differently -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Sites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::spellings;

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

static void swapOperands(Operation *op) {
  Value first = op->getOperand(0);
  op->setOperand(0, op->getOperand(1));
  op->setOperand(1, first);
}

/// `a + b` as `b + a`.
static void addSwap(Operation *op, Sites &sites) {
  bool isTosa =
      isPlainBinary(op, "tosa.add", "") || isPlainBinary(op, "tosa.mul", "");
  if (isTosa || (isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp>(op) &&
                 isa<linalg::GenericOp>(op->getParentOp())))
    sites.push_back({"swap-operands", op, [op] { swapOperands(op); }});
}

/// `(a + b) + c` as `a + (b + c)`.
static void addReassociation(Operation *op, Sites &sites) {
  if (!isPlainBinary(op, "tosa.add", "arith.addf"))
    return;
  Operation *inner = op->getOperand(0).getDefiningOp();
  if (!inner || !isPlainBinary(inner, "tosa.add", "arith.addf") ||
      !inner->hasOneUse())
    return;
  sites.push_back({"reassociate", op, [op, inner] {
                     OpBuilder builder(op);
                     Operation *right = builder.clone(*inner);
                     right->setOperand(0, inner->getOperand(1));
                     right->setOperand(1, op->getOperand(1));
                     op->setOperand(0, inner->getOperand(0));
                     op->setOperand(1, right->getResult(0));
                     inner->erase();
                   }});
}

/// `x * x` as a power.
static void addSquare(Operation *op, Sites &sites) {
  if (auto multiply = dyn_cast<arith::MulFOp>(op))
    if (multiply.getLhs() == multiply.getRhs() &&
        isa<linalg::GenericOp>(op->getParentOp()))
      sites.push_back({"square-as-power", op, [multiply]() mutable {
                         OpBuilder builder(multiply);
                         Location loc = multiply.getLoc();
                         Value two = arith::ConstantOp::create(
                             builder, loc, builder.getI64IntegerAttr(2));
                         Value power = math::FPowIOp::create(
                             builder, loc, multiply.getLhs(), two);
                         multiply->replaceAllUsesWith(ValueRange{power});
                         multiply->erase();
                       }});
}

/// Two inputs that read one tensor alike are one square too.
static void addSquareOfInputs(Operation *op, Sites &sites) {
  bool isSquare = isPlainBinary(op, "tosa.mul", "") &&
                  op->getOperand(0) == op->getOperand(1);
  if (!isSquare)
    return;
  sites.push_back(
      {"square-as-power", op, [op] {
         OpBuilder builder(op);
         auto type = cast<RankedTensorType>(op->getResult(0).getType());
         auto one = RankedTensorType::get(
             SmallVector<int64_t>(type.getRank(), 1), type.getElementType());
         Value two = tosa::ConstOp::create(
             builder, op->getLoc(), one,
             DenseElementsAttr::get(one, Attribute(builder.getFloatAttr(
                                             type.getElementType(), 2))));
         Value power = tosa::PowOp::create(builder, op->getLoc(), type,
                                           op->getOperand(0), two);
         op->replaceAllUsesWith(ValueRange{power});
         op->erase();
       }});
}

/// `a / b` as `a * (1 / b)`.
static void addQuotient(Operation *op, Sites &sites) {
  auto divide = dyn_cast<arith::DivFOp>(op);
  if (!divide || !isa<linalg::GenericOp>(op->getParentOp()))
    return;
  sites.push_back(
      {"divide-as-multiply", op, [divide]() mutable {
         OpBuilder builder(divide);
         Location loc = divide.getLoc();
         Value one = arith::ConstantOp::create(
             builder, loc, builder.getFloatAttr(divide.getType(), 1));
         Value inverse =
             arith::DivFOp::create(builder, loc, one, divide.getRhs());
         Value product =
             arith::MulFOp::create(builder, loc, divide.getLhs(), inverse);
         divide->replaceAllUsesWith(ValueRange{product});
         divide->erase();
       }});
}

//===----------------------------------------------------------------------===//
// Contractions and their scale
//===----------------------------------------------------------------------===//

static bool isContraction(Operation *op) {
  return isa<linalg::MatmulOp, linalg::BatchMatmulOp, tosa::MatMulOp>(op);
}

/// The product behind reshapes, if nothing else reads it.
static Operation *findProduct(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!value.hasOneUse())
      return nullptr;
    if (isContraction(op))
      return op;
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tosa::ReshapeOp>(
            op))
      return nullptr;
    value = op->getOperand(0);
  }
  return nullptr;
}

/// `(q k) s` as `(q s) k`, or as `(q sqrt(s)) (k sqrt(s))`.
static void addScaleMoves(Operation *op, Sites &sites) {
  std::optional<double> factor = getFactor(op);
  Operation *product = factor ? findProduct(getScaled(op)) : nullptr;
  if (!product || *factor <= 0 ||
      getElementTypeOrSelf(product->getOperand(0)) !=
          getElementTypeOrSelf(op->getResult(0)))
    return;
  auto scaleOperand = [op, product](unsigned index, double by) {
    OpBuilder builder(product);
    // The shift that products of TOSA have may stand further down.
    if (isa<tosa::MulOp>(op))
      op->getOperand(2).getDefiningOp()->moveBefore(
          &product->getBlock()->front());
    product->setOperand(index,
                        scaleLike(op, builder, product->getOperand(index), by));
  };
  auto drop = [op] {
    op->replaceAllUsesWith(ValueRange{getScaled(op)});
    op->erase();
  };
  double by = *factor;
  sites.push_back({"scale-on-query", op, [=] {
                     scaleOperand(0, by);
                     drop();
                   }});
  sites.push_back({"scale-on-both", op, [=] {
                     scaleOperand(0, std::sqrt(by));
                     scaleOperand(1, std::sqrt(by));
                     drop();
                   }});
}

/// A named op as its generic form, its inputs in either order.
static void addGenericForms(Operation *op, Sites &sites) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || isa<linalg::GenericOp>(op) || op->getNumResults() != 1 ||
      isa<linalg::MapOp, linalg::ReduceOp>(op))
    return;
  auto generalize = [structured] {
    IRRewriter rewriter(structured->getContext());
    rewriter.setInsertionPoint(structured);
    return linalg::generalizeNamedOp(rewriter, structured);
  };
  sites.push_back({"named-as-generic", op, [=] { (void)generalize(); }});
  if (!isContraction(op))
    return;
  sites.push_back({"swap-factors", op, [=] {
                     FailureOr<linalg::GenericOp> generic = generalize();
                     if (failed(generic))
                       return;
                     SmallVector<AffineMap> maps =
                         generic->getIndexingMapsArray();
                     std::swap(maps[0], maps[1]);
                     swapOperands(*generic);
                     generic->setIndexingMapsAttr(
                         OpBuilder(*generic).getAffineMapArrayAttr(maps));
                     // The body reads its factors by position: both orders are
                     // one product, and their types are swapped with them.
                     for (auto [argument, operand] :
                          llvm::zip(generic->getBody()->getArguments(),
                                    generic->getOperation()->getOperands()))
                       argument.setType(getElementTypeOrSelf(operand));
                   }});
}

//===----------------------------------------------------------------------===//
// Ops that do nothing
//===----------------------------------------------------------------------===//

static bool isSuited(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() > 1 && type.hasStaticShape() &&
         type.getElementType().isF32() && value.getDefiningOp() &&
         isa<func::FuncOp>(value.getDefiningOp()->getParentOp()) &&
         !isa<tensor::EmptyOp, arith::ConstantOp, tosa::ConstOp>(
             value.getDefiningOp());
}

/// Puts what `make` makes of a result in its place.
static void wrapResult(Operation *op,
                       llvm::function_ref<Value(OpBuilder &, Value)> make) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Value value = op->getResult(0);
  auto uses = llvm::to_vector(llvm::make_pointer_range(value.getUses()));
  Value wrapped = make(builder, value);
  for (OpOperand *use : uses)
    use->set(wrapped);
}

/// A value through one of another shape and back.
static void addReshape(Operation *op, Sites &sites) {
  if (op->getNumResults() != 1 || !isSuited(op->getResult(0)))
    return;
  bool isTosa = isa_and_nonnull<tosa::TosaDialect>(op->getDialect());
  if (isTosa)
    return;
  sites.push_back(
      {"reshape-and-back", op, [op] {
         wrapResult(op, [op](OpBuilder &builder, Value value) -> Value {
           auto type = cast<RankedTensorType>(value.getType());
           SmallVector<ReassociationIndices> groups = {{0, 1}};
           for (int64_t dim = 2; dim < type.getRank(); ++dim)
             groups.push_back({dim});
           Value merged = tensor::CollapseShapeOp::create(builder, op->getLoc(),
                                                          value, groups);
           return tensor::ExpandShapeOp::create(builder, op->getLoc(), type,
                                                merged, groups);
         });
       }});
}

/// A value times one.
static void addUnitFactor(Operation *op, Sites &sites) {
  if (!getFactor(op) || !isSuited(op->getResult(0)))
    return;
  sites.push_back({"times-one", op, [op] {
                     wrapResult(op, [op](OpBuilder &builder, Value value) {
                       return scaleLike(op, builder, value, 1);
                     });
                   }});
}

Sites spellings::findRespellings(ModuleOp module) {
  Sites sites;
  module.walk([&](Operation *op) {
    if (isa<ModuleOp, func::FuncOp>(op))
      return;
    addSwap(op, sites);
    addReassociation(op, sites);
    addSquare(op, sites);
    addSquareOfInputs(op, sites);
    addQuotient(op, sites);
    addScaleMoves(op, sites);
    addGenericForms(op, sites);
    addReshape(op, sites);
    addUnitFactor(op, sites);
  });
  return sites;
}
