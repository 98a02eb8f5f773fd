//===- Boxes.cpp - box bounds, permutations and pads ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Boxes.h"

#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

/// Returns whether the last index is within the tensor.
static bool isInside(int64_t offset, int64_t size, int64_t stride,
                     int64_t available) {
  if (offset < 0 || size < 0 || offset > available)
    return false;
  if (size == 0)
    return true;
  std::optional<int64_t> reach = llvm::checkedMul(size - 1, stride);
  if (!reach || offset >= available)
    return false;
  std::optional<int64_t> last = llvm::checkedAdd(offset, *reach);
  return last && *last >= 0 && *last < available;
}

FailureOr<Access> evaluator::getBoxAccess(Step &step, const Box &box,
                                          llvm::ArrayRef<int64_t> shape) {
  Access access{0, getRowMajorStrides(shape)};
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    int64_t offset = box.offsets[dim], stride = box.strides[dim];
    if (!isInside(offset, box.sizes[dim], stride, shape[dim]))
      return step.error() << "expected a part of dimension " << dim
                          << " of size " << shape[dim] << ", got offset "
                          << offset << ", size " << box.sizes[dim]
                          << " and stride " << stride;
    access.offset += offset * access.strides[dim];
    access.strides[dim] *= stride;
  }
  return access;
}

Access evaluator::getWholeAccess(llvm::ArrayRef<int64_t> shape) {
  return {0, getRowMajorStrides(shape)};
}

FailureOr<Arrays> evaluator::permute(Step &step, const Array &source,
                                     llvm::ArrayRef<int64_t> permutation) {
  Access whole = getWholeAccess(source.shape), from;
  Shape shape;
  for (int64_t dim : permutation) {
    shape.push_back(source.shape[dim]);
    from.strides.push_back(whole.strides[dim]);
  }
  std::vector<double> result(source.data().size());
  copyBox<double>(shape, source.data().data(), from, result.data(),
                  getWholeAccess(shape));
  return step.finish(std::move(result), shape);
}

FailureOr<Arrays> evaluator::concatenate(Step &step,
                                         llvm::ArrayRef<const Array *> inputs,
                                         unsigned dim) {
  Shape shape = inputs.front()->shape;
  shape[dim] = 0;
  for (const Array *input : inputs) {
    for (unsigned other = 0; other < shape.size(); ++other)
      if (other != dim && failed(step.check("dimension " + llvm::Twine(other) +
                                                " of every input",
                                            input->shape[other], shape[other])))
        return failure();
    std::optional<int64_t> sum =
        llvm::checkedAdd(shape[dim], input->shape[dim]);
    if (!sum)
      return step.error() << "expected inputs whose sizes add up to a size";
    shape[dim] = *sum;
  }
  FailureOr<std::vector<double>> result = step.allocate(shape);
  if (failed(result))
    return failure();
  Access to = getWholeAccess(shape);
  for (const Array *input : inputs) {
    copyBox<double>(input->shape, input->data().data(),
                    getWholeAccess(input->shape), result->data(), to);
    to.offset += input->shape[dim] * to.strides[dim];
  }
  return step.finish(std::move(*result), shape);
}

FailureOr<Arrays> evaluator::pad(Step &step, const Array &source,
                                 llvm::ArrayRef<int64_t> low,
                                 llvm::ArrayRef<int64_t> shape, double value) {
  FailureOr<std::vector<double>> result = step.allocate(shape);
  if (failed(result))
    return failure();
  llvm::fill(*result, value);
  Box inner{Shape(low), source.shape, Shape(shape.size(), 1)};
  FailureOr<Access> to = getBoxAccess(step, inner, shape);
  if (failed(to))
    return failure();
  copyBox<double>(source.shape, source.data().data(),
                  getWholeAccess(source.shape), result->data(), *to);
  return step.finish(std::move(*result), shape);
}

FailureOr<Arrays> evaluator::cut(Step &step, const Array &source,
                                 const Box &box,
                                 llvm::ArrayRef<int64_t> shape) {
  FailureOr<Access> from = getBoxAccess(step, box, source.shape);
  if (failed(from))
    return failure();
  FailureOr<std::vector<double>> result = step.allocate(box.sizes);
  if (failed(result))
    return failure();
  copyBox<double>(box.sizes, source.data().data(), *from, result->data(),
                  getWholeAccess(box.sizes));
  return step.finish(std::move(*result), shape);
}
