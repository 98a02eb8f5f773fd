//===- GroupMlp.cpp - groups two projections and an activation ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "Group.h"
#include "NearActivation.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// Returns `linear` with the activation and the projections before it;
/// `distance` is the difference from the activation.
static Node makeMlp(const Node *linear, mlir::Attribute activation,
                    const Projection &up, const Projection *gate,
                    double distance = 0) {
  Node mlp = *linear;
  mlp.op = Kind::Mlp;
  mlp.value = distance;
  mlp.form = activation;
  mlp.operands = {up.input};
  mlp.extents = {up.depth};
  mlp.roles.clear();
  auto add = [&](StringRef name, const Term &term) {
    if (term)
      mlp.addRole(name, term);
  };
  add("up", up.weight);
  add("down", linear->operands[1]);
  add("up_bias", up.bias);
  if (gate) {
    add("gate", gate->weight);
    add("gate_bias", gate->bias);
  }
  add("down_bias", linear->getRole("bias"));
  return mlp;
}

/// Maximum number of elementwise steps of an activation.
static constexpr int kMostSteps = 12;

/// Returns true for elementwise functions of projections and constants:
/// possible activations.
static bool isFunctionOfLinear(const Node *node, int depth,
                               DenseMap<const Node *, int> &known) {
  if (node->op == Kind::Linear)
    return true;
  // A function within fewer steps is also one within more.
  if (auto found = known.find(node);
      found != known.end() && found->second <= depth)
    return true;
  bool isFunction = depth > 0 && node->isElementwise() &&
                    node->source == Source::Data &&
                    llvm::all_of(node->operands, [&](const Term &operand) {
                      return operand.node->source == Source::Constant ||
                             isFunctionOfLinear(operand.node, depth - 1, known);
                    });
  if (isFunction)
    known[node] = depth;
  return isFunction;
}

static bool isFunctionOfLinear(const Node *node) {
  DenseMap<const Node *, int> known;
  return isFunctionOfLinear(node, kMostSteps, known);
}

/// Returns the unsupported elementwise operation in the place of an
/// activation.
static mlir::Operation *findUnknown(const Node *node, int depth,
                                    DenseMap<const Node *, int> &seen) {
  if (node->op == Kind::Leaf) {
    mlir::Operation *op = node->given.getDefiningOp();
    auto structured = dyn_cast_or_null<mlir::linalg::LinalgOp>(op);
    bool isElementwise = structured
                             ? mlir::linalg::isElementwise(structured)
                             : op && op->hasTrait<mlir::OpTrait::Elementwise>();
    return isElementwise ? op : nullptr;
  }
  if (depth == 0 || !node->isElementwise())
    return nullptr;
  // A node visited with at least as many steps left has none.
  if (int &most = seen[node]; most < depth)
    most = depth;
  else
    return nullptr;
  for (const Term &operand : node->operands)
    if (operand.node->source == Source::Data)
      if (mlir::Operation *found = findUnknown(operand.node, depth - 1, seen))
        return found;
  return nullptr;
}

static mlir::Operation *findUnknown(const Node *node) {
  DenseMap<const Node *, int> seen;
  return findUnknown(node, kMostSteps, seen);
}

/// Returns the projection that `term` is a function of, as read there.
static Term findLinear(Graph &graph, const Term &term) {
  if (term.node->op == Kind::Linear)
    return term;
  for (unsigned k = 0; k < term.node->operands.size(); ++k)
    if (term.node->operands[k].node->source == Source::Data)
      if (Term operand = graph.getOperand(term, k))
        return findLinear(graph, operand);
  return {};
}

/// The activation that `function` of `linear` is next to.
static std::optional<NearActivation>
findNear(Graph &graph, const Product &function, const Term &linear) {
  ElementFunction compiled(graph, linear);
  return compiled.add(function) ? findNearActivation(compiled) : std::nullopt;
}

