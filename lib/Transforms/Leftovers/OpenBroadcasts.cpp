//===- OpenBroadcasts.cpp - replaces branches by selects ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpenBroadcasts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace parablock;

/// Returns whether the size that `op` broadcasts if it is 1 equals that of the
/// result anyway.
static bool hasSizeAnyway(scf::IfOp op, linalg::GenericOp broadcast) {
  auto compare = op.getCondition().getDefiningOp<arith::CmpIOp>();
  auto empty =
      broadcast.getDpsInitOperand(0)->get().getDefiningOp<tensor::EmptyOp>();
  if (!compare || !empty || !matchPattern(compare.getRhs(), m_One()))
    return false;
  auto asked = compare.getLhs().getDefiningOp<tensor::DimOp>();
  std::optional<int64_t> dim = asked ? asked.getConstantIndex() : std::nullopt;
  return dim && empty.getType().isDynamicDim(*dim) &&
         empty.getDynamicSize(*dim) == compare.getLhs();
}

/// The broadcast that is result `number` of `op`, or null.
static linalg::GenericOp findBroadcast(scf::IfOp op, unsigned number) {
  auto made =
      op.thenYield().getOperand(number).getDefiningOp<linalg::GenericOp>();
  if (!made || made.getNumDpsInputs() != 1 ||
      made.getDpsInputOperand(0)->get() != op.elseYield().getOperand(number) ||
      !llvm::hasSingleElement(*made.getBody()) ||
      !made.getMatchingIndexingMap(made.getDpsInitOperand(0)).isIdentity())
    return {};
  AffineMap map = made.getMatchingIndexingMap(made.getDpsInputOperand(0));
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    if (expr != getAffineDimExpr(dim, op.getContext()) &&
        expr != getAffineConstantExpr(0, op.getContext()))
      return {};
  return made;
}

/// Creates the result of `broadcast` or its operand, selected by `condition`,
/// through the index of the element read.
static Value createChoice(OpBuilder &builder, linalg::GenericOp broadcast,
                          Value condition, Value init) {
  Value source = broadcast.getDpsInputOperand(0)->get();
  AffineMap map =
      broadcast.getMatchingIndexingMap(broadcast.getDpsInputOperand(0));
  auto readElement = [&](OpBuilder &inner, Location loc, ValueRange) {
    SmallVector<Value> indices;
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      Value index = linalg::IndexOp::create(inner, loc, dim);
      if (isa<AffineConstantExpr>(expr))
        index = arith::SelectOp::create(
            inner, loc, condition,
            arith::ConstantIndexOp::create(inner, loc, 0), index);
      indices.push_back(index);
    }
    Value element = tensor::ExtractOp::create(inner, loc, source, indices);
    linalg::YieldOp::create(inner, loc, element);
  };
  AffineMap own = builder.getMultiDimIdentityMap(map.getNumDims());
  return linalg::GenericOp::create(
             builder, broadcast.getLoc(), init.getType(), ValueRange(), init,
             own, broadcast.getIteratorTypesArray(), readElement)
      .getResult(0);
}

bool parablock::simplifyBroadcasts(scf::IfOp op) {
  if (op.getNumResults() == 0 || !llvm::hasSingleElement(*op.elseBlock()))
    return false;
  SmallVector<linalg::GenericOp> broadcasts;
  for (unsigned number = 0; number < op.getNumResults(); ++number) {
    broadcasts.push_back(findBroadcast(op, number));
    if (!broadcasts.back())
      return false;
  }
  OpBuilder builder(op);
  IRMapping mapping;
  for (Operation &inner : op.thenBlock()->without_terminator())
    if (!llvm::is_contained(broadcasts, &inner))
      builder.clone(inner, mapping);
  for (auto [result, made] : llvm::zip_equal(op.getResults(), broadcasts)) {
    Value init = mapping.lookupOrDefault(made.getDpsInitOperand(0)->get());
    result.replaceAllUsesWith(
        hasSizeAnyway(op, made)
            ? made.getDpsInputOperand(0)->get()
            : createChoice(builder, made, op.getCondition(), init));
  }
  op.erase();
  return true;
}
