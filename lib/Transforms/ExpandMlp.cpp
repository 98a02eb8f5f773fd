//===- ExpandMlp.cpp - an MLP as projections and an activation ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExpandSteps.h"

#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

Operation *block::buildLinear(OpBuilder &builder, Location loc, Value input,
                              Value weight, Value bias, Type element) {
  int64_t width = cast<RankedTensorType>(weight.getType()).getDimSize(0);
  return LinearOp::create(builder, loc, withWidth(input, width, element), input,
                          weight, bias);
}

Operation *block::expandMlp(OpBuilder &builder, MlpOp op) {
  Location loc = op.getLoc();
  Value input = op.getInput();
  Type element = getElementTypeOrSelf(input);
  Value hidden = buildLinear(builder, loc, input, op.getUpWeight(),
                             op.getUpBias(), element)
                     ->getResult(0);
  ActivationAttr activation = op.getActivationAttr();
  if (op.getGateWeight()) {
    Value gate = buildLinear(builder, loc, input, op.getGateWeight(),
                             op.getGateBias(), element)
                     ->getResult(0);
    hidden = GateOp::create(builder, loc, hidden.getType(), gate, hidden,
                            activation);
  } else {
    hidden = ActivationOp::create(builder, loc, hidden.getType(), hidden,
                                  activation);
  }
  return buildLinear(builder, loc, hidden, op.getDownWeight(), op.getDownBias(),
                     getElementTypeOrSelf(op.getResult()));
}
