//===- EmitPieces.cpp - the op of each piece ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "Group.h"
#include "Layers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "parablock/IR/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::raise;

Value Emitter::emitRole(const Node *node, StringRef role, int64_t columns) {
  Term term = node->getRole(role);
  if (!term)
    return {};
  return columns == 0 ? emitVector(term) : emitMatrix(term, columns);
}

Value Emitter::emitTable(const Node *node, StringRef role, int64_t rows) {
  Term term = node->getRole(role);
  if (!term)
    return {};
  int64_t batch = rows == graph.tokens ? 1 : graph.batch;
  return emit(
      term, RankedTensorType::get({batch, rows / batch, term.getSize() / rows},
                                  builder.getF32Type()));
}

/// A vector of whole numbers.
Value Emitter::emitCounts(const Node *node, StringRef role) {
  Term term = node->getRole(role);
  return term ? emitIntegers(term, {term.getSize()}) : Value();
}

Value Emitter::emitScoreBias(const Node *node, ArrayRef<int64_t> shape) {
  Term term = node->getRole("score_bias");
  return term ? emit(term, RankedTensorType::get(shape, builder.getF32Type()))
              : Value();
}

/// True where every operand that the piece has was emitted.
static bool isComplete(const Node *node,
                       ArrayRef<std::pair<StringRef, Value>> operands) {
  return llvm::all_of(operands, [&](const auto &operand) {
    return operand.second || !node->getRole(operand.first);
  });
}

std::optional<Emitter::Projection> Emitter::emitProjection(const Node *node) {
  const Term &weight = node->operands[1];
  int64_t depth = weight.getSize() / node->width;
  Value x = emitRows(node->operands[0], depth);
  Value matrix = emitMatrix(weight, depth);
  Value bias = emitRole(node, "bias", 0);
  if (!x || !matrix || !isComplete(node, {{"bias", bias}}))
    return std::nullopt;
  return Projection{x, matrix, bias};
}

Value Emitter::buildLinear(Node *node) {
  std::optional<Projection> parts = emitProjection(node);
  if (!parts)
    return {};
  return block::LinearOp::create(builder, *graph.location,
                                 getType(node, node->width), parts->input,
                                 parts->weight, parts->bias);
}

Value Emitter::buildNorm(Node *node) {
  int64_t width = std::max(getTokenWidth(node), node->width);
  for (StringRef role : {"gamma", "beta"})
    if (Term vector = node->getRole(role))
      width = std::max(width, vector.getSize());
  if (width % node->width != 0 || node->size % width != 0)
    return {};
  Value x = emitRows(node->operands[0], width);
  Value gamma = emitRole(node, "gamma", 0), beta = emitRole(node, "beta", 0);
  if (!x || !isComplete(node, {{"gamma", gamma}, {"beta", beta}}))
    return {};
  return block::NormOp::create(builder, *graph.location, getType(node, width),
                               x, gamma, beta,
                               cast<block::NormAttr>(node->form),
                               builder.getI64IntegerAttr(width / node->width));
}

Value Emitter::buildElementwise(Node *node) {
  int64_t width = getTokenWidth(node);
  if (width == 0)
    return {};
  Value x = emitTyped(node, node->operands[0], width);
  if (!x)
    return {};
  Location loc = *graph.location;
  Type type = x.getType();
  if (node->op == Kind::Activation)
    return block::ActivationOp::create(builder, loc, type, x,
                                       cast<block::ActivationAttr>(node->form));
  if (node->op == Kind::Clamp)
    return block::ClampOp::create(builder, loc, type, x,
                                  builder.getF64FloatAttr(node->value));
  Value gain = emitVector(node->operands[1]);
  if (!gain)
    return {};
  return block::ScaleOp::create(builder, loc, type, x, gain,
                                builder.getF64FloatAttr(node->value));
}

Value Emitter::buildRope(Node *node) {
  int64_t width = getTokenWidth(node);
  if (width == 0 || width % node->width != 0)
    return {};
  int64_t rows = getTableRows(graph, node, width);
  Value x = emitTyped(node, node->operands[0], width);
  if (!x || rows == 0)
    return {};
  if (node->getRole("cos")) {
    Value cosines = emitTable(node, "cos", rows);
    Value sines = emitTable(node, "sin", rows);
    auto form = cast<block::RopeAttr>(node->form);
    if (!cosines || !sines)
      return {};
    return block::RotateOp::create(builder, *graph.location, x.getType(), x,
                                   cosines, sines, width / node->width,
                                   form.getDim(), form.getStyle());
  }
  return block::RopeOp::create(builder, *graph.location, x.getType(), x,
                               /*offset=*/Value(),
                               builder.getI64IntegerAttr(width / node->width),
                               cast<block::RopeAttr>(node->form));
}

