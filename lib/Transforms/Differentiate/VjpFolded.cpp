//===- VjpFolded.cpp - gradients of what exact rewrites make --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Gradients of norms moved behind projections, and of the derived weights. Work
// on weights is mostly its own transpose.
//
//===----------------------------------------------------------------------===//

#include "VjpModels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock::block;

//===----------------------------------------------------------------------===//
// Norms behind projections
//===----------------------------------------------------------------------===//

/// The statistics of a row that `op` applies; null where they are others.
static NormStatsOp findStatistics(DeferredNormOp op) {
  auto statistics = op.getMoment().getDefiningOp<NormStatsOp>();
  bool fits = statistics && statistics.getGroups() == 1 &&
              statistics.getCentered() == op.getForm().isCentered() &&
              statistics.getMoment() == op.getMoment() &&
              statistics.getMean() == op.getMean() &&
              statistics.getInput().getType().getShape().back() ==
                  static_cast<int64_t>(op.getWidth());
  return fits ? statistics : NormStatsOp();
}

namespace {
/// With the product's gradient `v = r dy`, the row of the statistics gets the
/// gradients by the statistics, from `sum v c` and `sum v (y - b)`.
struct DeferredNormVjp : VjpModel<DeferredNormVjp, DeferredNormOp> {
  static LogicalResult build(DeferredNormOp op, Value dy, Adjoints &adjoints) {
    NormStatsOp statistics = findStatistics(op);
    if (!statistics &&
        (adjoints.isActive(op.getMoment()) || adjoints.isActive(op.getMean())))
      return op.emitOpError("has a gradient only where its statistics are "
                            "those of a row of its width");
    OpBuilder &builder = adjoints.builder;
    Location loc = adjoints.loc;
    addBiasGradient(adjoints, op.getBias(), dy);
    Value scaled = DeferredNormOp::create(
        builder, loc, op.getInput().getType(), dy, /*mean=*/Value(),
        op.getMoment(), /*sums=*/Value(), /*bias=*/Value(),
        withoutMean(op.getForm()), op.getWidthAttr());
    if (LinearOp product = findProduct(op))
      addByProduct(op, product, dy, scaled, adjoints);
    else
      addByOperands(op, scaled, adjoints);
    if (statistics && adjoints.isActive(statistics.getInput()))
      addByStatistics(op, statistics.getInput(), scaled, adjoints);
    return success();
  }

private:
  static void addByOperands(DeferredNormOp op, Value scaled,
                            Adjoints &adjoints) {
    adjoints.add(op.getInput(), scaled);
    if (adjoints.isActive(op.getSums()))
      adjoints.add(op.getSums(),
                   ColumnSumsOp::create(adjoints.builder, adjoints.loc,
                                        adjoints.getType(op.getSums()), scaled,
                                        op.getMean()),
                   -1);
  }

  /// Returns the product that only `op` reads and whose weight its sums belong
  /// to, or null.
  static LinearOp findProduct(DeferredNormOp op) {
    auto product = op.getInput().getDefiningOp<LinearOp>();
    return op.getCentrable() && product && product->hasOneUse() ? product
                                                                : LinearOp();
  }

  /// Adds gradients by the inputs of `product`. The gradients by the weight and
  /// its sums use the row without its mean: subtracting the mean later would
  /// lose the digits by which the mean exceeds the deviation.
  static void addByProduct(DeferredNormOp op, LinearOp product, Value dy,
                           Value scaled, Adjoints &adjoints) {
    OpBuilder &builder = adjoints.builder;
    Location loc = adjoints.loc;
    Value row = product.getInput(), weight = product.getWeight();
    Type element = getElementTypeOrSelf(row.getType());
    adjoints.addProduct(row, castElements(builder, loc, scaled, element),
                        weight);
    addBiasGradient(adjoints, product.getBias(), scaled);
    if (!adjoints.isActive(weight))
      return;
    auto vector =
        RankedTensorType::get({getDim(row, -1)}, builder.getF32Type());
    Value ones = arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(vector, 1.0f));
    Value normalised = DeferredNormOp::create(
        builder, loc, row.getType(), row, op.getMean(), op.getMoment(), ones,
        /*bias=*/Value(), op.getForm(), op.getWidthAttr());
    adjoints.add(weight,
                 WeightGradOp::create(builder, loc, adjoints.getType(weight),
                                      castElements(builder, loc, dy, element),
                                      normalised));
  }

  static void addByStatistics(DeferredNormOp op, Value row, Value scaled,
                              Adjoints &adjoints) {
    OpBuilder &builder = adjoints.builder;
    Location loc = adjoints.loc;
    auto sum = [&](Value factor, Value vector) -> Value {
      return RowDotsOp::create(builder, loc, op.getMoment().getType(), scaled,
                               factor, vector, /*addend=*/Value());
    };
    Value sums = op.getSums() ? sum(Value(), op.getSums()) : Value();
    Value minusBias;
    if (op.getBias())
      minusBias = FoldScaleOp::create(builder, loc, op.getBias().getType(),
                                      op.getBias(), /*gain=*/Value(),
                                      builder.getF64FloatAttr(-1));
    Value dots = sum(op.getResult(), minusBias);
    adjoints.add(row,
                 DeferredNormGradOp::create(builder, loc, row.getType(), row,
                                            /*gradient=*/Value(), op.getMean(),
                                            op.getMoment(), sums, dots,
                                            /*gamma=*/Value(), op.getForm()));
  }
};

//===----------------------------------------------------------------------===//
// Folded weights
//===----------------------------------------------------------------------===//

