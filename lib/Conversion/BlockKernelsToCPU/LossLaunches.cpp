//===- LossLaunches.cpp - adds the launches of a loss ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LossLaunches.h"

#include "ColumnSumsKernel.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Conversion/PackWeights/WeightKernel.h"
#include "parablock/Dialect/Block/RowInterface.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// The facts that all launches of a loss share.
struct LossLaunches::Loss {
  Operation *op;
  LossForm form;
  Value weight;
  Tensor input, targets, bias, divisor;
  /// Sizes of the targets, and the number of chunks.
  Shape sizes;
  int64_t chunks;
  /// The part of names that kernels of one form share.
  std::string name;

  /// `tensors` and, if there is one, the divisor.
  Tensors withDivisor(Tensors tensors) const {
    if (divisor)
      tensors.push_back(divisor);
    return tensors;
  }
};

static Type getType(Value value) { return getElementTypeOrSelf(value); }

/// The rows of a loss, if that is known.
static std::optional<int64_t> countRows(ArrayRef<OpFoldResult> sizes) {
  int64_t rows = 1;
  for (OpFoldResult size : sizes) {
    std::optional<int64_t> number = getConstantIntValue(size);
    if (!number)
      return std::nullopt;
    rows *= *number;
  }
  return rows;
}

template <typename OpT>
FailureOr<LossLaunches::Loss> LossLaunches::open(OpT op) {
  auto refuse = [&] {
    return op.emitError() << "no CPU code for '" << op->getName() << "' ";
  };
  for (Value operand : {op.getInput(), op.getWeight(), op.getBias()})
    if (operand && !getType(operand).isF32() && !getType(operand).isBF16() &&
        !getType(operand).isF16())
      return refuse() << "of a tensor of type " << operand.getType()
                      << ": expected f32, bf16 or f16";
  auto weightType = cast<RankedTensorType>(op.getWeight().getType());
  if (!weightType.hasStaticShape() || !isWeightType(weightType))
    return refuse() << "with a weight of type " << weightType;
  auto get = [&](Value value) -> FailureOr<Tensor> {
    return value ? source.getTensor(op, value) : Tensor();
  };
  FailureOr<Tensor> input = get(op.getInput()), targets = get(op.getTargets()),
                    bias = get(op.getBias()), divisor = get(op.getDivisor());
  if (failed(input) || failed(targets) || failed(bias) || failed(divisor))
    return failure();
  Shape sizes = plan.getShape(*targets);
  std::optional<int64_t> rows = countRows(sizes);
  if (!rows)
    return refuse() << "over an open number of rows";
  LossForm form(library.getTarget(), getType(op.getInput()),
                weightType.getElementType(), weightType.getDimSize(0),
                weightType.getDimSize(1));
  form.scale = op.getScale().convertToDouble();
  form.cap = op.getSoftcap() ? op.getSoftcap()->convertToDouble() : 0;
  form.ignored = static_cast<int64_t>(op.getIgnored());
  form.hasBias = static_cast<bool>(op.getBias());
  form.hasDivisor = static_cast<bool>(op.getDivisor());
  form.bias = form.hasBias ? getType(op.getBias()) : Type();
  int64_t chunkRows = form.getChunks().rows;
  std::string name;
  llvm::raw_string_ostream stream(name);
  stream << form.input << "_" << form.weight << "_" << form.vocabulary << "x"
         << form.width << "_" << form.ignored;
  if (form.scale != 1 || form.cap != 0)
    stream << llvm::formatv("_{0:x}_{1:x}",
                            llvm::bit_cast<uint64_t>(form.scale),
                            llvm::bit_cast<uint64_t>(form.cap));
  if (form.hasBias)
    stream << "_bias_" << form.bias;
  return Loss{op,       form,     op.getWeight(),
              *input,   *targets, *bias,
              *divisor, sizes,    (*rows + chunkRows - 1) / chunkRows,
              name};
}

void LossLaunches::addLaunch(const Loss &loss, StringRef name,
                             llvm::function_ref<KernelCode(Frame &)> build,
                             Tensors inputs, Tensors outputs, int64_t chunk) {
  KernelCode kernel =
      library.lookupOrBuild((name + "_" + loss.name).str(), build);
  Launch launch = plan.start(kernel);
  launch.inputs = std::move(inputs);
  launch.outputs = std::move(outputs);
  launch.dims.assign(loss.sizes.begin(), loss.sizes.end());
  launch.dims.push_back(makeSize(loss.op->getContext(), chunk));
  plan.addLaunch(launch);
}

