//===- Linear.cpp - multiplies and adds biases ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "parablock/Judges/Reference/Matmul.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

llvm::SmallVector<int64_t> reference::withWidth(const Tensor &input,
                                                int64_t width) {
  llvm::SmallVector<int64_t> shape = input.shape;
  shape.back() = width;
  return shape;
}

FailureOr<std::vector<double>> reference::project(Evaluation &at,
                                                  const Tensor &input,
                                                  const Tensor &weight,
                                                  const Tensor *bias) {
  int64_t width = weight.shape[0], inner = weight.shape[1];
  FailureOr<std::vector<double>> result = at.allocate(withWidth(input, width));
  if (failed(result) || result->empty())
    return result;
  int64_t rows = static_cast<int64_t>(result->size()) / width;
  multiplyTransposed({input.data().data(), rows, inner, inner},
                     {weight.data().data(), width, inner, inner},
                     result->data(), width);
  if (bias)
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t c = 0; c < width; ++c)
        (*result)[row * width + c] += bias->data()[c];
  return result;
}

FailureOr<Tensor> reference::linear(Evaluation &at, const Tensor &input,
                                    const Tensor &weight, const Tensor *bias,
                                    ElementType type) {
  FailureOr<std::vector<double>> sums = project(at, input, weight, bias);
  if (failed(sums))
    return failure();
  return at.round(std::move(*sums), withWidth(input, weight.shape[0]), type);
}
