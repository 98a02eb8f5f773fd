//===- VjpLinear.cpp - gradients of products and losses -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "VjpModels.h"

#include "mlir/IR/TypeUtilities.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock::block;

void parablock::block::addBiasGradient(Adjoints &adjoints, Value bias,
                                       Value gradient) {
  if (adjoints.isActive(bias))
    adjoints.add(bias, ColumnSumsOp::create(adjoints.builder, adjoints.loc,
                                            adjoints.getType(bias), gradient,
                                            Value()));
}

void parablock::block::addProjectionGradients(Adjoints &adjoints, Value input,
                                              Value weight, Value bias,
                                              Value gradient) {
  // Summands of a product may be wider than its rounded result: bf16 of an f32
  // sum.
  Value rounded = castElements(adjoints.builder, adjoints.loc, gradient,
                               getElementTypeOrSelf(input.getType()));
  adjoints.addProduct(input, rounded, weight);
  if (adjoints.isActive(weight))
    adjoints.add(weight, WeightGradOp::create(adjoints.builder, adjoints.loc,
                                              adjoints.getType(weight), rounded,
                                              input));
  addBiasGradient(adjoints, bias, gradient);
}

namespace {
struct LinearVjp : VjpModel<LinearVjp, LinearOp> {
  static LogicalResult build(LinearOp op, Value dy, Adjoints &adjoints) {
    addProjectionGradients(adjoints, op.getInput(), op.getWeight(),
                           op.getBias(), dy);
    return success();
  }
};

struct LinearSumVjp : VjpModel<LinearSumVjp, LinearSumOp> {
  static LogicalResult build(LinearSumOp op, Value dy, Adjoints &adjoints) {
    for (auto [input, weight] :
         llvm::zip_equal(op.getInputs(), op.getWeights()))
      addProjectionGradients(adjoints, input, weight, Value(), dy);
    addBiasGradient(adjoints, op.getBias(), dy);
    return success();
  }
};

/// The gradient of a product followed by a scale and a soft cap.
struct HeadVjp : VjpModel<HeadVjp, HeadOp> {
  static LogicalResult build(HeadOp op, Value dy, Adjoints &adjoints) {
    OpBuilder &builder = adjoints.builder;
    if (FloatAttr cap = op.getSoftcapAttr())
      dy = SoftcapGradOp::create(builder, adjoints.loc, dy, op.getResult(), cap,
                                 op.getScaleAttr());
    else if (op.getScale().convertToDouble() != 1)
      dy = ScaleOp::create(builder, adjoints.loc, dy.getType(), dy, Value(),
                           op.getScaleAttr());
    addProjectionGradients(adjoints, op.getInput(), op.getWeight(),
                           op.getBias(), dy);
    return success();
  }
};

struct CrossEntropyVjp : VjpModel<CrossEntropyVjp, CrossEntropyOp> {
  static LogicalResult build(CrossEntropyOp op, Value dy, Adjoints &adjoints) {
    OpBuilder &builder = adjoints.builder;
    if (adjoints.isActive(op.getDivisor()))
      return op.emitOpError("has no gradient by its divisor");
    WantedGradients wanted(adjoints, {{"input", op.getInput()},
                                      {"weight", op.getWeight()},
                                      {"bias", op.getBias()}});
    auto gradient = CrossEntropyGradOp::create(
        builder, adjoints.loc, wanted.types, dy, op.getInput(), op.getWeight(),
        op.getTargets(), op.getBias(), op.getDivisor(),
        builder.getStrArrayAttr(wanted.names), op.getScaleAttr(),
        op.getSoftcapAttr(), op.getIgnoredAttr());
    wanted.add(adjoints, gradient.getGradients());
    return success();
  }
};
} // namespace

void parablock::block::attachLinearVjps(MLIRContext &context) {
  LinearOp::attachInterface<LinearVjp>(context);
  LinearSumOp::attachInterface<LinearSumVjp>(context);
  HeadOp::attachInterface<HeadVjp>(context);
  CrossEntropyOp::attachInterface<CrossEntropyVjp>(context);
}
