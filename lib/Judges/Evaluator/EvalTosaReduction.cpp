//===- EvalTosaReduction.cpp - evaluates reductions of TOSA ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Boxes.h"
#include "Product.h"
#include "ScalarTables.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include <limits>
#include <numeric>

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

static FailureOr<Arrays> reduce(Step &step, unsigned axis, double start,
                                double (*combine)(double, double)) {
  const Array &source = step.operand(0);
  Axis rows(source.shape, axis);
  std::vector<double> result(rows.outer * rows.inner, start);
  for (int64_t outer = 0; outer < rows.outer; ++outer)
    for (int64_t i = 0; i < rows.size; ++i) {
      const double *from =
          source.data().data() + (outer * rows.size + i) * rows.inner;
      double *to = result.data() + outer * rows.inner;
      for (int64_t inner = 0; inner < rows.inner; ++inner)
        to[inner] = combine(to[inner], from[inner]);
    }
  Shape shape = source.shape;
  shape[axis] = 1;
  return step.finish(std::move(result), shape);
}

/// Reduces numbers: TOSA sums and orders no truth values.
static FailureOr<Arrays> reduceNumbers(Step &step, unsigned axis, double start,
                                       double (*combine)(double, double)) {
  if (step.operand(0).type == ElementType::Bool)
    return step.error() << "expected numbers, got i1";
  return reduce(step, axis, start, combine);
}

static FailureOr<Arrays> evalSum(tosa::ReduceSumOp op, Step &step) {
  return reduceNumbers(step, op.getAxis(), 0, addNumbers);
}
static FailureOr<Arrays> evalProduct(tosa::ReduceProductOp op, Step &step) {
  return reduceNumbers(step, op.getAxis(), 1, multiplyNumbers);
}
static FailureOr<Arrays> evalMax(tosa::ReduceMaxOp op, Step &step) {
  return reduceNumbers(step, op.getAxis(),
                       -std::numeric_limits<double>::infinity(), maximum);
}
static FailureOr<Arrays> evalMin(tosa::ReduceMinOp op, Step &step) {
  return reduceNumbers(step, op.getAxis(),
                       std::numeric_limits<double>::infinity(), minimum);
}
static FailureOr<Arrays> evalAll(tosa::ReduceAllOp op, Step &step) {
  return reduce(step, op.getAxis(), 1, conjunction);
}
static FailureOr<Arrays> evalAny(tosa::ReduceAnyOp op, Step &step) {
  return reduce(step, op.getAxis(), 0, disjunction);
}

