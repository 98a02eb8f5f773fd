//===- VjpElementwise.cpp - gradients of elementwise steps ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "VjpModels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <map>

using namespace mlir;
using namespace parablock::block;

namespace {
struct ActivationVjp : VjpModel<ActivationVjp, ActivationOp> {
  static LogicalResult build(ActivationOp op, Value dy, Adjoints &adjoints) {
    adjoints.add(op.getInput(),
                 ActivationGradOp::create(adjoints.builder, adjoints.loc, dy,
                                          op.getInput(), op.getKind()));
    return success();
  }
};

struct GateVjp : VjpModel<GateVjp, GateOp> {
  static LogicalResult build(GateOp op, Value dy, Adjoints &adjoints) {
    auto gradient = GateGradOp::create(adjoints.builder, adjoints.loc,
                                       dy.getType(), dy.getType(), dy,
                                       op.getGate(), op.getUp(), op.getKind());
    adjoints.add(op.getGate(), gradient.getGateGradient());
    adjoints.add(op.getUp(), gradient.getUpGradient());
    return success();
  }
};

struct ClampVjp : VjpModel<ClampVjp, ClampOp> {
  static LogicalResult build(ClampOp op, Value dy, Adjoints &adjoints) {
    adjoints.add(op.getInput(),
                 ClampGradOp::create(adjoints.builder, adjoints.loc, dy,
                                     op.getInput(), op.getLimitAttr()));
    return success();
  }
};

/// Multiplies by the factors.
struct ResidualVjp : VjpModel<ResidualVjp, ResidualOp> {
  static LogicalResult build(ResidualOp op, Value dy, Adjoints &adjoints) {
    adjoints.add(op.getInput(), dy, op.getInputScale().convertToDouble());
    // Branches with equal factors share one gradient, so that their products
    // share an operand.
    std::map<double, SmallVector<Value>> byFactor;
    for (auto [index, branch] : llvm::enumerate(op.getBranches()))
      if (adjoints.isActive(branch))
        byFactor[op.getBranchScale(index)].push_back(branch);
    for (auto &[factor, branches] : byFactor) {
      double left = factor;
      Value adjoint = dy;
      if (factor != 1 && branches.size() > 1) {
        adjoint = ScaleOp::create(adjoints.builder, adjoints.loc, dy.getType(),
                                  dy, /*gain=*/Value(),
                                  adjoints.builder.getF64FloatAttr(factor));
        left = 1;
      }
      for (Value branch : branches)
        adjoints.add(branch, adjoint, left);
    }
    return success();
  }
};

struct ScaleVjp : VjpModel<ScaleVjp, ScaleOp> {
  static LogicalResult build(ScaleOp op, Value dy, Adjoints &adjoints) {
    double factor = op.getFactor().convertToDouble();
    Value gain = op.getGain(), input = op.getInput();
    if (!gain) {
      adjoints.add(input, dy, factor);
      return success();
    }
    if (adjoints.isActive(input))
      adjoints.add(input,
                   ScaleOp::create(adjoints.builder, adjoints.loc, dy.getType(),
                                   dy, gain, op.getFactorAttr()));
    if (!adjoints.isActive(gain))
      return success();
    int64_t width = op.getInput().getType().getShape().back();
    int64_t size = op.getGain().getType().getDimSize(0);
    adjoints.add(gain,
                 ColumnSumsOp::create(adjoints.builder, adjoints.loc,
                                      adjoints.getType(gain), dy, input,
                                      width / size),
                 factor);
    return success();
  }
};

struct StreamAddVjp : VjpModel<StreamAddVjp, StreamAddOp> {
  static LogicalResult build(StreamAddOp op, Value dy, Adjoints &adjoints) {
    if (op.getStream())
      adjoints.add(op.getStream(), dy);
    adjoints.add(op.getBranch(), dy, op.getSubtract() ? -1 : 1);
    return success();
  }
};

struct StreamValueVjp : VjpModel<StreamValueVjp, StreamValueOp> {
  static LogicalResult build(StreamValueOp op, Value dy, Adjoints &adjoints) {
    adjoints.add(op.getStream(), dy);
    return success();
  }
};

/// Drops the same elements.
struct DropoutVjp : VjpModel<DropoutVjp, DropoutOp> {
  static LogicalResult build(DropoutOp op, Value dy, Adjoints &adjoints) {
    adjoints.add(op.getInput(),
                 DropoutOp::create(adjoints.builder, adjoints.loc, dy.getType(),
                                   dy, op.getSeed(), op.getForm()));
    return success();
  }
};

struct AddBiasVjp : VjpModel<AddBiasVjp, AddBiasOp> {
  static LogicalResult build(AddBiasOp op, Value dy, Adjoints &adjoints) {
    adjoints.add(op.getInput(), dy);
    addBiasGradient(adjoints, op.getBias(), dy);
    return success();
  }
};

struct ReparamVjp : VjpModel<ReparamVjp, ReparamOp> {
  static LogicalResult build(ReparamOp op, Value dy, Adjoints &adjoints) {
    adjoints.add(op.getDelta(), dy, op.getResidual().convertToDouble());
    adjoints.add(op.getInitial(), dy, op.getSkip().convertToDouble());
    return success();
  }
};

/// The segments side by side again.
struct SplitVjp : VjpOpInterface::ExternalModel<SplitVjp, SplitOp> {
  static LogicalResult buildVjp(Operation *op, Adjoints &adjoints) {
    auto split = cast<SplitOp>(op);
    SmallVector<Value> segments;
    for (Value segment : split.getSegments())
      segments.push_back(adjoints.take(segment));
    if (llvm::none_of(segments, [](Value adjoint) { return !!adjoint; }))
      return success();
    OpBuilder &builder = adjoints.builder;
    for (auto [adjoint, segment] :
         llvm::zip_equal(segments, split.getSegments())) {
      if (adjoint)
        continue;
      auto type = cast<RankedTensorType>(segment.getType());
      if (!type.hasStaticShape())
        return op->emitOpError("has no gradient here: nothing reads a segment "
                               "of dynamic shape");
      adjoint = arith::ConstantOp::create(builder, adjoints.loc,
                                          builder.getZeroAttr(type));
    }
    Value input = split.getInput();
    adjoints.add(input, tensor::ConcatOp::create(builder, adjoints.loc,
                                                 input.getType(), /*dim=*/2,
                                                 segments));
    return success();
  }
};
} // namespace

void parablock::block::attachElementwiseVjps(MLIRContext &context) {
  ActivationOp::attachInterface<ActivationVjp>(context);
  GateOp::attachInterface<GateVjp>(context);
  ClampOp::attachInterface<ClampVjp>(context);
  ResidualOp::attachInterface<ResidualVjp>(context);
  ScaleOp::attachInterface<ScaleVjp>(context);
  DropoutOp::attachInterface<DropoutVjp>(context);
  StreamAddOp::attachInterface<StreamAddVjp>(context);
  StreamValueOp::attachInterface<StreamValueVjp>(context);
  AddBiasOp::attachInterface<AddBiasVjp>(context);
  ReparamOp::attachInterface<ReparamVjp>(context);
  SplitOp::attachInterface<SplitVjp>(context);
}
