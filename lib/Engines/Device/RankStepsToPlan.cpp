//===- RankStepsToPlan.cpp - adds collectives and parts of tensors --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PlanConverter.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "parablock/Dialect/Block/BlockRankOps.h"
#include "parablock/Dialect/Block/ElementTypes.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Engines/Launch/LaunchPlan.h"
#include "parablock/Transforms/Shard/Ranks.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using plan::ExchangeStep;

/// Returns whether parts in `dim` are contiguous.
static bool isOutermost(ArrayRef<OpFoldResult> sizes, uint64_t dim) {
  return llvm::all_of(sizes.take_front(dim), isOneInteger);
}

LogicalResult PlanConverter::addExchange(Operation *op, ExchangeStep step,
                                         uint64_t dim,
                                         std::optional<int64_t> offset,
                                         ValueRange inputs, Sizes sizes,
                                         std::optional<int64_t> experts) {
  Type element = plan::getOwner(inputs.front()).getElementType();
  bool isTogether = step < ExchangeStep::Take;
  bool starts = op->hasAttr(kStartedSumAttr);
  if (starts && !plan::mayStart(step))
    return refuseName(op) << " with '" << kStartedSumAttr
                          << "': expected a collective of whole tensors";
  std::string type = getElementTypeKeyword(*getElementTypeOf(element)).str();
  if (isTogether && !isJoinedByRanks(type))
    return refuseName(op) << " of " << type << ": expected "
                          << typesJoinedByRanks;
  std::string name =
      (plan::stringifyExchangeStep(step) + "#" + Twine(numLaunches)).str();
  Type tensorType = op->getResult(0).getType();
  FailureOr<plan::TensorOp> result =
      addTensor(op, plan::TensorKind::Temporary, name, tensorType, sizes);
  if (failed(result))
    return failure();
  tensorOf[op->getResult(0)] = *result;
  SmallVector<Value> outputs = {*result};
  SmallVector<OpFoldResult> whole = step == ExchangeStep::AllGather
                                        ? SmallVector<OpFoldResult>(sizes)
                                        : plan::getMixedSizes(inputs.front());
  bool mayMove =
      step == ExchangeStep::AllGather || step == ExchangeStep::ReduceScatter;
  // Parts of ranks lie side by side in the end.
  if (step == ExchangeStep::RowsFromExperts ||
      (mayMove && !isOutermost(whole, dim)))
    outputs.push_back(plan.addTensor(plan::TensorKind::Temporary,
                                     name + ".room", element, whole));
  ImplicitLocOpBuilder end = plan.atEndOfRun();
  auto add = [&](bool starts, bool awaits) {
    plan::ExchangeOp::create(
        end, step, inputs, outputs, dim,
        offset ? end.getI64IntegerAttr(*offset) : IntegerAttr(),
        experts ? end.getI64IntegerAttr(*experts) : IntegerAttr(), layerAttr,
        starts, awaits);
  };
  add(starts, /*awaits=*/false);
  if (starts)
    add(/*starts=*/false, /*awaits=*/true);
  ++numLaunches;
  return success();
}

/// Adds an exchange of the rows that experts of other ranks read or computed.
template <typename OpT>
LogicalResult PlanConverter::addRows(OpT op, ExchangeStep step) {
  FailureOr<Value> input = getTensor(op, op.getInput()),
                   choices = getTensor(op, op.getChoices());
  if (failed(input) || failed(choices))
    return failure();
  plan.builder.setLoc(op.getLoc());
  SmallVector<OpFoldResult> sizes = plan::getMixedSizes(*input);
  OpFoldResult rows = plan::getMixedSizes(*choices)[1];
  bool isBack = step == ExchangeStep::RowsFromExperts;
  sizes[1] = isBack ? plan.addShare(rows, ranks) : rows;
  sizes[2] = plan.builder.getIndexAttr(block::getDim(op.getResult(), 2));
  return addExchange(op, step, /*dim=*/1, /*offset=*/std::nullopt,
                     {*input, *choices}, sizes, op.getExperts());
}

