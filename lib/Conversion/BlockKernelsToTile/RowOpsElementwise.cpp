//===- RowOpsElementwise.cpp - steps that stay in their column ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowEmitter.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock;

Value RowEmitter::evaluate(TileCode code, arith::TruncFOp op, Value column) {
  return code.round(element(code, op.getIn(), column),
                    getElementTypeOrSelf(op.getType()));
}

Value RowEmitter::evaluate(TileCode code, arith::ExtFOp op, Value column) {
  return element(code, op.getIn(), column);
}

Value RowEmitter::evaluate(TileCode code, block::AddBiasOp op, Value column) {
  Value x = element(code, op.getInput(), column);
  return code.add(x, element(code, op.getBias(), column));
}

Value RowEmitter::evaluate(TileCode code, block::ActivationOp op,
                           Value column) {
  return code.activate(op.getKind(), element(code, op.getInput(), column));
}

Value RowEmitter::evaluate(TileCode code, block::GateOp op, Value column) {
  Value gate = code.activate(op.getKind(), element(code, op.getGate(), column));
  return code.mul(gate, element(code, op.getUp(), column));
}

Value RowEmitter::evaluate(TileCode code, block::ClampOp op, Value column) {
  Value x = element(code, op.getInput(), column);
  double limit = op.getLimit().convertToDouble();
  Value high = code.f32(limit), low = code.f32(-limit);
  // Written so that a NaN passes through.
  Value bounded = code.select(code.less(high, x), high, x);
  return code.select(code.less(x, low), low, bounded);
}

Value RowEmitter::evaluate(TileCode code, block::ScaleOp op, Value column) {
  Value x = code.scale(element(code, op.getInput(), column),
                       op.getFactor().convertToDouble());
  if (!op.getGain())
    return x;
  Value place = getWidth(op.getGain()) == 1 ? code.index(0) : column;
  return code.mul(x, element(code, op.getGain(), place));
}

Value RowEmitter::evaluate(TileCode code, block::ResidualOp op, Value column) {
  Value sum = code.scale(element(code, op.getInput(), column),
                         op.getInputScale().convertToDouble());
  for (auto [k, branch] : llvm::enumerate(op.getBranches()))
    sum = code.add(
        sum, code.scale(element(code, branch, column), op.getBranchScale(k)));
  return sum;
}
