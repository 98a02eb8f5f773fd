//===- GroupHead.cpp - the projection onto the vocabulary -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "Group.h"
#include "mlir/IR/Builders.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// A projection that is returned, with its scale and soft cap.
void parablock::raise::groupHead(Graph &graph, Node *node) {
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
    return;
  Node *linear = getWhole(outer.factors[0].term);
  if (!linear || linear->op != Kind::Linear)
    return;
  SmallVector<Term, 3> operands = linear->operands;
  auto roles = linear->roles;
  node->width = linear->width;
  node->op = Kind::Head;
  node->operands = operands;
  node->roles = roles;
  node->value = outer.coefficient;
  node->form = cap != 0 ? mlir::Builder(graph.context).getF64FloatAttr(cap)
                        : mlir::FloatAttr();
}
