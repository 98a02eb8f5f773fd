//===- HealWeights.cpp - low-rank changes and codes of weights ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HealWeights.h"

#include "parablock/Transforms/QuantizedForms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Parallel.h"
#include <Eigen/Core>
#include <cmath>
#include <random>

using namespace parablock;
using namespace parablock::drift;
using llvm::ArrayRef;

using Matrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstMap = Eigen::Map<const Matrix>;

HealWeights::Stack HealWeights::getStack(const Tensor &weight) {
  ArrayRef<int64_t> shape = weight.shape;
  return {shape.size() == 3 ? shape[0] : 1, shape[shape.size() - 2],
          shape.back()};
}

std::optional<int64_t> HealWeights::getLargestRank(const Tensor &weight) {
  if (weight.shape.size() != 2 && weight.shape.size() != 3)
    return std::nullopt;
  Stack stack = getStack(weight);
  if (stack.rows < 2 || stack.columns < 2)
    return std::nullopt;
  return (stack.rows * stack.columns - 1) / (stack.rows + stack.columns);
}

bool HealWeights::isLowRank(const Tensor &weight) const {
  return rank != 0 && rank <= getLargestRank(weight).value_or(0);
}

/// Draws normal numbers of standard deviation `scale`.
static std::vector<double> drawNormal(std::mt19937_64 &numbers, int64_t count,
                                      double scale) {
  // Sums of uniform numbers: the standard leaves normal ones to the library.
  std::vector<double> values(count);
  for (double &value : values) {
    double sum = -6;
    for (int i = 0; i < 12; ++i)
      sum += std::ldexp(static_cast<double>(numbers() >> 11), -53);
    value = scale * sum;
  }
  return values;
}

Tensors HealWeights::start(Tensors weights, uint64_t seed) {
  base = std::move(weights);
  places.clear();
  Tensors trained;
  std::seed_seq sequence{static_cast<uint32_t>(seed),
                         static_cast<uint32_t>(seed >> 32), uint32_t(1)};
  std::mt19937_64 numbers(sequence);
  for (const Tensor &weight : base) {
    places.push_back(trained.size());
    if (!isLowRank(weight)) {
      trained.push_back(weight);
      continue;
    }
    Stack stack = getStack(weight);
    int64_t first = stack.count * stack.rows * rank;
    int64_t second = stack.count * rank * stack.columns;
    trained.push_back(makeTensor(weight.type, {stack.count, stack.rows, rank},
                                 std::vector<double>(first)));
    // A step of the first factor changes W by as much as a step of W would.
    trained.push_back(makeTensor(
        weight.type, {stack.count, rank, stack.columns},
        drawNormal(numbers, second, 1 / std::sqrt(static_cast<double>(rank)))));
  }
  return trained;
}

Tensors HealWeights::compose(ArrayRef<Tensor> trained) const {
  Tensors weights(base.size());
  llvm::parallelFor(0, base.size(), [&](size_t i) {
    const Tensor &whole = base[i], &first = trained[places[i]];
    if (!isLowRank(whole)) {
      weights[i] = round(i, first);
      return;
    }
    Stack stack = getStack(whole);
    const Tensor &second = trained[places[i] + 1];
    std::vector<double> values(whole.data());
    for (int64_t k = 0; k < stack.count; ++k)
      Eigen::Map<Matrix>(values.data() + k * stack.rows * stack.columns,
                         stack.rows, stack.columns) +=
          ConstMap(first.data().data() + k * stack.rows * rank, stack.rows,
                   rank) *
          ConstMap(second.data().data() + k * rank * stack.columns, rank,
                   stack.columns);
    weights[i] =
        round(i, makeTensor(whole.type, whole.shape, std::move(values)));
  });
  return weights;
}

Gradients HealWeights::pullBack(ArrayRef<Tensor> trained,
                                Gradients gradients) const {
  Gradients pulled(trained.size());
  llvm::parallelFor(0, base.size(), [&](size_t i) {
    size_t place = places[i];
    if (!isLowRank(base[i])) {
      pulled[place] = std::move(gradients[i]);
      return;
    }
    Stack stack = getStack(base[i]);
    const Tensor &first = trained[place], &second = trained[place + 1];
    pulled[place].resize(first.getNumElements());
    pulled[place + 1].resize(second.getNumElements());
    for (int64_t k = 0; k < stack.count; ++k) {
      ConstMap whole(gradients[i].data() + k * stack.rows * stack.columns,
                     stack.rows, stack.columns);
      int64_t ofFirst = k * stack.rows * rank,
              ofSecond = k * rank * stack.columns;
      ConstMap a(first.data().data() + ofFirst, stack.rows, rank);
      ConstMap b(second.data().data() + ofSecond, rank, stack.columns);
      Eigen::Map<Matrix>(pulled[place].data() + ofFirst, stack.rows, rank) =
          whole * b.transpose();
      Eigen::Map<Matrix>(pulled[place + 1].data() + ofSecond, rank,
                         stack.columns) = a.transpose() * whole;
    }
  });
  return pulled;
}

Tensor HealWeights::round(size_t weight, const Tensor &tensor) const {
  if (!codes || axes[weight] == CodeAxis::None)
    return tensor;
  Stack stack = getStack(tensor);
  std::vector<double> values(tensor.data());
  if (axes[weight] == CodeAxis::Rows) {
    for (int64_t row = 0; row < stack.count * stack.rows; ++row)
      block::roundRow(*codes, {values.data() + row * stack.columns,
                               static_cast<size_t>(stack.columns)});
    return makeTensor(tensor.type, tensor.shape, std::move(values));
  }
  std::vector<double> column(stack.rows);
  for (int64_t k = 0; k < stack.count; ++k)
    for (int64_t c = 0; c < stack.columns; ++c) {
      double *first = values.data() + k * stack.rows * stack.columns + c;
      for (int64_t r = 0; r < stack.rows; ++r)
        column[r] = first[r * stack.columns];
      block::roundRow(*codes, column);
      for (int64_t r = 0; r < stack.rows; ++r)
        first[r * stack.columns] = column[r];
    }
  return makeTensor(tensor.type, tensor.shape, std::move(values));
}

int64_t HealWeights::countLost(size_t weight, const Tensor &rounded,
                               const Tensor &stored) const {
  if (!codes || axes[weight] == CodeAxis::None)
    return 0;
  Tensor again = round(weight, stored);
  int64_t lost = 0;
  for (auto [found, wanted] : llvm::zip_equal(again.data(), rounded.data()))
    lost += block::isOtherCode(found, wanted);
  return lost;
}
