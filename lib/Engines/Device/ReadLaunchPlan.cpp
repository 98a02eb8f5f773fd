//===- ReadLaunchPlan.cpp - launch plans from IR --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PlanReader.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ElementTypes.h"
#include "parablock/Judges/Runner/Engine.h"
#include "parablock/Judges/Runner/Signature.h"

using namespace parablock;
using llvm::Error;
using llvm::Expected;

char PlanError::ID = 0;

void PlanError::log(llvm::raw_ostream &os) const {
  os << text << " (" << location << ")";
}

std::error_code PlanError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

Error parablock::createErrorAt(mlir::Operation *op, const llvm::Twine &text) {
  return llvm::make_error<PlanError>(op->getLoc(), text.str());
}

static Expected<std::string> getDeviceType(mlir::Operation *op,
                                           mlir::Type type) {
  std::optional<ElementType> known = getElementTypeOf(type);
  std::string keyword = known ? getElementTypeKeyword(*known).str() : "";
  if (getPlanElementSize(keyword))
    return keyword;
  std::string text;
  llvm::raw_string_ostream(text)
      << "no GPU code for tensors of type " << type
      << ": expected f64, f32, bf16, f16, i64, i32, i16, i8, ui8 or i1";
  return createErrorAt(op, text);
}

Expected<unsigned> PlanReader::getTensor(mlir::Operation *op,
                                         mlir::Value value) {
  auto found = tensorOf.find(value);
  if (found != tensorOf.end())
    return found->second;
  return createErrorAt(op, "no GPU code for '" + op->getName().getStringRef() +
                               "' of what no kernel makes and no argument is");
}

Expected<unsigned> PlanReader::addTensor(mlir::Value value, std::string name,
                                         PlanShape shape) {
  mlir::Operation *owner = value.getDefiningOp();
  if (!owner)
    owner = value.getParentBlock()->getParentOp();
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  if (!type)
    return createErrorAt(owner, "no GPU code for a value that is no tensor");
  Expected<std::string> elementType =
      getDeviceType(owner, type.getElementType());
  if (!elementType)
    return elementType.takeError();
  PlanTensor tensor;
  tensor.name = std::move(name);
  tensor.type = *elementType;
  tensor.shape = std::move(shape);
  plan.tensors.push_back(std::move(tensor));
  return tensorOf[value] = plan.tensors.size() - 1;
}

PlanShape parablock::getPlanShape(llvm::ArrayRef<int64_t> sizes) {
  PlanShape shape;
  for (int64_t size : sizes)
    shape.push_back({size, ""});
  return shape;
}

/// Appends the workspaces of `device` to the operands of a launch. Launches of
/// one kernel come one after the other, and share them.
Error PlanReader::addWorkspaces(mlir::LLVM::LLVMFuncOp device,
                                llvm::SmallVector<unsigned> &operands) {
  auto [entry, isNew] = workspacesOf.try_emplace(device);
  for (mlir::MemRefType type : tile::LaunchAttr::of(device).getWorkspaces()) {
    if (!isNew)
      break;
    Expected<std::string> elementType =
        getDeviceType(device, type.getElementType());
    if (!elementType)
      return elementType.takeError();
    PlanTensor tensor;
    tensor.name = device.getName().str() + ".workspace" +
                  std::to_string(entry->second.size());
    tensor.type = *elementType;
    tensor.shape = getPlanShape(type.getShape());
    entry->second.push_back(plan.tensors.size());
    plan.workspaces.push_back(plan.tensors.size());
    plan.tensors.push_back(std::move(tensor));
  }
  llvm::append_range(operands, entry->second);
  return Error::success();
}

