//===- GroupMlp.cpp - two projections around an activation ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "Group.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

static void makeMlp(Node *linear, const Term &activation, const Projection &up,
                    const Projection *gate) {
  Term down = linear->operands[1], downBias = linear->getRole("bias");
  linear->op = Kind::Mlp;
  linear->form = activation.node->form;
  linear->operands = {up.input};
  linear->roles.clear();
  auto add = [&](StringRef name, const Term &term) {
    if (term)
      linear->addRole(name, term);
  };
  add("up", up.weight);
  add("down", down);
  add("up_bias", up.bias);
  if (gate) {
    add("gate", gate->weight);
    add("gate_bias", gate->bias);
  }
  add("down_bias", downBias);
}

/// True for elementwise functions of projections and constants: what an
/// activation would be.
static bool isFunctionOfLinear(const Node *node, int depth = 12) {
  if (node->op == Kind::Linear)
    return true;
  return depth > 0 && node->isElementwise() && node->source == Source::Data &&
         llvm::all_of(node->operands, [&](const Term &operand) {
           return operand.node->source == Source::Constant ||
                  isFunctionOfLinear(operand.node, depth - 1);
         });
}

void parablock::raise::groupMlp(Graph &graph, Node *linear) {
  Term hidden = linear->operands[0];
  Product product = getProduct(graph, hidden);
  int at = product.find([](const Factor &factor) {
    return factor.exponent == 1 && factor.term.node->op == Kind::Activation;
  });
  if (at < 0) {
    if (hidden.node->isElementwise() && isFunctionOfLinear(hidden.node))
      graph.miss("mlp", Reason::UnknownActivation,
                 "the function between the projections has other constants");
    return;
  }
  if (product.coefficient != 1 || product.factors.size() > 2)
    return;
  Term activation = product.factors[at].term;
  std::optional<Projection> first =
      getProjection(graph, graph.getOperand(activation, 0));
  if (!first)
    return;
  if (product.factors.size() == 1)
    return makeMlp(linear, activation, *first, nullptr);
  const Factor &other = product.factors[1 - at];
  std::optional<Projection> up = getProjection(graph, other.term);
  if (up && other.exponent == 1 && up->input == first->input)
    makeMlp(linear, activation, *up, &*first);
}
