//===- KernelLaunches.cpp - launches of block.kernel ops ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelLaunches.h"

#include "LaunchParts.h"
#include "PlanSizes.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

using Shapes = llvm::DenseMap<Value, Shape>;

/// Returns the only attention of a kernel of that kind, or null.
static block::AttentionOpInterface findAttention(block::KernelOp kernel) {
  auto all = kernel.getBody().front().getOps<block::AttentionOpInterface>();
  return all.empty() ? block::AttentionOpInterface() : *all.begin();
}

LogicalResult KernelLaunches::addOperands(block::KernelOp kernel,
                                          const KernelInfo &info,
                                          Launch &launch) {
  for (auto [input, layout] :
       llvm::zip_equal(kernel.getInputs(), info.layouts)) {
    if (input.getType().isIndex()) {
      // Positions are those of operands; nothing is read here.
      launch.inputs.push_back(plan.getFirstTensor());
      continue;
    }
    FailureOr<plan::TensorOp> tensor =
        source.getTensor(kernel, input, layout ? &*layout : nullptr);
    if (failed(tensor))
      return failure();
    launch.inputs.push_back(*tensor);
  }
  return success();
}

/// Infers the shape of what a kernel computes: every step has the batch and
/// sequence of its first operand with rows.
static Shape inferShape(Value value, const Shapes &known) {
  if (auto argument = known.find(value); argument != known.end())
    return argument->second;
  Shape source;
  for (Value operand : value.getDefiningOp()->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (type && type.getRank() >= 2) {
      source = inferShape(operand, known);
      break;
    }
  }
  Shape shape;
  for (auto [dim, size] :
       llvm::enumerate(cast<RankedTensorType>(value.getType()).getShape()))
    shape.push_back(ShapedType::isDynamic(size)
                        ? source[dim]
                        : makeSize(value.getContext(), size));
  return shape;
}

LogicalResult KernelLaunches::addResults(block::KernelOp kernel, StringRef name,
                                         Launch &launch, Shapes &shapes) {
  Block &body = kernel.getBody().front();
  for (auto [input, argument] :
       llvm::zip_equal(kernel.getInputs(), body.getArguments())) {
    Shape &shape = shapes[argument];
    if (auto type = dyn_cast<RankedTensorType>(input.getType()))
      for (unsigned dim = 0; dim < type.getRank(); ++dim)
        shape.push_back(plan.getExtent(input, dim));
  }
  for (auto [result, yielded] : llvm::zip_equal(
           kernel.getResults(), body.getTerminator()->getOperands())) {
    FailureOr<Type> element = getStoredType(kernel, result.getType());
    if (failed(element))
      return failure();
    launch.outputs.push_back(
        plan.addTensor(plan::TensorKind::Temporary,
                       name + "#" + Twine(plan.countLaunches()) + "." +
                           Twine(result.getResultNumber()),
                       *element, inferShape(yielded, shapes)));
    plan.assign(result, launch.outputs.back());
  }
  return success();
}

/// Batch and rows of a kernel's result. Functions of each element may have any
/// rank, and look at neither.
static std::pair<OpFoldResult, OpFoldResult>
getBatchAndRows(MLIRContext *context, ArrayRef<OpFoldResult> result) {
  if (result.size() == 3)
    return {result[0], result[1]};
  return {makeSize(context, 1), makeSize(context, 1)};
}

void KernelLaunches::setSizes(block::KernelOp kernel, const KernelInfo &info,
                              const Shapes &shapes, Launch &launch) {
  Shape result = plan.getShape(launch.outputs.front());
  auto [batch, rows] = getBatchAndRows(kernel.getContext(), result);
  OpFoldResult keys = makeSize(kernel.getContext(), 0), past = keys;
  block::AttentionOpInterface sdpa = findAttention(kernel);
  if (sdpa) {
    keys = shapes.lookup(sdpa.getKey())[1];
    if (sdpa.getPastKey())
      past = shapes.lookup(sdpa.getPastKey())[1];
    if (sdpa.getPages()) {
      keys = shapes.lookup(sdpa.getPages())[1];
      past = shapes.lookup(sdpa.getKey())[0];
    }
  }
  launch.dims = {batch, rows, keys, past};
  if (sdpa)
    for (Value operand : {sdpa.getCuSeqlens(), sdpa.getScoreBias()})
      if (operand)
        launch.dims.append(shapes.lookup(operand));
  launch.items.block = info.code.block;
  if (info.items == KernelInfo::PerQueryBlock) {
    launch.items.outer = {batch};
    launch.items.inner = {rows};
  } else {
    llvm::append_range(launch.items.inner, llvm::drop_end(result));
  }
}

/// Checks that tables of a rotation that open sizes hide are those of all batch
/// rows.
static LogicalResult checkTables(block::KernelOp kernel, const Shapes &shapes) {
  for (auto op : kernel.getBody().front().getOps<block::RotateOp>())
    for (Value table : {op.getCosines(), op.getSines()}) {
      if (cast<RankedTensorType>(table.getType()).getDimSize(0) != 1 &&
          !isEqualConstantIntOrValue(shapes.lookup(table)[0],
                                     inferShape(op.getInput(), shapes)[0]))
        return op.emitError("no CPU code for tables of a rotation whose batch "
                            "is open and may differ from that of its input");
    }
  return success();
}

LogicalResult KernelLaunches::addIndices(block::KernelOp kernel,
                                         Launch &launch) {
  for (Value input : kernel.getInputs()) {
    if (!input.getType().isIndex())
      continue;
    FailureOr<OpFoldResult> size = findSize(plan, input);
    if (failed(size))
      return kernel.emitError("no CPU code for an operand that is no size of "
                              "an argument");
    launch.dims.push_back(*size);
  }
  return success();
}

LogicalResult KernelLaunches::add(block::KernelOp kernel) {
  FailureOr<const KernelInfo *> info = library.lookupOrBuild(kernel);
  if (failed(info))
    return failure();
  const KernelCode &code = (*info)->code;
  Launch launch = plan.start(code);
  launch.grain = (*info)->grain;
  Shapes shapes;
  if (failed(addOperands(kernel, **info, launch)) ||
      failed(addResults(kernel, code.name, launch, shapes)) ||
      failed(checkTables(kernel, shapes)))
    return failure();
  setSizes(kernel, **info, shapes, launch);
  if (failed(addIndices(kernel, launch)))
    return failure();
  launch.parts = partKernel(plan, kernel, launch);
  plan.addLaunch(launch);
  return success();
}
