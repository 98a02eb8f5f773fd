//===- Linear.cpp - projection of the last dimension ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Matmul.h"
#include "Steps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

/// The shape of `input` with another last dimension.
static llvm::SmallVector<int64_t> withWidth(const Tensor &input,
                                            int64_t width) {
  llvm::SmallVector<int64_t> shape = input.shape;
  shape.back() = width;
  return shape;
}

FailureOr<std::vector<double>>
parablock::reference::project(Evaluation &at, const Tensor &input,
                              NamedTensor weight, NamedTensor bias) {
  int64_t inner = input.shape.back(), width = weight.tensor->shape[0];
  if (failed(at.checkSize(weight.name, weight.tensor, 1, inner,
                          "width of its input")) ||
      failed(at.checkSize(bias.name, bias.tensor, 0, width,
                          "rows of " + weight.name)))
    return failure();
  FailureOr<std::vector<double>> result = at.allocate(withWidth(input, width));
  if (failed(result) || result->empty())
    return result;
  int64_t rows = static_cast<int64_t>(result->size()) / width;
  multiplyTransposed({input.data().data(), rows, inner, inner},
                     {weight.tensor->data().data(), width, inner, inner},
                     result->data(), width);
  if (bias.tensor)
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t c = 0; c < width; ++c)
        (*result)[row * width + c] += bias.tensor->data()[c];
  return result;
}

FailureOr<Tensor> parablock::reference::linear(Evaluation &at,
                                               const Tensor &input,
                                               NamedTensor weight,
                                               NamedTensor bias,
                                               ElementType type) {
  FailureOr<std::vector<double>> sums = project(at, input, weight, bias);
  if (failed(sums))
    return failure();
  return at.round(std::move(*sums), withWidth(input, weight.tensor->shape[0]),
                  type);
}
