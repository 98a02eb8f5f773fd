//===- EmitPieces.cpp - the op of each piece ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitViews.h"
#include "Emitter.h"
#include "Group.h"
#include "Layers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::raise;
using Operand = block::AttentionOperand;

namespace {

/// Writes one piece: its operands, and the op that they are operands of.
class PieceEmitter {
public:
  PieceEmitter(Emitter &emitter, Location loc)
      : emitter(emitter), graph(emitter.graph), builder(emitter.builder),
        loc(loc) {}
  Value build(const Node *node);

private:
  RankedTensorType getType(const Node *node, int64_t width);
  Value emit(const Term &term, ArrayRef<int64_t> shape) {
    return emitter.emit(
        term, RankedTensorType::get(shape, builder.getF32Type()), loc);
  }
  /// Operand `term` as rows of `width`, a matrix or a vector.
  Value emitRows(const Term &term, int64_t width);
  Value emitMatrix(const Term &term, int64_t columns) {
    return emit(term, {term.getSize() / columns, columns});
  }
  Value emitVector(const Term &term) { return emit(term, {term.getSize()}); }
  Value emitRole(const Node *node, StringRef role, int64_t columns);
  /// A table of a rotation, `[1 or B, T, columns]`.
  Value emitTable(const Node *node, StringRef role, int64_t rows);
  /// Rows of a piece whose result has their type: 16 bits where the result is
  /// rounded to them, else 32.
  Value emitTyped(const Node *node, const Term &term, int64_t width);
  Value emitIntegers(const Term &term, ArrayRef<int64_t> shape);
  Value emitCounts(const Node *node, StringRef role);
  /// A matrix of each expert, of those two sizes.
  Value emitStack(const Node *node, unsigned operand, ArrayRef<int64_t> matrix);
  Value emitStackBias(const Node *node, StringRef role);
  Value emitPerRow(const Term &count);
  void emitScoreOperands(const Node *node, int64_t heads,
                         ArrayRef<int64_t> biasShape,
                         block::NamedOperands &named);
  void emitSettings(const Node *node, block::NamedOperands &named);

  /// Rows, matrix and bias of a projection; the bias may be null.
  struct Projection {
    Value input, weight, bias;
  };
  std::optional<Projection> emitProjection(const Node *node);
  Value buildLinear(const Node *node);
  Value buildNorm(const Node *node);
  Value buildElementwise(const Node *node);
  Value buildDropout(const Node *node);
  Value buildRope(const Node *node);
  Value buildSdpa(const Node *node);
  Value buildCache(const Node *node);
  Value buildAttention(const Node *node);
  Value buildMlp(const Node *node);
  Value buildRoute(const Node *node);
  Value buildChoice(const Node *node);
  Value buildExperts(const Node *node);
  Value buildMoe(const Node *node);
  Value buildResidual(const Node *node);
  Value buildEmbedding(const Node *node);
  Value buildHead(const Node *node);

  Emitter &emitter;
  const Graph &graph;
  OpBuilder &builder;
  Location loc;
};

} // namespace

RankedTensorType PieceEmitter::getType(const Node *node, int64_t width) {
  int64_t rows = node->size / width;
  int64_t batch = rows % graph.batch == 0 ? graph.batch : 1;
  Type element = node->type ? node->type : builder.getF32Type();
  return RankedTensorType::get({batch, rows / batch, width}, element);
}

Value PieceEmitter::emitRows(const Term &term, int64_t width) {
  int64_t rows = term.getSize() / width;
  int64_t batch = rows % graph.batch == 0 ? graph.batch : 1;
  return emit(term, {batch, rows / batch, width});
}

Value PieceEmitter::emitTyped(const Node *node, const Term &term,
                              int64_t width) {
  Value value = emitRows(term, width);
  if (!value || emitter.isRounded(node))
    return value;
  Type element = getElementTypeOrSelf(value);
  if (node->type)
    return element == node->type ? value : Value();
  if (element.isF32())
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  return arith::ExtFOp::create(builder, loc, type.clone(builder.getF32Type()),
                               value);
}

Value PieceEmitter::emitRole(const Node *node, StringRef role,
                             int64_t columns) {
  Term term = node->getRole(role);
  if (!term)
    return {};
  return columns == 0 ? emitVector(term) : emitMatrix(term, columns);
}

