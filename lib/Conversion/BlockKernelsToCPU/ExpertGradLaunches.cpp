//===- ExpertGradLaunches.cpp - launches of gradients of experts ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExpertGradKernels.h"
#include "ExpertLaunches.h"
#include "RouteKernel.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

plan::TensorOp ExpertLaunches::addGradient(Value result, const Shape &like) {
  Shape shape;
  for (auto [dim, size] :
       llvm::enumerate(cast<RankedTensorType>(result.getType()).getShape()))
    shape.push_back(ShapedType::isDynamic(size)
                        ? like[dim]
                        : makeSize(result.getContext(), size));
  plan::TensorOp tensor =
      plan.addTemporary("gradient", getElementTypeOrSelf(result), shape);
  plan.assign(result, tensor);
  return tensor;
}

/// Fails, with an error, unless the gradient by `name` is f32.
static LogicalResult checkWeightGradient(Operation *op, StringRef name,
                                         Value result) {
  if (getElementTypeOrSelf(result).isF32())
    return success();
  return op->emitError() << "no CPU code for '" << op->getName()
                         << "' with a gradient by " << name << " of type "
                         << result.getType() << ": expected f32";
}

LogicalResult ExpertLaunches::add(block::RouteGradOp op) {
  auto tensors = source.getTensors(op, op->getOperands());
  if (failed(tensors))
    return failure();
  std::string name = join(
      "route_grad", op.getGradient().getType(), op.getLogits().getType(),
      op.getForm(),
      op.getExpertScale() ? getElementTypeOrSelf(op.getExpertScale()) : Type());
  KernelCode kernel = library.lookupOrBuild(
      name, [&](Frame &frame) { return buildRouteGradKernel(frame, op); });
  MLIRContext *context = op.getContext();
  int64_t experts = block::getDim(op.getLogits(), -1),
          slots = op.getForm().getChosen();
  plan::TensorOp indices = (*tensors)[2];
  Shape shape = plan.getShape(indices), logits = plan.getShape((*tensors)[1]);
  plan::TensorOp byLogits, byScale;
  for (auto [wrt, result] : llvm::zip_equal(
           op.getWrt().getAsValueRange<StringAttr>(), op.getGradients())) {
    if (wrt == "logits")
      byLogits = addGradient(result, logits);
    else if (failed(checkWeightGradient(op, wrt, result)))
      return failure();
    else
      byScale = addGradient(result, logits);
  }
  if (!byLogits)
    byLogits = plan.addTemporary("gradient",
                                 getElementTypeOrSelf(op.getLogits()), logits);
  if (!byScale)
    byScale = plan.addTemporary("gradient", Float32Type::get(context),
                                {makeSize(context, experts)});
  plan::TensorOp shares =
      plan.addTemporary("route.shares", Float32Type::get(context), shape);
  Launch launch = plan.start(kernel);
  launch.inputs = *tensors;
  launch.outputs = {byLogits, shares};
  launch.items.inner = {shape[0], shape[1]};
  plan.addLaunch(launch);
  // It also checks indices.
  KernelCode sums = library.lookupOrBuild(
      join("scale_sums", experts, slots), [&](Frame &frame) {
        return buildScaleSumsKernel(frame, experts, slots);
      });
  Launch last = plan.start(sums);
  last.inputs = {shares};
  last.outputs = {byScale};
  addReport(last, indices, shape);
  return success();
}

void ExpertLaunches::addRowGradients(
    block::ExpertsGradOp op, const ExpertForm &form, const ExpertOrder &order,
    plan::TensorOp byRead, plan::TensorOp byWeight, plan::TensorOp weights) {
  Shape shape = plan.getShape(order.places);
  for (auto [wrt, result] : llvm::zip_equal(
           op.getWrt().getAsValueRange<StringAttr>(), op.getGradients())) {
    Type type = getElementTypeOrSelf(result);
    Launch launch;
    if (wrt == "input") {
      // The weight multiplies the gradient where it multiplied the input.
      ExpertForm sums = form;
      sums.weighsInput = !form.weighsInput;
      sums.result = type;
      int64_t width = block::getDim(op.getInput(), -1);
      launch = plan.start(
          library.lookupOrBuild(join("expert_sums", sums.slots, width,
                                     sums.weighsInput, sums.weights, type),
                                [&](Frame &frame) {
                                  return buildCombineKernel(frame, sums, width);
                                }));
      launch.inputs = {byRead, order.places, weights};
    } else if (wrt == "weights") {
      launch = plan.start(library.lookupOrBuild(
          join("expert_slots", form.slots, type), [&](Frame &frame) {
            return buildSlotsKernel(frame, form.slots, type);
          }));
      launch.inputs = {byWeight, order.places};
    } else {
      continue;
    }
    launch.outputs = {addGradient(result, shape)};
    launch.items.inner = {shape[0], shape[1]};
    plan.addLaunch(launch);
  }
}

