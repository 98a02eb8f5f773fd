//===- DenseShares.cpp - dense shares of experts --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This file reads dense shares, for models that compute all experts on all
// rows. Such a model scatters the weights of the chosen experts to a row of
// all: to zeros, or to -inf in front of a function that makes 0 of it.
//
//===----------------------------------------------------------------------===//

#include "DenseShares.h"
#include "Algebra.h"
#include "Contraction.h"
#include "Group.h"
#include "ReadRoute.h"

using namespace llvm;
using namespace parablock::raise;

/// Returns what `term` is a reduction of, over `width` elements each; `term`
/// itself if those are one.
static Term openReduction(const Term &term, Kind op, int64_t width) {
  if (width == 1)
    return term;
  const Node *node = getWhole(term);
  return node && node->op == op && node->width == width ? node->operands[0]
                                                        : Term();
}

/// Reads values that are put where `number` is one of a choice; others are
/// `fill`.
static std::optional<DenseShares> readScattered(Graph &graph, const Node *put,
                                                double fill) {
  if (!put || put->op != Kind::Select || getSplat(put->operands[2]) != fill)
    return std::nullopt;
  const Node *any = put->operands[0].node;
  int64_t slots = any->op == Kind::ReduceOr ? any->width : 1;
  Term test = openReduction(put->operands[0], Kind::ReduceOr, slots);
  Term picked = openReduction(put->operands[1], Kind::ReduceMax, slots);
  if (!test || !picked || test.node->op != Kind::Equal ||
      picked.node->op != Kind::Select ||
      !(graph.getOperand(picked, 0) == test) ||
      getSplat(picked.node->operands[2]) !=
          -std::numeric_limits<double>::infinity())
    return std::nullopt;
  for (unsigned k : {0, 1}) {
    Term choice = graph.getOperand(test, k);
    Term number = graph.getOperand(test, 1 - k);
    int64_t experts = choice && number ? countExperts(choice) : 0;
    if (experts == 0 || choice.node->op != Kind::Choice ||
        choice.node->width != slots || put->size % experts != 0)
      continue;
    int64_t rows = put->size / experts;
    Layout spread({{rows, slots}, {experts, 0}, {slots, 1}});
    Term value = graph.getOperand(picked, 1);
    Term once =
        value ? graph.read(value, Layout({{rows, experts * slots}, {slots, 1}}))
              : Term();
    if (choice.layout != spread || choice.node->size != rows * slots ||
        getNumbering(number) != Layout({{rows, 0}, {experts, 1}, {slots, 0}}) ||
        !once || !(graph.read(once, spread) == value))
      continue;
    return DenseShares{{choice.node, Layout::identity(choice.node->size)},
                       once,
                       rows,
                       experts,
                       slots};
  }
  return std::nullopt;
}

std::optional<DenseShares> parablock::raise::readDenseShares(Graph &graph,
                                                             const Node *node) {
  const Node *function =
      node->op == Kind::Round ? getWhole(node->operands[0]) : node;
  if (!function)
    return std::nullopt;
  std::optional<DenseShares> read;
  bool isSoftmax = function->op == Kind::Softmax && function->value == 0 &&
                   function->roles.empty();
  if (function->op == Kind::Sigmoid || isSoftmax) {
    const Node *put = getWhole(stripRounding(graph, function->operands[0]));
    read = readScattered(graph, put, -std::numeric_limits<double>::infinity());
    if (!read || (isSoftmax && function->width != read->experts))
      return std::nullopt;
    // The same function of the chosen ones.
    Node own = *function;
    own.size = read->rows * read->slots;
    own.width = isSoftmax ? read->slots : function->width;
    own.operands[0] = read->values;
    read->values = isSoftmax ? graph.make(own)
                             : graph.elementwise(Kind::Sigmoid, {read->values});
  } else {
    read = readScattered(graph, function, 0);
  }
  // The type that the function is rounded to is that of the values.
  if (read && node->op == Kind::Round)
    read->values = graph.round(read->values, node->type);
  return read;
}

/// Returns the dense shares among the factors of `rows`, and the other factor.
static std::pair<Term, Term> splitShares(Graph &graph, const Term &rows,
                                         const Node *wanted) {
  Term product = stripRounding(graph, rows);
  if (product.node->op == Kind::Mul && product.node->source == Source::Data)
    for (unsigned k : {0, 1}) {
      Term shares = graph.getOperand(product, k);
      bool isThis =
          shares && (wanted ? shares.node == wanted
                            : readDenseShares(graph, shares.node).has_value());
      if (isThis)
        return {shares, graph.getOperand(product, 1 - k)};
    }
  return {};
}

Term parablock::raise::findDenseShares(Graph &graph, const Term &projection) {
  Term root = stripRounding(graph, projection);
  std::optional<Contraction> product =
      root.node->op == Kind::ReduceSum
          ? getContraction(graph, root, [](const Node *) { return false; })
          : std::nullopt;
  if (!product)
    return {};
  int64_t depth = product->sums.getSize() / root.getSize();
  for (const Contraction::Factor &factor : product->factors) {
    Term shares = splitShares(graph, factor.term, nullptr).first;
    Term once =
        shares ? graph.read(shares, Layout({{root.getSize(), depth}})) : Term();
    if (once &&
        graph.read(once, Layout({{root.getSize(), 1}, {depth, 0}})) == shares)
      return once;
  }
  return {};
}

Term parablock::raise::removeDenseShares(Graph &graph, Term &rows,
                                         const Node *node) {
  auto [shares, rest] = splitShares(graph, rows, node);
  if (shares)
    rows = rest;
  return shares;
}
