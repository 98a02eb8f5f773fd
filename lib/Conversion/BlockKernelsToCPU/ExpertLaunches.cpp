//===- ExpertLaunches.cpp - adds the launches of routers and experts ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExpertLaunches.h"

#include "RouteKernel.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Conversion/PackWeights/WeightKernel.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Dialect/Block/SinkCodes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

//===----------------------------------------------------------------------===//
// Routers
//===----------------------------------------------------------------------===//

LogicalResult ExpertLaunches::add(block::RouteOp op) {
  auto tensors = source.getTensors(op, op->getOperands());
  if (failed(tensors))
    return failure();
  std::string name = join("route", op.getLogits().getType(), op.getForm(),
                          op.getWeights().getType());
  for (Value vector : {op.getCorrection(), op.getExpertScale()})
    name = join(name, vector ? getElementTypeOrSelf(vector) : Type());
  KernelCode kernel = library.lookupOrBuild(
      name, [&](Frame &frame) { return buildRouteKernel(frame, op); });
  Shape shape = plan.getShape(tensors->front());
  shape[2] = makeSize(op.getContext(), op.getForm().getChosen());
  Launch launch = plan.start(kernel);
  launch.inputs = *tensors;
  for (Value result : op.getResults()) {
    launch.outputs.push_back(
        plan.addTemporary("route", getElementTypeOrSelf(result), shape));
    plan.assign(result, launch.outputs.back());
  }
  launch.items.inner = {shape[0], shape[1]};
  plan.addLaunch(launch);
  KernelCode check = library.lookupOrBuild(
      join("route_check", block::getDim(op.getLogits(), -1),
           op.getForm().getChosen()),
      [&](Frame &frame) { return buildRouteCheckKernel(frame, op); });
  plan::TensorOp indices = launch.outputs.front();
  addReport(plan.start(check), indices, shape);
  return success();
}

void ExpertLaunches::addReport(Launch launch, plan::TensorOp checked,
                               const Shape &shape) {
  launch.inputs.insert(launch.inputs.begin(), checked);
  launch.outputs.push_back(
      plan.addTemporary("fault", IntegerType::get(checked->getContext(), 64),
                        {makeSize(checked->getContext(), 5)}));
  launch.reports = true;
  launch.dims = {shape[0], shape[1]};
  launch.items.inner = {makeSize(checked->getContext(), 1)};
  plan.addLaunch(launch);
}

//===----------------------------------------------------------------------===//
// Experts
//===----------------------------------------------------------------------===//

/// Threads take half of their share of the remaining items at a time: with as
/// many for each expert, a part has a block of rows more or less.
static constexpr int64_t kItemsOfExpert = 4;

/// An op and what its launches share.
struct ExpertLaunches::Mixture {
  block::ExpertsOp op;
  ExpertForm form;
  ExpertProduct up, down;
  plan::TensorOp input, indices, weights;
  ExpertOrder order;
  plan::TensorOp products;
  /// Batch, sequence and slots of a row.
  Shape shape;
  std::string name;

  Value getStack(bool isUp) {
    return isUp ? op.getUpWeight() : op.getDownWeight();
  }
  Value getBias(bool isUp) { return isUp ? op.getUpBias() : op.getDownBias(); }
  /// Columns of the stack's projection.
  int64_t getColumns(bool isUp) {
    return block::getDim(getStack(isUp), op.getForm().getTransposed() ? 2 : 1);
  }
  int64_t getDepth(bool isUp) {
    return block::getDim(getStack(isUp), op.getForm().getTransposed() ? 1 : 2);
  }
};

/// Returns the op that unpacks a stack's codes; null if it has numbers.
static block::UnpackWeightOp findCodes(block::ExpertsOp op, Value stack) {
  return block::findStackCodes(stack, op.getForm().getTransposed());
}

/// Moves dimensions of a static tensor.
static Value transpose(OpBuilder &builder, Location loc, Value value,
                       ArrayRef<int64_t> order) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : order)
    shape.push_back(type.getDimSize(dim));
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, value, empty, order)
      ->getResult(0);
}

/// Separates gate and up, which alternate in dimension 1 of `value`.
static Value deinterleave(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape()), order;
  shape[1] /= 2;
  shape.insert(shape.begin() + 2, 2);
  SmallVector<ReassociationIndices> groups = {{0}, {1, 2}};
  if (type.getRank() == 3)
    groups.push_back({3});
  value = tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value,
                                        groups);
  order = {0, 2, 1};
  if (type.getRank() == 3)
    order.push_back(3);
  value = transpose(builder, loc, value, order);
  return tensor::CollapseShapeOp::create(builder, loc, type, value, groups);
}