LogicalResult ExpertLaunches::add(block::ExpertsGradOp op) {
  if (failed(checkElements(op)))
    return failure();
  SmallVector<Value> operands = {op.getGradient(), op.getInput(),
                                 op.getWeights(),  op.getIndices(),
                                 op.getUpWeight(), op.getDownWeight()};
  for (Value bias : {op.getUpBias(), op.getDownBias()})
    if (bias)
      operands.push_back(bias);
  auto tensors = source.getTensors(op, operands);
  if (failed(tensors))
    return failure();
  plan::TensorOp weights = (*tensors)[2], indices = (*tensors)[3];
  bool transposed = op.getForm().getTransposed();
  int64_t in = transposed ? 1 : 2, out = transposed ? 2 : 1;
  ExpertGradForm form{};
  form.form = {block::getDim(op.getUpWeight(), 0),
               block::getDim(op.getIndices(), -1),
               op.getForm().getWeigh() == block::Weigh::Input,
               getElementTypeOrSelf(op.getInput()),
               getElementTypeOrSelf(op.getWeights()),
               getElementTypeOrSelf(op.getGradient())};
  form.mlp = op.getForm();
  form.depth = block::getDim(op.getInput(), -1);
  form.wide = block::getDim(op.getUpWeight(), out);
  form.hidden = block::getDim(op.getDownWeight(), in);
  form.width = block::getDim(op.getGradient(), -1);
  form.hasUpBias = static_cast<bool>(op.getUpBias());
  form.hasDownBias = static_cast<bool>(op.getDownBias());
  SmallVector<plan::TensorOp> wanted;
  for (auto [wrt, result] : llvm::zip_equal(
           op.getWrt().getAsValueRange<StringAttr>(), op.getGradients())) {
    if (wrt == "input" || wrt == "weights")
      continue;
    if (failed(checkWeightGradient(op, wrt, result)))
      return failure();
    (wrt == "up_weight"     ? form.up
     : wrt == "down_weight" ? form.down
     : wrt == "up_bias"     ? form.upBias
                            : form.downBias) = true;
    wanted.push_back(addGradient(result, {}));
  }
  ExpertOrder order = addOrder(form.form, indices, weights);
  KernelCode kernel = library.lookupOrBuild(
      join("experts_grad", form.form.experts, form.form.slots, form.form.input,
           form.form.weights, form.form.result, form.mlp, form.depth, form.wide,
           form.hidden, form.width, form.hasUpBias, form.hasDownBias, form.up,
           form.down, form.upBias, form.downBias),
      [&](Frame &frame) { return buildExpertsGradKernel(frame, form); });
  Launch launch = plan.start(kernel);
  launch.inputs = {(*tensors)[0], (*tensors)[1], weights, order.firsts,
                   order.slots};
  llvm::append_range(launch.inputs, ArrayRef(*tensors).drop_front(4));
  MLIRContext *context = op.getContext();
  for (int64_t width : {form.depth, form.wide, form.hidden, form.hidden,
                        form.width, form.wide, form.depth, int64_t(1)}) {
    Shape shape = plan.getShape(indices);
    shape.push_back(makeSize(context, width));
    launch.outputs.push_back(plan.addTemporary(
        "experts.gradient", Float32Type::get(context), shape));
  }
  plan::TensorOp byRead = launch.outputs[6], byWeight = launch.outputs[7];
  llvm::append_range(launch.outputs, wanted);
  launch.items.inner = {makeSize(context, form.form.experts)};
  plan.addLaunch(launch);
  addRowGradients(op, form.form, order, byRead, byWeight, weights);
  return success();
}
