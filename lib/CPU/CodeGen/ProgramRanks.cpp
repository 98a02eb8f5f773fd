//===- ProgramRanks.cpp - what ranks do together, and parts of tensors ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A sum over ranks is a launch of one item. MPI ops of MLIR have no more than
// that, so the others are made from it: a gather is the sum of parts in zeros,
// which as integers is exact for whatever the bits stand for, and a
// reduce-scatter takes its part from a sum.
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "RankKernels.h"
#include "WeightKernel.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// A part of one dimension; it begins at `factor * unit`.
struct ProgramBuilder::Part {
  unsigned dim = 0;
  Extent size;
  int64_t factor = 0;
  Extent unit = Extent::fixed(1);
};

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

unsigned ProgramBuilder::addStep(StringRef name, CpuLaunch launch,
                                 ElementType type, const Shape &shape) {
  CpuTensor result;
  result.name = (name + "#" + Twine(program.launches.size())).str();
  result.type = type;
  result.shape = shape;
  launch.tensors.push_back(program.tensors.size());
  program.tensors.push_back(std::move(result));
  program.launches.push_back(std::move(launch));
  return program.tensors.size() - 1;
}

unsigned ProgramBuilder::addMove(StringRef name, const KernelCode &kernel,
                                 ArrayRef<unsigned> operands, const Part &part,
                                 const Shape &whole, const Shape &result) {
  CpuLaunch launch;
  launch.kernel = kernel.name;
  launch.tensors.assign(operands.begin(), operands.end());
  launch.dims.assign(MoveDims::Count, Extent::fixed(1));
  ArrayRef<Extent> outer = ArrayRef(whole).take_front(part.dim);
  ArrayRef<Extent> inner = ArrayRef(whole).drop_front(part.dim + 1);
  llvm::copy(outer, launch.dims.begin() + MoveDims::Outer);
  llvm::copy(inner, launch.dims.begin() + MoveDims::Inner);
  launch.dims[MoveDims::Whole] = whole[part.dim];
  launch.dims[MoveDims::Part] = part.size;
  ElementType type = program.tensors[operands.front()].type;
  launch.dims[MoveDims::Words] = Extent::fixed(getElementSize(type) / 2);
  launch.dims[MoveDims::Factor] = Extent::fixed(part.factor);
  launch.dims[MoveDims::Unit] = part.unit;
  launch.items.outer.assign(outer.begin(), outer.end());
  return addStep(name, std::move(launch), type, result);
}

unsigned ProgramBuilder::addPut(const Part &part, unsigned tensor,
                                std::optional<unsigned> base,
                                const Shape &whole) {
  StringRef name = base ? "put" : "put_in_zeros";
  SmallVector<unsigned> operands = {tensor};
  if (base)
    operands.push_back(*base);
  KernelCode kernel = library.lookupOrBuild(name, [&](Frame &frame) {
    return buildPutKernel(frame, base.has_value());
  });
  return addMove(name, kernel, operands, part, whole, whole);
}

unsigned ProgramBuilder::addTake(const Part &part, unsigned whole) {
  KernelCode kernel = library.lookupOrBuild("take", buildTakeKernel);
  Shape from = program.tensors[whole].shape, result = from;
  result[part.dim] = part.size;
  return addMove("take", kernel, whole, part, from, result);
}

