//===- VerifyExperts.cpp - verifiers of experts and their gradients -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GradientChecks.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock::block;

/// Checks that `form` can choose among `experts` experts, and that `vectors`,
/// as far as they are there, have one element for each.
static LogicalResult checkRouting(Operation *op, RoutingAttr form,
                                  int64_t experts,
                                  ArrayRef<NamedValue> vectors) {
  // [ROUTE-1], [MOE-2]
  int64_t groups = form.getGroups();
  if (failed(
          checkDivides(op, "groups", groups, "the number of experts", experts)))
    return failure();
  int64_t size = experts / groups, open = size * form.getKept();
  if (groups > 1 && form.getGroupScore() == GroupScore::BestTwo && size < 2)
    return op->emitOpError() << "expected groups of at least 2 experts for "
                                "group_score best_two, got "
                             << size;
  if (form.getChosen() > open)
    return op->emitOpError()
           << "expected chosen to be at most " << open << ", the experts of "
           << form.getKept() << " of the groups, got " << form.getChosen();
  // [ROUTE-2], [MOE-2]
  for (const NamedValue &vector : vectors)
    if (failed(checkDim(op, vector, 0, experts, "one per expert")))
      return failure();
  return success();
}

/// Checks stacked matrices and their biases.
template <typename OpT> static LogicalResult checkStacks(OpT op) {
  ExpertsAttr form = op.getForm();
  Value up = op.getUpWeight(), down = op.getDownWeight();
  int in = form.getTransposed() ? 1 : 2, out = form.getTransposed() ? 2 : 1;
  // [EXPERTS-1], [MOE-3]
  if (failed(checkDim(op, {"up_weight", up}, in, getDim(op.getInput(), -1),
                      "width of the input")))
    return failure();
  int64_t experts = getDim(up, 0), columns = getDim(up, out);
  if (form.hasGate() && columns % 2)
    return op.emitOpError()
           << "expected dimension " << out
           << " of up_weight to be even (gate and up), got " << columns;
  // [EXPERTS-2], [MOE-3]
  int64_t hidden = form.hasGate() ? columns / 2 : columns;
  if (failed(checkDim(op, {"down_weight", down}, 0, experts,
                      "one matrix per expert")) ||
      failed(checkDim(op, {"down_weight", down}, in, hidden, "hidden width")))
    return failure();
  // [EXPERTS-3], [MOE-3]
  for (auto [bias, width] :
       {std::pair(NamedValue{"up_bias", op.getUpBias()}, columns),
        std::pair(NamedValue{"down_bias", op.getDownBias()},
                  getDim(down, out))})
    if (failed(checkDim(op, bias, 0, experts, "one row per expert")) ||
        failed(checkDim(op, bias, 1, width, "width of its projection")))
      return failure();
  return success();
}

/// Checks that the result has the rows of the input and the width of down.
template <typename OpT> static LogicalResult checkExpertResult(OpT op) {
  // [EXPERTS-5], [MOE-5]
  if (failed(checkDim(
          op, {"result", op.getResult()}, 2,
          getDim(op.getDownWeight(), op.getForm().getTransposed() ? 2 : 1),
          "width of down_weight")))
    return failure();
  return checkSameRows(op, {"result", op.getResult()},
                       {"input", op.getInput()});
}

/// Checks that values have the rows of the logits and a column for each expert
/// that is chosen.
template <typename OpT>
static LogicalResult checkChosen(OpT op, ArrayRef<NamedValue> values) {
  for (NamedValue value : values)
    if (failed(checkSameRows(op, value, {"logits", op.getLogits()})) ||
        failed(checkDim(op, value, 2, op.getForm().getChosen(),
                        "one per chosen expert")))
      return failure();
  return success();
}

LogicalResult RouteOp::verify() {
  if (failed(checkRouting(*this, getForm(), getDim(getLogits(), -1),
                          {{"correction", getCorrection()},
                           {"expert_scale", getExpertScale()}})))
    return failure();
  // [ROUTE-3]
  return checkChosen(*this,
                     {{"indices", getIndices()}, {"weights", getWeights()}});
}