/// Adds a step between a tensor and a rank's share of it.
LogicalResult PlanConverter::addWhole(Operation *op, ExchangeStep step,
                                      uint64_t dim) {
  FailureOr<Value> input = getTensor(op, op->getOperand(0));
  if (failed(input))
    return failure();
  plan.builder.setLoc(op->getLoc());
  SmallVector<OpFoldResult> sizes = plan::getMixedSizes(*input);
  if (step == ExchangeStep::AllGather) {
    FailureOr<OpFoldResult> whole = plan.joinShares(sizes[dim], ranks);
    if (failed(whole))
      return refuse(op) << "a gather of an open size that was not divided "
                           "among the ranks";
    sizes[dim] = *whole;
  } else if (step != ExchangeStep::AllReduce) {
    sizes[dim] = plan.addShare(sizes[dim], ranks);
  }
  return addExchange(op, step, dim, /*offset=*/std::nullopt, *input, sizes);
}

static bool isZeros(Value value) {
  if (auto splat = value.getDefiningOp<tensor::SplatOp>())
    return isZeros(splat.getInput());
  return matchPattern(value, m_AnyZeroFloat());
}

/// Adds a slice, or an insertion, at a constant place of one dimension.
template <typename OpT>
LogicalResult PlanConverter::addPart(OpT op, Value part, Value whole,
                                     ExchangeStep step) {
  auto partType = cast<RankedTensorType>(part.getType());
  auto wholeType = cast<RankedTensorType>(whole.getType());
  uint64_t partDim = 0;
  int64_t offset = 0;
  unsigned numDims = 0;
  bool fits = partType.getRank() == wholeType.getRank() && op.hasUnitStride();
  for (int64_t dim = 0; fits && dim < wholeType.getRank(); ++dim) {
    bool isAll = partType.getDimSize(dim) == wholeType.getDimSize(dim) &&
                 !op.isDynamicOffset(dim) && op.getStaticOffset(dim) == 0;
    if (isAll)
      continue;
    fits = ++numDims == 1 && !op.isDynamicOffset(dim) &&
           !partType.isDynamicDim(dim);
    partDim = dim;
    offset = fits ? op.getStaticOffset(dim) : 0;
  }
  if (!fits)
    return refuse(op) << "a part that is not one of a single dimension at a "
                         "constant place";
  bool isTake = step == ExchangeStep::Take;
  SmallVector<Value> read = {isTake ? whole : part}, inputs;
  if (!isTake && !isZeros(whole))
    read.push_back(whole);
  for (Value value : read) {
    FailureOr<Value> input = getTensor(op, value);
    if (failed(input))
      return failure();
    inputs.push_back(*input);
  }
  SmallVector<OpFoldResult> sizes = plan::getMixedSizes(inputs.front());
  sizes[partDim] = plan.builder.getIndexAttr(
      (isTake ? partType : wholeType).getDimSize(partDim));
  return addExchange(op, step, partDim, offset, inputs, sizes);
}

LogicalResult PlanConverter::addRankStep(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](shard::AllReduceOp) {
        return addWhole(op, ExchangeStep::AllReduce, /*dim=*/0);
      })
      .Case([&](shard::AllGatherOp gather) {
        return addWhole(op, ExchangeStep::AllGather,
                        gather.getGatherAxis().getZExtValue());
      })
      .Case([&](shard::ReduceScatterOp scatter) {
        return addWhole(op, ExchangeStep::ReduceScatter,
                        scatter.getScatterAxis().getZExtValue());
      })
      .Case([&](block::RowsToExpertsOp rows) {
        return addRows(rows, ExchangeStep::RowsToExperts);
      })
      .Case([&](block::RowsFromExpertsOp rows) {
        return addRows(rows, ExchangeStep::RowsFromExperts);
      })
      .Case([&](shard::AllSliceOp slice) {
        return addWhole(op, ExchangeStep::Take,
                        slice.getSliceAxis().getZExtValue());
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        return addPart(slice, slice.getResult(), slice.getSource(),
                       ExchangeStep::Take);
      })
      .Case([&](tensor::InsertSliceOp insert) {
        return addPart(insert, insert.getSource(), insert.getDest(),
                       ExchangeStep::Put);
      })
      .Default([&](Operation *) { return refuseName(op); });
}