Value PieceEmitter::emitTable(const Node *node, StringRef role, int64_t rows) {
  Term term = node->getRole(role);
  if (!term)
    return {};
  int64_t batch = rows == graph.tokens ? 1 : graph.batch;
  return emit(term, {batch, rows / batch, term.getSize() / rows});
}

/// A vector of whole numbers.
Value PieceEmitter::emitCounts(const Node *node, StringRef role) {
  Term term = node->getRole(role);
  return term ? emitIntegers(term, {term.getSize()}) : Value();
}

/// Emits tables and gains of an attention, whose roles are their keywords.
void PieceEmitter::emitScoreOperands(const Node *node, int64_t heads,
                                     ArrayRef<int64_t> biasShape,
                                     block::NamedOperands &named) {
  named[Operand::RelativeTable] = emitRole(node, "relative", heads);
  for (const auto &info : block::AttentionOp::getNamedOperandTable())
    if (info.role == block::OperandRole::Gain)
      named[info.which] = emitRole(node, info.keyword, 0);
  if (Term bias = node->getRole("score_bias"))
    named[Operand::ScoreBias] = emit(bias, biasShape);
}

void PieceEmitter::emitSettings(const Node *node, block::NamedOperands &named) {
  named[Operand::Lengths] = emitCounts(node, "lengths");
  named[Operand::CuSeqlens] = emitCounts(node, "cu_seqlens");
  named[Operand::Seed] = emitCounts(node, "seed");
}

/// True where every operand that the piece has was emitted.
static bool isComplete(const Node *node,
                       ArrayRef<std::pair<StringRef, Value>> operands) {
  return llvm::all_of(operands, [&](const auto &operand) {
    return operand.second || !node->getRole(operand.first);
  });
}

static bool isComplete(const Node *node, const block::NamedOperands &named,
                       block::NamedOperands::Table table) {
  return llvm::all_of(table, [&](const block::NamedOperandInfo &info) {
    return named[info.which] || !node->getRole(info.keyword);
  });
}

/// True for a constant whose numbers `type` has, too.
static bool holdsNumbers(Type type, const Node *node) {
  if (node->source != Source::Constant)
    return false;
  const std::vector<double> *numbers = evaluate(node);
  return numbers && llvm::all_of(*numbers, [&](double number) {
           return roundNumber(number, type) == number;
         });
}

std::optional<PieceEmitter::Projection>
PieceEmitter::emitProjection(const Node *node) {
  const Term &weight = node->operands[1];
  int64_t depth = weight.getSize() / node->width;
  Value x = emitRows(node->operands[0], depth);
  Value matrix = emitMatrix(weight, depth);
  Value bias = emitRole(node, "bias", 0);
  if (!x || !matrix || !isComplete(node, {{"bias", bias}}))
    return std::nullopt;
  Type data = getElementTypeOrSelf(x), own = getElementTypeOrSelf(matrix);
  if (data != own && own.isF32() && holdsNumbers(data, weight.node))
    matrix = arith::TruncFOp::create(
        builder, loc, cast<RankedTensorType>(matrix.getType()).clone(data),
        matrix);
  return Projection{x, matrix, bias};
}

Value PieceEmitter::buildLinear(const Node *node) {
  std::optional<Projection> parts = emitProjection(node);
  if (!parts)
    return {};
  return block::LinearOp::create(builder, loc, getType(node, node->width),
                                 parts->input, parts->weight, parts->bias);
}

Value PieceEmitter::buildNorm(const Node *node) {
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
  return block::NormOp::create(builder, loc, getType(node, width), x, gamma,
                               beta, cast<block::NormAttr>(node->form),
                               builder.getI64IntegerAttr(width / node->width));
}