/// Divides the rows of all experts' matrices among these.
static Value expandRows(OpBuilder &builder, Location loc, Value rows,
                        int64_t experts) {
  auto type = cast<RankedTensorType>(rows.getType());
  SmallVector<ReassociationIndices> groups = {{0, 1}, {2}};
  return tensor::ExpandShapeOp::create(
      builder, loc,
      type.clone({experts, type.getDimSize(0) / experts, type.getDimSize(1)}),
      rows, groups);
}

/// Returns the rows of [expert, row, column], one under the other, those of the
/// gate in front of those of up.
static Value joinRows(OpBuilder &builder, Location loc, Value stack,
                      bool alternate) {
  if (alternate)
    stack = deinterleave(builder, loc, stack);
  auto type = cast<RankedTensorType>(stack.getType());
  SmallVector<ReassociationIndices> groups = {{0, 1}, {2}};
  return tensor::CollapseShapeOp::create(
      builder, loc,
      type.clone({type.getDimSize(0) * type.getDimSize(1), type.getDimSize(2)}),
      stack, groups);
}

/// Returns the tensors of a stack's weight, with a row for each row of all
/// experts' matrices as [out, in]: numbers, or codes, scales and zero points.
static SmallVector<Value> stackRows(OpBuilder &builder, block::ExpertsOp op,
                                    Value stack, bool isUp) {
  Location loc = op.getLoc();
  bool alternate =
      isUp && op.getForm().getLayout() == block::ExpertLayout::Interleaved;
  if (block::UnpackWeightOp unpack = findCodes(op, stack)) {
    int64_t experts = block::getDim(stack, 0);
    SmallVector<Value> rows(unpack->getOperands());
    if (alternate)
      for (Value &each : rows)
        each = joinRows(builder, loc, expandRows(builder, loc, each, experts),
                        alternate);
    return rows;
  }
  if (op.getForm().getTransposed())
    stack = transpose(builder, loc, stack, {0, 2, 1});
  return {joinRows(builder, loc, stack, alternate)};
}

