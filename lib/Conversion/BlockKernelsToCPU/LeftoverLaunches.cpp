//===- LeftoverLaunches.cpp - batches leftover ops into launches ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LeftoverLaunches.h"

#include "PlanSizes.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Conversion/PackWeights/WeightKernel.h"
#include "parablock/Transforms/Leftovers/NormaliseLeftovers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

/// Returns whether one of the ops `waiting` defines `value`.
static bool isMadeBy(const llvm::SetVector<Operation *> &waiting, Value value) {
  return value.getDefiningOp() && waiting.contains(value.getDefiningOp());
}

bool LeftoverLaunches::isWaitingConstant(Value value) const {
  return isMadeBy(waitingConstants, value);
}

bool LeftoverLaunches::follows(Operation *op) const {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return operand.getDefiningOp() && ofData.contains(operand.getDefiningOp());
  });
}

LogicalResult LeftoverLaunches::add(Operation *op) {
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
      alone.inputs, [&](Value input) { return source.isConstant(input); });
  // Values for packing do not depend on dynamic sizes.
  for (Type type : op->getResultTypes())
    ofConstants &= cast<ShapedType>(type).hasStaticShape();
  if (ofConstants &&
      failed(flushBehindWeightWork(op, alone.inputs.getArrayRef())))
    return failure();
  (ofConstants ? waitingConstants : waiting).insert(op);
  if (!ofConstants)
    ofData.insert(op);
  return success();
}

/// Launches waiting ops if `op` reads them through moves of weights, which are
/// separate launches between the two.
LogicalResult LeftoverLaunches::flushBehindWeightWork(Operation *op,
                                                      ValueRange inputs) {
  for (Value input : inputs) {
    Operation *maker = input.getDefiningOp();
    if (!maker || !isWeightWork(maker) || plan.lookup(input))
      continue;
    for (Value leaf : findLeaves(input))
      if (isMadeBy(waitingConstants, leaf) &&
          failed(flush(op, waitingConstants)))
        return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

ModuleOp LeftoverLaunches::getModule() {
  if (!module) {
    OpBuilder builder = OpBuilder::atBlockEnd(kernels.getBody());
    module = ModuleOp::create(builder, kernels.getLoc(), "leftovers");
  }
  return module;
}

/// Adds the sizes of `value` that `launch` needs.
static void addOpenSizes(Launch &launch, Value value,
                         ArrayRef<OpFoldResult> shape) {
  for (auto [size, extent] : llvm::zip_equal(
           cast<RankedTensorType>(value.getType()).getShape(), shape))
    if (ShapedType::isDynamic(size))
      launch.dims.push_back(extent);
}

FailureOr<Shape> LeftoverLaunches::findShape(Operation *user, Value value) {
  Shape shape;
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim) {
    FailureOr<OpFoldResult> extent = findExtent(plan, value, dim);
    if (failed(extent))
      return user->emitError("no CPU code for ops that are no blocks where "
                             "they make a size that no argument has");
    shape.push_back(*extent);
  }
  return shape;
}

LogicalResult LeftoverLaunches::launch(Operation *user,
                                       const Leftovers &leftovers,
                                       bool isOfRun) {
  std::string name = "leftover_" + std::to_string(count++);
  Launch launch;
  launch.kernel = plan.getKernel(name, *getModule().getSymName());
  bool isOnce = !isOfRun;
  for (Value input : leftovers.inputs) {
    FailureOr<plan::TensorOp> tensor = source.getTensor(user, input);
    if (failed(tensor))
      return failure();
    isOnce &= source.isConstant(input);
    launch.inputs.push_back(*tensor);
    addOpenSizes(launch, input, plan.getShape(*tensor));
  }
  for (Value output : leftovers.outputs)
    isOnce &= cast<ShapedType>(output.getType()).hasStaticShape();
  for (auto [number, output] : llvm::enumerate(leftovers.outputs)) {
    FailureOr<Type> element = getStoredType(user, output.getType());
    FailureOr<Shape> shape =
        succeeded(element) ? findShape(user, output) : FailureOr<Shape>();
    if (failed(shape))
      return failure();
    addOpenSizes(launch, output, *shape);
    launch.outputs.push_back(plan.addTensor(
        isOnce ? plan::TensorKind::Packed : plan::TensorKind::Temporary,
        name + "." + Twine(number), *element, *shape));
  }
  // Only now, as an output may be an input.
  for (auto [output, tensor] :
       llvm::zip_equal(leftovers.outputs, launch.outputs))
    plan.assign(output, tensor);
  Frame frame(getModule(), user->getLoc(), name, target);
  buildLeftoverKernel(frame, leftovers);
  plan.addLaunch(launch, isOnce);
  return success();
}

LogicalResult LeftoverLaunches::flush(Operation *user,
                                      llvm::SetVector<Operation *> &ops) {
  SmallVector<Operation *> own = ops.takeVector();
  llvm::SmallPtrSet<Operation *, 16> inside(own.begin(), own.end());
  auto isOutside = [&](Operation *, Operation *reader) {
    return !inside.contains(reader);
  };
  SmallVector<Value> outputs;
  for (Operation *op : own)
    for (Value result : op->getResults())
      if (isReadBy(result, isOutside))
        outputs.push_back(result);
  return outputs.empty() ? success() : launch(user, Leftovers(own, outputs));
}

LogicalResult LeftoverLaunches::provide(Operation *user, Value value) {
  if (isMadeBy(waitingConstants, value))
    return flush(user, waitingConstants);
  if (isMadeBy(waiting, value))
    return flush(user, waiting);
  Operation *op = value.getDefiningOp();
  if (!op || plan.lookup(value) || isWeightWork(op) || !isRemade(op) ||
      !isa<RankedTensorType>(value.getType()))
    return success();
  return launch(user, Leftovers({}, value));
}

FailureOr<plan::TensorOp> LeftoverLaunches::makeCopy(Operation *user,
                                                     Value value) {
  if (failed(launch(user, Leftovers({}, value), /*isOfRun=*/true)))
    return failure();
  return plan.lookup(value);
}
