//===- EvalWeights.cpp - evaluates weight ops -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Norm.h"
#include "Registry.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

/// Element `[row, column]` of a matrix becomes `function(row, column, it)`; a
/// vector is a matrix of one column.
static Tensor
mapMatrix(Evaluation &at, const Tensor &matrix,
          llvm::function_ref<double(int64_t, int64_t, double)> function) {
  int64_t columns = matrix.shape.size() == 2 ? matrix.shape[1] : 1;
  std::vector<double> result(matrix.data());
  for (int64_t i = 0, e = result.size(); i < e; ++i)
    result[i] = function(i / columns, i % columns, result[i]);
  return at.round(std::move(result), matrix.shape, at.getResultType());
}

static FailureOr<Tensor> evalReparam(block::ReparamOp op, Evaluation &at) {
  const Tensor &delta = at.get(op.getDelta());
  const Tensor *initial = at.getOptional(op.getInitial());
  double skip = op.getSkip().convertToDouble();
  double residual = op.getResidual().convertToDouble();
  return mapMatrix(at, delta, [&](int64_t row, int64_t column, double change) {
    double identity = row == column ? 1 : 0;
    double start =
        initial ? initial->data()[row * delta.shape[1] + column] : identity;
    return skip * start + residual * change;
  });
}

static FailureOr<Tensor> evalFoldGain(block::FoldGainOp op, Evaluation &at) {
  const Tensor &gamma = at.get(op.getGamma());
  return mapMatrix(
      at, at.get(op.getWeight()), [&](int64_t, int64_t column, double weight) {
        return getEffectiveGain(op.getForm(), gamma.data()[column]) * weight;
      });
}

static FailureOr<Tensor> evalFoldScale(block::FoldScaleOp op, Evaluation &at) {
  const Tensor *gain = at.getOptional(op.getGain());
  double factor = op.getFactor().convertToDouble();
  return mapMatrix(at, at.get(op.getWeight()),
                   [&](int64_t row, int64_t, double weight) {
                     double g = 1;
                     if (gain)
                       g = gain->data()[gain->shape[0] == 1 ? 0 : row];
                     return factor * g * weight;
                   });
}

static FailureOr<Tensor> evalFoldBias(block::FoldBiasOp op, Evaluation &at) {
  const Tensor &weight = at.get(op.getWeight());
  const Tensor *beta = at.getOptional(op.getBeta());
  const Tensor *bias = at.getOptional(op.getBias());
  int64_t rows = weight.shape[0], columns = weight.shape[1];
  FailureOr<std::vector<double>> result = at.allocate({rows});
  if (failed(result))
    return failure();
  for (int64_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (int64_t k = 0; beta && k < columns; ++k)
      sum += beta->data()[k] * weight.data()[row * columns + k];
    (*result)[row] = (bias ? bias->data()[row] : 0.0) + sum;
  }
  return at.round(std::move(*result), {rows}, at.getResultType());
}

static FailureOr<Tensor> evalWeightSums(block::WeightSumsOp op,
                                        Evaluation &at) {
  const Tensor &weight = at.get(op.getWeight());
  int64_t rows = weight.shape[0], columns = weight.shape[1];
  FailureOr<std::vector<double>> result = at.allocate({rows});
  if (failed(result))
    return failure();
  for (int64_t row = 0; row < rows; ++row) {
    llvm::ArrayRef<double> stored = weight.data().slice(row * columns, columns);
    (*result)[row] = std::accumulate(stored.begin(), stored.end(), 0.0);
  }
  return at.round(std::move(*result), {rows}, at.getResultType());
}

static FailureOr<Tensor> evalBiasSum(block::BiasSumOp op, Evaluation &at) {
  std::vector<double> result(at.get(op.getBiases().front()).data());
  for (Value bias : op.getBiases().drop_front())
    for (auto [sum, added] : llvm::zip_equal(result, at.get(bias).data()))
      sum += added;
  int64_t width = result.size();
  return at.round(std::move(result), {width}, at.getResultType());
}

static FailureOr<Tensor> evalMatrixDots(block::MatrixDotsOp op,
                                        Evaluation &at) {
  const Tensor &left = at.get(op.getLeft()), &right = at.get(op.getRight());
  int64_t columns = left.shape[1];
  int64_t size = left.shape[op.getRows() ? 0 : 1];
  FailureOr<std::vector<double>> result = at.allocate({size});
  if (failed(result))
    return failure();
  for (int64_t i = 0, e = left.data().size(); i < e; ++i)
    (*result)[op.getRows() ? i / columns : i % columns] +=
        left.data()[i] * right.data()[i];
  return at.round(std::move(*result), {size}, at.getResultType());
}

static FailureOr<Tensor> evalOuterUpdate(block::OuterUpdateOp op,
                                         Evaluation &at) {
  const Tensor *matrix = at.getOptional(op.getMatrix());
  const Tensor &left = at.get(op.getLeft());
  const Tensor *right = at.getOptional(op.getRight());
  ArrayRef<int64_t> shape = op.getResult().getType().getShape();
  FailureOr<std::vector<double>> result = at.allocate(shape);
  if (failed(result))
    return failure();
  double factor = op.getFactor().convertToDouble();
  for (int64_t i = 0, e = result->size(); i < e; ++i)
    (*result)[i] = (matrix ? matrix->data()[i] : 0) +
                   factor * left.data()[i / shape[1]] *
                       (right ? right->data()[i % shape[1]] : 1);
  return at.round(std::move(*result), shape, at.getResultType());
}