/// The name of a number's type, where a kernel reads one.
static std::string nameType(StringRef name, Type type) {
  std::string result;
  llvm::raw_string_ostream(result) << name << "_" << type;
  return result;
}

FailureOr<plan::TensorOp>
LossLaunches::addFactor(const Loss &loss, block::CrossEntropyGradOp grad) {
  FailureOr<Tensor> gradient = source.getTensor(grad, grad.getGradient());
  if (failed(gradient))
    return failure();
  LossForm form = loss.form;
  form.number = getType(grad.getGradient());
  Type f32 = Float32Type::get(grad.getContext());
  Tensor factor =
      plan.addTemporary("loss_factor", f32, {makeSize(grad.getContext(), 1)});
  addLaunch(
      loss,
      nameType(form.hasDivisor ? "loss_share" : "loss_factor", form.number),
      [&](Frame &frame) { return buildLossFactorKernel(frame, form); },
      loss.withDivisor({loss.targets, *gradient}), {factor}, 0);
  return factor;
}

void LossLaunches::addSum(const Loss &loss, Tensor losses, Value result) {
  LossForm form = loss.form;
  form.number = getType(result);
  Tensor sum = plan.addTemporary("loss", form.number, {});
  addLaunch(
      loss,
      nameType(form.hasDivisor ? "loss_sum_over" : "loss_sum", form.number),
      [&](Frame &frame) {
        return buildLossSumKernel(frame, form, form.number);
      },
      loss.withDivisor({losses, loss.targets}), {sum}, 0);
  plan.assign(result, sum);
}

/// The transposed weight, which is packed in one go with it.
static Value createTranspose(OpBuilder &builder, Value weight) {
  auto type = cast<RankedTensorType>(weight.getType());
  SmallVector<int64_t> shape = {type.getDimSize(1), type.getDimSize(0)};
  Location loc = weight.getLoc();
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, weight, empty,
                                     ArrayRef<int64_t>{1, 0})
      ->getResult(0);
}

FailureOr<LossLaunches::Gradients>
LossLaunches::findGradients(const Loss &loss, block::CrossEntropyGradOp grad) {
  Gradients found;
  if (!grad)
    return found;
  FailureOr<Tensor> factor = addFactor(loss, grad);
  if (failed(factor))
    return failure();
  found.factor = *factor;
  for (auto [wrt, result] : llvm::zip_equal(
           grad.getWrt().getAsValueRange<StringAttr>(), grad.getGradients())) {
    Type type = getType(result);
    if (wrt != "input" && !type.isF32())
      return grad.emitError() << "no CPU code for '" << grad->getName()
                              << "' with a result of type " << result.getType()
                              << ": expected f32";
    Shape shape;
    for (auto [dim, size] :
         llvm::enumerate(cast<RankedTensorType>(result.getType()).getShape()))
      shape.push_back(wrt == "input" ? plan.getShape(loss.input)[dim]
                                     : makeSize(grad.getContext(), size));
    Tensor tensor = plan.addTemporary("loss_grad", type, shape);
    (wrt == "input"    ? found.byInput
     : wrt == "weight" ? found.byWeight
                       : found.byBias) = tensor;
    plan.assign(result, tensor);
  }
  if (!found.byInput)
    return found;
  PanelLayout layout = loss.form.getLayout(/*isTransposed=*/true);
  OpBuilder builder(loss.op);
  Value turned = createTranspose(builder, loss.weight);
  FailureOr<Tensor> packed = source.getTensor(loss.op, turned, &layout);
  if (failed(packed))
    return failure();
  found.transposed = *packed;
  return found;
}