Error PlanReader::readLaunch(tile::LaunchOp launch, int64_t layer) {
  auto device = llvm::dyn_cast_or_null<mlir::LLVM::LLVMFuncOp>(
      mlir::SymbolTable::lookupNearestSymbolFrom(launch,
                                                 launch.getKernelAttr()));
  if (!device)
    return createErrorAt(launch, "expected a device function to launch");
  auto facts = tile::LaunchAttr::of(device);
  if (!facts)
    return createErrorAt(
        device, "expected '" + tile::LaunchAttr::getAttrName() +
                    "' on the device function '" + device.getName() + "'");
  PlanLaunch step;
  step.kernel = device.getName().str();
  step.layer = layer;
  llvm::SmallVector<unsigned> operands;
  for (mlir::Value input : launch.getInputs()) {
    Expected<unsigned> tensor = getTensor(launch, input);
    if (!tensor)
      return tensor.takeError();
    operands.push_back(*tensor);
  }
  step.inputs.assign(operands.begin(), operands.end());
  for (auto [index, result] : llvm::enumerate(launch.getResults())) {
    Expected<PlanShape> shape = findShape(launch, step.inputs, result);
    if (!shape)
      return shape.takeError();
    Expected<unsigned> tensor =
        addTensor(result,
                  step.kernel + "#" + std::to_string(plan.launches.size()) +
                      "." + std::to_string(index),
                  std::move(*shape));
    if (!tensor)
      return tensor.takeError();
    operands.push_back(*tensor);
    step.outputs.push_back(*tensor);
  }
  if (Error error = addWorkspaces(device, operands))
    return error;
  step.grid = facts.getSchedule().getGrid();
  step.cluster = facts.getSchedule().getCluster();
  step.threads = facts.getSchedule().getThreads();
  step.sharedBytes = facts.getSharedBytes();
  step.isProgrammatic = facts.getProgrammatic();
  for (tile::ArgumentAttr argument : facts.getArguments()) {
    if (argument.getOperand() >= static_cast<int64_t>(operands.size()))
      return createErrorAt(
          launch, "expected an operand " + llvm::Twine(argument.getOperand()) +
                      " for the device function '" + step.kernel + "'");
    PlanArgument added;
    added.tensor = operands[argument.getOperand()];
    added.dim = argument.getDim();
    switch (argument.getKind()) {
    case tile::ArgumentKind::Pointer:
      added.kind = PlanArgument::Pointer;
      break;
    case tile::ArgumentKind::TensorMap:
      added.kind = PlanArgument::TensorMap;
      added.boxRows = argument.getBox()[0];
      added.boxColumns = argument.getBox()[1];
      break;
    case tile::ArgumentKind::Dim:
      added.kind = PlanArgument::Dim;
      break;
    }
    step.arguments.push_back(added);
  }
  plan.launches.push_back(std::move(step));
  return Error::success();
}

Error PlanReader::readBody(mlir::Block &body, int64_t layer) {
  for (mlir::Operation &op : body) {
    if (op.hasTrait<mlir::OpTrait::IsTerminator>())
      return Error::success();
    if (auto launch = llvm::dyn_cast<tile::LaunchOp>(op)) {
      if (Error error = readLaunch(launch, layer))
        return error;
    } else if (auto inside = llvm::dyn_cast<block::LayerOp>(op)) {
      mlir::Block &inner = inside.getBody().front();
      if (Error error = readBody(inner, inside.getIndex()))
        return error;
      for (auto [result, yielded] : llvm::zip_equal(
               inside.getResults(), inner.getTerminator()->getOperands()))
        if (auto made = tensorOf.find(yielded); made != tensorOf.end())
          tensorOf[result] = unsigned(made->second);
    } else if (Error error = readRankStep(&op, layer)) {
      return error;
    }
  }
  return Error::success();
}

Error PlanReader::read(mlir::func::FuncOp function) {
  Expected<runner::Signature> signature = runner::readSignature(function);
  if (!signature)
    return signature.takeError();
  for (auto [value, argument] :
       llvm::zip_equal(function.getArguments(), signature->arguments)) {
    PlanShape shape = getPlanShape(argument.shape);
    for (auto [size, name] : llvm::zip_equal(shape, argument.dims))
      if (!name.empty())
        size = {0, name};
    Expected<unsigned> tensor =
        addTensor(value, argument.name, std::move(shape));
    if (!tensor)
      return tensor.takeError();
  }
  plan.numArguments = plan.tensors.size();
  if (Error error = readBody(function.getBody().front(), /*layer=*/-1))
    return error;
  mlir::Operation *end = function.getBody().front().getTerminator();
  for (mlir::Value result : end->getOperands()) {
    Expected<unsigned> tensor = getTensor(end, result);
    if (!tensor)
      return tensor.takeError();
    plan.results.push_back(*tensor);
  }
  return Error::success();
}

Expected<LaunchPlan> parablock::readLaunchPlan(mlir::func::FuncOp function,
                                               PlanRank rank) {
  PlanReader reader(rank);
  if (Error error = reader.read(function))
    return error;
  return reader.take();
}

Error parablock::toError(const launch::Status &status) {
  if (!status)
    return Error::success();
  if (status->fault == launch::Fault::Missing)
    return llvm::make_error<runner::MissingError>(status->text);
  return llvm::createStringError(status->text);
}
