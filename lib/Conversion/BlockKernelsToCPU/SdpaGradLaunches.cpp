//===- SdpaGradLaunches.cpp - launches of attention's gradients -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaGradLaunches.h"

#include "LaunchParts.h"
#include "PlanSizes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Analysis/SdpaLimits.h"
#include "parablock/Dialect/Block/RowInterface.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

namespace {
/// How a result comes from what a launch leaves.
struct ResultForm {
  GradTensor result, sums;
  /// The operand that the result is a gradient by.
  Value operand;
  GradSum::Kind kind;
};
} // namespace

/// An op and what its launches read.
struct SdpaGradLaunches::Attention {
  block::SdpaGradOp op;
  block::KernelOp kernel;
  Tensors inputs;
  Shape dims, bias;
  OpFoldResult batch, past, keys;
};

//===----------------------------------------------------------------------===//
// The op as a kernel
//===----------------------------------------------------------------------===//

/// Returns a kernel of `op`: equal kernels share code.
static block::KernelOp wrapInKernel(block::SdpaGradOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto kernel =
      block::KernelOp::create(builder, loc, op.getResultTypes(),
                              op.getOperands(), block::KernelKind::Sdpa);
  Block &body = kernel.getBody().emplaceBlock();
  IRMapping inside;
  SmallVector<Value> arguments;
  for (Value operand : op.getOperands())
    arguments.push_back(body.addArgument(operand.getType(), loc));
  OpBuilder inner = OpBuilder::atBlockEnd(&body);
  Operation *grad = inner.clone(*op);
  grad->setOperands(arguments);
  block::YieldOp::create(inner, loc, grad->getResults());
  return kernel;
}

static LogicalResult checkSdpaGrad(block::SdpaGradOp op) {
  for (Value operand : op.getOperands()) {
    Type type = getElementTypeOrSelf(operand.getType());
    if (!type.isF32() && !type.isBF16() && !type.isF16() && !type.isInteger(64))
      return op.emitError()
             << "no CPU code for '" << op->getName() << "' of a tensor of type "
             << operand.getType() << ": expected f32, bf16, f16 or i64";
  }
  return checkSdpaLimits(op, "CPU");
}

//===----------------------------------------------------------------------===//
// Launches over heads
//===----------------------------------------------------------------------===//

/// Returns the operand that a result is the gradient by.
static Value getOperand(block::SdpaGradOp op, GradTensor what) {
  switch (what) {
  case GradTensor::Query:
    return op.getQuery();
  case GradTensor::Key:
    return op.getKey();
  case GradTensor::PastKey:
    return op.getPastKey();
  case GradTensor::PastValue:
    return op.getPastValue();
  default:
    return op.getValue();
  }
}

plan::TensorOp SdpaGradLaunches::makeTensor(const Attention &of,
                                            const GradTensorInfo &info,
                                            const Twine &name,
                                            GradLaunch launch) {
  block::SdpaGradOp op = of.op;
  Type type = Float32Type::get(op.getContext());
  Shape shape;
  if (info.isResult) {
    Value operand = getOperand(op, info.what);
    type = getElementTypeOrSelf(operand.getType());
    shape = plan.getShape(
        of.inputs[llvm::find(op->getOperands(), operand).getIndex()]);
  } else if (info.what == GradTensor::BiasSums) {
    shape = of.bias;
  } else {
    auto number = [&](int64_t size) { return makeSize(op.getContext(), size); };
    if (launch == GradLaunch::Bias)
      shape = {of.bias[0], of.bias[1]};
    else
      shape = {of.batch, number(static_cast<int64_t>(op.getHeads()))};
    if (info.isPerKey)
      shape.push_back(makeSum(plan, of.past, of.keys));
    shape.push_back(number(info.size));
  }
  return plan.addTensor(plan::TensorKind::Temporary, name, type, shape);
}