/// Returns a function near an activation of one projection, possibly times
/// another projection, as that activation; only if requested.
static std::optional<Node> groupNearMlp(Graph &graph, const Node *linear,
                                        const Product &product) {
  for (int k = -1, end = product.factors.size(); k < end; ++k) {
    // Without a gate first.
    if (k >= 0 && (product.factors[k].exponent != 1 ||
                   product.factors[k].term.node->op != Kind::Linear))
      continue;
    Product function = k < 0 ? product : product.without(k);
    Term argument;
    for (const Factor &factor : function.factors)
      argument = argument ? argument : findLinear(graph, factor.term);
    auto near = argument ? findNear(graph, function, argument) : std::nullopt;
    if (!near || near->factor != 1 || near->distance > graph.nearActivations)
      continue;
    std::optional<Projection> first = getProjection(graph, argument), up;
    if (k >= 0)
      up = getProjection(graph, product.factors[k].term);
    if (!first || (k >= 0 && (!up || !(up->input == first->input))))
      continue;
    auto form = block::ActivationAttr::get(graph.context, near->kind);
    return makeMlp(linear, form, up ? *up : *first, up ? &*first : nullptr,
                   near->distance);
  }
  return std::nullopt;
}

/// Describes `hidden`, which is not an activation.
static std::string describe(Graph &graph, const Term &hidden) {
  // Farther away, it is not meant to be that one.
  constexpr double kNear = 0.1;
  if (Term linear = findLinear(graph, hidden)) {
    if (auto near = findNear(graph, getProduct(graph, hidden), linear);
        near && near->distance < kNear)
      return formatv("the function between the projections is not {0}: they "
                     "differ by {1:e1} at {2:f3}",
                     block::stringifyActivation(near->kind), near->distance,
                     near->at);
  }
  return "the function between the projections has other constants";
}

/// Reports a possible activation before `linear`, or its absence.
static NoMatch missActivation(Graph &graph, const Node *linear) {
  const Term &hidden = linear->operands[0];
  if (mlir::Operation *unknown = findUnknown(hidden.node)) {
    graph.location = unknown->getLoc();
    return graph.miss("mlp", Reason::UnknownActivation,
                      "'" + unknown->getName().getStringRef() +
                          "' before a projection is not understood");
  }
  if (hidden.node->isElementwise() && isFunctionOfLinear(hidden.node))
    return graph.miss("mlp", Reason::UnknownActivation,
                      describe(graph, hidden));
  return graph.wanted("an activation", hidden);
}

/// Returns whether an attention gated by another projection is projected: not
/// an MLP, for any function.
static bool isGatedAttention(Graph &graph, const Product &product) {
  return product.factors.size() > 1 && product.find([&](const Factor &factor) {
    Kind kind = stripRounding(graph, factor.term).node->op;
    return kind == Kind::Sdpa || kind == Kind::Attention;
  }) >= 0;
}

std::optional<Node> parablock::raise::groupMlp(Graph &graph,
                                               const Node *linear) {
  Term hidden = linear->operands[0];
  Product product = getProduct(graph, hidden);
  if (isGatedAttention(graph, product))
    return graph.miss("projections", Reason::NotProjected,
                      "the heads are multiplied before they are projected");
  int at = product.find([](const Factor &factor) {
    return factor.exponent == 1 && factor.term.node->op == Kind::Activation;
  });
  if (at < 0) {
    if (graph.nearActivations > 0)
      if (std::optional<Node> near = groupNearMlp(graph, linear, product))
        return near;
    return missActivation(graph, linear);
  }
  graph.found("an activation before a projection");
  if (product.coefficient != 1 || product.factors.size() > 2)
    return graph.wanted("an activation times one value at most", hidden);
  Term activation = product.factors[at].term;
  mlir::Attribute form = activation.node->form;
  std::optional<Projection> first =
      getProjection(graph, graph.getOperand(activation, 0));
  if (!first)
    return graph.wanted("an activation of a projection's columns",
                        activation.node->operands[0]);
  if (product.factors.size() == 1)
    return makeMlp(linear, form, *first, nullptr);
  const Factor &other = product.factors[1 - at];
  std::optional<Projection> up = getProjection(graph, other.term);
  if (up && other.exponent == 1 && up->input == first->input)
    return makeMlp(linear, form, *up, &*first);
  return graph.miss(
      "mlp", Reason::UnknownActivation,
      "what the activation is multiplied with is no projection of the "
      "same input");
}