/// The first of the largest.
static FailureOr<Arrays> evalArgMax(tosa::ArgMaxOp op, Step &step) {
  const Array &source = step.operand(0);
  Axis rows(source.shape, op.getAxis());
  std::vector<double> result(rows.outer * rows.inner);
  for (int64_t row = 0; row < rows.outer * rows.inner; ++row) {
    const double *from = source.data().data() +
                         row / rows.inner * rows.size * rows.inner +
                         row % rows.inner;
    int64_t best = 0;
    for (int64_t i = 1; i < rows.size; ++i)
      if (from[i * rows.inner] > from[best * rows.inner])
        best = i;
    result[row] = static_cast<double>(best);
  }
  Shape shape = source.shape;
  shape.erase(shape.begin() + op.getAxis());
  return step.finish(std::move(result), shape);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static LogicalResult checkZeroPoints(Step &step, Value a, Value b) {
  for (Value point : {a, b})
    if (point && step.get(point).data().front() != 0)
      return step.error() << "expected zero points of 0, got "
                          << step.get(point).data().front();
  return success();
}

static FailureOr<Arrays> evalMatMul(tosa::MatMulOp op, Step &step) {
  const Array &a = step.get(op.getA()), &b = step.get(op.getB());
  if (failed(checkZeroPoints(step, op.getAZp(), op.getBZp())) ||
      failed(step.check("the batch of b", b.shape[0], a.shape[0])) ||
      failed(step.check("the rows of b", b.shape[1], a.shape[2])))
    return failure();
  int64_t n = a.shape[0], m = a.shape[1], k = a.shape[2], p = b.shape[2];
  Shape shape = {n, m, p};
  FailureOr<std::vector<double>> result = step.allocate(shape);
  if (failed(result))
    return failure();
  Contraction product;
  product.sizes = {n, m, p, k};
  product.a.strides = {m * k, k, 0, 1};
  product.b.strides = {k * p, 0, 1, p};
  product.c.strides = {m * p, p, 1, 0};
  product.run(a.data().data(), b.data().data(), result->data());
  return step.finish(std::move(*result), shape);
}

/// `[N, H, W, C]` with zeros around.
static std::vector<double> padImage(const Array &image, ArrayRef<int64_t> pad,
                                    ArrayRef<int64_t> shape) {
  std::vector<double> padded(std::accumulate(shape.begin(), shape.end(),
                                             int64_t(1), std::multiplies<>()));
  Access to = getWholeAccess(shape);
  to.offset = pad[0] * to.strides[1] + pad[2] * to.strides[2];
  copyBox<double>(image.shape, image.data().data(), getWholeAccess(image.shape),
                  padded.data(), to);
  return padded;
}

static FailureOr<Arrays> evalConv2D(tosa::Conv2DOp op, Step &step) {
  const Array &image = step.get(op.getInput());
  const Array &weight = step.get(op.getWeight());
  const Array &bias = step.get(op.getBias());
  ArrayRef<int64_t> pad = op.getPad(), stride = op.getStride();
  ArrayRef<int64_t> dilation = op.getDilation();
  if (failed(checkZeroPoints(step, op.getInputZp(), op.getWeightZp())) ||
      failed(step.check("the channels of the weight", weight.shape[3],
                        image.shape[3])))
    return failure();
  Shape padded = image.shape;
  padded[1] += pad[0] + pad[1];
  padded[2] += pad[2] + pad[3];
  int64_t channels = weight.shape[0], tall = weight.shape[1];
  int64_t wide = weight.shape[2], depth = weight.shape[3];
  auto countSteps = [&](unsigned dim, int64_t size) {
    int64_t reach = padded[dim + 1] - 1 - (size - 1) * dilation[dim];
    return reach < 0 ? 0 : reach / stride[dim] + 1;
  };
  Shape shape = {image.shape[0], countSteps(0, tall), countSteps(1, wide),
                 channels};
  FailureOr<std::vector<double>> result = step.allocate(shape);
  if (failed(result) || failed(step.allocate(padded)))
    return failure();
  for (size_t i = 0; i < result->size(); ++i)
    (*result)[i] = bias.data()[bias.data().size() == 1 ? 0 : i % channels];
  Access from = getWholeAccess(padded), to = getWholeAccess(shape);
  Access filter = getWholeAccess(weight.shape);
  Contraction product;
  product.sizes = {shape[0], shape[1], shape[2], channels, tall, wide, depth};
  product.a.strides = {from.strides[0],
                       from.strides[1] * stride[0],
                       from.strides[2] * stride[1],
                       0,
                       from.strides[1] * dilation[0],
                       from.strides[2] * dilation[1],
                       1};
  product.b.strides = {
      0, 0, 0, filter.strides[0], filter.strides[1], filter.strides[2], 1};
  product.c.strides = {to.strides[0], to.strides[1], to.strides[2], 1, 0, 0, 0};
  std::vector<double> surrounded = padImage(image, pad, padded);
  product.run(surrounded.data(), weight.data().data(), result->data());
  return step.finish(std::move(*result), shape);
}

void evaluator::addTosaReductionEvaluators(Table &table) {
  table.add<tosa::ArgMaxOp>(evalArgMax);
  table.add<tosa::Conv2DOp>(evalConv2D);
  table.add<tosa::MatMulOp>(evalMatMul);
  table.add<tosa::ReduceAllOp>(evalAll);
  table.add<tosa::ReduceAnyOp>(evalAny);
  table.add<tosa::ReduceMaxOp>(evalMax);
  table.add<tosa::ReduceMinOp>(evalMin);
  table.add<tosa::ReduceProductOp>(evalProduct);
  table.add<tosa::ReduceSumOp>(evalSum);
}
