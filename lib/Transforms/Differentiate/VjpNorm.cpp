//===- VjpNorm.cpp - gradients of norms -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "VjpModels.h"

using namespace mlir;
using namespace parablock::block;

/// Adds, for a gain or bias of a group's size or of the row's, the sums of its
/// columns.
static void addColumnSums(Adjoints &adjoints, NormalizeOp op, Value vector,
                          Value gradient, Value factor) {
  auto size = cast<RankedTensorType>(vector.getType()).getDimSize(0);
  int64_t width = op.getInput().getType().getShape().back();
  adjoints.add(vector, ColumnSumsOp::create(adjoints.builder, adjoints.loc,
                                            adjoints.getType(vector), gradient,
                                            factor, width / size));
}

namespace {
/// The gradient of both steps of a norm: statistics depend on the input.
struct NormalizeVjp : VjpModel<NormalizeVjp, NormalizeOp> {
  static LogicalResult build(NormalizeOp op, Value dy, Adjoints &adjoints) {
    OpBuilder &builder = adjoints.builder;
    Value mean = op.getMean(), moment = op.getMoment();
    auto statistics = moment.getDefiningOp<NormStatsOp>();
    if (adjoints.isActive(op.getInput()) &&
        (!statistics || statistics.getInput() != op.getInput() ||
         statistics.getGroups() != op.getGroups() ||
         statistics.getCentered() != op.getForm().isCentered() ||
         statistics.getMoment() != moment || statistics.getMean() != mean))
      return op.emitOpError("has a gradient only where its statistics are "
                            "those of its input");
    if (adjoints.isActive(op.getInput()))
      adjoints.add(
          op.getInput(),
          NormGradOp::create(builder, adjoints.loc, op.getInput().getType(), dy,
                             op.getInput(), mean, moment, op.getGamma(),
                             op.getForm(), op.getGroups()));
    if (adjoints.isActive(op.getGamma())) {
      // For a gain: the normalised value, before gain and bias.
      Value normalised = NormalizeOp::create(
          builder, adjoints.loc, op.getResult().getType(), op.getInput(), mean,
          moment, Value(), Value(), op.getForm(), op.getGroups());
      addColumnSums(adjoints, op, op.getGamma(), dy, normalised);
    }
    if (adjoints.isActive(op.getBeta()))
      addColumnSums(adjoints, op, op.getBeta(), dy, Value());
    return success();
  }
};

/// Adds nothing: the gradient of block.normalize includes statistics.
struct NormStatsVjp : VjpOpInterface::ExternalModel<NormStatsVjp, NormStatsOp> {
  static LogicalResult buildVjp(Operation *op, Adjoints &adjoints) {
    for (Value result : op->getResults())
      if (adjoints.take(result))
        return op->emitOpError("has a gradient only by way of block.normalize");
    return success();
  }
};
} // namespace

void parablock::block::attachNormVjps(MLIRContext &context) {
  NormalizeOp::attachInterface<NormalizeVjp>(context);
  NormStatsOp::attachInterface<NormStatsVjp>(context);
}
