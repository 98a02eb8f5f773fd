//===- EmitWeights.cpp - what rewrites do to weights ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitSteps.h"

using namespace mlir;
using namespace parablock;

Values parablock::emitReparam(block::ReparamOp op, TensorEmitter &emit) {
  Value delta =
      emit.scale(emit.toF32(op.getDelta()), op.getResidual().convertToDouble());
  Value initial = op.getInitial();
  if (initial) {
    initial = emit.toF32(initial);
  } else {
    int64_t size = TensorEmitter::getType(delta).getDimSize(0);
    std::vector<double> identity(size * size);
    for (int64_t i = 0; i < size; ++i)
      identity[i * (size + 1)] = 1;
    initial = emit.constant({size, size}, identity);
  }
  initial = emit.scale(initial, op.getSkip().convertToDouble());
  return {emit.cast(emit.add(initial, delta), getElement(op))};
}

Values parablock::emitFoldGain(block::FoldGainOp op, TensorEmitter &emit) {
  Value gamma = emit.asRow(emit.toF32(op.getGamma()), 2);
  if (op.getForm().getGammaForm() == block::GammaForm::OnePlus)
    gamma = emit.binary(Binary::Add, gamma, 1);
  Value product = emit.multiply(emit.toF32(op.getWeight()), gamma);
  return {emit.cast(product, getElement(op))};
}

Values parablock::emitFoldBias(block::FoldBiasOp op, TensorEmitter &emit) {
  Value weight = op.getWeight();
  int64_t rows = TensorEmitter::getType(weight).getDimSize(0);
  Value result;
  if (Value beta = op.getBeta()) {
    Value product =
        emit.multiply(emit.toF32(weight), emit.asRow(emit.toF32(beta), 2));
    result = emit.merge(emit.reduce(Reduction::Sum, product, 1), 0, 2);
  }
  if (Value bias = op.getBias()) {
    bias = emit.toF32(bias);
    result = result ? emit.add(result, bias) : bias;
  }
  if (!result)
    result = emit.constant({rows}, SmallVector<double>(rows, 0));
  return {result};
}

Values parablock::emitFoldScale(block::FoldScaleOp op, TensorEmitter &emit) {
  Value weight =
      emit.scale(emit.toF32(op.getWeight()), op.getFactor().convertToDouble());
  if (Value gain = op.getGain()) {
    gain = emit.toF32(gain);
    if (TensorEmitter::getRank(weight) == 2)
      gain = emit.split(gain, 0, {Size(gain, 0), 1});
    weight = emit.multiply(weight, gain);
  }
  return {emit.cast(weight, getElement(op))};
}

Values parablock::emitBiasSum(block::BiasSumOp op, TensorEmitter &emit) {
  Value sum = emit.toF32(op.getBiases().front());
  for (Value bias : op.getBiases().drop_front())
    sum = emit.add(sum, emit.toF32(bias));
  return {emit.cast(sum, getElement(op))};
}

Values parablock::emitWeightSums(block::WeightSumsOp op, TensorEmitter &emit) {
  Value sums = emit.reduce(Reduction::Sum, emit.toF32(op.getWeight()), 1);
  return {emit.cast(emit.merge(sums, 0, 2), getElement(op))};
}