/// Checks operands of experts, without the result.
template <typename OpT> static LogicalResult checkExperts(OpT op) {
  if (failed(checkStacks(op)))
    return failure();
  // [EXPERTS-4]
  if (failed(checkSameRows(op, {"indices", op.getIndices()},
                           {"input", op.getInput()})))
    return failure();
  return checkSameShape(op, {"weights", op.getWeights()},
                        {"indices", op.getIndices()});
}

LogicalResult ExpertsOp::verify() {
  if (failed(checkExperts(*this)))
    return failure();
  return checkExpertResult(*this);
}

/// Checks the matrices of shared experts.
static LogicalResult checkShared(MoeOp op) {
  // [MOE-4]
  Value up = op.getSharedUp(), down = op.getSharedDown();
  if (!up != !down)
    return op.emitOpError() << "expected shared_up and shared_down together, "
                               "got "
                            << (up ? "shared_up" : "shared_down") << " alone";
  for (NamedValue other : {NamedValue{"shared_gate", op.getSharedGate()},
                           NamedValue{"shared_router", op.getSharedRouter()}})
    if (other.value && !up)
      return op.emitOpError()
             << "expected a shared_up for the " << other.name << ", got none";
  if (!up)
    return success();
  int64_t width = getDim(op.getInput(), -1);
  if (failed(checkDim(op, {"shared_up", up}, 1, width, "width of the input")) ||
      failed(checkSameShape(op, {"shared_gate", op.getSharedGate()},
                            {"shared_up", up})) ||
      failed(checkDim(op, {"shared_down", down}, 1, getDim(up, 0),
                      "hidden width")) ||
      failed(checkDim(op, {"shared_down", down}, 0, getDim(op.getResult(), -1),
                      "width of the result")) ||
      failed(checkDim(op, {"shared_router", op.getSharedRouter()}, 0, 1,
                      "one gate")))
    return failure();
  return checkDim(op, {"shared_router", op.getSharedRouter()}, 1, width,
                  "width of the input");
}

LogicalResult MoeOp::verify() {
  // [MOE-1]
  int64_t experts = getDim(getUpWeight(), 0);
  if (failed(checkDim(*this, {"router_weight", getRouterWeight()}, 0, experts,
                      "one row per expert")) ||
      failed(checkDim(*this, {"router_weight", getRouterWeight()}, 1,
                      getDim(getInput(), -1), "width of the input")) ||
      failed(checkDim(*this, {"router_bias", getRouterBias()}, 0, experts,
                      "one per expert")) ||
      failed(checkRouting(*this, getRouting(), experts,
                          {{"correction", getCorrection()},
                           {"expert_scale", getExpertScale()}})) ||
      failed(checkStacks(*this)) || failed(checkExpertResult(*this)))
    return failure();
  return checkShared(*this);
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

LogicalResult RouteGradOp::verify() {
  if (failed(checkRouting(*this, getForm(), getDim(getLogits(), -1),
                          {{"expert_scale", getExpertScale()}})))
    return failure();
  // [ROUTEGRAD-1], [ROUTEGRAD-2]
  if (failed(checkGradients(
          *this, getWrt(), getGradients(),
          {{"logits", getLogits()}, {"expert_scale", getExpertScale()}})))
    return failure();
  // [ROUTEGRAD-3]
  return checkChosen(*this,
                     {{"gradient", getGradient()}, {"indices", getIndices()}});
}

LogicalResult ExpertsGradOp::verify() {
  if (failed(checkExperts(*this)))
    return failure();
  // [EXPERTSGRAD-1], [EXPERTSGRAD-2]
  if (failed(checkGradients(*this, getWrt(), getGradients(),
                            {{"input", getInput()},
                             {"weights", getWeights()},
                             {"up_weight", getUpWeight()},
                             {"down_weight", getDownWeight()},
                             {"up_bias", getUpBias()},
                             {"down_bias", getDownBias()}})))
    return failure();
  // [EXPERTSGRAD-3]
  if (failed(
          checkDim(*this, {"gradient", getGradient()}, 2,
                   getDim(getDownWeight(), getForm().getTransposed() ? 2 : 1),
                   "width of down_weight")))
    return failure();
  return checkSameRows(*this, {"gradient", getGradient()},
                       {"input", getInput()});
}
