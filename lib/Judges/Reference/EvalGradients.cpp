//===- EvalGradients.cpp - evaluates gradients of steps -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Norm.h"
#include "Registry.h"
#include "Steps.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Judges/Reference/Matmul.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

double reference::differentiateActivation(block::Activation kind, double x) {
  constexpr double sqrtHalf = 0.70710678118654752440;
  constexpr double sqrtTwoOverPi = 0.79788456080286535588;
  switch (kind) {
  case block::Activation::Identity:
    return 1;
  case block::Activation::Relu:
    return x > 0 ? 1 : 0;
  case block::Activation::LeakyRelu:
    return x < 0 ? 0.01 : 1;
  case block::Activation::ReluSquared:
    return x < 0 ? 0 : 2 * x;
  case block::Activation::GeluErf:
    // The density of the normal distribution is half of sqrt(2 / pi) exp(..).
    return (1 + std::erf(x * sqrtHalf)) / 2 +
           x * sqrtTwoOverPi / 2 * std::exp(-x * x / 2);
  case block::Activation::GeluTanh: {
    double t = std::tanh(sqrtTwoOverPi * (x + 0.044715 * x * x * x));
    return (1 + t) / 2 +
           x * (1 - t * t) / 2 * sqrtTwoOverPi * (1 + 3 * 0.044715 * x * x);
  }
  case block::Activation::QuickGelu: {
    double s = sigmoid(1.702 * x);
    return s + 1.702 * x * s * (1 - s);
  }
  case block::Activation::Silu: {
    double s = sigmoid(x);
    return s + x * s * (1 - s);
  }
  case block::Activation::Sigmoid: {
    double s = sigmoid(x);
    return s * (1 - s);
  }
  case block::Activation::Tanh: {
    double t = std::tanh(x);
    return 1 - t * t;
  }
  case block::Activation::HardSwish:
    return x < -3 ? 0 : x > 3 ? 1 : (2 * x + 3) / 6;
  case block::Activation::Softplus:
    return sigmoid(x);
  case block::Activation::Mish: {
    double t = std::tanh(applyActivation(block::Activation::Softplus, x));
    return t + x * (1 - t * t) * sigmoid(x);
  }
  }
  llvm_unreachable("every activation has its case");
}

