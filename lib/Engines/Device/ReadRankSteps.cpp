//===- ReadRankSteps.cpp - what ranks do together, from IR ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PlanReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace parablock;
using llvm::Error;
using llvm::Expected;
namespace shard = mlir::shard;
namespace tensor = mlir::tensor;

/// Tells whether parts in `dim` lie one behind the other.
static bool isOutermost(const PlanShape &shape, unsigned dim) {
  return llvm::all_of(
      llvm::ArrayRef(shape).take_front(dim),
      [](const PlanSize &size) { return size == PlanSize{1, ""}; });
}

Error PlanReader::addRankStep(mlir::Operation *op, PlanRankStep step,
                              llvm::ArrayRef<unsigned> inputs, PlanShape shape,
                              int64_t layer) {
  PlanLaunch launch;
  launch.kernel = getRankStepName(step.kind);
  const std::string &type = plan.tensors[inputs.front()].type;
  if (step.isTogether() && !isJoinedByRanks(type))
    return createErrorAt(op, "no GPU code for '" +
                                 op->getName().getStringRef() + "' of " + type +
                                 ": expected " + typesJoinedByRanks);
  launch.layer = layer;
  launch.inputs.assign(inputs.begin(), inputs.end());
  std::string name = launch.kernel + "#" + std::to_string(plan.launches.size());
  bool mayMove = step.kind == PlanRankStep::AllGather ||
                 step.kind == PlanRankStep::ReduceScatter;
  PlanShape whole = step.kind == PlanRankStep::AllGather
                        ? shape
                        : plan.tensors[inputs.front()].shape;
  Expected<unsigned> result =
      addTensor(op->getResult(0), name, std::move(shape));
  if (!result)
    return result.takeError();
  launch.outputs.push_back(*result);
  if (mayMove && !isOutermost(whole, step.dim)) {
    PlanTensor room{name + ".room", plan.tensors[*result].type, whole};
    launch.outputs.push_back(plan.tensors.size());
    plan.tensors.push_back(std::move(room));
  }
  launch.rankStep = step;
  plan.launches.push_back(std::move(launch));
  return Error::success();
}

Error PlanReader::readGather(mlir::Operation *op, uint64_t dim, int64_t layer) {
  Expected<unsigned> input = getTensor(op, op->getOperand(0));
  if (!input)
    return input.takeError();
  PlanShape shape = plan.tensors[*input].shape;
  PlanSize &size = shape[dim];
  bool isShare = size.isStep() && size.step == PlanSize::Share &&
                 size.operands[1].value % rank.count == 0;
  if (!size.isNumber() && !isShare)
    return createErrorAt(op, "no GPU code for a gather of an open size that "
                             "was not divided among the ranks");
  if (isShare)
    size = makeShare(PlanSize(size.operands[0]),
                     size.operands[1].value / rank.count);
  else
    size.value *= rank.count;
  return addRankStep(op, {PlanRankStep::AllGather, static_cast<unsigned>(dim)},
                     *input, std::move(shape), layer);
}

/// A share of the sum of all ranks, or of what this one has as a whole.
Error PlanReader::readShare(mlir::Operation *op, PlanRankStep::Kind kind,
                            uint64_t dim, int64_t layer) {
  Expected<unsigned> input = getTensor(op, op->getOperand(0));
  if (!input)
    return input.takeError();
  PlanShape shape = plan.tensors[*input].shape;
  PlanSize &size = shape[dim];
  if (size.isNumber())
    size.value /= rank.count;
  else
    size = makeShare(PlanSize(size), rank.count);
  PlanRankStep step{kind, static_cast<unsigned>(dim)};
  if (!step.isTogether()) {
    step.offset = rank.rank;
    step.isShare = true;
  }
  return addRankStep(op, step, *input, std::move(shape), layer);
}

static bool isZeros(mlir::Value value) {
  if (auto splat = value.getDefiningOp<tensor::SplatOp>())
    return isZeros(splat.getInput());
  return mlir::matchPattern(value, mlir::m_AnyZeroFloat());
}