/// Builds the hidden value of an expert from the product by up.
static Value buildHidden(OpBuilder &builder, block::ExpertsOp op,
                         Value product) {
  Location loc = op.getLoc();
  block::ExpertsAttr form = op.getForm();
  auto kind = block::ActivationAttr::get(op.getContext(), form.getActivation());
  FloatAttr limit = form.getLimit();
  if (!form.hasGate()) {
    if (limit)
      product = block::ClampOp::create(builder, loc, product.getType(), product,
                                       limit);
    return block::ActivationOp::create(builder, loc, product.getType(), product,
                                       kind);
  }
  auto type = cast<RankedTensorType>(product.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() /= 2;
  Type half = type.clone(shape);
  auto split =
      block::SplitOp::create(builder, loc, TypeRange{half, half}, product);
  Value gate = split.getSegments()[0], up = split.getSegments()[1];
  if (!limit && form.getUpOffsetValue() == 0)
    return block::GateOp::create(builder, loc, half, gate, up, kind);
  // A bound that no number reaches, where only the offset is wanted.
  if (!limit)
    limit = builder.getF64FloatAttr(
        APFloat::getLargest(APFloat::IEEEsingle()).convertToFloat());
  return block::LimitedGateOp::create(
      builder, loc, half, gate, up, kind, limit,
      builder.getF64FloatAttr(form.getUpOffsetValue()));
}

/// Builds a kernel of one expert's projection, of any number of rows. Its
/// operands stand for tensors that are passed at run time.
static block::KernelOp buildKernel(OpBuilder &builder, block::ExpertsOp op,
                                   bool isUp, int64_t columns, int64_t depth,
                                   bool hasBias) {
  Location loc = op.getLoc();
  Type element = getElementTypeOrSelf(op.getInput());
  auto rowsOf = [&](int64_t width, Type type) {
    return RankedTensorType::get({1, ShapedType::kDynamic, width}, type);
  };
  auto weightType = RankedTensorType::get({columns, depth}, element);
  Value stack = isUp ? op.getUpWeight() : op.getDownWeight();
  block::UnpackWeightOp unpack = findCodes(op, stack);
  SmallVector<Type> types = {rowsOf(depth, element)};
  if (unpack)
    for (Value operand : unpack->getOperands())
      types.push_back(cast<RankedTensorType>(operand.getType())
                          .clone({columns, block::getDim(operand, 1)}));
  else
    types.push_back(weightType);
  if (hasBias)
    types.push_back(RankedTensorType::get({columns}, element));
  auto given =
      UnrealizedConversionCastOp::create(builder, loc, types, ValueRange());
  int64_t width = isUp && op.getForm().hasGate() ? columns / 2 : columns;
  Type result = rowsOf(width, isUp ? element : builder.getF32Type());
  auto kernel =
      block::KernelOp::create(builder, loc, TypeRange{result},
                              given.getResults(), block::KernelKind::Linear);
  Block &body = kernel.getBody().emplaceBlock();
  SmallVector<Value> arguments;
  for (Type type : types)
    arguments.push_back(body.addArgument(type, loc));
  OpBuilder inner = OpBuilder::atBlockEnd(&body);
  Value weight = arguments[1];
  if (unpack)
    weight = block::UnpackWeightOp::create(
        inner, loc, weightType, weight, arguments[2],
        unpack.getZeros() ? arguments[3] : Value(), unpack.getForm(),
        unpack.getGroup());
  Value value = block::LinearOp::create(
      inner, loc, isUp ? rowsOf(columns, element) : result, arguments[0],
      weight, hasBias ? arguments.back() : Value());
  if (isUp)
    value = buildHidden(inner, op, value);
  block::YieldOp::create(inner, loc, value);
  return kernel;
}

FailureOr<ExpertProduct> ExpertLaunches::getProduct(const Mixture &mixture,
                                                    bool isUp) {
  Mixture own = mixture;
  int64_t columns = own.getColumns(isUp), depth = own.getDepth(isUp);
  bool hasBias = static_cast<bool>(own.getBias(isUp));
  std::string name =
      join(isUp ? "expert_up" : "expert_down", own.form.input, columns, depth,
           hasBias, isUp ? Attribute(own.op.getForm()) : Attribute());
  block::UnpackWeightOp unpack = findCodes(own.op, own.getStack(isUp));
  if (unpack) {
    name = join(name, block::stringifyCodeForm(unpack.getForm()),
                unpack.getGroup());
    for (Value operand : unpack->getOperands())
      name = join(name, getElementTypeOrSelf(operand));
  }
  auto [known, isNew] = products.try_emplace(name);
  if (!isNew)
    return known->second;
  OpBuilder builder(own.op);
  block::KernelOp kernel =
      buildKernel(builder, own.op, isUp, columns, depth, hasBias);
  FailureOr<KernelInfo> info = library.buildCallee(kernel, name);
  if (failed(info))
    return failure();
  int64_t width = block::getDim(kernel.getResult(0), -1);
  ExpertProduct &product = known->second;
  product.code = info->code;
  for (auto [operand, layout] :
       llvm::zip_equal(kernel.getInputs(), info->layouts))
    if (layout)
      product.weight.push_back({*layout, getElementTypeOrSelf(operand)});
  product.element = own.form.input;
  product.depth = depth;
  product.columns = columns;
  product.width = width;
  product.hasBias = hasBias;
  return known->second;
}

LogicalResult ExpertLaunches::addPacked(const Mixture &mixture, bool isUp,
                                        Launch &launch) {
  Mixture own = mixture;
  const ExpertProduct &product = isUp ? own.up : own.down;
  OpBuilder builder(own.op);
  SmallVector<Value> tensors =
      stackRows(builder, own.op, own.getStack(isUp), isUp);
  for (auto [tensor, packed] : llvm::zip_equal(tensors, product.weight)) {
    PanelLayout all = packed.layout;
    all.panels.clear();
    for (int64_t expert = 0; expert < own.form.experts; ++expert)
      for (PanelLayout::Panel panel : packed.layout.panels)
        all.panels.push_back(
            {panel.first + expert * product.columns, panel.count});
    FailureOr<plan::TensorOp> made = source.getTensor(own.op, tensor, &all);
    if (failed(made))
      return failure();
    launch.inputs.push_back(*made);
  }
  return success();
}

ExpertOrder ExpertLaunches::addOrder(const ExpertForm &form,
                                     plan::TensorOp indices,
                                     plan::TensorOp weights) {
  MLIRContext *context = indices->getContext();
  Type i64 = IntegerType::get(context, 64);
  KernelCode kernel = library.lookupOrBuild(
      join("expert_order", form.experts, form.slots, form.weights),
      [&](Frame &frame) { return buildOrderKernel(frame, form); });
  Shape shape = plan.getShape(indices);
  ExpertOrder order = {plan.addTemporary("experts.firsts", i64,
                                         {makeSize(context, form.experts + 1)}),
                       plan.addTemporary("experts.slots", i64, shape),
                       plan.addTemporary("experts.places", i64, shape)};
  Launch launch = plan.start(kernel);
  launch.inputs = {weights};
  launch.outputs = {order.firsts, order.slots, order.places};
  addReport(launch, indices, shape);
  return order;
}

LogicalResult ExpertLaunches::addExperts(Mixture &mixture) {
  MLIRContext *context = mixture.op.getContext();
  SmallVector<plan::TensorOp> biases;
  for (bool isUp : {true, false}) {
    Value bias = mixture.getBias(isUp);
    if (!bias)
      continue;
    if (isUp &&
        mixture.op.getForm().getLayout() == block::ExpertLayout::Interleaved) {
      OpBuilder builder(mixture.op);
      bias = deinterleave(builder, mixture.op.getLoc(), bias);
    }
    FailureOr<plan::TensorOp> tensor = source.getTensor(mixture.op, bias);
    if (failed(tensor))
      return failure();
    biases.push_back(*tensor);
  }
  int64_t items = kItemsOfExpert * mixture.form.experts;
  KernelCode kernel = library.lookupOrBuild(
      join("experts", mixture.form.experts, mixture.form.slots,
           mixture.form.weighsInput, mixture.form.weights, mixture.up.code.name,
           mixture.down.code.name),
      [&](Frame &frame) {
        return buildExpertsKernel(frame, mixture.form, items, mixture.up,
                                  mixture.down);
      });
  Shape shape = mixture.shape;
  shape.push_back(makeSize(context, mixture.down.width));
  Launch launch = plan.start(kernel);
  launch.inputs = {mixture.input, mixture.weights, mixture.order.firsts,
                   mixture.order.slots};
  for (bool isUp : {true, false})
    if (failed(addPacked(mixture, isUp, launch)))
      return failure();
  llvm::append_range(launch.inputs, biases);
  mixture.products =
      plan.addTemporary("experts.products", Float32Type::get(context), shape);
  launch.outputs = {mixture.products};
  launch.items.inner = {makeSize(context, items)};
  plan.addLaunch(launch);
  return success();
}

void ExpertLaunches::addCombine(const Mixture &mixture) {
  block::ExpertsOp op = mixture.op;
  int64_t width = mixture.down.width;
  KernelCode kernel = library.lookupOrBuild(
      join("expert_sums", mixture.form.slots, width, mixture.form.weighsInput,
           mixture.form.weights, mixture.form.result),
      [&](Frame &frame) {
        return buildCombineKernel(frame, mixture.form, width);
      });
  Launch launch = plan.start(kernel);
  launch.inputs = {mixture.products, mixture.order.places, mixture.weights};
  Shape shape = mixture.shape;
  shape[2] = makeSize(op->getContext(), width);
  launch.items.inner = {shape[0], shape[1]};
  plan.addLaunchOf(op.getResult(), kernel.name, shape, std::move(launch));
}

LogicalResult ExpertLaunches::add(block::ExpertsOp op) {
  if (failed(checkElements(op)))
    return failure();
  Type input = getElementTypeOrSelf(op.getInput());
  auto tensors = source.getTensors(
      op, ValueRange{op.getInput(), op.getIndices(), op.getWeights()});
  if (failed(tensors))
    return failure();
  Mixture mixture{};
  mixture.op = op;
  mixture.input = (*tensors)[0];
  mixture.indices = (*tensors)[1];
  mixture.weights = (*tensors)[2];
  mixture.form = {block::getDim(op.getUpWeight(), 0),
                  block::getDim(op.getIndices(), -1),
                  op.getForm().getWeigh() == block::Weigh::Input,
                  input,
                  getElementTypeOrSelf(op.getWeights()),
                  getElementTypeOrSelf(op.getResult())};
  mixture.shape = plan.getShape(mixture.indices);
  FailureOr<ExpertProduct> up = getProduct(mixture, true),
                           down = getProduct(mixture, false);
  if (failed(up) || failed(down))
    return failure();
  mixture.up = *up;
  mixture.down = *down;
  mixture.order = addOrder(mixture.form, mixture.indices, mixture.weights);
  if (failed(addExperts(mixture)))
    return failure();
  addCombine(mixture);
  return success();
}
