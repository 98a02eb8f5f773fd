//===- EmitElementwise.cpp - activations, gates, residuals, gains ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "parablock/IR/ElementCode.h"

using namespace mlir;
using namespace parablock;

namespace {
/// Elements that are whole tensors. Numbers beside them stand for all of their
/// elements and end up in the ops that use them.
class TensorElements final : public ElementCode {
public:
  explicit TensorElements(TensorEmitter &emit) : emit(emit) {}
  ~TensorElements() override {
    for (arith::ConstantOp number : numbers)
      number.erase();
  }

  Value f32(double value) const override {
    auto number = arith::ConstantOp::create(
        emit.builder, emit.loc, emit.builder.getF64FloatAttr(value));
    numbers.push_back(number);
    return number;
  }
  Value add(Value a, Value b) const override {
    return binary(Binary::Add, a, b);
  }
  Value sub(Value a, Value b) const override { return add(a, neg(b)); }
  Value mul(Value a, Value b) const override {
    return binary(Binary::Multiply, a, b);
  }
  Value div(Value a, Value b) const override {
    return binary(Binary::Divide, a, b);
  }
  Value fma(Value a, Value b, Value c) const override {
    return add(mul(a, b), c);
  }
  Value max(Value a, Value b) const override {
    return binary(Binary::Maximum, a, b);
  }
  Value min(Value a, Value b) const override {
    return binary(Binary::Minimum, a, b);
  }
  Value neg(Value a) const override { return emit.unary(Unary::Negate, a); }
  Value exp(Value a) const override { return emit.unary(Unary::Exp, a); }
  Value tanh(Value a) const override { return emit.unary(Unary::Tanh, a); }
  Value sigmoid(Value a) const override {
    return emit.unary(Unary::Sigmoid, a);
  }
  Value normalShare(Value a) const override {
    constexpr double sqrtHalf = 0.70710678118654752440;
    Value erf = emit.unary(Unary::Erf, emit.scale(a, sqrtHalf));
    return emit.scale(emit.binary(Binary::Add, erf, 1), 0.5);
  }

private:
  /// Only what is said of a tensor on the left is needed.
  Value binary(Binary kind, Value a, Value b) const {
    if (auto number = b.getDefiningOp<arith::ConstantOp>();
        number && isa<FloatType>(b.getType()))
      return emit.binary(kind, a,
                         cast<FloatAttr>(number.getValue()).getValueAsDouble());
    return emit.binary(kind, a, b);
  }

  TensorEmitter &emit;
  mutable SmallVector<arith::ConstantOp> numbers;
};
} // namespace

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