/// A slice, or an insertion, at a constant place of one dimension.
template <typename OpT>
Error PlanReader::readPart(OpT op, mlir::Value part, mlir::Value whole,
                           PlanRankStep::Kind kind, int64_t layer) {
  auto partType = llvm::cast<mlir::RankedTensorType>(part.getType());
  auto wholeType = llvm::cast<mlir::RankedTensorType>(whole.getType());
  PlanRankStep step{kind};
  unsigned numDims = 0;
  bool fits = partType.getRank() == wholeType.getRank() && op.hasUnitStride();
  for (int64_t dim = 0; fits && dim < wholeType.getRank(); ++dim) {
    bool isAll = partType.getDimSize(dim) == wholeType.getDimSize(dim) &&
                 !op.isDynamicOffset(dim) && op.getStaticOffset(dim) == 0;
    if (isAll)
      continue;
    fits = ++numDims == 1 && !op.isDynamicOffset(dim) &&
           !partType.isDynamicDim(dim);
    step.dim = dim;
    step.offset = fits ? op.getStaticOffset(dim) : 0;
  }
  if (!fits)
    return createErrorAt(op, "no GPU code for a part that is not one of a "
                             "single dimension at a constant place");
  bool isTake = kind == PlanRankStep::Take;
  llvm::SmallVector<unsigned> inputs;
  llvm::SmallVector<mlir::Value> read = {isTake ? whole : part};
  if (!isTake && !isZeros(whole))
    read.push_back(whole);
  for (mlir::Value value : read) {
    Expected<unsigned> input = getTensor(op, value);
    if (!input)
      return input.takeError();
    inputs.push_back(*input);
  }
  PlanShape shape = plan.tensors[inputs.front()].shape;
  shape[step.dim] = {(isTake ? partType : wholeType).getDimSize(step.dim), ""};
  return addRankStep(op, step, inputs, std::move(shape), layer);
}

Error PlanReader::readRankStep(mlir::Operation *op, int64_t layer) {
  return llvm::TypeSwitch<mlir::Operation *, Error>(op)
      .Case([&](shard::AllReduceOp reduce) -> Error {
        Expected<unsigned> input = getTensor(op, reduce.getInput());
        if (!input)
          return input.takeError();
        return addRankStep(op, {PlanRankStep::AllReduce}, *input,
                           PlanShape(plan.tensors[*input].shape), layer);
      })
      .Case([&](shard::AllGatherOp gather) {
        return readGather(op, gather.getGatherAxis().getZExtValue(), layer);
      })
      .Case([&](shard::ReduceScatterOp scatter) {
        return readShare(op, PlanRankStep::ReduceScatter,
                         scatter.getScatterAxis().getZExtValue(), layer);
      })
      .Case([&](shard::AllSliceOp slice) {
        return readShare(op, PlanRankStep::Take,
                         slice.getSliceAxis().getZExtValue(), layer);
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        return readPart(slice, slice.getResult(), slice.getSource(),
                        PlanRankStep::Take, layer);
      })
      .Case([&](tensor::InsertSliceOp insert) {
        return readPart(insert, insert.getSource(), insert.getDest(),
                        PlanRankStep::Put, layer);
      })
      // Sizes of what parts are put into, and the zeros around them.
      .Case<tensor::DimOp, tensor::SplatOp, mlir::arith::ConstantOp>(
          [](mlir::Operation *) { return Error::success(); })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [&](mlir::Operation *view) { return readView(view); })
      .Case([&](tensor::CastOp cast) { return readCast(cast); })
      .Default([&](mlir::Operation *) -> Error {
        // Sizes that shapes are made of: launches say them by themselves.
        if (op->getNumResults() &&
            llvm::all_of(op->getResultTypes(),
                         [](mlir::Type type) { return type.isIndex(); }))
          return Error::success();
        return createErrorAt(op, "no GPU code for '" +
                                     op->getName().getStringRef() + "'");
      });
}