Value PieceEmitter::buildElementwise(const Node *node) {
  int64_t width = getTokenWidth(node);
  if (width == 0)
    return {};
  Value x = emitTyped(node, node->operands[0], width);
  if (!x)
    return {};
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

Value PieceEmitter::buildDropout(const Node *node) {
  Value x = emitTyped(node, node->operands[0], node->width);
  Value seed = emitCounts(node, "seed");
  if (!x || !seed)
    return {};
  return block::DropoutOp::create(builder, loc, x.getType(), x, seed,
                                  cast<block::DropoutAttr>(node->dropout));
}

Value PieceEmitter::buildRope(const Node *node) {
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
    return block::RotateOp::create(builder, loc, x.getType(), x, cosines, sines,
                                   width / node->width, form.getDim(),
                                   form.getStyle());
  }
  return block::RopeOp::create(builder, loc, x.getType(), x,
                               /*offset=*/Value(),
                               builder.getI64IntegerAttr(width / node->width),
                               cast<block::RopeAttr>(node->form));
}

Value PieceEmitter::buildSdpa(const Node *node) {
  int64_t heads = node->extents[0], kvHeads = node->extents[1];
  Value q = emitRows(node->operands[0], heads * node->extents[2]);
  Value k = emitRows(node->operands[1], kvHeads * node->extents[2]);
  Value v = emitRows(node->operands[2], kvHeads * node->extents[3]);
  block::NamedOperands named;
  emitScoreOperands(node, heads, ArrayRef(node->extents).drop_front(4), named);
  emitSettings(node, named);
  named[Operand::PastLengths] = emitPerRow(node->getRole("past_lengths"));
  if (Term pastKeys = node->getRole("past_key")) {
    named[Operand::PastKey] = emitRows(pastKeys, kvHeads * node->extents[2]);
    named[Operand::PastValue] =
        emitRows(node->getRole("past_value"), kvHeads * node->extents[3]);
  }
  if (!q || !k || !v ||
      !isComplete(node, named, block::SdpaOp::getNamedOperandTable()))
    return {};
  block::BucketsAttr buckets;
  if (Term distance = node->getRole("buckets"))
    buckets = block::BucketsAttr::get(builder.getContext(),
                                      static_cast<int64_t>(*getSplat(distance)),
                                      node->value != 0);
  return block::SdpaOp::create(builder, loc, getType(node, node->width), q, k,
                               v, named, heads, kvHeads,
                               cast<block::ScoresAttr>(node->form), buckets,
                               cast_or_null<block::DropoutAttr>(node->dropout));
}

/// A count of all batch rows, for each of them.
Value PieceEmitter::emitPerRow(const Term &count) {
  if (!count)
    return {};
  Layout repeated({{graph.batch, 0}}, count.layout.getOffset());
  return emitIntegers({count.node, repeated}, {graph.batch});
}

Value PieceEmitter::buildCache(const Node *node) {
  Value cache = emitRows(node->operands[0], node->width);
  Value added = emitRows(node->operands[1], node->width);
  Value lengths = emitPerRow(node->operands[2]);
  if (!cache || !added || !lengths ||
      getElementTypeOrSelf(cache) != getElementTypeOrSelf(added))
    return {};
  return block::CacheAppendOp::create(builder, loc, cache.getType(), cache,
                                      added, lengths, /*pages=*/Value());
}

Value PieceEmitter::buildAttention(const Node *node) {
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
  block::NamedOperands named;
  named[Operand::Memory] = source;
  named[Operand::QWeight] = emitRole(node, "q", inputWidth);
  named[Operand::KWeight] = emitRole(node, "k", sourceWidth);
  named[Operand::VWeight] = emitRole(node, "v", sourceWidth);
  named[Operand::OWeight] =
      emitRole(node, "o", output ? output.getSize() / width : 0);
  for (Operand which :
       {Operand::QBias, Operand::KBias, Operand::VBias, Operand::OBias,
        Operand::QGamma, Operand::QBeta, Operand::KGamma, Operand::KBeta})
    named[which] = emitRole(node, stringifyAttentionOperand(which), 0);
  emitScoreOperands(node, heads, ArrayRef(node->extents).drop_front(5), named);
  named[Operand::RopeCos] = emitTable(node, "rope_cos", node->extents[4]);
  named[Operand::RopeSin] = emitTable(node, "rope_sin", node->extents[4]);
  emitSettings(node, named);
  if (!x ||
      !isComplete(node, named, block::AttentionOp::getNamedOperandTable()))
    return {};
  auto form = cast<DictionaryAttr>(node->form);
  return block::AttentionOp::create(
      builder, loc, getType(node, width), x, named,
      {heads, node->extents[1], form.getAs<block::ScoresAttr>("scores"),
       form.getAs<block::RopeAttr>("rope"),
       form.getAs<block::QkNormAttr>("qk_norm"),
       form.getAs<block::BucketsAttr>("buckets"), form.getAs<FloatAttr>("clip"),
       cast_or_null<block::DropoutAttr>(node->dropout)});
}

