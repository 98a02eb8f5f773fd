//===- EmitElementwise.cpp - emits activations, gates, residuals ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitSteps.h"
#include "TensorElements.h"

using namespace mlir;
using namespace parablock;

Value parablock::emitActivation(block::Activation kind, Value x,
                                TensorEmitter &emit) {
  return TensorElements(emit).activate(kind, x);
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
