//===- ProgramLeftovers.cpp - launches of ops that are no blocks ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Such ops wait until somebody asks for what one of them makes; then all that
// wait become one launch. Those that read nothing but parameters wait apart,
// and run once per set of weights.
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "WeightKernel.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Leftovers/NormaliseLeftovers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Whether one of the ops `waiting` makes `value`.
static bool isMadeBy(const llvm::SetVector<Operation *> &waiting, Value value) {
  return value.getDefiningOp() && waiting.contains(value.getDefiningOp());
}

bool ProgramBuilder::isConstant(Value value) const {
  if (isMadeBy(waitingConstants, value))
    return true;
  if (Operation *op = value.getDefiningOp();
      op && isWeightWork(op) && !tensorOf.contains(value))
    return llvm::all_of(findLeaves(value),
                        [&](Value leaf) { return isConstant(leaf); });
  auto known = tensorOf.find(value);
  if (known == tensorOf.end())
    return false;
  CpuTensor::Kind kind = program.tensors[known->second].kind;
  return kind == CpuTensor::Parameter || kind == CpuTensor::Packed;
}

/// Whether `op` goes on with what such ops make of data.
bool ProgramBuilder::followsLeftovers(Operation *op) const {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return operand.getDefiningOp() &&
           leftoversOfData.contains(operand.getDefiningOp());
  });
}

LogicalResult ProgramBuilder::addLeftover(Operation *op) {
  if (failed(checkAssertions(op)))
    return failure();
  WalkResult search = op->walk([](arith::TruncFOp cast) {
    constexpr auto nearest = arith::RoundingMode::to_nearest_even;
    return cast.getRoundingmode().value_or(nearest) == nearest
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  if (search.wasInterrupted())
    return op->emitError("no CPU code for another rounding than to the nearest "
                         "even number");
  for (Type type : op->getResultTypes())
    if (!isa<RankedTensorType>(type))
      return op->emitError() << "no CPU code for a result of type " << type;
  Leftovers alone(op, {});
  bool ofConstants = llvm::all_of(
      alone.inputs, [&](Value input) { return isConstant(input); });
  // What is known when weights are packed does not depend on open sizes.
  for (Type type : op->getResultTypes())
    ofConstants &= cast<ShapedType>(type).hasStaticShape();
  (ofConstants ? waitingConstants : waiting).insert(op);
  if (!ofConstants)
    leftoversOfData.insert(op);
  return success();
}

/// What `launch` has to be told of the sizes of `value`.
static void addOpenSizes(CpuLaunch &launch, Value value,
                         ArrayRef<Extent> shape) {
  for (auto [size, extent] : llvm::zip_equal(
           cast<RankedTensorType>(value.getType()).getShape(), shape))
    if (ShapedType::isDynamic(size))
      launch.dims.push_back(extent);
}

FailureOr<CpuTensor> ProgramBuilder::describe(Operation *user, Value value) {
  FailureOr<ElementType> type = getElementType(user, value.getType());
  if (failed(type))
    return failure();
  CpuTensor tensor;
  tensor.type = *type;
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim) {
    FailureOr<Extent> extent = findExtent(value, dim);
    if (failed(extent))
      return user->emitError("no CPU code for ops that are no blocks where "
                             "they make a size that no argument has");
    tensor.shape.push_back(*extent);
  }
  return tensor;
}

LogicalResult ProgramBuilder::addLeftovers(Operation *user,
                                           const Leftovers &leftovers,
                                           bool ofRun) {
  CpuLaunch launch;
  launch.kernel = "leftover_" + std::to_string(numLeftovers++);
  launch.numResults = leftovers.outputs.size();
  bool ofConstants = !ofRun;
  for (Value input : leftovers.inputs) {
    FailureOr<unsigned> tensor = getTensor(user, input);
    if (failed(tensor))
      return failure();
    ofConstants &= isConstant(input);
    launch.tensors.push_back(*tensor);
    addOpenSizes(launch, input, program.tensors[*tensor].shape);
  }
  for (Value output : leftovers.outputs)
    ofConstants &= cast<ShapedType>(output.getType()).hasStaticShape();
  SmallVector<std::pair<Value, unsigned>> made;
  for (Value output : leftovers.outputs) {
    FailureOr<CpuTensor> tensor = describe(user, output);
    if (failed(tensor))
      return failure();
    tensor->name = launch.kernel + "." + std::to_string(made.size());
    tensor->kind = ofConstants ? CpuTensor::Packed : CpuTensor::Temporary;
    addOpenSizes(launch, output, tensor->shape);
    made.push_back({output, program.tensors.size()});
    launch.tensors.push_back(program.tensors.size());
    program.tensors.push_back(std::move(*tensor));
  }
  // Only now, as an output may be an input.
  for (auto [output, number] : made)
    tensorOf[output] = number;
  if (!leftoverModule)
    leftoverModule = ModuleOp::create(function.getLoc());
  Frame frame(*leftoverModule, user->getLoc(), launch.kernel, program.target);
  buildLeftoverKernel(frame, leftovers);
  (ofConstants ? program.prepack : program.launches)
      .push_back(std::move(launch));
  return success();
}

/// Whether ops other than those `inside` read `value`.
static bool isReadOutside(Value value,
                          const llvm::SmallPtrSetImpl<Operation *> &inside) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    while (isLeftover(user->getParentOp()))
      user = user->getParentOp();
    if (inside.contains(user))
      return false;
    // Whoever reads what is remade has the op that makes it.
    return !isRemade(user) ||
           llvm::any_of(user->getResults(), [&](Value remade) {
             return isReadOutside(remade, inside);
           });
  });
}

LogicalResult ProgramBuilder::flush(Operation *user,
                                    llvm::SetVector<Operation *> &ops) {
  SmallVector<Operation *> own = ops.takeVector();
  llvm::SmallPtrSet<Operation *, 16> inside(own.begin(), own.end());
  SmallVector<Value> outputs;
  for (Operation *op : own)
    for (Value result : op->getResults())
      if (isReadOutside(result, inside))
        outputs.push_back(result);
  return outputs.empty() ? success()
                         : addLeftovers(user, Leftovers(own, outputs));
}

LogicalResult ProgramBuilder::provide(Operation *user, Value value) {
  if (isMadeBy(waitingConstants, value))
    return flush(user, waitingConstants);
  if (isMadeBy(waiting, value))
    return flush(user, waiting);
  Operation *op = value.getDefiningOp();
  if (!op || tensorOf.contains(value) || isWeightWork(op) || !isRemade(op) ||
      !isa<RankedTensorType>(value.getType()))
    return success();
  return addLeftovers(user, Leftovers({}, value));
}

LogicalResult ProgramBuilder::finishLeftovers() {
  if (!leftoverModule)
    return success();
  if (failed(lowerLeftovers(*leftoverModule, program.target)))
    return function.emitError("ops that are no blocks do not lower to loops");
  program.module->getBody()->getOperations().splice(
      program.module->getBody()->end(),
      leftoverModule->getBody()->getOperations());
  return success();
}
