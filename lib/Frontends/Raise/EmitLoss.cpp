//===- EmitLoss.cpp - the op of a cross entropy ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitViews.h"
#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::raise;

/// The targets as i64, in the shape of the rows.
static Value emitTargets(Emitter &emitter, const Term &targets,
                         ArrayRef<int64_t> shape, Location loc) {
  OpBuilder &builder = emitter.builder;
  Value value = emitter.emitNode(targets.node, loc);
  if (value)
    value = ViewEmitter(builder, loc).emit(value, targets.layout, shape);
  if (!value || getElementTypeOrSelf(value).isInteger(64))
    return value;
  if (!getElementTypeOrSelf(value).isInteger(32))
    return {};
  auto type = cast<RankedTensorType>(value.getType());
  return arith::ExtSIOp::create(builder, loc, type.clone(builder.getI64Type()),
                                value);
}

/// The sum of losses is divided by 1: what divides it is not a part of the
/// piece, so that a mean over no rows stays NaN.
Value parablock::raise::buildLoss(Emitter &emitter, const Node *node,
                                  Location loc) {
  OpBuilder &builder = emitter.builder;
  Type f32 = builder.getF32Type();
  const Term &x = node->operands[0], &weight = node->operands[1];
  int64_t depth = weight.getSize() / node->width, rows = x.getSize() / depth;
  int64_t batch = rows % emitter.graph.batch == 0 ? emitter.graph.batch : 1;
  auto emit = [&](const Term &term, ArrayRef<int64_t> shape) {
    return emitter.emit(term, RankedTensorType::get(shape, f32), loc);
  };
  Value input = emit(x, {batch, rows / batch, depth});
  Value matrix = emit(weight, {node->width, depth});
  Term ofBias = node->getRole("bias");
  Value bias = ofBias ? emit(ofBias, {node->width}) : Value();
  Value targets = emitTargets(emitter, node->getRole("targets"),
                              {batch, rows / batch}, loc);
  if (!input || !matrix || !targets || (ofBias && !bias))
    return {};
  auto scalar = RankedTensorType::get({}, f32);
  Value one = arith::ConstantOp::create(builder, loc,
                                        DenseElementsAttr::get(scalar, 1.0f));
  return block::CrossEntropyOp::create(
      builder, loc, scalar, input, matrix, targets, bias, one,
      builder.getF64FloatAttr(node->value), cast_or_null<FloatAttr>(node->form),
      builder.getI64IntegerAttr(node->extents[0]));
}
