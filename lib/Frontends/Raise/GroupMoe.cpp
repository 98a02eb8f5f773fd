//===- GroupMoe.cpp - groups a router and its experts ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "Group.h"
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
  const Node *choice = getWhole(experts->operands[1]);
  const Node *route = getWhole(experts->operands[2]);
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