FailureOr<DenseMap<GradTensor, plan::TensorOp>>
SdpaGradLaunches::addLaunch(const Attention &of, GradLaunch launch) {
  bool isBias = launch == GradLaunch::Bias;
  FailureOr<KernelCode> code = kernels[isBias].lookupOrBuild(
      of.kernel, [&](block::KernelOp kernel) -> FailureOr<KernelCode> {
        return library.lookupOrBuild(
            names.make(isBias ? "score_bias_grad" : "sdpa_grad"),
            [&](Frame &frame) {
              return buildSdpaGradKernel(frame, kernel, launch);
            });
      });
  if (failed(code))
    return failure();
  Launch made = plan.start(*code);
  made.inputs = of.inputs;
  made.dims = of.dims;
  made.items.outer = isBias ? Shape{of.bias[0], of.bias[1]} : Shape{of.batch};
  DenseMap<GradTensor, Tensor> tensors;
  for (const GradTensorInfo &info :
       listGradTensors(of.op, launch, library.getTarget())) {
    std::string name = llvm::formatv("{0}#{1}.{2}", code->name,
                                     plan.countLaunches(), made.outputs.size());
    made.outputs.push_back(makeTensor(of, info, name, launch));
    tensors[info.what] = made.outputs.back();
  }
  if (!isBias)
    made.parts = partAttention(plan, of.op, made);
  plan.addLaunch(made);
  return tensors;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static ResultForm getForm(block::SdpaGradOp op, StringRef name) {
  auto ofGain = [](Value gain) {
    return gain && cast<ShapedType>(gain.getType()).getDimSize(0) == 1
               ? GradSum::OfAll
               : GradSum::OfBatch;
  };
  using Form = ResultForm;
  // Of results that are no sums, `result` is all that counts.
  return llvm::StringSwitch<Form>(name)
      .Case("query", Form{GradTensor::Query, GradTensor::Query, op.getQuery(),
                          GradSum::OfNone})
      .Case("key", Form{GradTensor::Key, GradTensor::KeySums, op.getKey(),
                        GradSum::OfGroups})
      .Case("value", Form{GradTensor::Value, GradTensor::ValueSums,
                          op.getValue(), GradSum::OfGroups})
      .Case("past_key", Form{GradTensor::PastKey, GradTensor::KeySums,
                             op.getPastKey(), GradSum::OfGroups})
      .Case("past_value", Form{GradTensor::PastValue, GradTensor::ValueSums,
                               op.getPastValue(), GradSum::OfGroups})
      .Case("relative_table",
            Form{GradTensor::RelativeSums, GradTensor::RelativeSums,
                 op.getRelativeTable(), GradSum::OfBatch})
      .Case("shaw_key", Form{GradTensor::ShawKeySums, GradTensor::ShawKeySums,
                             op.getShawKey(), GradSum::OfAll})
      .Case("shaw_value",
            Form{GradTensor::ShawValueSums, GradTensor::ShawValueSums,
                 op.getShawValue(), GradSum::OfAll})
      .Case("alpha", Form{GradTensor::AlphaSums, GradTensor::AlphaSums,
                          op.getAlpha(), ofGain(op.getAlpha())})
      .Case("beta", Form{GradTensor::BetaSums, GradTensor::BetaSums,
                         op.getBeta(), ofGain(op.getBeta())})
      .Case("gamma", Form{GradTensor::GammaSums, GradTensor::GammaSums,
                          op.getGamma(), ofGain(op.getGamma())})
      .Case("sinks", Form{GradTensor::SinkSums, GradTensor::SinkSums,
                          op.getSinks(), ofGain(op.getSinks())})
      .Case("score_bias", Form{GradTensor::BiasSums, GradTensor::BiasSums,
                               op.getScoreBias(), GradSum::OfNone});
}

LogicalResult
SdpaGradLaunches::addResult(const Attention &of, StringRef name, Value result,
                            const DenseMap<GradTensor, Tensor> &made) {
  block::SdpaGradOp op = of.op;
  ResultForm form = getForm(op, name);
  Type type = getElementTypeOrSelf(result.getType());
  bool isReady = form.kind == GradSum::OfNone && type.isF32();
  if (Tensor own = made.lookup(form.result);
      own && (isReady || form.result == GradTensor::Query ||
              form.kind == GradSum::OfGroups)) {
    plan.assign(result, own);
    return success();
  }
  Tensor sums = made.lookup(form.sums);
  GradSum sum = {form.kind,
                 static_cast<int64_t>(op.getHeads()),
                 static_cast<int64_t>(op.getKvHeads()),
                 1,
                 1,
                 type};
  int64_t lanes = library.getTarget().getLanes();
  Launch launch;
  OpFoldResult rows = makeSize(op.getContext(), 1);
  Shape shape = plan.getShape(
      of.inputs[llvm::find(op->getOperands(), form.operand).getIndex()]);
  switch (form.kind) {
  case GradSum::OfGroups:
    rows = shape[1];
    sum.isPart = op.getPastKey() != nullptr;
    sum.width = getRowWidth(form.operand) / sum.keyHeads;
    sum.padded = llvm::alignTo(sum.width, lanes);
    launch.items.factor = sum.keyHeads;
    launch.items.outer = {of.batch, rows};
    if (sum.isPart)
      break;
    launch.parts.rows = {0, 1};
    launch.parts.bySequence = true;
    break;
  case GradSum::OfBatch:
    if (shape.size() == 2)
      rows = shape.front();
    launch.items.factor = sum.heads;
    launch.items.outer = {rows};
    break;
  case GradSum::OfAll:
    if (shape.size() == 2) {
      rows = shape.front();
      sum.width = getRowWidth(form.operand);
      sum.padded = llvm::alignTo(sum.width, lanes);
    }
    launch.items.outer = {rows};
    break;
  case GradSum::OfNone:
    launch.items.outer = shape;
    break;
  }
  std::string text;
  llvm::raw_string_ostream(text) << type;
  KernelCode kernel = library.lookupOrBuild(
      llvm::formatv("sdpa_grad_sum_{0}_{1}_{2}_{3}_{4}_{5}{6}",
                    static_cast<int>(sum.kind), sum.heads, sum.keyHeads,
                    sum.width, sum.padded, text, sum.isPart ? "_part" : "")
          .str(),
      [&](Frame &frame) { return buildGradSumKernel(frame, sum); });
  launch.kernel = plan.getKernel(kernel.name);
  launch.scratchBytes = kernel.scratchBytes;
  launch.inputs = {sums};
  launch.dims = {of.batch, rows};
  if (sum.isPart)
    launch.dims.append(
        {makeSum(plan, of.past, of.keys),
         name.starts_with("past_") ? makeSize(op.getContext(), 0) : of.past});
  constexpr int64_t grainElements = 4096;
  launch.grain = std::max<int64_t>(1, grainElements / sum.width);
  plan.addLaunchOf(result, kernel.name, shape, std::move(launch));
  return success();
}

LogicalResult SdpaGradLaunches::add(block::SdpaGradOp op) {
  Attention of;
  of.op = op;
  if (failed(checkSdpaGrad(op)))
    return failure();
  of.kernel = wrapInKernel(op);
  auto inputs = source.getTensors(op, op.getOperands());
  if (failed(inputs))
    return failure();
  of.inputs = *inputs;
  auto getShape = [&](Value operand) {
    return plan.getShape(
        of.inputs[llvm::find(op->getOperands(), operand).getIndex()]);
  };
  Shape queries = getShape(op.getQuery()), keys = getShape(op.getKey());
  of.batch = queries[0];
  of.keys = keys[1];
  of.past = op.getPastKey() ? getShape(op.getPastKey())[1]
                            : makeSize(op.getContext(), 0);
  of.dims = {queries[0], queries[1], keys[1], of.past};
  if (op.getCuSeqlens())
    of.dims.append(getShape(op.getCuSeqlens()));
  if (op.getScoreBias()) {
    of.bias = getShape(op.getScoreBias());
    of.dims.append(of.bias);
  }
  DenseMap<GradTensor, Tensor> made;
  bool wantsBias = wantsGradient(op, "score_bias");
  for (GradLaunch launch : {GradLaunch::Heads, GradLaunch::Bias}) {
    if (launch == GradLaunch::Bias ? !wantsBias
                                   : wantsBias && op.getWrt().size() == 1)
      continue;
    FailureOr<DenseMap<GradTensor, Tensor>> tensors = addLaunch(of, launch);
    if (failed(tensors))
      return failure();
    for (auto [what, tensor] : *tensors)
      made.try_emplace(what, tensor);
  }
  for (auto [name, result] : llvm::zip_equal(
           op.getWrt().getAsValueRange<StringAttr>(), op.getGradients()))
    if (failed(addResult(of, name, result, made)))
      return failure();
  return success();
}
