//===- GroupMoe.cpp - groups a router and its experts ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "Group.h"
#include "ReadRoute.h"
#include "mlir/IR/Builders.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// The float type that rows have, or null where they are of f32.
static mlir::Type getRowType(Graph &graph, const Term &rows) {
  if (rows.node->type)
    return rows.node->type;
  const Home *home = graph.getHome(rows.node);
  mlir::Type element =
      home ? mlir::getElementTypeOrSelf(home->value.getType()) : mlir::Type();
  return element && (element.isF16() || element.isBF16()) ? element
                                                          : mlir::Type();
}

std::optional<Node> parablock::raise::groupMoe(Graph &graph,
                                               const Node *experts) {
  const Term &input = experts->operands[0];
  Term chosen = experts->operands[1], shares = experts->operands[2];
  if (getSplat(shares))
    foldRoute(graph, chosen, shares);
  const Node *choice = getWhole(chosen);
  const Node *route = getWhole(shares);
  if (!choice || choice->op != Kind::Choice || !route ||
      route->op != Kind::Route || choice->operands[0].node != route)
    return graph.wanted("experts that a route chooses and weighs",
                        experts->operands[1]);
  graph.found("a route to experts");
  std::optional<Projection> router = getProjection(graph, route->operands[0]);
  if (!router || !(router->input == input))
    return graph.wanted("logits that are a projection of the rows of experts",
                        route->operands[0]);
  // Logits have the type of the rows, or f32 from a weight of f32.
  mlir::Type own = getRowType(graph, input);
  mlir::Type logits = route->operands[0].node->type;
  if (logits && logits != own)
    return graph.wanted("logits of the type of the rows, or of f32",
                        route->operands[0]);
  if (route->type && route->type != own)
    return graph.wanted("weights of the type of the rows, or of f32",
                        experts->operands[2]);
  mlir::Builder builder(graph.context);
  SmallVector<mlir::NamedAttribute> forms = {
      builder.getNamedAttr("routing", route->form),
      builder.getNamedAttr("form", experts->form)};
  if (route->type)
    forms.push_back(
        builder.getNamedAttr("round_weights", builder.getUnitAttr()));
  if (own && !logits)
    forms.push_back(builder.getNamedAttr("wide_router", builder.getUnitAttr()));
  Node moe = *experts;
  moe.op = Kind::Moe;
  moe.form = builder.getDictionaryAttr(forms);
  moe.operands = {input, router->weight, experts->operands[3],
                  experts->operands[4]};
  moe.roles.clear();
  auto add = [&](StringRef name, const Term &term) {
    if (term)
      moe.addRole(name, term);
  };
  add("router_bias", router->bias);
  for (StringRef role : {"correction", "expert_scale"})
    add(role, route->getRole(role));
  for (StringRef role : {"up_bias", "down_bias"})
    add(role, experts->getRole(role));
  return moe;
}

std::optional<Node> parablock::raise::groupShared(Graph &graph, const Node *moe,
                                                  const Term &shared) {
  if (moe->getRole("shared_up"))
    return std::nullopt;
  Product product = getProduct(graph, shared);
  int at = product.find([](const Factor &factor) {
    return factor.exponent == 1 && factor.term.node->op == Kind::Mlp &&
           getWhole(factor.term);
  });
  if (at < 0 || product.factors.size() != 2 || product.coefficient != 1)
    return std::nullopt;
  const Node *mlp = product.factors[at].term.node;
  const Factor &gate = product.factors[1 - at];
  int64_t rows = mlp->size / mlp->width;
  if (gate.exponent != 1 || gate.term.node->op != Kind::Sigmoid ||
      gate.term.node->size != rows ||
      gate.term.layout != Layout({{rows, 1}, {mlp->width, 0}}))
    return std::nullopt;
  // The gate of a row, as it is before it is repeated.
  std::optional<Projection> open =
      getProjection(graph, gate.term.node->operands[0]);
  auto form = cast<mlir::DictionaryAttr>(moe->form);
  auto kind = form.getAs<block::ExpertsAttr>("form").getActivation();
  bool isPlain = !mlp->getRole("up_bias") && !mlp->getRole("gate_bias") &&
                 !mlp->getRole("down_bias") && mlp->value == 0;
  if (!open || open->width != 1 || open->bias || !isPlain ||
      !(open->input == moe->operands[0]) ||
      !(mlp->operands[0] == moe->operands[0]) || mlp->width != moe->width ||
      cast<block::ActivationAttr>(mlp->form).getValue() != kind)
    return graph.wanted("a shared MLP of the rows of experts, without biases",
                        shared);
  Node whole = *moe;
  whole.addRole("shared_up", mlp->getRole("up"));
  if (Term weight = mlp->getRole("gate"))
    whole.addRole("shared_gate", weight);
  whole.addRole("shared_down", mlp->getRole("down"));
  whole.addRole("shared_router", open->weight);
  return whole;
}
