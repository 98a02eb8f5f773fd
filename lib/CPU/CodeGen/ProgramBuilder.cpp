//===- ProgramBuilder.cpp - the launches of a CPU program -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "RowsKernel.h"
#include "WeightKernel.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// The only sdpa of a kernel of that kind, or null.
static block::SdpaOp findSdpa(block::KernelOp kernel) {
  auto all = kernel.getBody().front().getOps<block::SdpaOp>();
  return all.empty() ? block::SdpaOp() : *all.begin();
}

LogicalResult ProgramBuilder::addOperands(block::KernelOp kernel,
                                          const KernelInfo &info,
                                          CpuLaunch &launch) {
  for (auto [input, layout] :
       llvm::zip_equal(kernel.getInputs(), info.layouts)) {
    if (input.getType().isIndex()) {
      // Positions are those of operands; nothing is read here.
      launch.tensors.push_back(0);
      continue;
    }
    FailureOr<unsigned> tensor =
        getTensor(kernel, input, layout ? &*layout : nullptr);
    if (failed(tensor))
      return failure();
    launch.tensors.push_back(*tensor);
  }
  return success();
}

LogicalResult ProgramBuilder::addResults(block::KernelOp kernel,
                                         CpuLaunch &launch,
                                         llvm::DenseMap<Value, Shape> &shapes) {
  Block &body = kernel.getBody().front();
  for (auto [input, argument] :
       llvm::zip_equal(kernel.getInputs(), body.getArguments())) {
    Shape &shape = shapes[argument];
    if (auto type = dyn_cast<RankedTensorType>(input.getType()))
      for (unsigned dim = 0; dim < type.getRank(); ++dim)
        shape.push_back(getExtent(input, dim));
  }
  for (auto [result, yielded] : llvm::zip_equal(
           kernel.getResults(), body.getTerminator()->getOperands())) {
    FailureOr<ElementType> type = getElementType(kernel, result.getType());
    if (failed(type))
      return failure();
    CpuTensor tensor;
    tensor.name = launch.kernel + "#" +
                  std::to_string(program.launches.size()) + "." +
                  std::to_string(result.getResultNumber());
    tensor.type = *type;
    tensor.shape = inferShape(yielded, shapes);
    launch.tensors.push_back(addTensor(std::move(tensor), result));
  }
  launch.numResults = kernel.getNumResults();
  return success();
}

/// Batch and rows of a kernel's result. Functions of each element may have any
/// rank, and look at neither.
static std::pair<Extent, Extent> getBatchAndRows(ArrayRef<Extent> result) {
  if (result.size() == 3)
    return {result[0], result[1]};
  return {Extent::fixed(1), Extent::fixed(1)};
}

void ProgramBuilder::setSizes(block::KernelOp kernel, const KernelInfo &info,
                              const llvm::DenseMap<Value, Shape> &shapes,
                              CpuLaunch &launch) {
  const Shape &result =
      program.tensors[tensorOf.lookup(kernel.getResult(0))].shape;
  auto [batch, rows] = getBatchAndRows(result);
  Extent keys = Extent::fixed(0), past = Extent::fixed(0);
  if (block::SdpaOp sdpa = findSdpa(kernel)) {
    keys = shapes.lookup(sdpa.getKey())[1];
    if (sdpa.getPastKey())
      past = shapes.lookup(sdpa.getPastKey())[1];
  }
  launch.dims = {batch, rows, keys, past};
  if (block::SdpaOp sdpa = findSdpa(kernel))
    for (Value operand : {sdpa.getCuSeqlens(), sdpa.getScoreBias()})
      if (operand)
        launch.dims.append(shapes.lookup(operand));
  launch.items.factor = info.code.factor;
  launch.items.block = info.code.block;
  if (info.items == KernelInfo::PerQueryBlock) {
    launch.items.outer = {batch};
    launch.items.inner = {rows};
  } else {
    llvm::append_range(launch.items.inner, llvm::drop_end(result));
  }
}

