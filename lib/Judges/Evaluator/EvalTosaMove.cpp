//===- EvalTosaMove.cpp - evaluates moves of TOSA -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Boxes.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include <numeric>

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

/// The numbers that an operand of type `!tosa.shape` holds.
static FailureOr<Shape> readShape(Step &step, Value value) {
  auto constant = value.getDefiningOp<tosa::ConstShapeOp>();
  if (!constant)
    return step.error() << "expected a shape from tosa.const_shape";
  Shape shape;
  for (const llvm::APInt &size : constant.getValues().getValues<llvm::APInt>())
    shape.push_back(size.getSExtValue());
  return shape;
}

static FailureOr<Arrays> evalTosaReshape(tosa::ReshapeOp op, Step &step) {
  const Array &source = step.get(op.getInput1());
  FailureOr<Shape> shape = readShape(step, op.getShape());
  if (failed(shape))
    return failure();
  int64_t count = source.data().size(), known = 1;
  for (int64_t size : *shape)
    known *= size == -1 ? 1 : size;
  // One size may be inferred from the others.
  for (int64_t &size : *shape)
    if (size == -1 && known > 0)
      size = count / known;
  int64_t product = std::accumulate(shape->begin(), shape->end(), int64_t(1),
                                    std::multiplies<>());
  if (failed(step.check("the number of elements", product, count)))
    return failure();
  return step.share(source, *shape);
}

static FailureOr<Arrays> evalTranspose(tosa::TransposeOp op, Step &step) {
  SmallVector<int64_t> permutation(op.getPerms().begin(), op.getPerms().end());
  return permute(step, step.get(op.getInput1()), permutation);
}

static FailureOr<Arrays> evalTosaConcat(tosa::ConcatOp op, Step &step) {
  SmallVector<const Array *> inputs;
  for (Value input : op.getInput1())
    inputs.push_back(&step.get(input));
  return concatenate(step, inputs, op.getAxis());
}

static FailureOr<Arrays> evalSlice(tosa::SliceOp op, Step &step) {
  const Array &source = step.get(op.getInput1());
  FailureOr<Shape> start = readShape(step, op.getStart());
  FailureOr<Shape> size = readShape(step, op.getSize());
  if (failed(start) || failed(size))
    return failure();
  for (auto [dim, taken] : llvm::enumerate(*size))
    if (taken == -1)
      taken = source.shape[dim] - (*start)[dim];
  Box box{*start, *size, Shape(size->size(), 1)};
  return cut(step, source, box, *size);
}

static FailureOr<Arrays> evalTile(tosa::TileOp op, Step &step) {
  const Array &source = step.get(op.getInput1());
  FailureOr<Shape> times = readShape(step, op.getMultiples());
  if (failed(times))
    return failure();
  // Each dimension becomes (times, size), of which the first moves nothing.
  Shape shape, loops;
  Access from;
  Access whole = getWholeAccess(source.shape);
  for (auto [dim, size] : llvm::enumerate(source.shape)) {
    shape.push_back(size * (*times)[dim]);
    loops.push_back((*times)[dim]);
    loops.push_back(size);
    from.strides.push_back(0);
    from.strides.push_back(whole.strides[dim]);
  }
  FailureOr<std::vector<double>> result = step.allocate(shape);
  if (failed(result))
    return failure();
  copyBox<double>(loops, source.data().data(), from, result->data(),
                  getWholeAccess(loops));
  return step.finish(std::move(*result), shape);
}

static FailureOr<Arrays> evalTosaPad(tosa::PadOp op, Step &step) {
  const Array &source = step.get(op.getInput1());
  FailureOr<Shape> padding = readShape(step, op.getPadding());
  if (failed(padding))
    return failure();
  Shape low, shape;
  for (auto [dim, size] : llvm::enumerate(source.shape)) {
    low.push_back((*padding)[2 * dim]);
    shape.push_back(size + low.back() + (*padding)[2 * dim + 1]);
  }
  return pad(step, source, low, shape,
             step.get(op.getPadConst()).data().front());
}

static FailureOr<Arrays> evalReverse(tosa::ReverseOp op, Step &step) {
  const Array &source = step.get(op.getInput1());
  Access from = getWholeAccess(source.shape);
  unsigned axis = op.getAxis();
  from.offset = (source.shape[axis] - 1) * from.strides[axis];
  from.strides[axis] *= -1;
  std::vector<double> result(source.data().size());
  copyBox<double>(source.shape, source.data().data(), from, result.data(),
                  getWholeAccess(source.shape));
  return step.finish(std::move(result), source.shape);
}

/// `values [N, K, C]` at `indices [N, W]`.
static FailureOr<Arrays> evalGather(tosa::GatherOp op, Step &step) {
  const Array &values = step.get(op.getValues());
  const Array &indices = step.get(op.getIndices());
  int64_t batch = values.shape[0], rows = values.shape[1];
  int64_t width = values.shape[2], count = indices.shape[1];
  if (failed(step.check("the batch of the indices", indices.shape[0], batch)))
    return failure();
  Shape shape = {batch, count, width};
  FailureOr<std::vector<double>> result = step.allocate(shape);
  if (failed(result))
    return failure();
  auto to = result->begin();
  for (int64_t i = 0; i < batch * count; ++i) {
    double row = indices.data()[i];
    if (!(row >= 0 && row < static_cast<double>(rows)))
      return step.error() << "expected index " << i << " to be in [0, " << rows
                          << "), got " << static_cast<int64_t>(row);
    int64_t place = (i / count * rows + static_cast<int64_t>(row)) * width;
    to = llvm::copy(values.data().slice(place, width), to);
  }
  return step.finish(std::move(*result), shape);
}

void evaluator::addTosaMoveEvaluators(Table &table) {
  table.add<tosa::ConcatOp>(evalTosaConcat);
  table.add<tosa::GatherOp>(evalGather);
  table.add<tosa::PadOp>(evalTosaPad);
  table.add<tosa::ReshapeOp>(evalTosaReshape);
  table.add<tosa::ReverseOp>(evalReverse);
  table.add<tosa::SliceOp>(evalSlice);
  table.add<tosa::TileOp>(evalTile);
  table.add<tosa::TransposeOp>(evalTranspose);
}