Value Emitter::buildSdpa(Node *node) {
  int64_t heads = node->extents[0], kvHeads = node->extents[1];
  Value q = emitRows(node->operands[0], heads * node->extents[2]);
  Value k = emitRows(node->operands[1], kvHeads * node->extents[2]);
  Value v = emitRows(node->operands[2], kvHeads * node->extents[3]);
  Value relative = emitRole(node, "relative", heads);
  Value alpha = emitRole(node, "alpha", 0), beta = emitRole(node, "beta", 0);
  Value gamma = emitRole(node, "gamma", 0);
  Value bias = emitScoreBias(node, ArrayRef(node->extents).drop_front(4));
  Value lengths = emitCounts(node, "lengths");
  Value bounds = emitCounts(node, "cu_seqlens");
  if (!q || !k || !v ||
      !isComplete(node, {{"relative", relative},
                         {"lengths", lengths},
                         {"cu_seqlens", bounds},
                         {"score_bias", bias},
                         {"alpha", alpha},
                         {"beta", beta},
                         {"gamma", gamma}}))
    return {};
  block::BucketsAttr buckets;
  if (Term distance = node->getRole("buckets"))
    buckets = block::BucketsAttr::get(builder.getContext(),
                                      static_cast<int64_t>(*getSplat(distance)),
                                      node->value != 0);
  Value none;
  return block::SdpaOp::create(
      builder, *graph.location, getType(node, node->width), q, k, v, lengths,
      relative, /*shaw_key=*/none, /*shaw_value=*/none, alpha, beta, gamma,
      /*past_key=*/none, /*past_value=*/none,
      /*slopes=*/none, bias, bounds, builder.getI64IntegerAttr(heads),
      builder.getI64IntegerAttr(kvHeads), cast<block::ScoresAttr>(node->form),
      buckets);
}

Value Emitter::buildAttention(Node *node) {
  int64_t heads = node->extents[0];
  const Term &input = node->operands[0];
  Term memory = node->getRole("memory");
  // Not those of the input's own tokens, which may be read in another order.
  int64_t inputWidth = node->extents[2], sourceWidth = node->extents[3];
  Value x = emitRows(input, inputWidth);
  Value source = memory ? emitRows(memory, sourceWidth) : Value();
  Term output = node->getRole("o");
  int64_t rows = input.getSize() / inputWidth;
  int64_t width = node->size / rows;
  SmallVector<std::pair<StringRef, Value>> operands;
  auto get = [&](StringRef role, int64_t columns) {
    Value value = emitRole(node, role, columns);
    operands.emplace_back(role, value);
    return value;
  };
  Value q = get("q", inputWidth), k = get("k", sourceWidth);
  Value v = get("v", sourceWidth);
  Value o = get("o", output ? output.getSize() / width : 0);
  Value qBias = get("q_bias", 0), kBias = get("k_bias", 0);
  Value vBias = get("v_bias", 0), oBias = get("o_bias", 0);
  Value qGamma = get("q_gamma", 0), qBeta = get("q_beta", 0);
  Value kGamma = get("k_gamma", 0), kBeta = get("k_beta", 0);
  Value relative = get("relative", heads);
  Value alpha = get("alpha", 0), beta = get("beta", 0), gamma = get("gamma", 0);
  Value bias = emitScoreBias(node, ArrayRef(node->extents).drop_front(5));
  Value cosines = emitTable(node, "rope_cos", node->extents[4]);
  Value sines = emitTable(node, "rope_sin", node->extents[4]);
  Value lengths = emitCounts(node, "lengths");
  Value bounds = emitCounts(node, "cu_seqlens");
  operands.append({{"score_bias", bias},
                   {"rope_cos", cosines},
                   {"rope_sin", sines},
                   {"lengths", lengths},
                   {"cu_seqlens", bounds}});
  if (!x || (memory && !source) || !isComplete(node, operands))
    return {};
  auto form = cast<DictionaryAttr>(node->form);
  Value none;
  return block::AttentionOp::create(
      builder, *graph.location, getType(node, width), x, source, q, k, v, o,
      qBias, kBias, vBias, oBias, qGamma, qBeta, kGamma, kBeta, lengths,
      relative, /*shaw_key=*/none, /*shaw_value=*/none, alpha, beta, gamma,
      /*past_key=*/none, /*past_value=*/none, bias, cosines, sines, bounds,
      builder.getI64IntegerAttr(heads),
      builder.getI64IntegerAttr(node->extents[1]),
      form.getAs<block::ScoresAttr>("scores"),
      form.getAs<block::RopeAttr>("rope"),
      form.getAs<block::QkNormAttr>("qk_norm"),
      form.getAs<block::BucketsAttr>("buckets"), form.getAs<FloatAttr>("clip"));
}

