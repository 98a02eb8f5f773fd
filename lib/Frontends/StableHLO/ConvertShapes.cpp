//===- ConvertShapes.cpp - the shape dialect beside StableHLO -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// torch-mlir computes dynamic sizes by the shape dialect: lists of sizes, the
// broadcast of two lists, and a region that may assume that they match. A list
// becomes its numbers, the region its ops after an assertion.
//
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::hlo;

namespace {
/// An op on lists of sizes.
class SizeLists : public Conversion {
public:
  using Conversion::Conversion;
  LogicalResult convert();

private:
  using Row = SmallVector<OpFoldResult>;
  OpFoldResult findSize(Value value, int64_t d);
  std::optional<Row> readList(Value list);
  SmallVector<Value> readColumn(ArrayRef<Row> lists, size_t fromEnd);
  Value isOne(Value size);
  Value broadcastSizes(ArrayRef<Row> lists);
  void assertBroadcastable(ArrayRef<Row> lists);
};
} // namespace

bool hlo::isShape(Operation *op) {
  return isa_and_nonnull<shape::ShapeDialect>(op->getDialect());
}

void hlo::inlineAssumptions(ModuleOp module) {
  SmallVector<shape::AssumingOp> regions;
  module.walk([&](shape::AssumingOp op) { regions.push_back(op); });
  for (shape::AssumingOp op : regions) {
    Block *body = op.getBody();
    Operation *yield = body->getTerminator();
    op->replaceAllUsesWith(yield->getOperands());
    yield->erase();
    op->getBlock()->getOperations().splice(op->getIterator(),
                                           body->getOperations());
    op->erase();
  }
}

/// Returns the source of size `d` of a value, so that equal sizes are one
/// value.
OpFoldResult SizeLists::findSize(Value value, int64_t d) {
  while (Operation *from = value.getDefiningOp()) {
    if (!typeOf(value).isDynamicDim(d))
      break;
    if (auto empty = dyn_cast<tensor::EmptyOp>(from))
      return empty.getMixedSizes()[d];
    if (auto reshape = dyn_cast<tensor::ReshapeOp>(from))
      return readSize(reshape.getShape(), d);
    if (auto out = dyn_cast<DestinationStyleOpInterface>(from))
      value = out.getTiedOpOperand(cast<OpResult>(value))->get();
    else if (isa<tensor::CastOp>(from) ||
             (OpTrait::hasElementwiseMappableTraits(from) &&
              typeOf(from->getOperands().back())))
      value = from->getOperands().back();
    else
      break;
  }
  return tensor::getMixedSize(builder, loc, value, d);
}

/// The sizes that a list holds; none where it has no known length.
std::optional<SmallVector<OpFoldResult>> SizeLists::readList(Value list) {
  RankedTensorType type = typeOf(list);
  if (!type || type.getRank() != 1 || type.isDynamicDim(0) ||
      !type.getElementType().isIndex())
    return std::nullopt;
  SmallVector<OpFoldResult> sizes;
  for (int64_t k = 0, count = type.getDimSize(0); k < count; ++k)
    sizes.push_back(readSize(list, k));
  return sizes;
}

/// Returns one dimension of each list, from the last one on, without 1s.
SmallVector<Value> SizeLists::readColumn(ArrayRef<Row> lists, size_t fromEnd) {
  SmallVector<Value> column;
  for (const Row &list : lists) {
    if (fromEnd >= list.size() ||
        isConstantIntValue(list[list.size() - 1 - fromEnd], 1))
      continue;
    Value size = getValueOrCreateConstantIndexOp(
        builder, loc, list[list.size() - 1 - fromEnd]);
    bool isKnown = llvm::any_of(column, [&](Value other) {
      auto a = getConstantIntValue(size), b = getConstantIntValue(other);
      return other == size || (a && a == b);
    });
    if (!isKnown)
      column.push_back(size);
  }
  return column;
}

Value SizeLists::isOne(Value size) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq,
                                             size, one);
}