struct FoldGainVjp : VjpModel<FoldGainVjp, FoldGainOp> {
  static LogicalResult build(FoldGainOp op, Value dy, Adjoints &adjoints) {
    OpBuilder &builder = adjoints.builder;
    if (adjoints.isActive(op.getWeight()))
      adjoints.add(op.getWeight(),
                   FoldGainOp::create(builder, adjoints.loc, dy.getType(), dy,
                                      op.getGamma(), op.getForm()));
    if (adjoints.isActive(op.getGamma()))
      adjoints.add(op.getGamma(),
                   MatrixDotsOp::create(builder, adjoints.loc,
                                        adjoints.getType(op.getGamma()),
                                        op.getWeight(), dy));
    return success();
  }
};

struct FoldBiasVjp : VjpModel<FoldBiasVjp, FoldBiasOp> {
  static LogicalResult build(FoldBiasOp op, Value dy, Adjoints &adjoints) {
    OpBuilder &builder = adjoints.builder;
    Value weight = op.getWeight(), beta = op.getBeta();
    adjoints.add(op.getBias(), dy);
    if (!beta)
      return success();
    if (adjoints.isActive(weight))
      adjoints.add(weight, OuterUpdateOp::create(builder, adjoints.loc,
                                                 adjoints.getType(weight),
                                                 /*matrix=*/Value(), dy, beta,
                                                 builder.getF64FloatAttr(1)));
    if (adjoints.isActive(beta))
      adjoints.add(beta, FoldBiasOp::create(
                             builder, adjoints.loc, adjoints.getType(beta),
                             transposeWeight(builder, adjoints.loc, weight), dy,
                             /*bias=*/Value()));
    return success();
  }
};

struct WeightSumsVjp : VjpModel<WeightSumsVjp, WeightSumsOp> {
  static LogicalResult build(WeightSumsOp op, Value dy, Adjoints &adjoints) {
    adjoints.add(op.getWeight(),
                 OuterUpdateOp::create(adjoints.builder, adjoints.loc,
                                       adjoints.getType(op.getWeight()),
                                       /*matrix=*/Value(), dy,
                                       /*right=*/Value(),
                                       adjoints.builder.getF64FloatAttr(1)));
    return success();
  }
};

/// A row of dy times the vector of the other side, for each element of one.
struct OuterUpdateVjp : VjpModel<OuterUpdateVjp, OuterUpdateOp> {
  static LogicalResult build(OuterUpdateOp op, Value dy, Adjoints &adjoints) {
    OpBuilder &builder = adjoints.builder;
    Location loc = adjoints.loc;
    double factor = op.getFactor().convertToDouble();
    Value left = op.getLeft(), right = op.getRight();
    auto multiply = [&](Value to, Value matrix, Value vector) {
      adjoints.add(to,
                   FoldBiasOp::create(builder, loc, adjoints.getType(to),
                                      matrix, vector, /*bias=*/Value()),
                   factor);
    };
    if (op.getMatrix())
      adjoints.add(op.getMatrix(), dy);
    if (adjoints.isActive(left) && right)
      multiply(left, dy, right);
    else if (adjoints.isActive(left))
      adjoints.add(
          left, WeightSumsOp::create(builder, loc, adjoints.getType(left), dy),
          factor);
    if (right && adjoints.isActive(right))
      multiply(right, transposeWeight(builder, loc, dy), left);
    return success();
  }
};

struct BiasSumVjp : VjpModel<BiasSumVjp, BiasSumOp> {
  static LogicalResult build(BiasSumOp op, Value dy, Adjoints &adjoints) {
    for (Value bias : op.getBiases())
      adjoints.add(bias, dy);
    return success();
  }
};

struct FoldScaleVjp : VjpModel<FoldScaleVjp, FoldScaleOp> {
  static LogicalResult build(FoldScaleOp op, Value dy, Adjoints &adjoints) {
    OpBuilder &builder = adjoints.builder;
    Value weight = op.getWeight(), gain = op.getGain();
    if (adjoints.isActive(weight))
      adjoints.add(weight,
                   FoldScaleOp::create(builder, adjoints.loc, dy.getType(), dy,
                                       gain, op.getFactorAttr()));
    if (adjoints.isActive(gain))
      adjoints.add(gain, sumRows(op, dy, adjoints),
                   op.getFactor().convertToDouble());
    return success();
  }

private:
  /// Returns products of weights and gradients, summed to the gain's shape.
  static Value sumRows(FoldScaleOp op, Value dy, Adjoints &adjoints) {
    OpBuilder &builder = adjoints.builder;
    Value sums = op.getWeight(), factor = dy;
    RankedTensorType type = adjoints.getType(op.getGain());
    int64_t rows = cast<RankedTensorType>(sums.getType()).getDimSize(0);
    if (cast<RankedTensorType>(sums.getType()).getRank() == 2) {
      sums = MatrixDotsOp::create(
          builder, adjoints.loc,
          RankedTensorType::get({rows}, builder.getF32Type()), sums, dy,
          builder.getUnitAttr());
      factor = Value();
      if (type.getDimSize(0) == rows)
        return sums;
    }
    return ColumnSumsOp::create(builder, adjoints.loc, type, sums, factor,
                                rows / type.getDimSize(0));
  }
};
} // namespace

void parablock::block::attachFoldedVjps(MLIRContext &context) {
  DeferredNormOp::attachInterface<DeferredNormVjp>(context);
  FoldGainOp::attachInterface<FoldGainVjp>(context);
  FoldBiasOp::attachInterface<FoldBiasVjp>(context);
  WeightSumsOp::attachInterface<WeightSumsVjp>(context);
  OuterUpdateOp::attachInterface<OuterUpdateVjp>(context);
  BiasSumOp::attachInterface<BiasSumVjp>(context);
  FoldScaleOp::attachInterface<FoldScaleVjp>(context);
}