/// Tables of a rotation that open sizes hide are those of all batch rows.
LogicalResult
ProgramBuilder::checkTables(block::KernelOp kernel,
                            const llvm::DenseMap<Value, Shape> &shapes) {
  for (auto op : kernel.getBody().front().getOps<block::RotateOp>())
    for (Value table : {op.getCosines(), op.getSines()}) {
      if (cast<RankedTensorType>(table.getType()).getDimSize(0) != 1 &&
          !(shapes.lookup(table)[0] == inferShape(op.getInput(), shapes)[0]))
        return op.emitError("no CPU code for tables of a rotation whose batch "
                            "is open and may differ from that of its input");
    }
  return success();
}

LogicalResult ProgramBuilder::addLaunch(block::KernelOp kernel) {
  FailureOr<const KernelInfo *> info = library.lookupOrBuild(kernel);
  if (failed(info))
    return failure();
  CpuLaunch launch;
  launch.kernel = (*info)->code.name;
  launch.scratchBytes = (*info)->code.scratchBytes;
  launch.grain = (*info)->grain;
  llvm::DenseMap<Value, Shape> shapes;
  if (failed(addOperands(kernel, **info, launch)) ||
      failed(addResults(kernel, launch, shapes)) ||
      failed(checkTables(kernel, shapes)))
    return failure();
  setSizes(kernel, **info, shapes, launch);
  for (Value input : kernel.getInputs())
    if (input.getType().isIndex()) {
      FailureOr<Extent> size = getSize(input);
      if (failed(size))
        return kernel.emitError("no CPU code for an operand that is no size of "
                                "an argument");
      launch.dims.push_back(*size);
    }
  program.launches.push_back(std::move(launch));
  return success();
}

