//===- GroupEnds.cpp - embedding and head ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "Group.h"
#include "Recognise.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// `ids < 0 ? ids + rows : ids` as the ids: negative ones are no tokens.
static Term stripWrap(Graph &graph, const Term &ids) {
  if (ids.node->op != Kind::Select)
    return ids;
  Term test = graph.getOperand(ids, 0), plain = graph.getOperand(ids, 2);
  bool isWrap = test.node->op == Kind::Less &&
                graph.getOperand(test, 0) == plain &&
                getSplat(test.node->operands[1]) == 0.0;
  return isWrap ? plain : ids;
}

/// The ids by which rows of a table of weights are chosen: an argument [batch,
/// tokens].
static Term getTokenIds(Graph &graph, const Node *node) {
  if (node->op != Kind::Gather ||
      node->operands[0].node->source == Source::Data)
    return {};
  Term ids = stripWrap(graph, node->operands[1]);
  bool isGiven = ids.node->op == Kind::Leaf && getWhole(ids) &&
                 ids.node->home && ids.getSize() == graph.batch * graph.tokens;
  if (!isGiven)
    return {};
  mlir::Type element = getElementTypeOrSelf(ids.node->home);
  return element.isInteger(64) || element.isInteger(32) ? ids : Term();
}

void parablock::raise::groupEmbedding(Graph &graph, Node *node,
                                      const Users &users) {
  Term term{node, Layout::identity(node->size)};
  Sum sum = getSum(graph, term,
                   [&](const Node *inner) { return users.hasOne(inner); });
  int at = sum.find([&](const Addend &addend) {
    return getTokenIds(graph, addend.term.node) && getWhole(addend.term);
  });
  if (at < 0 || sum.constant != 0)
    return;
  Node *tokens = sum.addends[at].term.node;
  int64_t width = tokens->width;
  Term positions, type;
  int64_t offset = 0;
  for (const Addend &addend : sum.without(at).addends) {
    if (addend.term.node->source == Source::Data || addend.coefficient != 1)
      return;
    const Layout &layout = addend.term.layout;
    std::optional<Layout> row = getRowPart(layout, width);
    if (row && !type) {
      // One row of the table of types: type 0 is the first.
      if (row->getOffset() != 0 || addend.term.node->size % width != 0)
        return;
      type = addend.term;
      continue;
    }
    std::optional<Layout> rows = getRowPart(layout, width * graph.tokens);
    if (!rows || positions ||
        Layout(rows->getDigits()) != Layout::identity(width * graph.tokens) ||
        rows->getOffset() % width != 0 || addend.term.node->size % width != 0)
      return;
    offset = rows->getOffset() / width;
    positions = addend.term;
  }
  auto wholeTable = [](const Term &table) {
    return Term{table.node, Layout::identity(table.node->size)};
  };
  Term ids = getTokenIds(graph, tokens), table = tokens->operands[0];
  node->op = Kind::Embedding;
  node->width = width;
  node->value = sum.addends[at].coefficient;
  node->extents = {offset};
  node->roles.clear();
  node->operands = {ids, table};
  if (positions)
    node->addRole("positions", wholeTable(positions));
  if (type)
    node->addRole("type", wholeTable(type));
}

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
