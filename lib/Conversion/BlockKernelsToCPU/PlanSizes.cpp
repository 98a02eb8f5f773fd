//===- PlanSizes.cpp - derives dynamic sizes of results -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PlanSizes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "parablock/Transforms/Leftovers/Leftovers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

namespace {
/// The source of a size: a dimension of another tensor, or an index.
struct SizeSource {
  Value tensor;
  unsigned dim = 0;
  OpFoldResult size;
};

/// How several sizes are combined.
enum class Joined { Sum, Product };
} // namespace

static bool isOpen(Value tensor, unsigned dim) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && dim < type.getRank() && type.isDynamicDim(dim);
}

/// The one dimension of several that is not 1.
static std::optional<unsigned> findOnly(RankedTensorType type,
                                        ArrayRef<int64_t> dims) {
  std::optional<unsigned> found;
  for (int64_t dim : dims) {
    if (type.getDimSize(dim) == 1)
      continue;
    if (found)
      return std::nullopt;
    found = static_cast<unsigned>(dim);
  }
  return found;
}

/// Finds the source of a dynamic dimension of a result of `op`.
static std::optional<SizeSource> findSource(Operation *op, OpResult result,
                                            unsigned dim) {
  using Source = std::optional<SizeSource>;
  if (auto inPlace = dyn_cast<DestinationStyleOpInterface>(op))
    return SizeSource{inPlace.getTiedOpOperand(result)->get(), dim, {}};
  if (isElementwise(op)) {
    for (Value operand : op->getOperands())
      if (isOpen(operand, dim))
        return SizeSource{operand, dim, {}};
    return std::nullopt;
  }
  return llvm::TypeSwitch<Operation *, Source>(op)
      .Case([&](tensor::EmptyOp empty) {
        return SizeSource{{}, 0, empty.getMixedSizes()[dim]};
      })
      .Case([&](tensor::CastOp cast) {
        return SizeSource{cast.getSource(), dim, {}};
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        return SizeSource{{}, 0, expand.getMixedOutputShape()[dim]};
      })
      .Case([&](tensor::CollapseShapeOp collapse) -> Source {
        std::optional<unsigned> only = findOnly(
            collapse.getSrcType(), collapse.getReassociationIndices()[dim]);
        if (!only)
          return std::nullopt;
        return SizeSource{collapse.getSrc(), *only, {}};
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        SmallVector<OpFoldResult> kept;
        llvm::SmallBitVector dropped = slice.getDroppedDims();
        for (auto [number, size] : llvm::enumerate(slice.getMixedSizes()))
          if (!dropped[number])
            kept.push_back(size);
        return SizeSource{{}, 0, kept[dim]};
      })
      .Case([&](tensor::ConcatOp concat) -> Source {
        if (concat.getDim() == dim)
          return std::nullopt;
        return SizeSource{concat.getInputs().front(), dim, {}};
      })
      .Case([&](tosa::ConcatOp concat) -> Source {
        if (concat.getAxis() == dim)
          return std::nullopt;
        return SizeSource{concat.getInput1().front(), dim, {}};
      })
      .Case([&](tosa::MatMulOp product) {
        return dim == 2 ? SizeSource{product.getB(), 2, {}}
                        : SizeSource{product.getA(), dim, {}};
      })
      .Case([&](tosa::GatherOp gather) {
        return dim == 1 ? SizeSource{gather.getIndices(), 1, {}}
                        : SizeSource{gather.getValues(), dim, {}};
      })
      .Case<tosa::ReduceAllOp, tosa::ReduceAnyOp, tosa::ReduceMaxOp,
            tosa::ReduceMinOp, tosa::ReduceProductOp, tosa::ReduceSumOp>(
          [&](auto reduce) { return SizeSource{reduce.getInput(), dim, {}}; })
      .Case([&](tosa::TransposeOp transpose) {
        return SizeSource{transpose.getInput1(),
                          static_cast<unsigned>(transpose.getPerms()[dim]),
                          {}};
      })
      .Default([](Operation *) { return std::nullopt; });
}

static OpFoldResult makeApply(const PlanWriter &plan, AffineExpr expression,
                              ArrayRef<OpFoldResult> sizes) {
  OpBuilder builder(plan.builder);
  return affine::makeComposedFoldedAffineApply(
      builder, builder.getUnknownLoc(),
      AffineMap::get(0, sizes.size(), expression), sizes);
}

