//===- VerifyGradient.cpp - verifiers of gradient ops ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GradientChecks.h"
#include "TwinChecks.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock::block;

//===----------------------------------------------------------------------===//
// Gradients by operands that an attribute names
//===----------------------------------------------------------------------===//

static const NamedValue *findOperand(ArrayRef<NamedValue> operands,
                                     StringRef name) {
  return llvm::find_if(operands, [&](const NamedValue &operand) {
    return operand.name == name;
  });
}

static LogicalResult checkCount(Operation *op, ArrayAttr wrt, size_t results) {
  if (results == wrt.size() && results != 0)
    return success();
  return op->emitOpError() << "expected a result for each of wrt, "
                           << wrt.size() << ", got " << results;
}

LogicalResult parablock::block::checkNames(Operation *op, ArrayAttr wrt,
                                           ArrayRef<NamedValue> operands) {
  size_t next = 0;
  for (StringRef name : wrt.getAsValueRange<StringAttr>()) {
    const NamedValue *found = findOperand(operands, name);
    if (found == operands.end() || !found->value) {
      InFlightDiagnostic diag = op->emitOpError()
                                << "expected wrt to name operands of ";
      llvm::interleaveComma(
          llvm::make_filter_range(
              operands,
              [](const NamedValue &operand) { return !!operand.value; }),
          diag, [&](const NamedValue &operand) { diag << operand.name; });
      return diag << ", got \"" << name << '"';
    }
    size_t place = found - operands.begin();
    if (place < next)
      return op->emitOpError() << "expected wrt to name operands in their "
                                  "order and once each, got "
                               << wrt;
    next = place + 1;
  }
  return success();
}

