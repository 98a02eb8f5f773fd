//===- LaunchPlan.cpp - the host side of a device program -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Device/LaunchPlan.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "parablock/IR/BlockOps.h"
#include "parablock/Runner/Signature.h"
#include "parablock/Tile/TileOps.h"
#include "llvm/ADT/DenseMap.h"

using namespace parablock;
using llvm::Error;
using llvm::Expected;
using Shape = llvm::SmallVector<int64_t, 4>;

uint64_t PlanTensor::getNumElements() const {
  uint64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

uint64_t PlanTensor::getBytes() const {
  return getNumElements() * getElementSize(type);
}

int64_t PlanTensor::getRows() const {
  int64_t rows = 1;
  for (size_t dim = 0; dim + 1 < shape.size(); ++dim)
    rows *= shape[dim];
  return rows;
}

static Error createErrorAt(mlir::Operation *op, const llvm::Twine &text) {
  std::string location;
  llvm::raw_string_ostream(location) << op->getLoc();
  return llvm::createStringError(text + " (" + location + ")");
}

namespace {
class PlanReader {
public:
  Error read(mlir::func::FuncOp function, llvm::ArrayRef<Shape> arguments);
  LaunchPlan take() { return std::move(plan); }

private:
  Error readBody(mlir::Block &body);
  Error readLaunch(tile::LaunchOp launch);
  Error addWorkspaces(mlir::LLVM::LLVMFuncOp device,
                      llvm::SmallVector<unsigned> &operands);
  Expected<unsigned> addTensor(mlir::Value value, std::string name,
                               std::optional<Shape> shape);
  Expected<Shape> findShape(tile::LaunchOp launch, mlir::OpResult result);

  LaunchPlan plan;
  llvm::DenseMap<mlir::Value, unsigned> tensorOf;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> workspacesOf;
};
} // namespace

static Expected<ElementType> getDeviceType(mlir::Operation *op,
                                           mlir::Type type) {
  std::optional<ElementType> known = runner::getElementType(type);
  if (known &&
      llvm::is_contained({ElementType::F32, ElementType::BF16, ElementType::F16,
                          ElementType::I64, ElementType::I32},
                         *known))
    return *known;
  std::string text;
  llvm::raw_string_ostream(text) << "no GPU code for tensors of type " << type
                                 << ": expected f32, bf16, f16, i64 or i32";
  return createErrorAt(op, text);
}

Expected<unsigned> PlanReader::addTensor(mlir::Value value, std::string name,
                                         std::optional<Shape> shape) {
  mlir::Operation *owner = value.getDefiningOp();
  if (!owner)
    owner = value.getParentBlock()->getParentOp();
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  if (!type)
    return createErrorAt(owner, "no GPU code for a value that is no tensor");
  Expected<ElementType> elementType =
      getDeviceType(owner, type.getElementType());
  if (!elementType)
    return elementType.takeError();
  PlanTensor tensor;
  tensor.name = std::move(name);
  tensor.type = *elementType;
  tensor.shape = shape ? *shape : Shape(type.getShape());
  plan.tensors.push_back(std::move(tensor));
  return tensorOf[value] = plan.tensors.size() - 1;
}

/// Dynamic sizes of a result are those of the operand that `tile.rows_of`
/// names.
Expected<Shape> PlanReader::findShape(tile::LaunchOp launch,
                                      mlir::OpResult result) {
  Shape shape(llvm::cast<mlir::RankedTensorType>(result.getType()).getShape());
  auto rowsOf = launch->getAttrOfType<mlir::DenseI64ArrayAttr>("tile.rows_of");
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (!mlir::ShapedType::isDynamic(size))
      continue;
    if (!rowsOf || rowsOf.size() != launch->getNumResults())
      return createErrorAt(launch, "expected 'tile.rows_of' to name an operand "
                                   "for each result of a launch with dynamic "
                                   "sizes");
    int64_t operand = rowsOf[result.getResultNumber()];
    const Shape &source =
        plan.tensors[tensorOf.lookup(launch.getInputs()[operand])].shape;
    if (dim >= source.size())
      return createErrorAt(launch, "no operand gives dimension " +
                                       llvm::Twine(dim) +
                                       " of a result its size");
    size = source[dim];
  }
  return shape;
}