Value Emitter::buildMlp(Node *node) {
  const Term &input = node->operands[0];
  int64_t inputWidth = node->extents[0];
  Term up = node->getRole("up"), down = node->getRole("down");
  int64_t hidden = up.getSize() / inputWidth;
  Value x = emitRows(input, inputWidth);
  Value upWeight = emitRole(node, "up", inputWidth);
  Value gate = emitRole(node, "gate", inputWidth);
  Value downWeight = emitRole(node, "down", hidden);
  Value upBias = emitRole(node, "up_bias", 0);
  Value gateBias = emitRole(node, "gate_bias", 0);
  Value downBias = emitRole(node, "down_bias", 0);
  if (!x || !isComplete(node, {{"up", upWeight},
                               {"gate", gate},
                               {"down", downWeight},
                               {"up_bias", upBias},
                               {"gate_bias", gateBias},
                               {"down_bias", downBias}}))
    return {};
  auto mlp = block::MlpOp::create(
      builder, *graph.location, getType(node, down.getSize() / hidden), x,
      upWeight, gate, downWeight, upBias, gateBias, downBias,
      cast<block::ActivationAttr>(node->form));
  if (node->value != 0)
    mlp->setAttr(kNearAttr, builder.getF64FloatAttr(node->value));
  return mlp;
}

Value Emitter::buildResidual(Node *node) {
  SmallVector<Value> terms;
  for (const Term &operand : node->operands) {
    // The stream's type is the result's.
    terms.push_back(terms.empty() ? emitTyped(node, operand, node->width)
                                  : emitRows(operand, node->width));
    if (!terms.back())
      return {};
  }
  auto factors = cast<ArrayAttr>(node->form);
  SmallVector<double> scales;
  for (Attribute factor : factors)
    scales.push_back(cast<FloatAttr>(factor).getValueAsDouble());
  auto residual = block::ResidualOp::create(
      builder, *graph.location, terms.front().getType(), terms.front(),
      ArrayRef(terms).drop_front(), builder.getF64FloatAttr(scales.front()),
      builder.getF64ArrayAttr({}));
  residual.setBranchFactors(ArrayRef(scales).drop_front());
  return residual;
}

/// Whole numbers, as i64.
Value Emitter::emitIntegers(const Term &term, ArrayRef<int64_t> shape) {
  Value value = term ? emitNode(term.node) : Value();
  value = value ? emitView(value, term.layout, shape) : value;
  Type wide = builder.getI64Type();
  if (!value || getElementTypeOrSelf(value) == wide)
    return value;
  if (!getElementTypeOrSelf(value).isInteger(32))
    return {};
  auto type = cast<RankedTensorType>(value.getType());
  return arith::ExtSIOp::create(builder, *graph.location, type.clone(wide),
                                value);
}

Value Emitter::buildEmbedding(Node *node) {
  Term typeIds = node->getRole("type_ids");
  int64_t tokenShape[] = {graph.batch,
                          node->operands[0].getSize() / graph.batch};
  Value tokens = emitIntegers(node->operands[0], tokenShape);
  Value table = emitMatrix(node->operands[1], node->width);
  Value positions = emitRole(node, "positions", node->width);
  Value type = emitRole(node, "type", node->width);
  Value types = emitIntegers(typeIds, tokenShape);
  if (!tokens || !table ||
      !isComplete(
          node,
          {{"positions", positions}, {"type", type}, {"type_ids", types}}))
    return {};
  IntegerAttr pad;
  if (node->extents.size() > 1)
    pad = builder.getI64IntegerAttr(node->extents[1]);
  Value none;
  return block::EmbeddingOp::create(
      builder, *graph.location, getType(node, node->width), tokens, table,
      positions, types, type, /*offset=*/none, /*first_id=*/none,
      builder.getF64FloatAttr(node->value),
      builder.getI64IntegerAttr(node->extents[0]), pad,
      cast_or_null<block::SinusoidAttr>(node->form));
}

Value Emitter::buildHead(Node *node) {
  std::optional<Projection> parts = emitProjection(node);
  if (!parts)
    return {};
  return block::HeadOp::create(
      builder, *graph.location, getType(node, node->width), parts->input,
      parts->weight, parts->bias, builder.getF64FloatAttr(node->value),
      cast_or_null<FloatAttr>(node->form));
}
