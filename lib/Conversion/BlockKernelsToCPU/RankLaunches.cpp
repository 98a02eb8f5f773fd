//===- RankLaunches.cpp - adds launches of collectives --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RankLaunches.h"

#include "RankKernels.h"
#include "parablock/Conversion/PackWeights/WeightKernel.h"
#include "parablock/Dialect/Block/BlockRankOps.h"
#include "parablock/Dialect/Block/ElementTypes.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// A part of one dimension; it begins at `factor * unit`.
struct RankLaunches::Part {
  unsigned dim = 0;
  OpFoldResult size;
  int64_t factor = 0;
  OpFoldResult unit;
};

static int64_t getElementBytes(plan::TensorOp tensor) {
  return getElementSize(*getElementTypeOf(tensor.getElementType()));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

plan::TensorOp RankLaunches::addStep(StringRef name, Launch launch,
                                     const Shape &shape) {
  Tensor result =
      plan.addTemporary(name, launch.inputs.front().getElementType(), shape);
  launch.outputs = {result};
  plan.addLaunch(launch);
  return result;
}

plan::TensorOp RankLaunches::addMove(StringRef name, const KernelCode &kernel,
                                     ArrayRef<Tensor> operands,
                                     const Part &part, const Shape &whole,
                                     const Shape &result) {
  Launch launch;
  launch.kernel = plan.getKernel(kernel.name);
  launch.inputs.assign(operands.begin(), operands.end());
  launch.dims.assign(MoveDims::Count, number(1));
  ArrayRef<OpFoldResult> outer = ArrayRef(whole).take_front(part.dim);
  ArrayRef<OpFoldResult> inner = ArrayRef(whole).drop_front(part.dim + 1);
  llvm::copy(outer, launch.dims.begin() + MoveDims::Outer);
  llvm::copy(inner, launch.dims.begin() + MoveDims::Inner);
  launch.dims[MoveDims::Whole] = whole[part.dim];
  launch.dims[MoveDims::Part] = part.size;
  launch.dims[MoveDims::Words] = number(getElementBytes(operands.front()) / 2);
  launch.dims[MoveDims::Factor] = number(part.factor);
  launch.dims[MoveDims::Unit] = part.unit;
  launch.items.outer.assign(outer.begin(), outer.end());
  return addStep(name, std::move(launch), result);
}

plan::TensorOp RankLaunches::addPut(const Part &part, Tensor tensor,
                                    Tensor base, const Shape &whole) {
  StringRef name = base ? "put" : "put_in_zeros";
  SmallVector<Tensor> operands = {tensor};
  if (base)
    operands.push_back(base);
  KernelCode kernel = library.lookupOrBuild(name, [&](Frame &frame) {
    return buildPutKernel(frame, static_cast<bool>(base));
  });
  return addMove(name, kernel, operands, part, whole, whole);
}

plan::TensorOp RankLaunches::addTake(const Part &part, Tensor whole) {
  KernelCode kernel = library.lookupOrBuild("take", buildTakeKernel);
  Shape from = plan.getShape(whole), result = from;
  result[part.dim] = part.size;
  return addMove("take", kernel, whole, part, from, result);
}

Launch RankLaunches::startSum(const KernelCode &kernel, Tensor summand,
                              Type unit) {
  Launch launch = plan.start(kernel);
  launch.inputs = {summand};
  launch.dims.assign(kMaxSummedDims + 1, number(1));
  llvm::copy(plan.getShape(summand), launch.dims.begin());
  launch.dims[kMaxSummedDims] =
      number(getElementBytes(summand) * 8 / unit.getIntOrFloatBitWidth());
  return launch;
}

plan::TensorOp RankLaunches::addSum(StringRef name, Tensor summand, Type unit) {
  KernelCode kernel = library.lookupOrBuild(
      name, [&](Frame &frame) { return buildSumKernel(frame, unit); });
  return addStep(name, startSum(kernel, summand, unit), plan.getShape(summand));
}

plan::TensorOp RankLaunches::addStartedSum(StringRef name, Tensor summand,
                                           Type unit) {
  KernelCode start =
      library.lookupOrBuild((name + ".start").str(), [&](Frame &frame) {
        return buildStartKernel(frame, unit);
      });
  Launch launch = startSum(start, summand, unit);
  Tensor sum =
      plan.addTemporary(name, summand.getElementType(), plan.getShape(summand));
  Tensor request = plan.addTemporary(
      "request", IntegerType::get(unit.getContext(), 64), {number(1)});
  launch.outputs = {sum, request};
  launch.starts = true;
  plan.addLaunch(launch);
  Launch wait = plan.start(
      library.lookupOrBuild((name + ".await").str(), buildAwaitKernel));
  wait.inputs = {summand, request};
  wait.outputs = {sum};
  wait.dims = launch.dims;
  wait.awaits = true;
  plan.addLaunch(wait);
  return sum;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// Returns this rank's part of a dimension that all ranks divide into parts of
/// `size`.
RankLaunches::Part RankLaunches::getShare(const APInt &dim,
                                          OpFoldResult size) const {
  return {static_cast<unsigned>(dim.getZExtValue()), size, rank.rank, size};
}

template <typename OpT>
FailureOr<plan::TensorOp> RankLaunches::addReduction(OpT op) {
  Type element = getElementTypeOrSelf(op.getType());
  if (op.getReduction() != shard::ReductionKind::Sum || !element.isF32())
    return op.emitError() << "no CPU code for this reduction: expected a sum "
                             "of f32";
  FailureOr<plan::TensorOp> summand = source.getTensor(op, op.getInput());
  if (failed(summand) || rank.count == 1)
    return summand;
  StringRef name = op->getName().getStringRef();
  return exposed.contains(op) ? addSum(name, *summand, element)
                              : addStartedSum(name, *summand, element);
}

FailureOr<plan::TensorOp> RankLaunches::addGather(shard::AllGatherOp op) {
  FailureOr<plan::TensorOp> own = source.getTensor(op, op.getInput());
  if (failed(own) || rank.count == 1)
    return own;
  Shape whole = plan.getShape(*own);
  Part part =
      getShare(op.getGatherAxis(), whole[op.getGatherAxis().getZExtValue()]);
  FailureOr<OpFoldResult> joined = plan.joinShares(part.size, rank.count);
  if (failed(joined))
    return op.emitError("no CPU code for a gather of an open size that was not "
                        "divided among the ranks");
  whole[part.dim] = *joined;
  Tensor placed = addPut(part, *own, /*base=*/nullptr, whole);
  return addSum(op->getName().getStringRef(), placed,
                IntegerType::get(op.getContext(), 16));
}

FailureOr<plan::TensorOp> RankLaunches::addScatter(shard::ReduceScatterOp op) {
  FailureOr<plan::TensorOp> sum = addReduction(op);
  if (failed(sum) || rank.count == 1)
    return sum;
  unsigned dim = op.getScatterAxis().getZExtValue();
  OpFoldResult share = plan.addShare(plan.getShape(*sum)[dim], rank.count);
  return addTake(getShare(op.getScatterAxis(), share), *sum);
}

FailureOr<plan::TensorOp> RankLaunches::addShare(shard::AllSliceOp op) {
  FailureOr<plan::TensorOp> whole = source.getTensor(op, op.getInput());
  if (failed(whole) || rank.count == 1)
    return whole;
  unsigned dim = op.getSliceAxis().getZExtValue();
  OpFoldResult share = plan.addShare(plan.getShape(*whole)[dim], rank.count);
  return addTake(getShare(op.getSliceAxis(), share), *whole);
}

template <typename OpT>
FailureOr<plan::TensorOp> RankLaunches::addExchange(OpT op) {
  auto tensors = source.getTensors(op, op->getOperands());
  if (failed(tensors))
    return failure();
  Tensor input = (*tensors)[0], choices = (*tensors)[1];
  RowExchange form;
  form.isBack = isa<block::RowsFromExpertsOp>(op);
  form.ranks = rank.count;
  form.rank = rank.rank;
  form.experts = op.getExperts() / rank.count;
  form.slots = block::getDim(op.getChoices(), 2);
  form.words = block::getDim(op.getInput(), 2) * getElementBytes(input) / 2;
  Shape rows = plan.getShape(input), all = rows, result = rows;
  result[1] = all[1] = plan.getShape(choices)[1];
  rows[1] = plan.addShare(all[1], rank.count);
  // Rows that are sent, or received, at once. For open sizes there is room for
  // all: they may be few.
  Shape moved = all;
  std::optional<int64_t> batch = getConstantIntValue(all[0]),
                         perSequence = getConstantIntValue(all[1]);
  if (batch && perSequence) {
    moved[0] = number(1);
    moved[1] = number(
        std::min(*batch * *perSequence, form.getRowsAtOnce() * form.ranks));
  }
  if (form.isBack) {
    result[1] = rows[1];
    result[2] = number(block::getDim(op.getResult(), 2));
  }
  StringRef name = op->getName().getStringRef();
  KernelCode kernel = library.lookupOrBuild(
      llvm::formatv("{0}_{1}_{2}_{3}", name, form.experts, form.slots,
                    form.words)
          .str(),
      [&](Frame &frame) { return buildRowExchangeKernel(frame, form); });
  Launch launch = plan.start(kernel);
  launch.inputs = {input, choices};
  Type element = input.getElementType();
  launch.outputs = {plan.addTemporary(name, element, result),
                    plan.addTemporary("rows.sent", element, moved),
                    plan.addTemporary("rows.received", element, moved),
                    plan.addTemporary("rows.numbers",
                                      IntegerType::get(op.getContext(), 32),
                                      {number(4 * rank.count)})};
  launch.dims = {rows[0], rows[1]};
  plan.addLaunch(launch);
  return launch.outputs.front();
}

//===----------------------------------------------------------------------===//
// Parts of a rank's tensors
//===----------------------------------------------------------------------===//

/// Returns whether `slice` is the part `part` of the columns of `whole`.
template <typename OpT>
static bool isColumns(OpT slice, RankedTensorType part,
                      RankedTensorType whole) {
  int64_t last = whole.getRank() - 1;
  if (part.getRank() != whole.getRank() || slice.isDynamicOffset(last) ||
      part.isDynamicDim(last) || !slice.hasUnitStride())
    return false;
  for (int64_t dim = 0; dim < last; ++dim)
    if (part.getDimSize(dim) != whole.getDimSize(dim) ||
        slice.isDynamicOffset(dim) || slice.getStaticOffset(dim) != 0)
      return false;
  return true;
}

static bool isZeros(Value value) {
  auto splat = value.getDefiningOp<tensor::SplatOp>();
  return splat && matchPattern(splat.getInput(), m_AnyZeroFloat());
}

FailureOr<plan::TensorOp> RankLaunches::addInsertion(tensor::InsertSliceOp op) {
  if (!isColumns(op, op.getSourceType(), op.getType()))
    return op.emitError("no CPU code for an insertion that is not one of "
                        "columns at a constant place");
  FailureOr<plan::TensorOp> tensor = source.getTensor(op, op.getSource());
  if (failed(tensor))
    return failure();
  Tensor base;
  if (!isZeros(op.getDest())) {
    FailureOr<plan::TensorOp> dest = source.getTensor(op, op.getDest());
    if (failed(dest))
      return failure();
    base = *dest;
  }
  unsigned last = op.getType().getRank() - 1;
  Shape whole = plan.getShape(*tensor);
  Part part{last, whole[last], op.getStaticOffset(last), number(1)};
  whole[last] = number(op.getType().getDimSize(last));
  return addPut(part, *tensor, base, whole);
}

FailureOr<plan::TensorOp> RankLaunches::addColumns(tensor::ExtractSliceOp op) {
  if (!isColumns(op, op.getType(), op.getSourceType()))
    return op.emitError("no CPU code for a slice that is not one of columns "
                        "at a constant place");
  FailureOr<plan::TensorOp> tensor = source.getTensor(op, op.getSource());
  if (failed(tensor))
    return failure();
  unsigned last = op.getType().getRank() - 1;
  return addTake({last, number(op.getType().getDimSize(last)),
                  op.getStaticOffset(last), number(1)},
                 *tensor);
}

//===----------------------------------------------------------------------===//
// By op
//===----------------------------------------------------------------------===//

/// More dimensions than sums and moves are generated for.
static bool hasManyDims(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() > 4;
  });
}