Value PieceEmitter::buildMlp(const Node *node) {
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
  auto mlp =
      block::MlpOp::create(builder, loc, getType(node, down.getSize() / hidden),
                           x, upWeight, gate, downWeight, upBias, gateBias,
                           downBias, cast<block::ActivationAttr>(node->form));
  if (node->value != 0)
    mlp->setAttr(kNearAttr, builder.getF64FloatAttr(node->value));
  return mlp;
}

Value PieceEmitter::buildRoute(const Node *node) {
  auto form = cast<block::RoutingAttr>(node->form);
  const Term &logits = node->operands[0];
  Value x = emitRows(logits, node->extents[0]);
  Value correction = emitRole(node, "correction", 0);
  Value scale = emitRole(node, "expert_scale", 0);
  if (!x ||
      !isComplete(node, {{"correction", correction}, {"expert_scale", scale}}))
    return {};
  RankedTensorType weights = getType(node, node->width);
  return block::RouteOp::create(builder, loc,
                                weights.clone(builder.getI64Type()), weights, x,
                                correction, scale, form)
      .getWeights();
}

Value PieceEmitter::buildChoice(const Node *node) {
  Value weights = emitter.emitNode(node->operands[0].node, loc);
  auto route = weights ? weights.getDefiningOp<block::RouteOp>() : nullptr;
  return route ? route.getIndices() : Value();
}

Value PieceEmitter::emitStack(const Node *node, unsigned operand,
                              ArrayRef<int64_t> matrix) {
  int64_t experts = node->extents[1];
  return emit(node->operands[operand], {experts, matrix[0], matrix[1]});
}

Value PieceEmitter::emitStackBias(const Node *node, StringRef role) {
  int64_t experts = node->extents[1];
  Term bias = node->getRole(role);
  return bias ? emit(bias, {experts, bias.getSize() / experts}) : Value();
}

Value PieceEmitter::buildExperts(const Node *node) {
  ArrayRef<int64_t> sizes = node->extents;
  int64_t rows = node->size / node->width;
  int64_t batch = rows % graph.batch == 0 ? graph.batch : 1;
  const Term &choice = node->operands[1], &shares = node->operands[2];
  int64_t chosen = choice.getSize() / rows;
  Value x = emitRows(node->operands[0], sizes[0]);
  Value indices = emitIntegers(choice, {batch, rows / batch, chosen});
  Value weights = emitRows(shares, chosen);
  Value up = emitStack(node, 3, sizes.slice(2, 2));
  Value down = emitStack(node, 4, sizes.slice(4, 2));
  Value upBias = emitStackBias(node, "up_bias");
  Value downBias = emitStackBias(node, "down_bias");
  if (!x || !indices || !weights || !up || !down ||
      !isComplete(node, {{"up_bias", upBias}, {"down_bias", downBias}}))
    return {};
  return block::ExpertsOp::create(builder, loc, getType(node, node->width), x,
                                  indices, weights, up, down, upBias, downBias,
                                  cast<block::ExpertsAttr>(node->form));
}

