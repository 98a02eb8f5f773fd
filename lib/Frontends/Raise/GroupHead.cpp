//===- GroupHead.cpp - groups the projection onto the vocabulary ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "Group.h"
#include "mlir/IR/Builders.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// A projection that is returned, with its scale and soft cap.
std::optional<Node> parablock::raise::groupHead(Graph &graph,
                                                const Node *node) {
  Term term{node, Layout::identity(node->size)};
  Product outer = getProduct(graph, term);
  double cap = 0;
  if (outer.factors.size() == 1 && outer.factors[0].exponent == 1 &&
      outer.factors[0].term.node->op == Kind::Tanh &&
      getWhole(outer.factors[0].term) && outer.coefficient > 0) {
    cap = outer.coefficient;
    outer = getProduct(graph, graph.getOperand(outer.factors[0].term, 0));
    outer.coefficient *= cap;
  }
  if (outer.factors.size() != 1 || outer.factors[0].exponent != 1)
    return graph.wanted("one value times a number", term);
  const Node *linear = getWhole(outer.factors[0].term);
  if (!linear || linear->op != Kind::Linear)
    return graph.wanted("a projection that is read whole",
                        outer.factors[0].term);
  Node head = *node;
  head.op = Kind::Head;
  head.width = linear->width;
  head.operands = linear->operands;
  head.roles = linear->roles;
  head.value = outer.coefficient;
  head.form = cap != 0 ? mlir::Builder(graph.context).getF64FloatAttr(cap)
                       : mlir::FloatAttr();
  return head;
}
