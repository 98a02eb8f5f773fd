//===- Compute.cpp - arithmetic on weights --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Evaluation.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace parablock;
using namespace parablock::recipe;
using llvm::ArrayRef;
using llvm::MutableArrayRef;

/// Elements at once of what has no rows.
static constexpr int64_t chunkLength = 1 << 16;

/// Elements [begin, begin + values.size()).
static void decodeRange(const StoredTensor &tensor, int64_t begin,
                        MutableArrayRef<double> values) {
  unsigned size = getElementSize(tensor.type.element);
  decodeElements(tensor.type.element,
                 tensor.bytes.slice(begin * size, values.size() * size),
                 values);
}

static void encodeRange(StoredTensor &tensor, int64_t begin,
                        ArrayRef<double> values) {
  unsigned size = getElementSize(tensor.type.element);
  encodeElements(
      tensor.type.element, values,
      tensor.mutableBytes().slice(begin * size, values.size() * size));
}

/// All of a vector; empty where it is missing.
static std::vector<double> decodeVector(const StoredTensor *vector) {
  std::vector<double> values;
  if (vector) {
    values.resize(vector->type.shape.front());
    decodeRange(*vector, 0, values);
  }
  return values;
}

/// Rows and columns of a matrix; a vector is a matrix of one column.
static std::pair<int64_t, int64_t> getSizes(const TensorType &type) {
  return {type.shape[0], type.shape.size() == 2 ? type.shape[1] : 1};
}

/// Calls `body` with each row of the matrix, which it may change.
static void
forEachRow(const StoredTensor &matrix,
           llvm::function_ref<void(int64_t, MutableArrayRef<double>)> body) {
  auto [rows, columns] = getSizes(matrix.type);
  std::vector<double> values(columns);
  for (int64_t row = 0; row < rows; ++row) {
    decodeRange(matrix, row * columns, values);
    body(row, values);
  }
}

/// The matrix that `body` makes of `matrix`, row by row.
static StoredTensor
mapRows(const TensorType &type, const StoredTensor &matrix,
        llvm::function_ref<void(int64_t, MutableArrayRef<double>)> body) {
  StoredTensor result = StoredTensor::allocate(type);
  forEachRow(matrix, [&](int64_t row, MutableArrayRef<double> values) {
    body(row, values);
    encodeRange(result, row * values.size(), values);
  });
  return result;
}

/// The vector of what `body` gives for each row.
static StoredTensor
reduceRows(const TensorType &type, const StoredTensor &matrix,
           llvm::function_ref<double(int64_t, ArrayRef<double>)> body) {
  StoredTensor result = StoredTensor::allocate(type);
  std::vector<double> sums(type.shape.front());
  forEachRow(matrix, [&](int64_t row, MutableArrayRef<double> values) {
    sums[row] = body(row, values);
  });
  encodeRange(result, 0, sums);
  return result;
}

static StoredTensor computeSplat(const Expression &splat) {
  StoredTensor result = StoredTensor::allocate(splat.type);
  int64_t size = getElementSize(splat.type.element);
  std::vector<uint8_t> element(size);
  encodeElements(splat.type.element, splat.value, element);
  MutableArrayRef<uint8_t> bytes = result.mutableBytes();
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = element[i % size];
  return result;
}

static StoredTensor computeFoldGain(const Expression &fold, Operands operands) {
  std::vector<double> gain = decodeVector(operands[1]);
  if (fold.onePlus)
    for (double &value : gain)
      value = 1 + value;
  return mapRows(fold.type, *operands[0],
                 [&](int64_t, MutableArrayRef<double> row) {
                   for (size_t k = 0; k < row.size(); ++k)
                     row[k] = gain[k] * row[k];
                 });
}

static StoredTensor computeFoldBias(const Expression &fold, Operands operands) {
  std::vector<double> beta = decodeVector(operands[1]);
  std::vector<double> bias = decodeVector(operands[2]);
  return reduceRows(fold.type, *operands[0],
                    [&](int64_t row, ArrayRef<double> weights) {
                      double sum = 0;
                      for (size_t k = 0; k < beta.size(); ++k)
                        sum += beta[k] * weights[k];
                      return (bias.empty() ? 0.0 : bias[row]) + sum;
                    });
}

