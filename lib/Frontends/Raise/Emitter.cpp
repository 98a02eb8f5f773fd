//===- Emitter.cpp - block ops from recognised pieces ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "EmitViews.h"
#include "Group.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::raise;

Emitter::Emitter(const Graph &graph, OpBuilder builder)
    : graph(graph), builder(builder) {
  for (const Node *node : graph.getNodes())
    if (node->op == Kind::Round && graph.getCurrent(node) == node)
      rounded[graph.getCurrent(node->operands[0].node)] = node;
}

/// Gives products one type: other tools widen weights of 16 bits where they are
/// read by data of 32, which @prepack does once.
static void widenMatrices(Operation *op) {
  if (!isa<block::LinearOp, block::AttentionOp, block::MlpOp, block::MoeOp,
           block::ExpertsOp, block::HeadOp, block::CrossEntropyOp>(op))
    return;
  Type data = getElementTypeOrSelf(op->getOperand(0).getType());
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (type && type.getRank() >= 2 && data.isF32() &&
        (type.getElementType().isBF16() || type.getElementType().isF16()))
      operand.set(arith::ExtFOp::create(builder, op->getLoc(), type.clone(data),
                                        operand.get()));
  }
}

/// The value that holds a node, or its rounded one where nothing else reads it:
/// matching looks through roundings.
Value Emitter::getHome(const Node *node) const {
  const Home *own = graph.getHome(node);
  const Node *narrow = rounded.lookup(node);
  const Home *home = narrow ? graph.getHome(narrow) : nullptr;
  bool isNarrow = home && own->value.hasOneUse() &&
                  home->layout == own->layout &&
                  home->value.getDefiningOp() == *own->value.user_begin();
  return isNarrow ? home->value : own->value;
}

bool parablock::raise::isRoundedPiece(const Node *node) {
  return node->op == Kind::Round && getWhole(node->operands[0]) &&
         node->operands[0].node->isRecognised();
}

Value Emitter::emitPiece(const Node *node, Location loc) {
  if (node->isRecognised()) {
    Value value = node->op == Kind::CrossEntropy ? buildLoss(*this, node, loc)
                                                 : buildPiece(*this, node, loc);
    if (value) {
      widenMatrices(value.getDefiningOp());
      built.insert(node);
    }
    return value;
  }
  // Pieces round to the type of what they read.
  const Node *piece = node->operands[0].node;
  Value value = emitNode(piece, loc);
  if (!value || getElementTypeOrSelf(value) != node->type)
    return {};
  if (isBuilt(piece))
    built.insert(node);
  return value;
}

/// A node where the function has it, in whatever order.
Value Emitter::emitHome(const Node *node, Location loc) {
  const Home *known = graph.getHome(node);
  std::optional<Layout> back =
      known ? getSection(known->layout, node->size) : std::nullopt;
  if (!back)
    return {};
  Value home = getHome(node);
  auto type = cast<RankedTensorType>(home.getType());
  bool isWhole = type.getNumElements() == node->size;
  return ViewEmitter(builder, loc)
      .emit(home, *back, isWhole ? type.getShape() : ArrayRef(node->size));
}

Value Emitter::emitNode(const Node *given, Location loc) {
  const Node *node = graph.getCurrent(given);
  if (impossible.contains(node))
    return {};
  if (Value known = emitted.lookup(node))
    return known;
  Value value;
  if (graph.isLeftAsIs(node)) {
    value = emitHome(node, loc);
  } else if (node->isRecognised() || isRoundedPiece(node)) {
    // A value that the function does not have is made at its reader.
    bool isVariant = !graph.getHome(node) && node->location;
    value = emitPiece(node, isVariant ? Location(node->location) : loc);
  } else if (node->op == Kind::Splat && canEmit(graph, node->value)) {
    auto type = RankedTensorType::get({1}, builder.getF32Type());
    value = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type, static_cast<float>(node->value)));
  }
  if (!value)
    value = emitHome(node, loc);
  if (!value)
    value = emitComputed(*this, node, loc);
  if (!value)
    impossible.insert(node);
  else
    emitted[node] = value;
  return value;
}

Value Emitter::emit(const Term &term, RankedTensorType type, Location loc) {
  Value source = emitNode(term.node, loc);
  // The dialect knows floats of 32 and 16 bits.
  auto element =
      source ? dyn_cast<FloatType>(
                   cast<RankedTensorType>(source.getType()).getElementType())
             : FloatType();
  bool isKnown =
      element && (element.isF32() || element.isF16() || element.isBF16());
  if (!isKnown)
    return {};
  return ViewEmitter(builder, loc).emit(source, term.layout, type.getShape());
}
