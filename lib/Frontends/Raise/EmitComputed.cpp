//===- EmitComputed.cpp - elements that the function has nowhere ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A score bias or a table of a rotation may be assembled from parts that are
// separate in the function.
//
//===----------------------------------------------------------------------===//

#include "EmitViews.h"
#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace parablock::raise;

/// Constants of more elements are not written into the function.
static constexpr int64_t kMaxConstant = int64_t(1) << 22;

namespace {
class ComputedEmitter {
public:
  ComputedEmitter(Emitter &emitter, Location loc)
      : emitter(emitter), builder(emitter.builder), loc(loc),
        views(builder, loc) {}
  Value emit(const Node *node);

private:
  Value emitNumbers(const Node *node, Type element);
  /// Operands in one dimension, as f32 and as i1.
  Value emitFloats(const Term &term);
  Value emitTruth(const Term &term);

  Emitter &emitter;
  OpBuilder &builder;
  Location loc;
  ViewEmitter views;
};
} // namespace

Value ComputedEmitter::emitNumbers(const Node *node, Type element) {
  const std::vector<double> *numbers =
      node->size <= kMaxConstant ? evaluate(node) : nullptr;
  if (!numbers || !canEmit(emitter.graph, *numbers))
    return {};
  auto type =
      RankedTensorType::get({static_cast<int64_t>(numbers->size())}, element);
  DenseElementsAttr value;
  if (element.isInteger(1))
    value = DenseElementsAttr::get(
        type, ArrayRef(llvm::map_to_vector(
                  *numbers, [](double number) { return number != 0; })));
  else
    value = DenseElementsAttr::get(
        type, ArrayRef(llvm::map_to_vector(*numbers, [](double number) {
          return static_cast<float>(number);
        })));
  return arith::ConstantOp::create(builder, loc, value);
}

Value ComputedEmitter::emitFloats(const Term &term) {
  Type f32 = builder.getF32Type();
  auto type = RankedTensorType::get({term.getSize()}, f32);
  std::optional<double> number = getSplat(term);
  if (number && !canEmit(emitter.graph, *number))
    return {};
  if (number)
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type, static_cast<float>(*number)));
  Value value = emitter.emit(term, type, loc);
  if (value && value.getType() != type)
    value = arith::ExtFOp::create(builder, loc, type, value);
  return value;
}

Value ComputedEmitter::emitTruth(const Term &term) {
  Type truth = builder.getI1Type();
  const Node *node = term.node;
  Value value;
  if (emitter.graph.getHome(node) || node->source != Source::Constant)
    value = emitter.emitNode(node, loc);
  if (!value && node->source == Source::Constant)
    value = emitNumbers(node, truth);
  if (!value || getElementTypeOrSelf(value) != truth)
    return {};
  return views.emit(value, term.layout, {term.getSize()});
}

/// Returns the 16-bit type of all weights from which a matrix is assembled;
/// null if there is none.
static Type getWeightType(const Node *concat) {
  Type type;
  if (concat->source != Source::Weight)
    return type;
  for (const Term &part : concat->operands) {
    if (part.node->source == Source::Constant)
      continue;
    if (!part.node->type || (type && part.node->type != type))
      return {};
    type = part.node->type;
  }
  return type;
}

Value ComputedEmitter::emit(const Node *node) {
  if (node->source == Source::Constant)
    return emitNumbers(node, builder.getF32Type());
  auto combine = [&](auto make, auto read) -> Value {
    Value a = read(node->operands[0]), b = read(node->operands[1]);
    return a && b ? make(a, b) : Value();
  };
  auto floats = [&](const Term &term) { return emitFloats(term); };
  auto truth = [&](const Term &term) { return emitTruth(term); };
  switch (node->op) {
  case Kind::Add:
    return combine(
        [&](Value a, Value b) -> Value {
          return arith::AddFOp::create(builder, loc, a, b);
        },
        floats);
  case Kind::Mul:
    return combine(
        [&](Value a, Value b) -> Value {
          return arith::MulFOp::create(builder, loc, a, b);
        },
        floats);
  case Kind::And:
    return combine(
        [&](Value a, Value b) -> Value {
          return arith::AndIOp::create(builder, loc, a, b);
        },
        truth);
  case Kind::Or:
    return combine(
        [&](Value a, Value b) -> Value {
          return arith::OrIOp::create(builder, loc, a, b);
        },
        truth);
  case Kind::Xor:
    return combine(
        [&](Value a, Value b) -> Value {
          return arith::XOrIOp::create(builder, loc, a, b);
        },
        truth);
  case Kind::Select: {
    Value condition = emitTruth(node->operands[0]);
    Value a = emitFloats(node->operands[1]), b = emitFloats(node->operands[2]);
    if (!condition || !a || !b)
      return {};
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  case Kind::Concat: {
    SmallVector<Value> parts;
    for (auto [part, extent] : llvm::zip(node->operands, node->extents)) {
      Value value = emitFloats(part);
      if (!value)
        return {};
      int64_t outer = part.getSize() / (extent * node->width);
      parts.push_back(views.reshape(value, {outer, extent, node->width}));
    }
    Value joined = tensor::ConcatOp::create(builder, loc, 1, parts);
    if (Type narrow = getWeightType(node))
      joined = arith::TruncFOp::create(
          builder, loc, cast<RankedTensorType>(joined.getType()).clone(narrow),
          joined);
    return views.reshape(joined, {node->size});
  }
  default:
    return {};
  }
}

Value parablock::raise::emitComputed(Emitter &emitter, const Node *node,
                                     Location loc) {
  return ComputedEmitter(emitter, loc).emit(node);
}