void LossLaunches::addGradients(const Loss &loss, const Gradients &gradients,
                                Tensor chunk, int64_t number) {
  const LossForm &form = loss.form;
  OpBuilder builder(loss.op);
  Type f32 = builder.getF32Type(), type = form.getGradientType(builder);
  RowChunks chunks = form.getChunks();
  if (Tensor byInput = gradients.byInput)
    addLaunch(
        loss, nameType("loss_input_grad", byInput.getElementType()),
        [&](Frame &frame) {
          return buildInputGradKernel(frame, form, byInput.getElementType());
        },
        {chunk, gradients.transposed}, {byInput}, number);
  if (gradients.byWeight)
    addLaunch(
        loss, "loss_weight_grad",
        [&](Frame &frame) {
          return buildWeightGradKernel(frame, {{form.vocabulary}, type},
                                       {{form.width}, form.input}, f32, chunks);
        },
        {chunk, loss.input}, {gradients.byWeight}, number);
  if (gradients.byBias)
    addLaunch(
        loss, "loss_bias_grad",
        [&](Frame &frame) {
          return buildColumnSumsKernel(
              frame, {form.vocabulary, type, {}, f32, chunks});
        },
        {chunk}, {gradients.byBias}, number);
}

FailureOr<plan::TensorOp>
LossLaunches::addChunks(const Loss &loss, block::CrossEntropyGradOp grad) {
  const LossForm &form = loss.form;
  MLIRContext *context = loss.op->getContext();
  Type f32 = Float32Type::get(context);
  PanelLayout layout = form.getLayout(/*isTransposed=*/false);
  FailureOr<Tensor> weight = source.getTensor(loss.op, loss.weight, &layout);
  if (failed(weight))
    return failure();
  FailureOr<Gradients> gradients = findGradients(loss, grad);
  if (failed(gradients))
    return failure();
  Tensor losses = plan.addTemporary("losses", f32, loss.sizes);
  Tensors read = {loss.targets};
  for (Tensor tensor : {loss.bias, gradients->factor})
    if (tensor)
      read.push_back(tensor);
  for (int64_t number = 0; number < loss.chunks; ++number) {
    Tensor chunk = plan.addTemporary("logits", f32,
                                     {makeSize(context, form.getChunks().rows),
                                      makeSize(context, form.getColumns())});
    addLaunch(
        loss, "loss_logits",
        [&](Frame &frame) { return buildLogitsKernel(frame, form); },
        {loss.input, *weight}, {chunk}, number);
    addLaunch(
        loss, grad ? "loss_rows_grad" : "loss_rows",
        [&](Frame &frame) {
          return buildLossRowsKernel(frame, form, static_cast<bool>(grad));
        },
        read, {chunk, losses}, number);
    addGradients(loss, *gradients, chunk, number);
  }
  return losses;
}

//===----------------------------------------------------------------------===//
// By op
//===----------------------------------------------------------------------===//

/// The gradients of `loss`, if they can be made where it is.
static block::CrossEntropyGradOp findGrad(block::CrossEntropyOp loss) {
  for (Operation *user : loss.getInput().getUsers()) {
    auto grad = dyn_cast<block::CrossEntropyGradOp>(user);
    if (!grad || grad->getBlock() != loss->getBlock() ||
        grad.getInput() != loss.getInput() ||
        grad.getWeight() != loss.getWeight() ||
        grad.getTargets() != loss.getTargets() ||
        grad.getBias() != loss.getBias() ||
        grad.getDivisor() != loss.getDivisor() ||
        grad.getScale() != loss.getScale() ||
        grad.getSoftcap() != loss.getSoftcap() ||
        grad.getIgnored() != loss.getIgnored())
      continue;
    Value gradient = grad.getGradient();
    Operation *producer = gradient.getDefiningOp();
    if (!producer || isa<arith::ConstantOp>(producer))
      return grad;
  }
  return {};
}

LogicalResult LossLaunches::add(block::CrossEntropyOp op) {
  FailureOr<Loss> loss = open(op);
  if (failed(loss))
    return failure();
  FailureOr<Tensor> losses = addChunks(*loss, findGrad(op));
  if (failed(losses))
    return failure();
  addSum(*loss, *losses, op.getResult());
  return success();
}

LogicalResult LossLaunches::add(block::CrossEntropyGradOp op) {
  if (op->getNumResults() == 0 || plan.lookup(op->getResult(0)))
    return success();
  FailureOr<Loss> loss = open(op);
  if (failed(loss))
    return failure();
  return addChunks(*loss, op);
}
