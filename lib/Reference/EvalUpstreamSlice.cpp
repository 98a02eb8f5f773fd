//===- EvalUpstreamSlice.cpp - parts of tensors ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpFoldSizes.h"
#include "Registry.h"
#include "StridedCopy.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

namespace {
/// A slice of a tensor, checked to lie in it.
struct Slice {
  llvm::SmallVector<int64_t> sizes;
  Layout layout;
};
} // namespace

/// The last index that the slice reaches in a dimension is inside it.
static bool isInside(int64_t offset, int64_t size, int64_t stride,
                     int64_t available) {
  if (offset < 0 || size < 0 || offset > available)
    return false;
  if (size == 0)
    return true;
  std::optional<int64_t> reach = llvm::checkedMul(size - 1, stride);
  std::optional<int64_t> last =
      reach ? llvm::checkedAdd(offset, *reach) : std::nullopt;
  return last && *last >= 0 && *last < available && offset < available;
}

template <typename OpT>
static FailureOr<Slice> getSlice(OpT op, Evaluation &at, const Tensor &whole) {
  llvm::SmallVector<int64_t> offsets = getSizes(at, op.getMixedOffsets());
  llvm::SmallVector<int64_t> strides = getSizes(at, op.getMixedStrides());
  Slice slice = {getSizes(at, op.getMixedSizes()),
                 getRowMajorLayout(whole.shape)};
  for (size_t dim = 0; dim < offsets.size(); ++dim) {
    if (!isInside(offsets[dim], slice.sizes[dim], strides[dim],
                  whole.shape[dim]))
      return at.error() << "expected the slice to lie within dimension " << dim
                        << " of size " << whole.shape[dim] << ", got offset "
                        << offsets[dim] << ", size " << slice.sizes[dim]
                        << " and stride " << strides[dim];
    slice.layout.offset += offsets[dim] * slice.layout.strides[dim];
    slice.layout.strides[dim] *= strides[dim];
  }
  return slice;
}

/// A slice's shape without the unit dimensions that its type leaves out.
static llvm::SmallVector<int64_t>
dropDims(ArrayRef<int64_t> sizes, const llvm::SmallBitVector &dropped) {
  llvm::SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (!dropped.test(dim))
      shape.push_back(size);
  return shape;
}

static FailureOr<Tensor> evalExtractSlice(tensor::ExtractSliceOp op,
                                          Evaluation &at) {
  const Tensor &source = at.get(op.getSource());
  FailureOr<Slice> slice = getSlice(op, at, source);
  if (failed(slice))
    return failure();
  FailureOr<std::vector<double>> result = at.allocate(slice->sizes);
  if (failed(result))
    return failure();
  copyStrided(slice->sizes, source.data(), slice->layout, *result,
              getRowMajorLayout(slice->sizes));
  return at.wrap(std::move(*result),
                 dropDims(slice->sizes, op.getDroppedDims()), source.type);
}

static FailureOr<Tensor> evalInsertSlice(tensor::InsertSliceOp op,
                                         Evaluation &at) {
  const Tensor &source = at.get(op.getSource()), &dest = at.get(op.getDest());
  FailureOr<Slice> slice = getSlice(op, at, dest);
  if (failed(slice))
    return failure();
  for (auto [dim, size] :
       llvm::enumerate(dropDims(slice->sizes, op.getDroppedDims())))
    if (failed(at.checkSize("source", source, dim, size, "size of the slice")))
      return failure();
  std::vector<double> result(dest.data());
  copyStrided(slice->sizes, source.data(), getRowMajorLayout(slice->sizes),
              result, slice->layout);
  return at.wrap(std::move(result), dest.shape, dest.type);
}

static FailureOr<Tensor> evalConcat(tensor::ConcatOp op, Evaluation &at) {
  unsigned along = op.getDim();
  llvm::SmallVector<int64_t> shape = at.get(op.getInputs().front()).shape;
  shape[along] = 0;
  for (Value value : op.getInputs()) {
    const Tensor &input = at.get(value);
    for (unsigned dim = 0; dim < shape.size(); ++dim)
      if (dim != along && failed(at.checkSize("input", input, dim, shape[dim],
                                              "size of the first input")))
        return failure();
    std::optional<int64_t> sum =
        llvm::checkedAdd(shape[along], input.shape[along]);
    if (!sum)
      return at.error() << "expected inputs whose sizes add up to a size";
    shape[along] = *sum;
  }
  FailureOr<std::vector<double>> result = at.allocate(shape);
  if (failed(result))
    return failure();
  Layout to = getRowMajorLayout(shape);
  for (Value value : op.getInputs()) {
    const Tensor &input = at.get(value);
    copyStrided(input.shape, input.data(), getRowMajorLayout(input.shape),
                *result, to);
    to.offset += input.shape[along] * to.strides[along];
  }
  return at.wrap(std::move(*result), shape, at.getResultType());
}

void reference::addTensorSliceEvaluators(Registry &registry) {
  registry.add<tensor::ExtractSliceOp>(evalExtractSlice);
  registry.add<tensor::InsertSliceOp>(evalInsertSlice);
  registry.add<tensor::ConcatOp>(evalConcat);
}
