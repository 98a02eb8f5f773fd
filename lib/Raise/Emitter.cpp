//===- Emitter.cpp - block ops from recognised pieces ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "Group.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/IR/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::raise;

Emitter::Emitter(Graph &graph, OpBuilder builder)
    : graph(graph), builder(builder) {
  for (Node *node : graph.getNodes())
    if (node->op == Kind::Round)
      rounded[node->operands[0].node] = node;
}

/// Gives products one type: other tools widen weights of 16 bits where they are
/// read by data of 32, which @prepack does once.
static void widenMatrices(Operation *op) {
  if (!isa<block::LinearOp, block::AttentionOp, block::MlpOp, block::HeadOp>(
          op))
    return;
  Type data = getElementTypeOrSelf(op->getOperand(0).getType());
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (type && type.getRank() == 2 && data.isF32() &&
        (type.getElementType().isBF16() || type.getElementType().isF16()))
      operand.set(arith::ExtFOp::create(builder, op->getLoc(), type.clone(data),
                                        operand.get()));
  }
}

Value Emitter::getHome(const Node *node) const {
  Node *narrow = rounded.lookup(node);
  bool isNarrow = narrow && narrow->home && node->home.hasOneUse() &&
                  narrow->homeLayout == node->homeLayout &&
                  narrow->home.getDefiningOp() == *node->home.user_begin();
  return isNarrow ? narrow->home : node->home;
}

RankedTensorType Emitter::getType(const Node *node, int64_t width) {
  int64_t rows = node->size / width;
  int64_t batch = rows % graph.batch == 0 ? graph.batch : 1;
  Type element = node->type ? node->type : builder.getF32Type();
  return RankedTensorType::get({batch, rows / batch, width}, element);
}

Value Emitter::emitRows(const Term &term, int64_t width) {
  int64_t rows = term.getSize() / width;
  int64_t batch = rows % graph.batch == 0 ? graph.batch : 1;
  return emit(term, RankedTensorType::get({batch, rows / batch, width},
                                          builder.getF32Type()));
}

Value Emitter::emitTyped(const Node *node, const Term &term, int64_t width) {
  Value value = emitRows(term, width);
  if (!value || rounded.contains(node))
    return value;
  Type element = getElementTypeOrSelf(value);
  if (node->type)
    return element == node->type ? value : Value();
  if (element.isF32())
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  return arith::ExtFOp::create(builder, *graph.location,
                               type.clone(builder.getF32Type()), value);
}

Value Emitter::emitMatrix(const Term &term, int64_t columns) {
  return emit(term, RankedTensorType::get({term.getSize() / columns, columns},
                                          builder.getF32Type()));
}

Value Emitter::emitVector(const Term &term) {
  return emit(term,
              RankedTensorType::get({term.getSize()}, builder.getF32Type()));
}

bool parablock::raise::isRoundedPiece(const Node *node) {
  return node->op == Kind::Round && getWhole(node->operands[0]) &&
         node->operands[0].node->isRecognised();
}

/// The tensor that holds a node's elements in order: what was emitted for it,
/// or where the function has it.
Value Emitter::emitNode(Node *node) {
  if (impossible.contains(node))
    return {};
  if (Value known = emitted.lookup(node))
    return known;
  Value value;
  if (node->isRecognised()) {
    value = build(node);
    if (value)
      widenMatrices(value.getDefiningOp());
    if (value)
      built.insert(node);
  } else if (isRoundedPiece(node)) {
    // Pieces round to the type of what they read.
    value = emitNode(node->operands[0].node);
    if (value && getElementTypeOrSelf(value) != node->type)
      value = {};
    if (value && isBuilt(node->operands[0].node))
      built.insert(node);
  } else if (node->op == Kind::Splat) {
    auto type = RankedTensorType::get({1}, builder.getF32Type());
    value = arith::ConstantOp::create(
        builder, *graph.location,
        DenseElementsAttr::get(type, static_cast<float>(node->value)));
  }
  if (!value && node->home) {
    std::optional<Layout> back = getSection(node->homeLayout, node->size);
    Value home = getHome(node);
    auto type = cast<RankedTensorType>(home.getType());
    bool isWhole = type.getNumElements() == node->size;
    if (back)
      value = emitView(home, *back,
                       isWhole ? type.getShape() : ArrayRef(node->size));
  }
  if (!value)
    value = emitComputed(node);
  if (!value)
    impossible.insert(node);
  else
    emitted[node] = value;
  return value;
}

Value Emitter::emit(const Term &term, RankedTensorType type) {
  Value source = emitNode(term.node);
  // The dialect knows floats of 32 and 16 bits.
  auto element =
      source ? dyn_cast<FloatType>(
                   cast<RankedTensorType>(source.getType()).getElementType())
             : FloatType();
  if (!element || element.getWidth() > 32)
    return {};
  return emitView(source, term.layout, type.getShape());
}

Value Emitter::build(Node *node) {
  switch (node->op) {
  case Kind::Linear:
    return buildLinear(node);
  case Kind::Norm:
    return buildNorm(node);
  case Kind::Activation:
  case Kind::Clamp:
  case Kind::Scale:
    return buildElementwise(node);
  case Kind::Rope:
    return buildRope(node);
  case Kind::Sdpa:
    return buildSdpa(node);
  case Kind::Attention:
    return buildAttention(node);
  case Kind::Mlp:
    return buildMlp(node);
  case Kind::Residual:
    return buildResidual(node);
  case Kind::Embedding:
    return buildEmbedding(node);
  case Kind::Head:
    return buildHead(node);
  default:
    return {};
  }
}
