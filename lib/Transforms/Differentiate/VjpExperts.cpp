//===- VjpExperts.cpp - gradients of routers and experts ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "VjpModels.h"

using namespace mlir;
using namespace parablock::block;

namespace {
/// The choice of experts is constant, so that no gradient reaches a
/// correction.
struct RouteVjp : VjpOpInterface::ExternalModel<RouteVjp, RouteOp> {
  static LogicalResult buildVjp(Operation *op, Adjoints &adjoints) {
    auto route = cast<RouteOp>(op);
    Value dy = adjoints.take(route.getWeights());
    WantedGradients wanted(adjoints,
                           {{"logits", route.getLogits()},
                            {"expert_scale", route.getExpertScale()}});
    if (!dy || wanted.values.empty())
      return success();
    OpBuilder &builder = adjoints.builder;
    auto gradient = RouteGradOp::create(
        builder, adjoints.loc, wanted.types, dy, route.getLogits(),
        route.getIndices(), route.getExpertScale(),
        builder.getStrArrayAttr(wanted.names), route.getForm());
    wanted.add(adjoints, gradient.getGradients());
    return success();
  }
};

struct ExpertsVjp : VjpModel<ExpertsVjp, ExpertsOp> {
  static LogicalResult build(ExpertsOp op, Value dy, Adjoints &adjoints) {
    WantedGradients wanted(adjoints, {{"input", op.getInput()},
                                      {"weights", op.getWeights()},
                                      {"up_weight", op.getUpWeight()},
                                      {"down_weight", op.getDownWeight()},
                                      {"up_bias", op.getUpBias()},
                                      {"down_bias", op.getDownBias()}});
    OpBuilder &builder = adjoints.builder;
    auto gradient = ExpertsGradOp::create(
        builder, adjoints.loc, wanted.types, dy, op.getInput(), op.getIndices(),
        op.getWeights(), op.getUpWeight(), op.getDownWeight(), op.getUpBias(),
        op.getDownBias(), builder.getStrArrayAttr(wanted.names), op.getForm());
    wanted.add(adjoints, gradient.getGradients());
    return success();
  }
};
} // namespace

void parablock::block::attachExpertVjps(MLIRContext &context) {
  RouteOp::attachInterface<RouteVjp>(context);
  ExpertsOp::attachInterface<ExpertsVjp>(context);
}