/// The number of a float of a sign, `exponentBits` and `mantissaBits` bits.
static double readFloat(int64_t code, int exponentBits, int mantissaBits) {
  int64_t steps = int64_t(1) << mantissaBits;
  int64_t exponents = int64_t(1) << exponentBits;
  double fraction = static_cast<double>(code % steps) / steps;
  int64_t exponent = code / steps % exponents;
  double number = exponent == 0 ? std::exp2(2.0 - exponents / 2.0) * fraction
                                : std::exp2(exponent + 1.0 - exponents / 2.0) *
                                      (1 + fraction);
  return code >= steps * exponents ? -number : number;
}

static double readScale(double scale, bool isExponent) {
  if (!isExponent)
    return scale;
  double exponent = scale < 0 ? scale + 256 : scale;
  return exponent == 255 ? std::nan("") : std::exp2(exponent - 127);
}

namespace {
/// Where the code and the scale of an element are.
struct CodePlaces {
  int64_t rows, codeBytes, groups, group;
  /// True if a byte holds two codes.
  bool hasTwo;
  /// True in the order of GPU lanes.
  bool isOfLanes;

  int64_t getByte(int64_t row, int64_t column) const {
    if (!isOfLanes)
      return row * codeBytes + (hasTwo ? column / 2 : column);
    // Cells of 16 rows are 8 rows of 128 bytes: 16 for each of two rows and of
    // four lanes, which have 4 of every 16 columns.
    int64_t cell = hasTwo ? 128 : 64, inCell = column % cell;
    int64_t chunk = inCell % 8 / 2 * 2 + row % 16 / 8;
    int64_t number = inCell / 16 * 4 + inCell % 16 / 8 * 2 + inCell % 2;
    return (row / 16 * 8 + row % 8) * codeBytes + column / cell * 128 +
           chunk * 16 + (hasTwo ? number / 2 : number);
  }
  int64_t getScale(int64_t row, int64_t column) const {
    return isOfLanes ? column / group * rows + row
                     : row * groups + column / group;
  }
};
} // namespace

static FailureOr<Tensor> evalUnpackWeight(block::UnpackWeightOp op,
                                          Evaluation &at) {
  const Tensor &codes = at.get(op.getCodes()), &scales = at.get(op.getScales());
  const Tensor *zeros = at.getOptional(op.getZeros());
  block::CodeForm form = op.getForm();
  bool isExponent =
      scales.type == ElementType::U8 || scales.type == ElementType::I8;
  bool hasTwo = form == block::CodeForm::Int4 || form == block::CodeForm::MxFp4;
  int64_t rows = op.getType().getDimSize(0),
          columns = op.getType().getDimSize(1);
  int64_t group = op.getGroup() == 0 ? columns : op.getGroup();
  CodePlaces places{rows,  codes.shape[1], scales.shape[1],
                    group, hasTwo,         codes.shape[0] != rows};
  FailureOr<std::vector<double>> result = at.allocate({rows, columns});
  if (failed(result))
    return failure();
  for (int64_t i = 0; i < rows * columns; ++i) {
    int64_t row = i / columns, column = i % columns;
    auto code = static_cast<int64_t>(codes.data()[places.getByte(row, column)]);
    if (form != block::CodeForm::Int8 && code < 0)
      code += 256;
    if (hasTwo)
      code = column % 2 == 0 ? code % 16 : code / 16;
    int64_t place = places.getScale(row, column);
    double number = 0, zero = zeros ? zeros->data()[place] : 0;
    switch (form) {
    case block::CodeForm::Int8:
      number = code;
      break;
    case block::CodeForm::Int4:
      number = zeros ? code : code - 8;
      break;
    case block::CodeForm::MxFp4:
      number = readFloat(code, 2, 1);
      break;
    case block::CodeForm::Fp8:
      number = code % 128 == 127 ? std::nan("") : readFloat(code, 4, 3);
      break;
    }
    (*result)[i] =
        (number - zero) * readScale(scales.data()[place], isExponent);
  }
  return at.round(std::move(*result), {rows, columns}, at.getResultType());
}

void reference::addWeightEvaluators(Registry &registry) {
  registry.add<block::ReparamOp>(evalReparam);
  registry.add<block::FoldGainOp>(evalFoldGain);
  registry.add<block::FoldScaleOp>(evalFoldScale);
  registry.add<block::MatrixDotsOp>(evalMatrixDots);
  registry.add<block::OuterUpdateOp>(evalOuterUpdate);
  registry.add<block::FoldBiasOp>(evalFoldBias);
  registry.add<block::WeightSumsOp>(evalWeightSums);
  registry.add<block::BiasSumOp>(evalBiasSum);
  registry.add<block::UnpackWeightOp>(evalUnpackWeight);
}