/// Applies `function` to every element of a gradient and the value at its
/// place.
static FailureOr<Tensor>
mapPairs(Evaluation &at, const Tensor &gradient, llvm::StringRef name,
         const Tensor &value,
         llvm::function_ref<double(double, double)> function) {
  if (failed(at.checkSameShape("gradient", gradient, name, value)))
    return failure();
  std::vector<double> result(value.data().size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = function(gradient.data()[i], value.data()[i]);
  return at.round(std::move(result), value.shape, at.getResultType());
}

static FailureOr<Tensor> evalActivationGrad(block::ActivationGradOp op,
                                            Evaluation &at) {
  return mapPairs(at, at.get(op.getGradient()), "input", at.get(op.getInput()),
                  [kind = op.getKind()](double gradient, double x) {
                    return gradient * differentiateActivation(kind, x);
                  });
}

static FailureOr<Tensors> evalGateGrad(block::GateGradOp op, Evaluation &at) {
  const Tensor &gradient = at.get(op.getGradient());
  const Tensor &gate = at.get(op.getGate()), &up = at.get(op.getUp());
  if (failed(at.checkSameShape("gradient", gradient, "up", up)) ||
      failed(at.checkSameShape("gate", gate, "up", up)))
    return failure();
  std::vector<double> byGate(up.data().size()), byUp(up.data().size());
  for (size_t i = 0; i < byUp.size(); ++i) {
    double g = gate.data()[i], dy = gradient.data()[i];
    byGate[i] = differentiateActivation(op.getKind(), g) * up.data()[i] * dy;
    byUp[i] = applyActivation(op.getKind(), g) * dy;
  }
  return Tensors{at.round(std::move(byGate), up.shape, at.getResultType(0)),
                 at.round(std::move(byUp), up.shape, at.getResultType(1))};
}

static FailureOr<Tensor> evalClampGrad(block::ClampGradOp op, Evaluation &at) {
  return mapPairs(
      at, at.get(op.getGradient()), "input", at.get(op.getInput()),
      [limit = op.getLimit().convertToDouble()](double gradient, double x) {
        return std::abs(x) <= limit ? gradient : 0;
      });
}

static FailureOr<Tensor> evalSoftcapGrad(block::SoftcapGradOp op,
                                         Evaluation &at) {
  double scale = op.getScale().convertToDouble();
  double cap = op.getSoftcap().convertToDouble();
  return mapPairs(at, at.get(op.getGradient()), "output",
                  at.get(op.getOutput()), [=](double gradient, double y) {
                    return gradient * scale * (1 - (y / cap) * (y / cap));
                  });
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

/// `r'(s)` of `#block.norm`, where `factor` is `r`.
static double differentiateNormFactor(block::NormAttr form, double s,
                                      double factor) {
  switch (form.getEpsForm()) {
  case block::EpsForm::InsideRoot:
    return -factor * factor * factor / 2;
  case block::EpsForm::OutsideRoot:
    return s == 0 ? 0 : -factor * factor / (2 * std::sqrt(s));
  case block::EpsForm::Clamp:
    return std::sqrt(s) > form.getEpsValue() ? -factor * factor * factor / 2
                                             : 0;
  }
  llvm_unreachable("every form of epsilon has its case");
}

static FailureOr<Tensor> evalNormGrad(block::NormGradOp op, Evaluation &at) {
  const Tensor &gradient = at.get(op.getGradient());
  const Tensor &input = at.get(op.getInput());
  const Tensor *means = at.getOptional(op.getMean());
  const Tensor *gamma = at.getOptional(op.getGamma());
  const Tensor &moments = at.get(op.getMoment());
  if (failed(at.checkSameShape("gradient", gradient, "input", input)) ||
      failed(checkStatisticsRows(at, input, means, moments)))
    return failure();
  block::NormAttr form = op.getForm();
  bool isL2 = form.getKind() == block::NormKind::L2;
  int64_t size = input.shape.back() / static_cast<int64_t>(op.getGroups());
  std::vector<double> result(input.data().size()), v(size);
  for (int64_t first = 0, e = result.size(); first < e; first += size) {
    double mean = means ? means->data()[first / size] : 0;
    double moment = moments.data()[first / size];
    double factor = computeNormFactor(form, moment, size);
    double sum = 0, dot = 0;
    for (int64_t c = 0; c < size; ++c) {
      double gain =
          gamma ? getEffectiveGain(form,
                                   gamma->data()[(first + c) % gamma->shape[0]])
                : 1;
      v[c] = gain * gradient.data()[first + c];
      sum += v[c];
      dot += v[c] * (input.data()[first + c] - mean);
    }
    double s = isL2 ? moment * static_cast<double>(size) : moment;
    double slope = differentiateNormFactor(form, s, factor) * 2 /
                   (isL2 ? 1 : static_cast<double>(size));
    double shared = form.isCentered() ? sum / static_cast<double>(size) : 0;
    for (int64_t c = 0; c < size; ++c)
      result[first + c] = factor * (v[c] - shared) +
                          slope * dot * (input.data()[first + c] - mean);
  }
  return at.round(std::move(result), input.shape, at.getResultType());
}

static FailureOr<Tensor> evalDeferredNormGrad(block::DeferredNormGradOp op,
                                              Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  const Tensor *gradient = at.getOptional(op.getGradient());
  const Tensor *means = at.getOptional(op.getMean());
  const Tensor *sums = at.getOptional(op.getSums());
  const Tensor *gamma = at.getOptional(op.getGamma());
  const Tensor &moments = at.get(op.getMoment()), &dots = at.get(op.getDots());
  if ((gradient &&
       failed(at.checkSameShape("gradient", *gradient, "input", input))) ||
      failed(checkStatisticsRows(at, input, means, moments)) ||
      failed(checkStatisticsRows(at, input, sums, dots)))
    return failure();
  block::NormAttr form = op.getForm();
  bool isL2 = form.getKind() == block::NormKind::L2;
  int64_t size = input.shape.back();
  auto count = static_cast<double>(size);
  std::vector<double> result(input.data().size());
  for (int64_t i = 0, e = result.size(); i < e; ++i) {
    int64_t row = i / size;
    double moment = moments.data()[row];
    double factor = computeNormFactor(form, moment, size);
    double s = isL2 ? moment * count : moment;
    double slope = differentiateNormFactor(form, s, factor) * 2 /
                   (isL2 ? 1 : count) / (factor * factor);
    double distance = input.data()[i] - (means ? means->data()[row] : 0);
    result[i] = slope * dots.data()[row] * distance;
    if (sums)
      result[i] -= sums->data()[row] / count;
    if (gradient)
      result[i] +=
          gradient->data()[i] *
          (gamma ? getEffectiveGain(form, gamma->data()[i % size]) : 1);
  }
  return at.round(std::move(result), input.shape, at.getResultType());
}

static FailureOr<Tensor> evalRowDots(block::RowDotsOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  const Tensor *factor = at.getOptional(op.getFactor());
  const Tensor *vector = at.getOptional(op.getVector());
  const Tensor *addend = at.getOptional(op.getAddend());
  if ((factor && failed(at.checkSameShape("factor", *factor, "input", input))))
    return failure();
  llvm::SmallVector<int64_t> shape(input.shape.begin(), input.shape.end());
  int64_t width = shape.back();
  shape.back() = static_cast<int64_t>(op.getGroups());
  for (unsigned dim : {0, 1})
    if (failed(at.checkSize("addend", addend, dim, shape[dim],
                            "as many as the input has")))
      return failure();
  FailureOr<std::vector<double>> result = at.allocate(shape);
  if (failed(result))
    return failure();
  int64_t size = width / shape.back();
  for (int64_t i = 0, e = input.data().size(); i < e; ++i) {
    double other = (factor ? factor->data()[i] : 0) +
                   (vector ? vector->data()[i % width] : 0);
    (*result)[i / size] += input.data()[i] * other;
  }
  if (addend)
    for (auto [sum, added] : llvm::zip_equal(*result, addend->data()))
      sum += added;
  return at.round(std::move(*result), shape, at.getResultType());
}

//===----------------------------------------------------------------------===//
// Sums over rows
//===----------------------------------------------------------------------===//

/// Several tensors side by side, with a row for each column of theirs.
static FailureOr<std::vector<double>> transposeRows(Evaluation &at,
                                                    ValueRange values,
                                                    int64_t rows,
                                                    int64_t columns) {
  FailureOr<std::vector<double>> result = at.allocate({columns, rows});
  if (failed(result))
    return failure();
  int64_t first = 0;
  for (Value value : values) {
    const Tensor &tensor = at.get(value);
    int64_t width = tensor.shape.back();
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < width; ++c)
        (*result)[(first + c) * rows + r] = tensor.data()[r * width + c];
    first += width;
  }
  return result;
}

static FailureOr<Tensor> evalWeightGrad(block::WeightGradOp op,
                                        Evaluation &at) {
  const Tensor &like = at.get(op.getGradients().front());
  for (Value value : op.getOperands())
    for (unsigned dim : {0, 1})
      if (failed(at.checkSize("an operand", at.get(value), dim, like.shape[dim],
                              "size in the first gradient")))
        return failure();
  ArrayRef<int64_t> shape = op.getResult().getType().getShape();
  int64_t rows = like.shape[0] * like.shape[1];
  FailureOr<std::vector<double>> result = at.allocate(shape);
  FailureOr<std::vector<double>> gradients =
      transposeRows(at, op.getGradients(), rows, shape[0]);
  FailureOr<std::vector<double>> inputs =
      transposeRows(at, op.getInputs(), rows, shape[1]);
  if (failed(result) || failed(gradients) || failed(inputs))
    return failure();
  multiplyTransposed({gradients->data(), shape[0], rows, rows},
                     {inputs->data(), shape[1], rows, rows}, result->data(),
                     shape[1]);
  return at.round(std::move(*result), shape, at.getResultType());
}

static FailureOr<Tensor> evalColumnSums(block::ColumnSumsOp op,
                                        Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  const Tensor *factor = at.getOptional(op.getFactor());
  int64_t width = input.shape.back();
  bool isOfRows = factor && factor->shape.back() == 1;
  for (unsigned dim = 0, e = input.shape.size() - 1; isOfRows && dim < e; ++dim)
    if (failed(at.checkSize("factor", factor, dim, input.shape[dim],
                            "as many as the input has")))
      return failure();
  if (factor && !isOfRows &&
      failed(at.checkSameShape("factor", *factor, "input", input)))
    return failure();
  int64_t size = width / static_cast<int64_t>(op.getGroups());
  std::vector<double> result(size);
  for (int64_t i = 0, e = input.data().size(); i < e; ++i)
    result[i % size] += input.data()[i] *
                        (factor ? factor->data()[isOfRows ? i / width : i] : 1);
  return at.round(std::move(result), {size}, at.getResultType());
}

void reference::addGradientEvaluators(Registry &registry) {
  registry.add<block::ActivationGradOp>(evalActivationGrad);
  registry.add<block::GateGradOp>(evalGateGrad);
  registry.add<block::ClampGradOp>(evalClampGrad);
  registry.add<block::SoftcapGradOp>(evalSoftcapGrad);
  registry.add<block::NormGradOp>(evalNormGrad);
  registry.add<block::DeferredNormGradOp>(evalDeferredNormGrad);
  registry.add<block::RowDotsOp>(evalRowDots);
  registry.add<block::WeightGradOp>(evalWeightGrad);
  registry.add<block::ColumnSumsOp>(evalColumnSums);
}