static StoredTensor computeFoldScale(const Expression &fold,
                                     Operands operands) {
  std::vector<double> gain = decodeVector(operands[1]);
  return mapRows(fold.type, *operands[0],
                 [&](int64_t row, MutableArrayRef<double> weights) {
                   double g = 1;
                   if (!gain.empty())
                     g = gain[gain.size() == 1 ? 0 : row];
                   for (double &weight : weights)
                     weight = fold.factor * g * weight;
                 });
}

static StoredTensor computeWeightSums(const Expression &sums,
                                      Operands operands) {
  return reduceRows(sums.type, *operands[0],
                    [](int64_t, ArrayRef<double> weights) {
                      double sum = 0;
                      for (double weight : weights)
                        sum += weight;
                      return sum;
                    });
}

static StoredTensor computeBiasSum(const Expression &sum, Operands operands) {
  std::vector<double> values = decodeVector(operands.front());
  for (const StoredTensor *bias : operands.drop_front())
    for (auto [total, added] : llvm::zip_equal(values, decodeVector(bias)))
      total += added;
  StoredTensor result = StoredTensor::allocate(sum.type);
  encodeRange(result, 0, values);
  return result;
}

static StoredTensor computeReparam(const Expression &reparam,
                                   Operands operands) {
  int64_t columns = reparam.type.shape[1];
  std::vector<double> start(columns);
  return mapRows(reparam.type, *operands[0],
                 [&](int64_t row, MutableArrayRef<double> change) {
                   if (operands[1]) {
                     decodeRange(*operands[1], row * columns, start);
                   } else {
                     llvm::fill(start, 0.0);
                     start[row] = 1;
                   }
                   for (int64_t k = 0; k < columns; ++k)
                     change[k] =
                         reparam.skip * start[k] + reparam.residual * change[k];
                 });
}

static double apply(Function function, double x, double y) {
  switch (function) {
  case Function::Add:
    return x + y;
  case Function::Subtract:
    return x - y;
  case Function::Multiply:
    return x * y;
  case Function::Divide:
    return x / y;
  case Function::Negate:
    return -x;
  case Function::Sqrt:
    return std::sqrt(x);
  case Function::Rsqrt:
    return 1 / std::sqrt(x);
  case Function::Reciprocal:
    return 1 / x;
  case Function::Exp:
    return std::exp(x);
  }
  llvm_unreachable("unknown function");
}

/// The second operand of functions of one is the first.
static StoredTensor computeMap(const Expression &map, Operands operands) {
  StoredTensor result = StoredTensor::allocate(map.type);
  int64_t count = result.bytes.size() / getElementSize(map.type.element);
  std::vector<double> values, others;
  for (int64_t begin = 0; begin < count; begin += chunkLength) {
    values.resize(std::min(chunkLength, count - begin));
    others.resize(values.size());
    decodeRange(*operands.front(), begin, values);
    decodeRange(*operands.back(), begin, others);
    for (auto [x, y] : llvm::zip_equal(values, others))
      x = apply(map.function, x, y);
    encodeRange(result, begin, values);
  }
  return result;
}

StoredTensor recipe::convert(const StoredTensor &tensor, ElementType element) {
  StoredTensor result = StoredTensor::allocate({element, tensor.type.shape});
  int64_t count = result.bytes.size() / getElementSize(element);
  std::vector<double> values;
  for (int64_t begin = 0; begin < count; begin += chunkLength) {
    values.resize(std::min(chunkLength, count - begin));
    decodeRange(tensor, begin, values);
    encodeRange(result, begin, values);
  }
  return result;
}

StoredTensor recipe::compute(const Expression &expression, Operands operands) {
  switch (expression.operation) {
  case Operation::Splat:
    return computeSplat(expression);
  case Operation::Convert:
    return convert(*operands[0], expression.type.element);
  case Operation::FoldGain:
    return computeFoldGain(expression, operands);
  case Operation::FoldBias:
    return computeFoldBias(expression, operands);
  case Operation::FoldScale:
    return computeFoldScale(expression, operands);
  case Operation::WeightSums:
    return computeWeightSums(expression, operands);
  case Operation::BiasSum:
    return computeBiasSum(expression, operands);
  case Operation::Reparam:
    return computeReparam(expression, operands);
  case Operation::Map:
    return computeMap(expression, operands);
  default:
    llvm_unreachable("an operation that moves");
  }
}
