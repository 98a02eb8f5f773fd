//===- GroupAttention.cpp - attention with its projections ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "Group.h"
#include "mlir/IR/Builders.h"
#include "parablock/IR/BlockAttrs.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

std::optional<Projection> parablock::raise::getProjection(Graph &graph,
                                                          const Term &term) {
  Node *linear = term.node;
  if (linear->op != Kind::Linear)
    return std::nullopt;
  int64_t rows = linear->size / linear->width;
  if (term.getSize() % rows != 0)
    return std::nullopt;
  Projection result;
  result.width = term.getSize() / rows;
  // The columns of the first row, and the same of every other.
  std::optional<Layout> columns =
      compose(Layout::identity(result.width), term.layout);
  if (!columns)
    return std::nullopt;
  SmallVector<Digit> digits = {{rows, linear->width}};
  digits.append(columns->getDigits().begin(), columns->getDigits().end());
  if (Layout(digits, columns->getOffset()) != term.layout ||
      columns->getOffset() >= linear->width)
    return std::nullopt;
  result.input = linear->operands[0];
  const Term &weight = linear->operands[1];
  int64_t depth = result.depth = weight.getSize() / linear->width;
  digits.clear();
  for (Digit digit : columns->getDigits())
    digits.push_back({digit.extent, digit.stride * depth});
  digits.push_back({depth, 1});
  result.weight =
      graph.read(weight, Layout(digits, columns->getOffset() * depth));
  if (!result.weight)
    return std::nullopt;
  if (Term bias = linear->getRole("bias")) {
    result.bias = graph.read(bias, *columns);
    if (!result.bias)
      return std::nullopt;
  }
  return result;
}

namespace {

/// A query, key or value from its projection to the product.
struct Path {
  std::optional<Projection> projection;
  Term source; // of values without a projection
  Node *rope = nullptr, *norm = nullptr;
  bool normAfterRope = false;
  double clip = 0;
};

/// `source` is what keys are projected from: values may be it as it is.
std::optional<Path> follow(Graph &graph, Term term, int64_t heads,
                           int64_t headSize, const Term &source = {}) {
  Path path;
  while (true) {
    // A product has its factors without their roundings.
    if (source && (term == source || term == stripRounding(graph, source))) {
      path.source = source;
      return path;
    }
    if (term.node->op == Kind::Linear) {
      path.projection = getProjection(graph, term);
      if (!path.projection)
        return std::nullopt;
      return path;
    }
    Node *node = getWhole(term);
    if (node && node->op == Kind::Rope && !path.rope && path.clip == 0) {
      if (node->width != headSize ||
          getTableRows(graph, node, heads * headSize) == 0)
        return std::nullopt;
      path.rope = node;
      path.normAfterRope = path.norm != nullptr;
    } else if (node && node->op == Kind::Norm && !path.norm && path.clip == 0) {
      if (node->width != headSize && node->width != heads * headSize)
        return std::nullopt;
      path.norm = node;
    } else if (node && node->op == Kind::Clamp && path.clip == 0) {
      path.clip = node->value;
    } else {
      path.source = term;
      return path;
    }
    term = node->operands[0];
  }
}

/// How many times the tables of `b` those of `a` are, where they are the same
/// rotation: queries may be scaled before they are rotated.
std::optional<double> getTableRatio(const Node *a, const Node *b) {
  if (!(a->getRole("cos") == b->getRole("cos")) ||
      !(a->getRole("sin") == b->getRole("sin")))
    return std::nullopt;
  if (a->form == b->form)
    return 1;
  auto getUnscaled = [](const Node *node) {
    auto form = cast<block::RopeAttr>(node->form);
    return block::RopeAttr::get(
        form.getContext(), form.getStyle(), form.getDim(), form.getBase(),
        form.getInvFreq(), mlir::FloatAttr(), form.getTableType());
  };
  // Rounded tables are not those times a number.
  auto first = cast<block::RopeAttr>(a->form);
  if (getUnscaled(a) != getUnscaled(b) || first.getTableType())
    return std::nullopt;
  return first.getTableScaleValue() /
         cast<block::RopeAttr>(b->form).getTableScaleValue();
}

/// Scores whose products are `factor` times as large.
block::ScoresAttr scaleScores(block::ScoresAttr scores, double factor) {
  mlir::MLIRContext *context = scores.getContext();
  return block::ScoresAttr::get(
      context, block::getReal(context, scores.getScaleValue() * factor),
      scores.getCausal(), scores.getWindow(), scores.getSoftcap(),
      scores.getAlibiMax(), scores.getOrder(), scores.getAlibiType());
}

/// Sizes of gains that the dialect takes: of a head, or of all.
bool isSized(const Term &vector, int64_t headSize, int64_t heads, bool whole) {
  return !vector || vector.getSize() == heads * headSize ||
         (!whole && vector.getSize() == headSize);
}

} // namespace

