//===- EmitLinear.cpp - emits products and biases -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitSteps.h"

using namespace mlir;
using namespace parablock;

Value parablock::emitProjection(Value rows, Value weight, TensorEmitter &emit) {
  // If the types differ, the narrower one is widened.
  if (TensorEmitter::getType(rows).getElementType() !=
      TensorEmitter::getType(weight).getElementType()) {
    rows = emit.toF32(rows);
    weight = emit.toF32(weight);
  }
  return emit.matmul(rows, emit.transpose(weight, {1, 0}));
}

/// The rows of `[B, T, C]`.
static Value asRows(Value input, TensorEmitter &emit) {
  return emit.merge(input, 0, 2);
}

/// `[B T, C]` with the rows of `input [B, T, _]`.
static Value fromRows(Value rows, Value input, TensorEmitter &emit) {
  return emit.split(rows, 0, {Size(input, 0), Size(input, 1)});
}

static Value addRow(Value rows, Value bias, TensorEmitter &emit) {
  return bias ? emit.add(rows, emit.asRow(emit.toF32(bias), 2)) : rows;
}

Values parablock::emitLinear(block::LinearOp op, TensorEmitter &emit) {
  Value rows =
      emitProjection(asRows(op.getInput(), emit), op.getWeight(), emit);
  rows = emit.cast(addRow(rows, op.getBias(), emit), getElement(op));
  return {fromRows(rows, op.getInput(), emit)};
}

Values parablock::emitLinearSum(block::LinearSumOp op, TensorEmitter &emit) {
  Value sum;
  for (auto [input, weight] :
       llvm::zip_equal(op.getInputs(), op.getWeights())) {
    Value product = emitProjection(asRows(input, emit), weight, emit);
    sum = sum ? emit.add(sum, product) : product;
  }
  sum = emit.cast(addRow(sum, op.getBias(), emit), getElement(op));
  return {fromRows(sum, op.getInputs().front(), emit)};
}

Values parablock::emitHead(block::HeadOp op, TensorEmitter &emit) {
  Value rows =
      emitProjection(asRows(op.getInput(), emit), op.getWeight(), emit);
  rows = emit.scale(addRow(rows, op.getBias(), emit),
                    op.getScale().convertToDouble());
  if (std::optional<llvm::APFloat> softcap = op.getSoftcap()) {
    double cap = softcap->convertToDouble();
    rows = emit.unary(Unary::Tanh, emit.binary(Binary::Divide, rows, cap));
    rows = emit.scale(rows, cap);
  }
  return {fromRows(emit.cast(rows, getElement(op)), op.getInput(), emit)};
}