bool cpugen::isRankStep(Operation *op) {
  return isa<shard::AllReduceOp, shard::AllGatherOp, shard::ReduceScatterOp,
             shard::AllSliceOp, tensor::InsertSliceOp>(op) ||
         block::isRowExchange(op) ||
         (isa<tensor::ExtractSliceOp>(op) && !isWeightWork(op));
}

LogicalResult RankLaunches::add(Operation *op) {
  if (hasManyDims(op))
    return op->emitError("no CPU code for more than four dimensions");
  FailureOr<plan::TensorOp> result =
      llvm::TypeSwitch<Operation *, FailureOr<plan::TensorOp>>(op)
          .Case([&](shard::AllReduceOp reduce) { return addReduction(reduce); })
          .Case([&](shard::AllGatherOp gather) { return addGather(gather); })
          .Case([&](shard::ReduceScatterOp scatter) {
            return addScatter(scatter);
          })
          .Case([&](shard::AllSliceOp slice) { return addShare(slice); })
          .Case<block::RowsToExpertsOp, block::RowsFromExpertsOp>(
              [&](auto exchange) { return addExchange(exchange); })
          .Case([&](tensor::InsertSliceOp insert) {
            return addInsertion(insert);
          })
          .Case(
              [&](tensor::ExtractSliceOp slice) { return addColumns(slice); });
  if (failed(result))
    return failure();
  plan.assign(op->getResult(0), *result);
  return success();
}
