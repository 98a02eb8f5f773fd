//===- VerifyMlp.cpp - verifiers of mlp, linear and bounds ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TwinChecks.h"

using namespace mlir;
using namespace parablock::block;

LogicalResult MlpOp::verify() {
  // [MLP-1]
  if (failed(checkDim(*this, {"up_weight", getUpWeight()}, 1,
                      getDim(getInput(), -1), "width of the input")) ||
      failed(checkSameShape(*this, {"gate_weight", getGateWeight()},
                            {"up_weight", getUpWeight()})))
    return failure();
  // [MLP-2]
  int64_t hidden = getDim(getUpWeight(), 0), width = getDim(getDownWeight(), 0);
  if (failed(checkDim(*this, {"down_weight", getDownWeight()}, 1, hidden,
                      "hidden width")))
    return failure();
  // [MLP-3]
  if (getGateBias() && !getGateWeight())
    return emitOpError()
           << "expected a gate_weight for the gate_bias, got none";
  if (failed(checkDim(*this, {"up_bias", getUpBias()}, 0, hidden,
                      "hidden width")) ||
      failed(checkDim(*this, {"gate_bias", getGateBias()}, 0, hidden,
                      "hidden width")) ||
      failed(checkDim(*this, {"down_bias", getDownBias()}, 0, width,
                      "width of down_weight")))
    return failure();
  // [MLP-4]
  if (failed(checkDim(*this, {"result", getResult()}, 2, width,
                      "width of down_weight")))
    return failure();
  return checkSameRows(*this, {"result", getResult()}, {"input", getInput()});
}

LogicalResult LinearOp::verify() {
  // [LINEAR-1]
  if (failed(checkDim(*this, {"weight", getWeight()}, 1, getDim(getInput(), -1),
                      "width of the input")))
    return failure();
  // [LINEAR-2]
  int64_t width = getDim(getWeight(), 0);
  if (failed(checkDim(*this, {"bias", getBias()}, 0, width,
                      "width of the weight")) ||
      failed(checkDim(*this, {"result", getResult()}, 2, width,
                      "width of the weight")))
    return failure();
  // [LINEAR-3]
  return checkSameRows(*this, {"result", getResult()}, {"input", getInput()});
}

LogicalResult LimitedGateOp::verify() {
  // [LIMGATE-1]
  APFloat limit = getLimit(), offset = getOffset();
  if (!limit.isFinite() || limit.isNegative() || limit.isZero())
    return emitOpError() << "expected limit to be positive and finite, got "
                         << limit.convertToDouble();
  if (!offset.isFinite())
    return emitOpError() << "expected offset to be finite, got "
                         << offset.convertToDouble();
  return success();
}

LogicalResult ClampOp::verify() { return checkLimit(*this); }