LogicalResult parablock::block::checkGradients(Operation *op, ArrayAttr wrt,
                                               ValueRange gradients,
                                               ArrayRef<NamedValue> operands) {
  if (failed(checkNames(op, wrt, operands)) ||
      failed(checkCount(op, wrt, gradients.size())))
    return failure();
  for (auto [name, gradient] :
       llvm::zip_equal(wrt.getAsValueRange<StringAttr>(), gradients)) {
    const NamedValue *found = findOperand(operands, name);
    auto shape = cast<RankedTensorType>(gradient.getType()).getShape();
    auto expected = cast<RankedTensorType>(found->value.getType()).getShape();
    if (!succeeded(verifyCompatibleShape(shape, expected)))
      return op->emitOpError()
             << "expected the gradient by " << name << " to have its shape, "
             << found->value.getType() << ", got " << gradient.getType();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The loss
//===----------------------------------------------------------------------===//

/// Checks the constraints that a cross entropy and its gradient share.
template <typename OpT> static LogicalResult checkLoss(OpT op) {
  // [LOSS-1]
  if (failed(checkDim(op, {"weight", op.getWeight()}, 1,
                      getDim(op.getInput(), -1), "width of the input")))
    return failure();
  // [LOSS-2]
  if (failed(checkDim(op, {"bias", op.getBias()}, 0, getDim(op.getWeight(), 0),
                      "size of the vocabulary")))
    return failure();
  // [LOSS-3]
  for (int dim : {0, 1})
    if (failed(checkDim(op, {"targets", op.getTargets()}, dim,
                        getDim(op.getInput(), dim), "that of the input")))
      return failure();
  // [LOSS-4]
  if (op.getSoftcap() && !(op.getSoftcap()->convertToDouble() > 0))
    return op.emitOpError() << "expected softcap to be positive, got "
                            << op.getSoftcap()->convertToDouble();
  return success();
}

LogicalResult CrossEntropyOp::verify() { return checkLoss(*this); }

LogicalResult CrossEntropyGradOp::verify() {
  if (failed(checkLoss(*this)))
    return failure();
  // [LOSSGRAD-1] and [LOSSGRAD-2]
  return checkGradients(
      *this, getWrt(), getGradients(),
      {{"input", getInput()}, {"weight", getWeight()}, {"bias", getBias()}});
}

LogicalResult SoftcapGradOp::verify() {
  // [CAPGRAD-1]
  if (getSoftcap().convertToDouble() > 0)
    return success();
  return emitOpError() << "expected softcap to be positive, got "
                       << getSoftcap().convertToDouble();
}

//===----------------------------------------------------------------------===//
// By weights
//===----------------------------------------------------------------------===//

LogicalResult WeightGradOp::verify() {
  // [WGRAD-1]
  if (getGradients().empty() || getInputs().empty())
    return emitOpError() << "expected at least one gradient and one input, got "
                         << getGradients().size() << " and "
                         << getInputs().size();
  int64_t rows = 0, columns = 0;
  // [WGRAD-2]
  for (Value gradient : getGradients()) {
    if (failed(checkSameRows(*this, {"a gradient", gradient},
                             {"the first gradient", getGradients().front()})))
      return failure();
    rows += getDim(gradient, -1);
  }
  for (Value input : getInputs()) {
    if (failed(checkSameRows(*this, {"an input", input},
                             {"the first gradient", getGradients().front()})))
      return failure();
    columns += getDim(input, -1);
  }
  // [WGRAD-3]
  if (failed(checkDim(*this, {"result", getResult()}, 0, rows,
                      "columns of the gradients")))
    return failure();
  return checkDim(*this, {"result", getResult()}, 1, columns,
                  "columns of the inputs");
}

LogicalResult ColumnSumsOp::verify() {
  // [COLSUMS-1]
  bool isOfRows = getFactor() && getDim(getFactor(), -1) == 1;
  NamedValue factor{"factor", getFactor()}, input{"input", getInput()};
  if (failed(isOfRows ? checkSameRows(*this, factor, input)
                      : checkSameShape(*this, factor, input)))
    return failure();
  // [COLSUMS-2]
  int64_t width = getDim(getInput(), -1), groups = getGroups();
  if (failed(checkDivides(*this, "groups", groups, "the width", width)))
    return failure();
  // [COLSUMS-3]
  return checkDim(*this, {"result", getResult()}, 0,
                  ShapedType::isDynamic(width) ? width : width / groups,
                  "one per column of a group");
}

LogicalResult EmbeddingGradOp::verify() {
  // [EMBGRAD-1]
  if (failed(checkNames(*this, getWrt(),
                        {{"table", getGradient()},
                         {"position_table", getGradient()},
                         {"type_table", getGradient()}})) ||
      failed(checkCount(*this, getWrt(), getGradients().size())))
    return failure();
  // [EMBGRAD-2]
  for (Value table : getGradients())
    if (failed(checkDim(*this, {"result", table}, 1, getDim(getGradient(), -1),
                        "width of the gradient")))
      return failure();
  // [EMBGRAD-3]
  for (int dim : {0, 1})
    for (NamedValue ids :
         {NamedValue{"ids", getIds()}, NamedValue{"type_ids", getTypeIds()}})
      if (failed(checkDim(*this, ids, dim, getDim(getGradient(), dim),
                          "that of the gradient")))
        return failure();
  // [EMBGRAD-4]
  if (getPadId() && getOffset())
    return emitOpError() << "expected a pad_id without an offset, got both";
  return success();
}

/// The parameters have shapes that follow from gradient and weight.
static LogicalResult checkPatchResults(PatchEmbeddingGradOp op) {
  int64_t width = getDim(op.getWeight(), 0);
  for (auto [name, gradient] : llvm::zip_equal(
           op.getWrt().getAsValueRange<StringAttr>(), op.getGradients())) {
    SmallVector<int64_t> expected = {width};
    if (name == "pixels" || name == "weight")
      expected =
          llvm::to_vector((name == "pixels" ? op.getPixels() : op.getWeight())
                              .getType()
                              .getShape());
    else if (name == "position_table")
      expected = {getDim(op.getGradient(), 1), width};
    auto shape = cast<RankedTensorType>(gradient.getType()).getShape();
    if (!succeeded(verifyCompatibleShape(shape, expected))) {
      InFlightDiagnostic diag = op.emitOpError()
                                << "expected the gradient by " << name
                                << " to have the sizes ";
      llvm::interleaveComma(expected, diag);
      return diag << ", got " << gradient.getType();
    }
  }
  return success();
}

LogicalResult PatchEmbeddingGradOp::verify() {
  // [PATCHGRAD-1]
  Value classToken = getHasClass() ? getGradient() : Value();
  if (failed(checkNames(*this, getWrt(),
                        {{"pixels", getPixels()},
                         {"weight", getWeight()},
                         {"bias", getGradient()},
                         {"class_token", classToken},
                         {"position_table", getGradient()}})) ||
      failed(checkCount(*this, getWrt(), getGradients().size())))
    return failure();
  // [PATCHGRAD-2]
  uint64_t tokens;
  if (failed(checkPatches(*this, tokens)))
    return failure();
  // [PATCHGRAD-3]
  tokens = std::min<uint64_t>(tokens, INT64_MAX - 1) + (getHasClass() ? 1 : 0);
  if (failed(checkDim(*this, {"gradient", getGradient()}, 1,
                      static_cast<int64_t>(tokens), "one row per token")) ||
      failed(checkDim(*this, {"gradient", getGradient()}, 2,
                      getDim(getWeight(), 0), "width of the weight")) ||
      failed(checkDim(*this, {"gradient", getGradient()}, 0,
                      getDim(getPixels(), 0), "batch of the pixels")))
    return failure();
  // [PATCHGRAD-4]
  return checkPatchResults(*this);
}

//===----------------------------------------------------------------------===//
// By rows
//===----------------------------------------------------------------------===//

LogicalResult NormGradOp::verify() {
  // [NORMGRAD-1], [NORMGRAD-2], [NORMGRAD-3]
  if (failed(checkNormOperands(*this, {{"gamma", getGamma()}})))
    return failure();
  // [NORMGRAD-4]
  return checkSameShape(*this, {"gradient", getGradient()},
                        {"input", getInput()});
}

LogicalResult RowDotsOp::verify() {
  // [ROWDOTS-1]
  if (!getFactor() && !getVector())
    return emitOpError("expected a factor or a vector, got neither");
  // [ROWDOTS-2]
  int64_t width = getDim(getInput(), -1), groups = getGroups();
  if (failed(checkSameShape(*this, {"factor", getFactor()},
                            {"input", getInput()})) ||
      failed(checkDim(*this, {"vector", getVector()}, 0, width,
                      "width of the input")))
    return failure();
  // [ROWDOTS-3]
  if (failed(checkDivides(*this, "groups", groups, "the width", width)))
    return failure();
  // [ROWDOTS-4]
  for (NamedValue sums :
       {NamedValue{"addend", getAddend()}, NamedValue{"result", getResult()}})
    if (failed(checkSameRows(*this, sums, {"input", getInput()})) ||
        failed(checkDim(*this, sums, 2, groups, "one per group")))
      return failure();
  return success();
}

LogicalResult DeferredNormGradOp::verify() {
  // [DEFGRAD-1]
  if (failed(checkMeanAndSums(*this)))
    return failure();
  // [DEFGRAD-2]
  for (NamedValue statistic :
       {NamedValue{"mean", getMean()}, NamedValue{"moment", getMoment()},
        NamedValue{"sums", getSums()}, NamedValue{"dots", getDots()}})
    if (failed(checkSameRows(*this, statistic, {"input", getInput()})) ||
        failed(checkDim(*this, statistic, 2, 1, "one per row")))
      return failure();
  // [DEFGRAD-3]
  if (getGamma() && !getGradient())
    return emitOpError("expected a gradient for the gamma, got none");
  if (failed(checkDim(*this, {"gamma", getGamma()}, 0, getDim(getInput(), -1),
                      "width of the input")))
    return failure();
  // [DEFGRAD-4]
  return checkSameShape(*this, {"gradient", getGradient()},
                        {"input", getInput()});
}

LogicalResult ClampGradOp::verify() { return checkLimit(*this); }