/// Appends the workspaces of `device` to the operands of a launch. Launches of
/// one kernel come one after the other, and share them.
Error PlanReader::addWorkspaces(mlir::LLVM::LLVMFuncOp device,
                                llvm::SmallVector<unsigned> &operands) {
  auto types = device->getAttrOfType<mlir::ArrayAttr>("tile.workspaces");
  if (!types)
    return Error::success();
  auto [entry, isNew] = workspacesOf.try_emplace(device);
  for (mlir::Type type : types.getAsValueRange<mlir::TypeAttr>()) {
    if (!isNew)
      break;
    auto memref = llvm::cast<mlir::MemRefType>(type);
    Expected<ElementType> elementType =
        getDeviceType(device, memref.getElementType());
    if (!elementType)
      return elementType.takeError();
    PlanTensor tensor;
    tensor.name = device.getName().str() + ".workspace" +
                  std::to_string(entry->second.size());
    tensor.type = *elementType;
    tensor.shape = Shape(memref.getShape());
    entry->second.push_back(plan.tensors.size());
    plan.workspaces.push_back(plan.tensors.size());
    plan.tensors.push_back(std::move(tensor));
  }
  llvm::append_range(operands, entry->second);
  return Error::success();
}

Error PlanReader::readLaunch(tile::LaunchOp launch) {
  auto device = llvm::dyn_cast_or_null<mlir::LLVM::LLVMFuncOp>(
      mlir::SymbolTable::lookupNearestSymbolFrom(launch,
                                                 launch.getKernelAttr()));
  if (!device)
    return createErrorAt(launch, "expected a device function to launch");
  PlanLaunch step;
  step.kernel = device.getName().str();
  llvm::SmallVector<unsigned> operands;
  for (mlir::Value input : launch.getInputs())
    operands.push_back(tensorOf.lookup(input));
  for (auto [index, result] : llvm::enumerate(launch.getResults())) {
    Expected<Shape> shape = findShape(launch, result);
    if (!shape)
      return shape.takeError();
    Expected<unsigned> tensor =
        addTensor(result,
                  step.kernel + "#" + std::to_string(plan.launches.size()) +
                      "." + std::to_string(index),
                  *shape);
    if (!tensor)
      return tensor.takeError();
    operands.push_back(*tensor);
    step.outputs.push_back(*tensor);
  }
  if (Error error = addWorkspaces(device, operands))
    return error;
  auto getInteger = [&](llvm::StringRef name) -> int64_t {
    auto attribute = device->getAttrOfType<mlir::IntegerAttr>(name);
    return attribute ? attribute.getInt() : 0;
  };
  step.grid = getInteger("tile.grid");
  step.sharedBytes = getInteger("tile.shared_bytes");
  auto schedule = device->getAttrOfType<tile::ScheduleAttr>("tile.schedule");
  auto arguments = device->getAttrOfType<mlir::ArrayAttr>("tile.arguments");
  if (!schedule || !arguments || !step.grid)
    return createErrorAt(device, "expected a schedule, a grid and a list of "
                                 "arguments on the device function '" +
                                     step.kernel + "'");
  step.cluster = schedule.getCluster();
  step.threads = schedule.getThreads();
  for (auto argument : arguments.getAsRange<tile::ArgumentAttr>()) {
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

Error PlanReader::readBody(mlir::Block &body) {
  for (mlir::Operation &op : body) {
    if (op.hasTrait<mlir::OpTrait::IsTerminator>())
      return Error::success();
    if (auto launch = llvm::dyn_cast<tile::LaunchOp>(op)) {
      if (Error error = readLaunch(launch))
        return error;
    } else if (auto layer = llvm::dyn_cast<block::LayerOp>(op)) {
      mlir::Block &inner = layer.getBody().front();
      if (Error error = readBody(inner))
        return error;
      for (auto [result, yielded] : llvm::zip_equal(
               layer.getResults(), inner.getTerminator()->getOperands()))
        tensorOf[result] = tensorOf.lookup(yielded);
    } else {
      return createErrorAt(&op, "no GPU code for '" +
                                    op.getName().getStringRef() + "'");
    }
  }
  return Error::success();
}

Error PlanReader::read(mlir::func::FuncOp function,
                       llvm::ArrayRef<Shape> arguments) {
  for (auto [index, argument, shape] :
       llvm::enumerate(function.getArguments(), arguments)) {
    Expected<unsigned> tensor =
        addTensor(argument, "argument " + std::to_string(index), shape);
    if (!tensor)
      return tensor.takeError();
  }
  if (Error error = readBody(function.getBody().front()))
    return error;
  for (mlir::Value result :
       function.getBody().front().getTerminator()->getOperands())
    plan.results.push_back(tensorOf.lookup(result));
  return Error::success();
}

Expected<LaunchPlan>
parablock::readLaunchPlan(mlir::func::FuncOp function,
                          llvm::ArrayRef<Shape> arguments) {
  PlanReader reader;
  if (Error error = reader.read(function, arguments))
    return error;
  return reader.take();
}