Value PieceEmitter::buildMoe(const Node *node) {
  ArrayRef<int64_t> sizes = node->extents;
  Value x = emitRows(node->operands[0], sizes[0]);
  Value router = emitMatrix(node->operands[1], sizes[0]);
  Value up = emitStack(node, 2, sizes.slice(2, 2));
  Value down = emitStack(node, 3, sizes.slice(4, 2));
  SmallVector<std::pair<StringRef, Value>> roles;
  for (StringRef role : {"router_bias", "correction", "expert_scale"})
    roles.emplace_back(role, emitRole(node, role, 0));
  for (StringRef role : {"up_bias", "down_bias"})
    roles.emplace_back(role, emitStackBias(node, role));
  Term sharedDown = node->getRole("shared_down");
  int64_t inner = sharedDown ? sharedDown.getSize() / node->width : 0;
  for (auto [role, columns] :
       {std::pair("shared_up", sizes[0]), std::pair("shared_gate", sizes[0]),
        std::pair("shared_down", inner), std::pair("shared_router", sizes[0])})
    roles.emplace_back(role, emitRole(node, role, columns));
  if (!x || !router || !up || !down || !isComplete(node, roles))
    return {};
  auto form = cast<DictionaryAttr>(node->form);
  if (form.get("wide_router") && !getElementTypeOrSelf(router).isF32())
    router = arith::ExtFOp::create(
        builder, loc,
        cast<RankedTensorType>(router.getType()).clone(builder.getF32Type()),
        router);
  return block::MoeOp::create(
      builder, loc, getType(node, node->width), x, router, up, down,
      roles[0].second, roles[1].second, roles[2].second, roles[3].second,
      roles[4].second, roles[5].second, roles[6].second, roles[7].second,
      roles[8].second, form.getAs<block::RoutingAttr>("routing"),
      form.getAs<block::ExpertsAttr>("form"), builder.getF64FloatAttr(1),
      form.get("round_weights") ? builder.getUnitAttr() : UnitAttr());
}

Value PieceEmitter::buildResidual(const Node *node) {
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
      builder, loc, terms.front().getType(), terms.front(),
      ArrayRef(terms).drop_front(), builder.getF64FloatAttr(scales.front()),
      builder.getF64ArrayAttr({}));
  residual.setBranchFactors(ArrayRef(scales).drop_front());
  return residual;
}

/// Whole numbers, as i64.
Value PieceEmitter::emitIntegers(const Term &term, ArrayRef<int64_t> shape) {
  Value value = term ? emitter.emitNode(term.node, loc) : Value();
  if (value)
    value = ViewEmitter(builder, loc).emit(value, term.layout, shape);
  Type wide = builder.getI64Type();
  if (!value || getElementTypeOrSelf(value) == wide)
    return value;
  if (!getElementTypeOrSelf(value).isInteger(32))
    return {};
  auto type = cast<RankedTensorType>(value.getType());
  return arith::ExtSIOp::create(builder, loc, type.clone(wide), value);
}

Value PieceEmitter::buildEmbedding(const Node *node) {
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
  // Rows of a table of 16 bits are of its type, and sums where they are
  // rounded.
  RankedTensorType result = getType(node, node->width);
  const Home *home = graph.getHome(node);
  Type element = getElementTypeOrSelf(table);
  bool isNarrow = home && getElementTypeOrSelf(home->value) == element;
  if (!node->type && (isNarrow || emitter.isRounded(node)))
    result = result.clone(element);
  Value none;
  return block::EmbeddingOp::create(
      builder, loc, result, tokens, table, positions, types, type,
      /*offset=*/none, /*first_id=*/none, builder.getF64FloatAttr(node->value),
      builder.getI64IntegerAttr(node->extents[0]), pad,
      cast_or_null<block::SinusoidAttr>(node->form));
}

Value PieceEmitter::buildHead(const Node *node) {
  std::optional<Projection> parts = emitProjection(node);
  if (!parts)
    return {};
  return block::HeadOp::create(builder, loc, getType(node, node->width),
                               parts->input, parts->weight, parts->bias,
                               builder.getF64FloatAttr(node->value),
                               cast_or_null<FloatAttr>(node->form));
}

Value PieceEmitter::build(const Node *node) {
  switch (node->op) {
  case Kind::Linear:
    return buildLinear(node);
  case Kind::Norm:
    return buildNorm(node);
  case Kind::Activation:
  case Kind::Clamp:
  case Kind::Scale:
    return buildElementwise(node);
  case Kind::Dropout:
    return buildDropout(node);
  case Kind::Rope:
    return buildRope(node);
  case Kind::Sdpa:
    return buildSdpa(node);
  case Kind::Cache:
    return buildCache(node);
  case Kind::Attention:
    return buildAttention(node);
  case Kind::Mlp:
    return buildMlp(node);
  case Kind::Route:
    return buildRoute(node);
  case Kind::Choice:
    return buildChoice(node);
  case Kind::Experts:
    return buildExperts(node);
  case Kind::Moe:
    return buildMoe(node);
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

Value parablock::raise::buildPiece(Emitter &emitter, const Node *node,
                                   Location loc) {
  return PieceEmitter(emitter, loc).build(node);
}
