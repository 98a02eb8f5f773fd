//===- EmitWeights.cpp - emits formulas of weight ops ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitSteps.h"

using namespace mlir;
using namespace parablock;

namespace {
/// Formulas of whole tensors, of as many dimensions as there are loops.
class TensorMath final : public block::WeightMath {
public:
  TensorMath(block::WeightOpInterface op, unsigned numLoops,
             TensorEmitter &emit)
      : op(op), numLoops(numLoops), emit(emit) {}

  Value element(unsigned operand) override {
    Value tensor = emit.toF32(op->getOperand(operand));
    if (TensorEmitter::getRank(tensor) == numLoops)
      return tensor;
    SmallVector<Size> sizes(numLoops, 1);
    AffineMap map = op.getOperandMap(operand);
    if (auto loop = dyn_cast<AffineDimExpr>(map.getResult(0)))
      sizes[loop.getPosition()] = Size(tensor, 0);
    return emit.split(tensor, 0, sizes);
  }
  Value decode(unsigned, ArrayRef<double>) override {
    llvm_unreachable("codes have no form in whole tensors");
  }
  Value number(double value) override {
    auto shape = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
    return emit.constant(
        shape, SmallVector<double>(ShapedType::getNumElements(shape), value));
  }
  Value add(Value a, Value b) override { return emit.add(a, b); }
  Value add(Value a, double b) override {
    return emit.binary(Binary::Add, a, b);
  }
  Value multiply(Value a, Value b) override { return emit.multiply(a, b); }
  Value multiply(Value a, double b) override { return emit.scale(a, b); }
  Value identity() override {
    int64_t size =
        cast<RankedTensorType>(op->getResult(0).getType()).getDimSize(0);
    std::vector<double> values(size * size);
    for (int64_t i = 0; i < size; ++i)
      values[i * (size + 1)] = 1;
    return emit.constant({size, size}, values);
  }

private:
  block::WeightOpInterface op;
  unsigned numLoops;
  TensorEmitter &emit;
};
} // namespace

Values parablock::emitWeights(block::WeightOpInterface op,
                              TensorEmitter &emit) {
  unsigned rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  Value sum;
  if (op.hasSum()) {
    TensorMath inside(op, rank + 1, emit);
    sum = emit.reduce(Reduction::Sum, op.buildSummand(inside), rank);
    sum = emit.merge(sum, rank - 1, 2);
  }
  TensorMath math(op, rank, emit);
  return {emit.cast(op.buildElement(math, sum), getElement(op))};
}