LogicalResult ProgramBuilder::addBody(Block &body) {
  for (Operation &op : body.without_terminator()) {
    if (auto kernel = dyn_cast<block::KernelOp>(op)) {
      // One without results is nothing that anybody would see.
      if (kernel.getNumResults() != 0 && failed(addLaunch(kernel)))
        return failure();
    } else if (auto layer = dyn_cast<block::LayerOp>(op)) {
      Block &inner = layer.getBody().front();
      if (failed(addBody(inner)))
        return failure();
      for (auto [result, yielded] : llvm::zip_equal(
               layer.getResults(), inner.getTerminator()->getOperands())) {
        FailureOr<unsigned> tensor = getTensor(layer, yielded);
        if (failed(tensor))
          return failure();
        tensorOf[result] = *tensor;
      }
    } else if (isRankStep(&op) && !(isLeftover(&op) && rank.count == 1)) {
      if (failed(addRankStep(&op)))
        return failure();
    } else if (isRemade(&op) || (isWeightWork(&op) && !followsLeftovers(&op))) {
      // Whoever reads it makes it.
    } else if (!isLeftover(&op)) {
      return op.emitError()
             << "no CPU code for '" << op.getName() << "' outside a kernel";
    } else if (failed(addLeftover(&op))) {
      return failure();
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Work on weights
//===----------------------------------------------------------------------===//

FailureOr<std::pair<CpuLaunch, bool>>
ProgramBuilder::makeWeightLaunch(Operation *user, Value value,
                                 const PanelLayout *layout) {
  KernelCode kernel = library.lookupOrBuild(value, layout);
  CpuLaunch launch;
  launch.kernel = kernel.name;
  launch.items.factor = kernel.factor;
  bool ofConstants = true;
  for (Value leaf : findLeaves(value)) {
    FailureOr<unsigned> tensor = getTensor(user, leaf);
    if (failed(tensor))
      return failure();
    ofConstants &= isConstant(leaf);
    launch.tensors.push_back(*tensor);
  }
  return std::make_pair(std::move(launch), ofConstants);
}

FailureOr<unsigned> ProgramBuilder::getTensor(Operation *user, Value value,
                                              const PanelLayout *layout) {
  if (failed(provide(user, value)))
    return failure();
  if (!layout)
    if (auto known = tensorOf.find(value); known != tensorOf.end())
      return known->second;
  if (layout)
    for (const PackedWeight &known : packed)
      if (known.value == value && known.layout == *layout)
        return known.tensor;
  Operation *producer = value.getDefiningOp();
  if (producer && !isWeightWork(producer) && !tensorOf.contains(value))
    return user->emitError() << "no CPU code for an operand made by '"
                             << producer->getName() << "'";
  FailureOr<ElementType> type = getElementType(user, value.getType());
  if (failed(type))
    return failure();
  FailureOr<std::pair<CpuLaunch, bool>> work =
      makeWeightLaunch(user, value, layout);
  if (failed(work))
    return failure();
  auto &[launch, ofConstants] = *work;
  CpuTensor tensor;
  tensor.name = "packed" + std::to_string(program.tensors.size());
  tensor.kind = ofConstants ? CpuTensor::Packed : CpuTensor::Temporary;
  tensor.type = *type;
  if (layout)
    tensor.shape = {Extent::fixed(static_cast<int64_t>(layout->panels.size())),
                    Extent::fixed(layout->depth),
                    Extent::fixed(layout->columns)};
  else
    for (int64_t size : cast<RankedTensorType>(value.getType()).getShape())
      tensor.shape.push_back(Extent::fixed(size));
  unsigned made = program.tensors.size();
  program.tensors.push_back(std::move(tensor));
  launch.tensors.push_back(made);
  if (layout)
    packed.push_back({value, *layout, made});
  else
    tensorOf[value] = made;
  (ofConstants ? program.prepack : program.launches).push_back(launch);
  return made;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// The tensor of `value`; a copy of what others need as it is: arguments,
/// packed weights, earlier results.
FailureOr<unsigned> ProgramBuilder::getOwnTensor(Operation *user, Value value) {
  if (failed(provide(user, value)))
    return failure();
  auto known = tensorOf.find(value);
  if (known != tensorOf.end() &&
      program.tensors[known->second].kind == CpuTensor::Temporary)
    return known->second;
  auto type = cast<RankedTensorType>(value.getType());
  FailureOr<ElementType> elementType = getElementType(user, type);
  if (failed(elementType))
    return failure();
  if (!isWeightType(type)) {
    if (failed(addLeftovers(user, Leftovers({}, value), /*ofRun=*/true)))
      return failure();
    return tensorOf.lookup(value);
  }
  FailureOr<std::pair<CpuLaunch, bool>> work =
      makeWeightLaunch(user, value, /*layout=*/nullptr);
  if (failed(work))
    return failure();
  unsigned copy = program.tensors.size();
  CpuTensor &tensor = program.tensors.emplace_back();
  tensor.type = *elementType;
  for (int64_t size : type.getShape())
    tensor.shape.push_back(Extent::fixed(size));
  work->first.tensors.push_back(copy);
  program.launches.push_back(std::move(work->first));
  return copy;
}

LogicalResult ProgramBuilder::returnResults() {
  Operation *end = function.getBody().front().getTerminator();
  for (OpOperand &operand : end->getOpOperands()) {
    FailureOr<unsigned> number = getOwnTensor(end, operand.get());
    if (failed(number))
      return failure();
    CpuTensor &tensor = program.tensors[*number];
    tensor.kind = CpuTensor::Result;
    tensor.position = operand.getOperandNumber();
    if (auto name = function.getResultAttrOfType<StringAttr>(
            tensor.position, block::kOutputAttr))
      tensor.name = name.str();
  }
  return success();
}

LogicalResult ProgramBuilder::build() {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError("expected a function of one basic block");
  if (failed(addArguments()) || failed(addBody(function.getBody().front())) ||
      failed(returnResults()))
    return failure();
  setLifetimes();
  return finishLeftovers();
}
