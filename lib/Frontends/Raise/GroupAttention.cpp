//===- GroupAttention.cpp - groups projections, norms and rotations -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "Group.h"
#include "mlir/IR/Builders.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

std::optional<Projection> parablock::raise::getProjection(Graph &graph,
                                                          const Term &term) {
  const Node *linear = term.node;
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
  const Node *rope = nullptr, *norm = nullptr;
  bool normAfterRope = false;
  double clip = 0;
};

/// `source` is the input of the keys' projection: values may be equal to it.
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
    const Node *node = getWhole(term);
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

/// Returns the ratio of the tables of `b` to those of `a`, if they are the same
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

/// Returns scores whose products are `factor` times as large.
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

const Node *parablock::raise::getWhole(const Term &term) {
  return term.layout == Layout::identity(term.node->size) ? term.node : nullptr;
}

namespace {

/// An attention while it is put together around its heads.
class AttentionGroup {
public:
  AttentionGroup(Graph &graph, const Node *sdpa)
      : graph(graph), sdpa(sdpa), heads(sdpa->extents[0]),
        kvHeads(sdpa->extents[1]), headSize(sdpa->extents[2]) {}
  std::optional<Node> make();

private:
  /// The heads are recognised; the missing part is the op around them.
  NoMatch miss(const Twine &detail) {
    return graph.miss("projections", Reason::NotProjected, detail);
  }
  bool followPaths();
  bool readScores();
  bool readSource();
  bool readNorms();
  Node build();
  void addProjections(Node &attention) const;
  void addVectors(Node &attention) const;

  Graph &graph;
  const Node *sdpa;
  int64_t heads, kvHeads, headSize;
  Path q, k, v;
  block::ScoresAttr scores;
  /// The source that keys and values are projected from.
  Term source;
  mlir::NamedAttrList form;
};

} // namespace

bool AttentionGroup::followPaths() {
  std::optional<Path> queries =
      follow(graph, sdpa->operands[0], heads, headSize);
  std::optional<Path> keys =
      follow(graph, sdpa->operands[1], kvHeads, headSize);
  if (!queries || !keys || !queries->projection || !keys->projection)
    return miss("queries or keys are no projections");
  std::optional<Path> values =
      follow(graph, sdpa->operands[2], kvHeads, sdpa->extents[3],
             keys->projection->input);
  if (!values || values->rope || values->norm)
    return miss("between values and heads stands something else");
  q = *queries;
  k = *keys;
  v = *values;
  graph.found("projections of queries, keys and values");
  return true;
}

/// Checks that rotations and bounds of queries and keys are equal, up to a
/// factor that becomes part of the scores.
bool AttentionGroup::readScores() {
  std::optional<double> ratio;
  if (q.rope && k.rope)
    ratio = getTableRatio(q.rope, k.rope);
  if (!q.rope != !k.rope || !q.norm != !k.norm || q.clip != k.clip ||
      q.clip != v.clip || q.normAfterRope != k.normAfterRope ||
      (q.rope && !ratio))
    return miss("queries and keys are treated apart");
  scores = cast<block::ScoresAttr>(sdpa->form);
  if (ratio && *ratio != 1) {
    // A norm behind the rotation would not see the factor.
    if (scores.getOrder() == block::ScoreOrder::BiasScaleCap || q.normAfterRope)
      return miss("only queries are scaled");
    scores = scaleScores(scores, *ratio);
  }
  return true;
}

bool AttentionGroup::readSource() {
  source = v.projection ? v.projection->input : v.source;
  if (!(source == k.projection->input))
    return miss("keys and values have two sources");
  if (!v.projection && !getWhole(v.source))
    return miss("values are a part of their source");
  bool isCross = !(q.projection->input == source);
  if (isCross && (scores.getCausal() || scores.getWindow() || k.rope ||
                  sdpa->getRole("past_key") || sdpa->getRole("cu_seqlens")))
    return miss("a cross-attention with a causal mask, window, rotation, past "
                "keys or cu_seqlens");
  return true;
}

bool AttentionGroup::readNorms() {
  if (!q.norm)
    return true;
  // With one head, a norm over all heads is one over the head.
  bool whole = q.norm->width != headSize;
  auto normForm = cast<block::NormAttr>(q.norm->form);
  auto keyForm = cast<block::NormAttr>(k.norm->form);
  bool keyWhole = k.norm->width != headSize;
  if (normForm != keyForm || (whole != keyWhole && kvHeads != 1 && heads != 1))
    return miss("queries and keys have two norms");
  whole |= keyWhole;
  for (auto [norm, count] : {std::pair(q.norm, heads), {k.norm, kvHeads}})
    for (StringRef role : {"gamma", "beta"})
      if (!isSized(norm->getRole(role), headSize, count, whole))
        return miss("gains of another size");
  form.set("qk_norm",
           block::QkNormAttr::get(
               graph.context, normForm,
               whole ? block::QkNormExtent::Whole : block::QkNormExtent::Head,
               q.normAfterRope ? block::QkNormPlace::AfterRope
                               : block::QkNormPlace::BeforeRope));
  return true;
}

