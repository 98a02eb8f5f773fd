//===- EvalTensorShape.cpp - evaluates reshapes and dims ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Sizes.h"
#include "Step.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

static FailureOr<Arrays> fillShape(Step &step, ArrayRef<int64_t> shape,
                                   double value) {
  FailureOr<std::vector<double>> values = step.allocate(shape);
  if (failed(values))
    return failure();
  llvm::fill(*values, value);
  return step.finish(std::move(*values), shape);
}

static FailureOr<Arrays> evalEmpty(tensor::EmptyOp op, Step &step) {
  return fillShape(step, readSizes(step, op.getMixedSizes()), 0);
}

static FailureOr<Arrays> evalSplat(tensor::SplatOp op, Step &step) {
  Shape shape =
      readSizes(step, getMixedValues(op.getType().getShape(),
                                     op.getDynamicSizes(), op.getContext()));
  return fillShape(step, shape, step.get(op.getInput()).data().front());
}

static FailureOr<Arrays> evalDim(tensor::DimOp op, Step &step) {
  const Array &source = step.get(op.getSource());
  int64_t dim = step.getWhole(op.getIndex());
  if (dim < 0 || dim >= static_cast<int64_t>(source.shape.size()))
    return step.error() << "expected a dimension in [0, " << source.shape.size()
                        << "), got " << dim;
  return step.finish({static_cast<double>(source.shape[dim])}, {});
}

static FailureOr<Arrays> evalRank(tensor::RankOp op, Step &step) {
  return step.finish(
      {static_cast<double>(step.get(op.getTensor()).shape.size())}, {});
}

/// Evaluates to the operand; the result's shape of every op is checked against
/// the type.
static FailureOr<Arrays> evalCast(tensor::CastOp op, Step &step) {
  const Array &source = step.get(op.getSource());
  return step.share(source, source.shape);
}

/// Multiplies the sizes of some dimensions, which a `?` may have hidden.
static FailureOr<int64_t> multiplySizes(Step &step, ArrayRef<int64_t> shape,
                                        ArrayRef<int64_t> dims) {
  std::optional<int64_t> product = 1;
  for (int64_t dim : dims)
    if (product)
      product = llvm::checkedMul(*product, shape[dim]);
  if (product && *product >= 0)
    return *product;
  return step.error() << "expected sizes whose product is a size";
}

static FailureOr<Arrays> reshape(Step &step, const Array &source,
                                 ArrayRef<int64_t> shape) {
  FailureOr<int64_t> count = multiplySizes(
      step, shape, llvm::to_vector(llvm::seq<int64_t>(0, shape.size())));
  if (failed(count) || failed(step.check("the number of elements", *count,
                                         source.data().size())))
    return failure();
  return step.share(source, shape);
}

/// Checks that the dimensions are grouped in order. The ops' own verifiers only
/// check the low 32 bits of their numbers.
static LogicalResult checkGroups(Step &step,
                                 ArrayRef<ReassociationIndices> groups) {
  int64_t expected = 0;
  for (const ReassociationIndices &group : groups)
    for (int64_t dim : group)
      if (dim != expected++)
        return step.error() << "expected reassociation to list dimension "
                            << expected - 1 << ", got " << dim;
  return success();
}

static FailureOr<Arrays> evalCollapse(tensor::CollapseShapeOp op, Step &step) {
  const Array &source = step.get(op.getSrc());
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  if (failed(checkGroups(step, groups)))
    return failure();
  Shape shape;
  for (ArrayRef<int64_t> group : groups) {
    FailureOr<int64_t> size = multiplySizes(step, source.shape, group);
    if (failed(size))
      return failure();
    shape.push_back(*size);
  }
  return reshape(step, source, shape);
}

static FailureOr<Arrays> evalExpand(tensor::ExpandShapeOp op, Step &step) {
  const Array &source = step.get(op.getSrc());
  Shape shape =
      readSizes(step, getMixedValues(op.getStaticOutputShape(),
                                     op.getOutputShape(), op.getContext()));
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  if (failed(checkGroups(step, groups)))
    return failure();
  for (auto [dim, group] : llvm::enumerate(groups)) {
    FailureOr<int64_t> size = multiplySizes(step, shape, group);
    if (failed(size) ||
        failed(step.check("the product of the sizes that dimension " +
                              llvm::Twine(dim) + " becomes",
                          *size, source.shape[dim])))
      return failure();
  }
  return reshape(step, source, shape);
}

static FailureOr<Arrays> evalReshape(tensor::ReshapeOp op, Step &step) {
  Shape shape;
  for (double size : step.get(op.getShape()).data())
    shape.push_back(static_cast<int64_t>(size));
  return reshape(step, step.get(op.getSource()), shape);
}

static FailureOr<Arrays> evalFromElements(tensor::FromElementsOp op,
                                          Step &step) {
  std::vector<double> values;
  for (Value element : op.getElements())
    values.push_back(step.get(element).data().front());
  return step.finish(std::move(values), op.getType().getShape());
}

static FailureOr<Arrays> evalExtract(tensor::ExtractOp op, Step &step) {
  const Array &source = step.get(op.getTensor());
  int64_t place = 0;
  for (auto [dim, value] : llvm::enumerate(op.getIndices())) {
    int64_t index = step.getWhole(value);
    if (index < 0 || index >= source.shape[dim])
      return step.error() << "expected index " << dim << " to be in [0, "
                          << source.shape[dim] << "), got " << index;
    place = place * source.shape[dim] + index;
  }
  return step.finish({source.data()[place]}, {});
}

void evaluator::addTensorShapeEvaluators(Table &table) {
  table.add<tensor::EmptyOp>(evalEmpty);
  table.add<tensor::SplatOp>(evalSplat);
  table.add<tensor::DimOp>(evalDim);
  table.add<tensor::RankOp>(evalRank);
  table.add<tensor::CastOp>(evalCast);
  table.add<tensor::CollapseShapeOp>(evalCollapse);
  table.add<tensor::ExpandShapeOp>(evalExpand);
  table.add<tensor::ReshapeOp>(evalReshape);
  table.add<tensor::FromElementsOp>(evalFromElements);
  table.add<tensor::ExtractOp>(evalExtract);
}
