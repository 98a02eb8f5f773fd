//===- EvalUpstreamTensor.cpp - shapes of tensors -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpFoldSizes.h"
#include "Registry.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

/// The same elements with another shape.
static Tensor reshape(const Tensor &tensor, ArrayRef<int64_t> shape) {
  return {tensor.type, llvm::SmallVector<int64_t>(shape), tensor.values};
}

static FailureOr<Tensor> evalEmpty(tensor::EmptyOp op, Evaluation &at) {
  llvm::SmallVector<int64_t> shape = getSizes(at, op.getMixedSizes());
  FailureOr<std::vector<double>> values = at.allocate(shape);
  if (failed(values))
    return failure();
  return at.wrap(std::move(*values), shape, at.getResultType());
}

static FailureOr<Tensor> evalSplat(tensor::SplatOp op, Evaluation &at) {
  llvm::SmallVector<OpFoldResult> mixed = getMixedValues(
      op.getType().getShape(), op.getDynamicSizes(), op.getContext());
  llvm::SmallVector<int64_t> shape = getSizes(at, mixed);
  FailureOr<std::vector<double>> values = at.allocate(shape);
  if (failed(values))
    return failure();
  llvm::fill(*values, at.get(op.getInput()).data().front());
  return at.wrap(std::move(*values), shape, at.getResultType());
}

static FailureOr<Tensor> evalDim(tensor::DimOp op, Evaluation &at) {
  const Tensor &source = at.get(op.getSource());
  int64_t dim = at.getIndex(op.getIndex()), rank = source.shape.size();
  if (dim < 0 || dim >= rank)
    return at.error() << "expected a dimension in [0, " << rank << "), got "
                      << dim;
  return at.wrap({static_cast<double>(source.shape[dim])}, {},
                 ElementType::I64);
}

/// The driver compares the shape with the type cast to.
static FailureOr<Tensor> evalCast(tensor::CastOp op, Evaluation &at) {
  return at.get(op.getSource());
}

/// The product of some dimensions, or a diagnostic where it is nonsense.
static FailureOr<int64_t> multiplyDims(Evaluation &at,
                                       const llvm::SmallVector<int64_t> &shape,
                                       ArrayRef<int64_t> dims) {
  std::optional<int64_t> product = 1;
  for (int64_t dim : dims)
    if (product)
      product = llvm::checkedMul(*product, shape[dim]);
  if (product && *product >= 0)
    return *product;
  return at.error() << "expected sizes whose product is a size";
}

/// The dimensions are grouped in order. The op's own verifier looks only at the
/// low 32 bits of their numbers.
static LogicalResult checkReassociation(Evaluation &at,
                                        ArrayRef<ReassociationIndices> groups) {
  int64_t expected = 0;
  for (const ReassociationIndices &group : groups)
    for (int64_t dim : group)
      if (dim != expected++)
        return at.error() << "expected reassociation to list dimension "
                          << expected - 1 << ", got " << dim;
  return success();
}

/// The source keeps the sizes of the dimensions that become one.
static FailureOr<Tensor> evalCollapse(tensor::CollapseShapeOp op,
                                      Evaluation &at) {
  const Tensor &source = at.get(op.getSrc());
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  if (failed(checkReassociation(at, groups)))
    return failure();
  llvm::SmallVector<int64_t> shape;
  for (ArrayRef<int64_t> dims : groups) {
    FailureOr<int64_t> size = multiplyDims(at, source.shape, dims);
    if (failed(size))
      return failure();
    shape.push_back(*size);
  }
  return reshape(source, shape);
}

static FailureOr<Tensor> evalExpand(tensor::ExpandShapeOp op, Evaluation &at) {
  const Tensor &source = at.get(op.getSrc());
  llvm::SmallVector<int64_t> shape =
      getSizes(at, getMixedValues(op.getStaticOutputShape(),
                                  op.getOutputShape(), op.getContext()));
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  if (failed(checkReassociation(at, groups)))
    return failure();
  for (auto [dim, dims] : llvm::enumerate(groups)) {
    FailureOr<int64_t> size = multiplyDims(at, shape, dims);
    if (failed(size) ||
        failed(at.checkSize("source", source, dim, *size,
                            "product of the dimensions it becomes")))
      return failure();
  }
  return reshape(source, shape);
}

void reference::addTensorEvaluators(Registry &registry) {
  registry.add<tensor::EmptyOp>(evalEmpty);
  registry.add<tensor::SplatOp>(evalSplat);
  registry.add<tensor::DimOp>(evalDim);
  registry.add<tensor::CastOp>(evalCast);
  registry.add<tensor::CollapseShapeOp>(evalCollapse);
  registry.add<tensor::ExpandShapeOp>(evalExpand);
}