void AttentionGroup::addProjections(Node &attention) const {
  auto add = [&](StringRef name, StringRef bias,
                 const std::optional<Projection> &projection) {
    if (!projection)
      return;
    attention.addRole(name, projection->weight);
    if (projection->bias)
      attention.addRole(bias, projection->bias);
  };
  add("q", "q_bias", q.projection);
  add("k", "k_bias", k.projection);
  add("v", "v_bias", v.projection);
}

/// Adds gains of norms, tables of rotations and operands of the scores.
void AttentionGroup::addVectors(Node &attention) const {
  auto add = [&](const Node *from, StringRef role, StringRef name) {
    if (Term operand = from->getRole(role))
      attention.addRole(name, operand);
  };
  if (q.norm) {
    add(q.norm, "gamma", "q_gamma");
    add(q.norm, "beta", "q_beta");
    add(k.norm, "gamma", "k_gamma");
    add(k.norm, "beta", "k_beta");
  }
  if (q.rope) {
    add(q.rope, "cos", "rope_cos");
    add(q.rope, "sin", "rope_sin");
  }
  for (const auto &info : block::AttentionOp::getNamedOperandTable())
    add(sdpa, info.keyword, info.keyword);
}

Node AttentionGroup::build() {
  form.set("scores", scores);
  if (k.rope)
    form.set("rope", k.rope->form);
  if (q.clip != 0)
    form.set("clip", mlir::Builder(graph.context).getF64FloatAttr(q.clip));
  if (Term distance = sdpa->getRole("buckets"))
    form.set("buckets",
             block::BucketsAttr::get(graph.context,
                                     static_cast<int64_t>(*getSplat(distance)),
                                     sdpa->value != 0));
  Node attention = *sdpa;
  attention.op = Kind::Attention;
  attention.operands = {q.projection->input};
  attention.roles.clear();
  if (!(q.projection->input == source))
    attention.addRole("memory", source);
  addProjections(attention);
  addVectors(attention);
  attention.extents = {heads, kvHeads, q.projection->depth, k.projection->depth,
                       q.rope ? getTableRows(graph, q.rope, heads * headSize)
                              : 0};
  attention.extents.append(sdpa->extents.begin() + 4, sdpa->extents.end());
  attention.form = form.getDictionary(graph.context);
  return attention;
}

std::optional<Node> AttentionGroup::make() {
  if (!followPaths() || !readScores() || !readSource() || !readNorms())
    return std::nullopt;
  return build();
}

std::optional<Node> parablock::raise::groupAttention(Graph &graph,
                                                     const Node *sdpa) {
  return AttentionGroup(graph, sdpa).make();
}

/// Returns whether `node` depends on all of `sought`, whose own operands are
/// not visited.
static bool isMadeOf(const Node *node, ArrayRef<const Node *> sought) {
  SetVector<const Node *> work;
  work.insert(node);
  SmallPtrSet<const Node *, 2> found;
  for (size_t i = 0; i < work.size(); ++i) {
    if (llvm::is_contained(sought, work[i])) {
      found.insert(work[i]);
      continue;
    }
    for (const Term &operand : work[i]->operands)
      work.insert(operand.node);
  }
  return found.size() ==
         SmallPtrSet<const Node *, 2>(sought.begin(), sought.end()).size();
}

bool parablock::raise::hasSecondScores(Graph &graph, const Node *sdpa,
                                       const Users &users) {
  const Node *given = sdpa, *reader = users.getOnlyUser(sdpa);
  for (; reader && reader->op == Kind::Round;
       reader = users.getOnlyUser(reader))
    given = reader;
  if (!reader || reader->op != Kind::Mul)
    return false;
  for (const Term &factor : reader->operands)
    if (factor.node != given &&
        isMadeOf(factor.node,
                 {sdpa->operands[0].node, sdpa->operands[1].node})) {
      graph.miss("attention", Reason::SecondUser,
                 "its scores are read by a factor of its result, too, as by a "
                 "sink");
      return true;
    }
  return false;
}

std::optional<Node> parablock::raise::groupOutput(Graph &graph,
                                                  const Node *linear) {
  const Node *attention = getWhole(linear->operands[0]);
  if (!attention || attention->op != Kind::Attention || attention->getRole("o"))
    return graph.wanted("an attention's heads", linear->operands[0]);
  Node output = *linear;
  output.op = Kind::Attention;
  output.operands = attention->operands;
  output.roles = attention->roles;
  output.extents = attention->extents;
  output.form = attention->form;
  output.dropout = attention->dropout;
  output.addRole("o", linear->operands[1]);
  if (Term bias = linear->getRole("bias"))
    output.addRole("o_bias", bias);
  return output;
}
