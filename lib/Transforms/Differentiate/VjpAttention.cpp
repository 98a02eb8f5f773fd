//===- VjpAttention.cpp - gradients of attention and rotations ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "VjpModels.h"

using namespace mlir;
using namespace parablock::block;

namespace {
struct SdpaVjp : VjpModel<SdpaVjp, SdpaOp> {
  static LogicalResult build(SdpaOp op, Value dy, Adjoints &adjoints) {
    if (adjoints.isActive(op.getSlopes()))
      return op.emitOpError("has no gradient by its slopes");
    WantedGradients wanted(adjoints, listDifferentiable(op));
    if (op.getPastLengths())
      return op.emitOpError("has no gradient over a cache");
    OpBuilder &builder = adjoints.builder;
    auto gradient =
        SdpaGradOp::create(builder, adjoints.loc, wanted.types, dy, op,
                           builder.getStrArrayAttr(wanted.names));
    wanted.add(adjoints, gradient.getGradients());
    return success();
  }
};

/// The rotation back.
struct RopeVjp : VjpModel<RopeVjp, RopeOp> {
  static LogicalResult build(RopeOp op, Value dy, Adjoints &adjoints) {
    if (op.getOffset() && !op.getOffset().getType().isIndex())
      return op.emitOpError("has no gradient with an offset of each batch row");
    adjoints.add(op.getInput(),
                 RopeOp::create(adjoints.builder, adjoints.loc, dy.getType(),
                                dy, op.getOffset(), op.getHeads(), op.getForm(),
                                !op.getInverse()));
    return success();
  }
};

struct RotateVjp : VjpModel<RotateVjp, RotateOp> {
  static LogicalResult build(RotateOp op, Value dy, Adjoints &adjoints) {
    if (adjoints.isActive(op.getCosines()) || adjoints.isActive(op.getSines()))
      return op.emitOpError("has no gradient by its cosines and sines");
    adjoints.add(op.getInput(),
                 RotateOp::create(adjoints.builder, adjoints.loc, dy.getType(),
                                  dy, op.getCosines(), op.getSines(),
                                  op.getHeads(), op.getDim(), op.getStyle(),
                                  !op.getInverse()));
    return success();
  }
};
} // namespace

void parablock::block::attachAttentionVjps(MLIRContext &context) {
  SdpaOp::attachInterface<SdpaVjp>(context);
  RopeOp::attachInterface<RopeVjp>(context);
  RotateOp::attachInterface<RotateVjp>(context);
}
