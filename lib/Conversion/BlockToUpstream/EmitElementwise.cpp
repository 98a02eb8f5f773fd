//===- EmitElementwise.cpp - activations, gates, residuals, gains ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitSteps.h"

using namespace mlir;
using namespace parablock;

/// `x (1 + t) / 2`.
static Value buildHalfOnePlus(Value x, Value t, TensorEmitter &emit) {
  Value half = emit.scale(x, 0.5);
  return emit.multiply(half, emit.binary(Binary::Add, t, 1));
}

static Value buildGeluTanh(Value x, TensorEmitter &emit) {
  constexpr double sqrtTwoOverPi = 0.79788456080286535588;
  Value cube = emit.multiply(emit.multiply(x, x), x);
  Value inner = emit.add(x, emit.scale(cube, 0.044715));
  return buildHalfOnePlus(
      x, emit.unary(Unary::Tanh, emit.scale(inner, sqrtTwoOverPi)), emit);
}

Value parablock::emitActivation(block::Activation kind, Value x,
                                TensorEmitter &emit) {
  constexpr double sqrtHalf = 0.70710678118654752440;
  switch (kind) {
  case block::Activation::Identity:
    return x;
  case block::Activation::Relu:
    return emit.binary(Binary::Maximum, x, 0);
  case block::Activation::ReluSquared: {
    Value positive = emit.binary(Binary::Maximum, x, 0);
    return emit.multiply(positive, positive);
  }
  case block::Activation::GeluErf:
    return buildHalfOnePlus(x, emit.unary(Unary::Erf, emit.scale(x, sqrtHalf)),
                            emit);
  case block::Activation::GeluTanh:
    return buildGeluTanh(x, emit);
  case block::Activation::QuickGelu:
    return emit.multiply(x, emit.unary(Unary::Sigmoid, emit.scale(x, 1.702)));
  case block::Activation::Silu:
    return emit.multiply(x, emit.unary(Unary::Sigmoid, x));
  case block::Activation::Sigmoid:
    return emit.unary(Unary::Sigmoid, x);
  case block::Activation::Tanh:
    return emit.unary(Unary::Tanh, x);
  case block::Activation::LeakyRelu:
    return emit.binary(Binary::Maximum, x, emit.scale(x, 0.01));
  }
  llvm_unreachable("every activation has its case");
}

Values parablock::emitActivation(block::ActivationOp op, TensorEmitter &emit) {
  Value x = emit.toF32(op.getInput());
  return {emit.cast(emitActivation(op.getKind(), x, emit), getElement(op))};
}

Values parablock::emitGate(block::GateOp op, TensorEmitter &emit) {
  Value gate = emitActivation(op.getKind(), emit.toF32(op.getGate()), emit);
  Value product = emit.multiply(gate, emit.toF32(op.getUp()));
  return {emit.cast(product, getElement(op))};
}

Values parablock::emitClamp(block::ClampOp op, TensorEmitter &emit) {
  double limit = op.getLimit().convertToDouble();
  Value x = emit.binary(Binary::Maximum, emit.toF32(op.getInput()), -limit);
  return {emit.cast(emit.binary(Binary::Minimum, x, limit), getElement(op))};
}

Values parablock::emitAddBias(block::AddBiasOp op, TensorEmitter &emit) {
  Value bias = emit.asRow(emit.toF32(op.getBias()), 3);
  return {emit.cast(emit.add(emit.toF32(op.getInput()), bias), getElement(op))};
}

Values parablock::emitResidual(block::ResidualOp op, TensorEmitter &emit) {
  Value sum = emit.scale(emit.toF32(op.getInput()),
                         op.getInputScale().convertToDouble());
  for (auto [index, branch] : llvm::enumerate(op.getBranches())) {
    ArrayAttr scales = op.getBranchScalesAttr();
    double factor = 1;
    if (scales && !scales.empty())
      factor = cast<FloatAttr>(scales[index]).getValueAsDouble();
    sum = emit.add(sum, emit.scale(emit.toF32(branch), factor));
  }
  return {emit.cast(sum, getElement(op))};
}

Values parablock::emitScale(block::ScaleOp op, TensorEmitter &emit) {
  Value x =
      emit.scale(emit.toF32(op.getInput()), op.getFactor().convertToDouble());
  if (Value gain = op.getGain())
    x = emit.multiply(x,
                      emit.asRow(emit.toF32(gain), TensorEmitter::getRank(x)));
  return {emit.cast(x, getElement(op))};
}

Values parablock::emitSplit(block::SplitOp op, TensorEmitter &emit) {
  Values segments;
  int64_t offset = 0;
  for (Value result : op.getSegments()) {
    int64_t width = TensorEmitter::getType(result).getDimSize(2);
    segments.push_back(emit.slice(op.getInput(), 2, offset, width));
    offset += width;
  }
  return segments;
}
