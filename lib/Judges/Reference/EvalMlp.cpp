//===- EvalMlp.cpp - mlp and its elementwise steps ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "Steps.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

double reference::sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// log(1 + e^x), without an exponential that is too large.
static double softplus(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

double reference::applyActivation(block::Activation kind, double x) {
  constexpr double sqrtHalf = 0.70710678118654752440;
  constexpr double sqrtTwoOverPi = 0.79788456080286535588;
  // Comparisons are written so that a NaN passes through.
  double positive = x < 0 ? 0 : x;
  switch (kind) {
  case block::Activation::Identity:
    return x;
  case block::Activation::Relu:
    return positive;
  case block::Activation::ReluSquared:
    return positive * positive;
  case block::Activation::GeluErf:
    return x * (1 + std::erf(x * sqrtHalf)) / 2;
  case block::Activation::GeluTanh:
    return x * (1 + std::tanh(sqrtTwoOverPi * (x + 0.044715 * x * x * x))) / 2;
  case block::Activation::QuickGelu:
    return x * sigmoid(1.702 * x);
  case block::Activation::Silu:
    return x * sigmoid(x);
  case block::Activation::Sigmoid:
    return sigmoid(x);
  case block::Activation::Tanh:
    return std::tanh(x);
  case block::Activation::LeakyRelu:
    return x < 0 ? 0.01 * x : x;
  case block::Activation::HardSwish:
    return x < -3 ? x * 0.0 : x > 3 ? x : x * (x + 3) / 6;
  case block::Activation::Softplus:
    return softplus(x);
  case block::Activation::Mish:
    return x * std::tanh(softplus(x));
  }
  llvm_unreachable("every activation has its case");
}

Tensor reference::mapElements(Evaluation &at, const Tensor &input,
                              ElementType type,
                              llvm::function_ref<double(double)> function) {
  std::vector<double> result(input.data().size());
  llvm::transform(input.data(), result.begin(), function);
  return at.round(std::move(result), input.shape, type);
}

Tensor reference::bound(Evaluation &at, const Tensor &input, double limit,
                        ElementType type) {
  return mapElements(at, input, type, [limit](double x) {
    return x > limit ? limit : x < -limit ? -limit : x;
  });
}

static FailureOr<Tensor> gate(Evaluation &at, const Tensor &gate,
                              const Tensor &up, block::Activation kind,
                              ElementType type) {
  if (failed(at.checkSameShape("gate", gate, "up", up)))
    return failure();
  std::vector<double> result(up.data().size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = applyActivation(kind, gate.data()[i]) * up.data()[i];
  return at.round(std::move(result), up.shape, type);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static FailureOr<Tensor> evalActivation(block::ActivationOp op,
                                        Evaluation &at) {
  return mapElements(
      at, at.get(op.getInput()), at.getResultType(),
      [kind = op.getKind()](double x) { return applyActivation(kind, x); });
}

static FailureOr<Tensor> evalGate(block::GateOp op, Evaluation &at) {
  return gate(at, at.get(op.getGate()), at.get(op.getUp()), op.getKind(),
              at.getResultType());
}

static FailureOr<Tensor> evalLimitedGate(block::LimitedGateOp op,
                                         Evaluation &at) {
  const Tensor &gate = at.get(op.getGate()), &up = at.get(op.getUp());
  if (failed(at.checkSameShape("gate", gate, "up", up)))
    return failure();
  double limit = op.getLimit().convertToDouble(),
         offset = op.getOffset().convertToDouble();
  std::vector<double> result(up.data().size());
  for (size_t i = 0; i < result.size(); ++i) {
    double g = gate.data()[i], u = up.data()[i];
    // Comparisons are written so that a NaN passes through.
    g = g > limit ? limit : g;
    u = u > limit ? limit : u < -limit ? -limit : u;
    result[i] = applyActivation(op.getKind(), g) * (u + offset);
  }
  return at.round(std::move(result), up.shape, at.getResultType());
}

static FailureOr<Tensor> evalClamp(block::ClampOp op, Evaluation &at) {
  return bound(at, at.get(op.getInput()), op.getLimit().convertToDouble(),
               at.getResultType());
}

static FailureOr<Tensor> evalMlp(block::MlpOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  FailureOr<Tensor> hidden = linear(at, input, at.get(op.getUpWeight()),
                                    at.getOptional(op.getUpBias()), input.type);
  if (failed(hidden))
    return failure();
  if (op.getGateWeight()) {
    FailureOr<Tensor> gated =
        linear(at, input, at.get(op.getGateWeight()),
               at.getOptional(op.getGateBias()), input.type);
    if (failed(gated))
      return failure();
    hidden = gate(at, *gated, *hidden, op.getActivation(), input.type);
    if (failed(hidden))
      return failure();
  } else {
    hidden = mapElements(at, *hidden, input.type,
                         [kind = op.getActivation()](double x) {
                           return applyActivation(kind, x);
                         });
  }
  return linear(at, *hidden, at.get(op.getDownWeight()),
                at.getOptional(op.getDownBias()), at.getResultType());
}

void reference::addMlpEvaluators(Registry &registry) {
  registry.add<block::ActivationOp>(evalActivation);
  registry.add<block::GateOp>(evalGate);
  registry.add<block::LimitedGateOp>(evalLimitedGate);
  registry.add<block::ClampOp>(evalClamp);
  registry.add<block::MlpOp>(evalMlp);
}
