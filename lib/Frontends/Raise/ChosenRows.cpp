//===- ChosenRows.cpp - rows of tables that data choose -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ChosenRows.h"
#include "Group.h"
#include "ReadRoute.h"

using namespace llvm;
using namespace parablock::raise;

std::optional<ChosenRows> parablock::raise::readChosenRows(Graph &graph,
                                                           const Term &term) {
  const Node *node = term.node;
  if (node->op != Kind::Gather ||
      node->operands[0].node->source == Source::Data)
    return std::nullopt;
  int64_t width = node->width, rows = node->size / width;
  std::optional<Layout> row =
      compose(term.layout, Layout({{rows, 1}, {width, 0}}));
  std::optional<Layout> column =
      compose(term.layout, Layout({{rows, 0}, {width, 1}}));
  Term ids = stripWrap(graph, node->operands[1]);
  Term choice = row ? graph.read(ids, *row) : Term();
  if (!choice || !column)
    return std::nullopt;
  return ChosenRows{choice, {node, *column}};
}

int64_t parablock::raise::countRows(const Term &columns) {
  return columns.node->operands[0].getSize() / columns.node->width;
}

Term parablock::raise::readTable(Graph &graph, const Term &columns,
                                 const Layout &matrix, int64_t experts) {
  if (countRows(columns) != experts)
    return graph.wanted("stacks of as many experts each", columns), Term();
  const Term &table = columns.node->operands[0];
  int64_t width = columns.node->width;
  SmallVector<Digit> digits = {{experts, width}};
  llvm::append_range(digits, matrix.getDigits());
  return graph.read(table, Layout(digits, matrix.getOffset()));
}

std::optional<ChosenNumber>
parablock::raise::readChosenNumber(Graph &graph, const Term &term) {
  if (term.node->op != Kind::Equal)
    return std::nullopt;
  for (unsigned k : {0, 1}) {
    Term given = graph.getOperand(term, k);
    Term chosen = graph.getOperand(term, 1 - k);
    if (!given || !chosen || given.node->source != Source::Constant ||
        chosen.node->source != Source::Data)
      continue;
    std::optional<double> single = getSplat(given);
    std::optional<Layout> own = getNumbering(given);
    if ((!single && !own) || (single && *single < 0))
      return std::nullopt;
    return ChosenNumber{
        chosen,
        single
            ? Layout::broadcast(given.getSize(), static_cast<int64_t>(*single))
            : *own,
        single.has_value()};
  }
  return std::nullopt;
}