/// Returns any of the sizes that are not 1: an assertion checks that they are
/// equal.
Value SizeLists::broadcastSizes(ArrayRef<Row> lists) {
  size_t rank = 0;
  for (const Row &list : lists)
    rank = std::max(rank, list.size());
  SmallVector<Value> sizes;
  for (size_t fromEnd = rank; fromEnd-- > 0;) {
    SmallVector<Value> column = readColumn(lists, fromEnd);
    Value size = column.empty()
                     ? arith::ConstantIndexOp::create(builder, loc, 1)
                     : column.front();
    for (Value other : ArrayRef(column).drop_front(!column.empty()))
      size = getConstantIntValue(other) ? other
                                        : builder.createOrFold<arith::SelectOp>(
                                              loc, isOne(size), other, size);
    sizes.push_back(size);
  }
  return tensor::FromElementsOp::create(builder, loc, getResultType(), sizes);
}

void SizeLists::assertBroadcastable(ArrayRef<Row> lists) {
  size_t rank = 0;
  for (const Row &list : lists)
    rank = std::max(rank, list.size());
  for (size_t fromEnd = 0; fromEnd < rank; ++fromEnd) {
    SmallVector<Value> column = readColumn(lists, fromEnd);
    for (size_t a = 0; a < column.size(); ++a)
      for (size_t b = a + 1; b < column.size(); ++b) {
        Value fits = builder.createOrFold<arith::CmpIOp>(
            loc, arith::CmpIPredicate::eq, column[a], column[b]);
        for (Value size : {column[a], column[b]})
          if (!getConstantIntValue(size))
            fits = builder.createOrFold<arith::OrIOp>(loc, fits, isOne(size));
        cf::AssertOp::create(builder, loc, fits,
                             "sizes that are broadcast are equal or 1");
      }
  }
}

LogicalResult SizeLists::convert() {
  SmallVector<Row> lists;
  bool hasLists = llvm::all_of(op->getOperands(), [&](Value operand) {
    if (isa<shape::ShapeOfOp>(op))
      return true;
    auto list = readList(operand);
    if (list)
      lists.push_back(*list);
    return list.has_value();
  });
  RankedTensorType type =
      op->getNumResults() == 1 ? typeOf(op->getResult(0)) : RankedTensorType();
  auto refuse =
      [&] {
        return op->emitError()
               << "'" << op->getName()
               << "' has no counterpart that is read here: expected lists of "
                  "sizes as 'tensor<..xindex>'";
      };
  if (!hasLists)
    return refuse();
  Value made =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case([&](shape::ShapeOfOp) -> Value {
            RankedTensorType from = typeOf(operand(0));
            SmallVector<Value> sizes;
            for (int64_t d = 0; from && d < from.getRank(); ++d)
              sizes.push_back(getValueOrCreateConstantIndexOp(
                  builder, loc, findSize(operand(0), d)));
            return type && from ? tensor::FromElementsOp::create(builder, loc,
                                                                 type, sizes)
                                : Value();
          })
          .Case([&](shape::ConstShapeOp list) -> Value {
            return type ? arith::ConstantOp::create(builder, loc,
                                                    list.getShape())
                        : Value();
          })
          .Case([&](shape::BroadcastOp) {
            return type ? broadcastSizes(lists) : Value();
          })
          .Case([&](shape::NumElementsOp) {
            Value product = arith::ConstantIndexOp::create(builder, loc, 1);
            for (OpFoldResult size : lists.front())
              product = builder.createOrFold<arith::MulIOp>(
                  loc, product,
                  getValueOrCreateConstantIndexOp(builder, loc, size));
            return product;
          })
          .Default([](Operation *) { return Value(); });
  bool isAssertion = isa<shape::CstrBroadcastableOp>(op);
  if (isAssertion)
    assertBroadcastable(lists);
  bool isRead = made && made.getType() == op->getResult(0).getType();
  if (!isRead && !(isAssertion && op->use_empty()))
    return refuse();
  if (made)
    op->getResult(0).replaceAllUsesWith(made);
  op->erase();
  return success();
}

LogicalResult hlo::convertSizeList(Operation *op) {
  return SizeLists(op).convert();
}