int64_t parablock::raise::getTableRows(const Graph &graph, const Node *rope,
                                       int64_t width) {
  int64_t tokens = rope->size / (graph.batch * width);
  if (rope->positions == Layout({{graph.batch, 0}, {tokens, 1}, {width, 0}}))
    return tokens;
  bool isOfBatch =
      rope->getRole("cos") &&
      rope->positions == Layout({{graph.batch * tokens, 1}, {width, 0}});
  return isOfBatch ? graph.batch * tokens : 0;
}

Node *parablock::raise::getWhole(const Term &term) {
  return term.layout == Layout::identity(term.node->size) ? term.node : nullptr;
}

void parablock::raise::groupAttention(Graph &graph, Node *sdpa) {
  int64_t heads = sdpa->extents[0], kvHeads = sdpa->extents[1];
  int64_t headSize = sdpa->extents[2];
  auto miss = [&](Reason reason, const Twine &detail) {
    // The heads are recognised; what is missed is the op around them.
    graph.miss("projections", reason, detail);
  };
  std::optional<Path> queries =
      follow(graph, sdpa->operands[0], heads, headSize);
  std::optional<Path> keys =
      follow(graph, sdpa->operands[1], kvHeads, headSize);
  if (!queries || !keys || !queries->projection || !keys->projection)
    return miss(Reason::NotProjected, "queries or keys are no projections");
  std::optional<Path> values =
      follow(graph, sdpa->operands[2], kvHeads, sdpa->extents[3],
             keys->projection->input);
  if (!values || values->rope || values->norm)
    return miss(Reason::NotProjected,
                "between values and heads stands something else");
  Path &q = *queries, &k = *keys, &v = *values;
  std::optional<double> ratio;
  if (q.rope && k.rope)
    ratio = getTableRatio(q.rope, k.rope);
  if (!q.rope != !k.rope || !q.norm != !k.norm || q.clip != k.clip ||
      q.clip != v.clip || q.normAfterRope != k.normAfterRope ||
      (q.rope && !ratio))
    return miss(Reason::NotProjected, "queries and keys are treated apart");
  auto scores = cast<block::ScoresAttr>(sdpa->form);
  if (ratio && *ratio != 1) {
    // A norm behind the rotation would not see the factor.
    if (scores.getOrder() == block::ScoreOrder::BiasScaleCap || q.normAfterRope)
      return miss(Reason::NotProjected, "only queries are scaled");
    scores = scaleScores(scores, *ratio);
  }
  Term source = v.projection ? v.projection->input : v.source;
  if (!(source == k.projection->input))
    return miss(Reason::NotProjected, "keys and values have two sources");
  if (!v.projection && !getWhole(v.source))
    return miss(Reason::NotProjected, "values are a part of their source");

  mlir::MLIRContext *context = graph.context;
  mlir::NamedAttrList form;
  form.set("scores", scores);
  if (k.rope)
    form.set("rope", k.rope->form);
  bool whole = q.norm && q.norm->width != headSize;
  // With one head, a norm over all heads is one over the head.
  if (q.norm) {
    auto normForm = cast<block::NormAttr>(q.norm->form);
    auto keyForm = cast<block::NormAttr>(k.norm->form);
    bool keyWhole = k.norm->width != headSize;
    if (normForm != keyForm ||
        (whole != keyWhole && kvHeads != 1 && heads != 1))
      return miss(Reason::NotProjected, "queries and keys have two norms");
    whole |= keyWhole;
    for (auto [norm, count] : {std::pair(q.norm, heads), {k.norm, kvHeads}})
      for (StringRef role : {"gamma", "beta"})
        if (!isSized(norm->getRole(role), headSize, count, whole))
          return miss(Reason::NotProjected, "gains of another size");
    form.set("qk_norm",
             block::QkNormAttr::get(
                 context, normForm,
                 whole ? block::QkNormExtent::Whole : block::QkNormExtent::Head,
                 q.normAfterRope ? block::QkNormPlace::AfterRope
                                 : block::QkNormPlace::BeforeRope));
  }
  mlir::Builder builder(context);
  if (q.clip != 0)
    form.set("clip", builder.getF64FloatAttr(q.clip));
  Node attention;
  attention.op = Kind::Attention;
  attention.operands = {q.projection->input};
  if (!(q.projection->input == source))
    attention.addRole("memory", source);
  auto addProjection = [&](StringRef name, StringRef bias,
                           const std::optional<Projection> &projection) {
    if (!projection)
      return;
    attention.addRole(name, projection->weight);
    if (projection->bias)
      attention.addRole(bias, projection->bias);
  };
  addProjection("q", "q_bias", q.projection);
  addProjection("k", "k_bias", k.projection);
  addProjection("v", "v_bias", v.projection);
  if (q.norm) {
    for (auto [norm, gamma, beta] : {std::tuple(q.norm, "q_gamma", "q_beta"),
                                     std::tuple(k.norm, "k_gamma", "k_beta")}) {
      if (Term vector = norm->getRole("gamma"))
        attention.addRole(gamma, vector);
      if (Term vector = norm->getRole("beta"))
        attention.addRole(beta, vector);
    }
  }
  if (q.rope && q.rope->getRole("cos")) {
    attention.addRole("rope_cos", q.rope->getRole("cos"));
    attention.addRole("rope_sin", q.rope->getRole("sin"));
  }
  for (StringRef role : {"lengths", "relative", "score_bias", "alpha", "beta",
                         "gamma", "cu_seqlens"})
    if (Term operand = sdpa->getRole(role))
      attention.addRole(role, operand);
  if (Term distance = sdpa->getRole("buckets"))
    form.set("buckets", block::BucketsAttr::get(
                            context, static_cast<int64_t>(*getSplat(distance)),
                            sdpa->value != 0));
  attention.extents = {heads, kvHeads, q.projection->depth, k.projection->depth,
                       q.rope ? getTableRows(graph, q.rope, heads * headSize)
                              : 0};
  attention.extents.append(sdpa->extents.begin() + 4, sdpa->extents.end());
  attention.form = form.getDictionary(context);
  sdpa->op = Kind::Attention;
  sdpa->operands = attention.operands;
  sdpa->roles = attention.roles;
  sdpa->extents = attention.extents;
  sdpa->form = attention.form;
}

void parablock::raise::groupOutput(Graph &graph, Node *linear) {
  Node *attention = getWhole(linear->operands[0]);
  if (!attention || attention->op != Kind::Attention || attention->getRole("o"))
    return;
  Term weight = linear->operands[1], bias = linear->getRole("bias");
  linear->op = Kind::Attention;
  linear->operands = attention->operands;
  linear->roles = attention->roles;
  linear->extents = attention->extents;
  linear->form = attention->form;
  linear->addRole("o", weight);
  if (bias)
    linear->addRole("o_bias", bias);
}