unsigned ProgramBuilder::addSum(StringRef name, unsigned summand, Type unit) {
  KernelCode kernel = library.lookupOrBuild(
      name, [&](Frame &frame) { return buildSumKernel(frame, unit); });
  const CpuTensor &tensor = program.tensors[summand];
  CpuLaunch launch;
  launch.kernel = kernel.name;
  launch.tensors = {summand};
  launch.dims.assign(kMaxSummedDims + 1, Extent::fixed(1));
  llvm::copy(tensor.shape, launch.dims.begin());
  launch.dims[kMaxSummedDims] = Extent::fixed(getElementSize(tensor.type) * 8 /
                                              unit.getIntOrFloatBitWidth());
  return addStep(name, std::move(launch), tensor.type, Shape(tensor.shape));
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// This rank's part of a dimension that all ranks divide into parts of `size`.
ProgramBuilder::Part ProgramBuilder::getShare(const APInt &dim,
                                              Extent size) const {
  return {static_cast<unsigned>(dim.getZExtValue()), size, rank.rank, size};
}

static Extent multiply(Extent size, int64_t factor) {
  if (size.symbol < 0)
    return Extent::fixed(size.value * factor);
  return Extent::symbolic(size.symbol, size.value / factor);
}

static Extent divide(Extent size, int64_t divisor) {
  if (size.symbol < 0)
    return Extent::fixed(size.value / divisor);
  return Extent::symbolic(size.symbol, size.value * divisor);
}

template <typename OpT>
FailureOr<unsigned> ProgramBuilder::addReduction(OpT op) {
  Type element = getElementTypeOrSelf(op.getType());
  if (op.getReduction() != shard::ReductionKind::Sum || !element.isF32())
    return op.emitError() << "no CPU code for this reduction: expected a sum "
                             "of f32";
  FailureOr<unsigned> summand = getTensor(op, op.getInput());
  if (failed(summand) || rank.count == 1)
    return summand;
  return addSum(op->getName().getStringRef(), *summand, element);
}

FailureOr<unsigned> ProgramBuilder::addGather(shard::AllGatherOp op) {
  FailureOr<unsigned> own = getTensor(op, op.getInput());
  if (failed(own) || rank.count == 1)
    return own;
  Shape whole = program.tensors[*own].shape;
  Part part =
      getShare(op.getGatherAxis(), whole[op.getGatherAxis().getZExtValue()]);
  if (part.size.symbol >= 0 && part.size.value % rank.count != 0)
    return op.emitError("no CPU code for a gather of an open size that was not "
                        "divided among the ranks");
  whole[part.dim] = multiply(part.size, rank.count);
  unsigned placed = addPut(part, *own, std::nullopt, whole);
  return addSum(op->getName().getStringRef(), placed,
                IntegerType::get(op.getContext(), 16));
}

FailureOr<unsigned> ProgramBuilder::addScatter(shard::ReduceScatterOp op) {
  FailureOr<unsigned> sum = addReduction(op);
  if (failed(sum) || rank.count == 1)
    return sum;
  unsigned dim = op.getScatterAxis().getZExtValue();
  Extent share = divide(program.tensors[*sum].shape[dim], rank.count);
  return addTake(getShare(op.getScatterAxis(), share), *sum);
}

FailureOr<unsigned> ProgramBuilder::addShare(shard::AllSliceOp op) {
  FailureOr<unsigned> whole = getTensor(op, op.getInput());
  if (failed(whole) || rank.count == 1)
    return whole;
  unsigned dim = op.getSliceAxis().getZExtValue();
  Extent share = divide(program.tensors[*whole].shape[dim], rank.count);
  return addTake(getShare(op.getSliceAxis(), share), *whole);
}

//===----------------------------------------------------------------------===//
// Parts of what a rank has
//===----------------------------------------------------------------------===//

/// The part of `whole` that `slice` stands for, if it is one of columns.
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

FailureOr<unsigned> ProgramBuilder::addInsertion(tensor::InsertSliceOp op) {
  if (!isColumns(op, op.getSourceType(), op.getType()))
    return op.emitError("no CPU code for an insertion that is not one of "
                        "columns at a constant place");
  FailureOr<unsigned> source = getTensor(op, op.getSource());
  if (failed(source))
    return failure();
  std::optional<unsigned> base;
  if (!isZeros(op.getDest())) {
    FailureOr<unsigned> dest = getTensor(op, op.getDest());
    if (failed(dest))
      return failure();
    base = *dest;
  }
  unsigned last = op.getType().getRank() - 1;
  Shape whole = program.tensors[*source].shape;
  Part part{last, whole[last], op.getStaticOffset(last)};
  whole[last] = Extent::fixed(op.getType().getDimSize(last));
  return addPut(part, *source, base, whole);
}

FailureOr<unsigned> ProgramBuilder::addColumns(tensor::ExtractSliceOp op) {
  if (!isColumns(op, op.getType(), op.getSourceType()))
    return op.emitError("no CPU code for a slice that is not one of columns "
                        "at a constant place");
  FailureOr<unsigned> source = getTensor(op, op.getSource());
  if (failed(source))
    return failure();
  unsigned last = op.getType().getRank() - 1;
  return addTake({last, Extent::fixed(op.getType().getDimSize(last)),
                  op.getStaticOffset(last)},
                 *source);
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
         (isa<tensor::ExtractSliceOp>(op) && !isWeightWork(op));
}

LogicalResult ProgramBuilder::addRankStep(Operation *op) {
  if (hasManyDims(op))
    return op->emitError("no CPU code for more than four dimensions");
  FailureOr<unsigned> result =
      llvm::TypeSwitch<Operation *, FailureOr<unsigned>>(op)
          .Case([&](shard::AllReduceOp reduce) { return addReduction(reduce); })
          .Case([&](shard::AllGatherOp gather) { return addGather(gather); })
          .Case([&](shard::ReduceScatterOp scatter) {
            return addScatter(scatter);
          })
          .Case([&](shard::AllSliceOp slice) { return addShare(slice); })
          .Case([&](tensor::InsertSliceOp insert) {
            return addInsertion(insert);
          })
          .Case(
              [&](tensor::ExtractSliceOp slice) { return addColumns(slice); });
  if (failed(result))
    return failure();
  tensorOf[op->getResult(0)] = *result;
  return success();
}
