//===- TensorElements.h - elements that are whole tensors -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_TENSORELEMENTS_H
#define PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_TENSORELEMENTS_H

#include "TensorEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "parablock/Dialect/Block/ElementCode.h"

namespace parablock {

/// Elements that are whole tensors. Numbers are broadcast to all of their
/// elements, within the ops that use them.
class TensorElements final : public ElementCode {
public:
  explicit TensorElements(TensorEmitter &emit) : emit(emit) {}
  ~TensorElements() override {
    for (mlir::arith::ConstantOp number : numbers)
      number.erase();
  }

  Value f32(double value) const override {
    auto number = mlir::arith::ConstantOp::create(
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
  Value tanhShare(Value a) const override { return halfOnePlus(tanh(a)); }
  Value normalShare(Value a) const override {
    constexpr double sqrtHalf = 0.70710678118654752440;
    return halfOnePlus(emit.unary(Unary::Erf, emit.scale(a, sqrtHalf)));
  }

private:
  Value halfOnePlus(Value a) const {
    return emit.scale(emit.binary(Binary::Add, a, 1), 0.5);
  }
  /// Only the left operand may be a tensor.
  Value binary(Binary kind, Value a, Value b) const {
    if (auto number = b.getDefiningOp<mlir::arith::ConstantOp>();
        number && mlir::isa<mlir::FloatType>(b.getType()))
      return emit.binary(
          kind, a,
          mlir::cast<mlir::FloatAttr>(number.getValue()).getValueAsDouble());
    return emit.binary(kind, a, b);
  }

  TensorEmitter &emit;
  mutable llvm::SmallVector<mlir::arith::ConstantOp> numbers;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_TENSORELEMENTS_H