OpFoldResult cpugen::makeSum(const PlanWriter &plan, OpFoldResult a,
                             OpFoldResult b) {
  MLIRContext *context = plan.builder.getContext();
  return makeApply(
      plan, getAffineSymbolExpr(0, context) + getAffineSymbolExpr(1, context),
      {a, b});
}

/// Finds a size that is the sum or the product of some of `dims`.
static FailureOr<OpFoldResult>
findJoined(const PlanWriter &plan, Joined how,
           ArrayRef<std::pair<Value, unsigned>> dims) {
  MLIRContext *context = plan.builder.getContext();
  SmallVector<OpFoldResult> sizes;
  AffineExpr all = getAffineConstantExpr(how == Joined::Sum ? 0 : 1, context);
  for (auto [tensor, dim] : dims) {
    FailureOr<OpFoldResult> size = findExtent(plan, tensor, dim);
    if (failed(size))
      return failure();
    AffineExpr symbol = getAffineSymbolExpr(sizes.size(), context);
    all = how == Joined::Sum ? all + symbol : all * symbol;
    sizes.push_back(*size);
  }
  return makeApply(plan, all, sizes);
}

/// Finds a size that `op` computes from several of its operands.
static FailureOr<OpFoldResult> findMade(const PlanWriter &plan, Operation *op,
                                        unsigned dim) {
  SmallVector<std::pair<Value, unsigned>> dims;
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    ReassociationIndices group = collapse.getReassociationIndices()[dim];
    for (int64_t own : group)
      dims.emplace_back(collapse.getSrc(), own);
    return findJoined(plan, Joined::Product, dims);
  }
  if (!isa<tensor::ConcatOp, tosa::ConcatOp>(op))
    return failure();
  for (Value input : op->getOperands())
    dims.emplace_back(input, dim);
  return findJoined(plan, Joined::Sum, dims);
}

FailureOr<OpFoldResult> cpugen::findExtent(const PlanWriter &plan, Value value,
                                           unsigned dim) {
  if (plan.lookup(value) || !isOpen(value, dim))
    return plan.getExtent(value, dim);
  auto result = dyn_cast<OpResult>(value);
  std::optional<SizeSource> source =
      result ? findSource(result.getOwner(), result, dim) : std::nullopt;
  if (!source)
    return result ? findMade(plan, result.getOwner(), dim)
                  : FailureOr<OpFoldResult>();
  return source->tensor ? findExtent(plan, source->tensor, source->dim)
                        : findSize(plan, source->size);
}

/// Returns the expression of an op on two nonnegative sizes.
static std::optional<AffineExpr> getExpression(Operation *op, AffineExpr a,
                                               AffineExpr b) {
  return llvm::TypeSwitch<Operation *, std::optional<AffineExpr>>(op)
      .Case([&](arith::AddIOp) { return a + b; })
      .Case([&](arith::SubIOp) { return a - b; })
      .Case([&](arith::MulIOp) { return a * b; })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(
          [&](auto) { return a.floorDiv(b); })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>(
          [&](auto) { return a.ceilDiv(b); })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](auto) { return a % b; })
      .Default([](Operation *) { return std::nullopt; });
}

FailureOr<OpFoldResult> cpugen::findSize(const PlanWriter &plan,
                                         OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return makeSize(plan.builder.getContext(), *constant);
  Operation *op = cast<Value>(size).getDefiningOp();
  if (!op)
    return failure();
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> position = dim.getConstantIndex();
    if (!position)
      return failure();
    return findExtent(plan, dim.getSource(), *position);
  }
  SmallVector<OpFoldResult> operands;
  for (Value operand : op->getOperands()) {
    FailureOr<OpFoldResult> found = findSize(plan, operand);
    if (failed(found))
      return failure();
    operands.push_back(*found);
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    OpBuilder builder(plan.builder);
    return affine::makeComposedFoldedAffineApply(
        builder, builder.getUnknownLoc(), apply.getMap(), operands);
  }
  if (operands.size() != 2)
    return failure();
  MLIRContext *context = plan.builder.getContext();
  std::optional<AffineExpr> expression = getExpression(
      op, getAffineSymbolExpr(0, context), getAffineSymbolExpr(1, context));
  if (!expression)
    return failure();
  return makeApply(plan, *expression, operands);
}
