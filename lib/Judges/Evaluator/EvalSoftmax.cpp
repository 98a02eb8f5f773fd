//===- EvalSoftmax.cpp - evaluates linalg.softmax -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Boxes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

/// exp(x - max x) / sum exp(x - max x) along one dimension, rounded once.
static FailureOr<Arrays> evalSoftmax(linalg::SoftmaxOp op, Step &step) {
  if (op->getNumResults() != 1)
    return step.error() << "has no meaning on memrefs here";
  if (Type type = getElementTypeOrSelf(op.getInput().getType());
      !isa<FloatType>(type))
    return step.error() << "expected floats, got " << type;
  const Array &source = step.get(op.getInput());
  for (auto [d, size] : llvm::enumerate(step.get(op.getOutput()).shape))
    if (failed(step.check("dimension " + Twine(d) + " of the output", size,
                          source.shape[d])))
      return failure();
  Axis rows(source.shape, op.getDimension());
  std::vector<double> result(source.data());
  for (int64_t row = 0; row < rows.outer * rows.inner; ++row) {
    double *first = result.data() + row / rows.inner * rows.size * rows.inner +
                    row % rows.inner;
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t i = 0; i < rows.size; ++i)
      largest = std::max(largest, first[i * rows.inner]);
    for (int64_t i = 0; i < rows.size; ++i)
      sum += first[i * rows.inner] = std::exp(first[i * rows.inner] - largest);
    for (int64_t i = 0; i < rows.size; ++i)
      first[i * rows.inner] /= sum;
  }
  return step.finish(std::move(result), source.shape);
}

void evaluator::addSoftmaxEvaluator(Table &table) {
  table.add<linalg::SoftmaxOp>(evalSoftmax);
}
