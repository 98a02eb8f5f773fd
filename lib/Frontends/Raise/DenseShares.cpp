//===- DenseShares.cpp - dense shares of experts --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This file reads dense shares, for models that compute all experts on all
// rows. Such a model scatters the weights of the chosen experts to a row of
// all: to zeros, or to -inf in front of a function that makes 0 of it; or it
// multiplies them by rows of 0 and 1 that have the number of each expert.
//
//===----------------------------------------------------------------------===//

#include "DenseShares.h"
#include "Algebra.h"
#include "ChosenRows.h"
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
                       slots,
                       Layout::identity(put->size)};
  }
  return std::nullopt;
}

namespace {
/// A sum of values where a choice is the number of an expert.
struct OneHotSum {
  enum : unsigned { kSums, kChoice, kNumber, kValues };
  double coefficient;
  ChosenNumber test;
  SmallVector<Term> values;
  Aligned parts;
};
} // namespace

/// Finds the choice, the numbers and the values of a sum, and aligns them.
static std::optional<OneHotSum> findOneHot(Graph &graph, const Node *node) {
  auto isTest = [](const Node *inner) { return inner->op == Kind::Equal; };
  auto opens = [&](const Node *inner) { return leadsTo(inner, isTest); };
  bool isKnown = node->op == Kind::ReduceSum || node->op == Kind::Mul ||
                 node->op == Kind::Select;
  if (!isKnown || node->source != Source::Data || !opens(node))
    return std::nullopt;
  std::optional<Contraction> sum =
      getContraction(graph, {node, Layout::identity(node->size)}, opens);
  if (!sum || sum->bias)
    return std::nullopt;
  std::optional<ChosenNumber> test;
  SmallVector<Term> values;
  SmallVector<Layout> layouts(OneHotSum::kValues, sum->sums);
  for (const Contraction::Factor &factor : sum->factors) {
    if (!isTest(factor.term.node)) {
      values.push_back(factor.term);
      layouts.push_back(factor.term.layout);
    } else if (test || !(test = readChosenNumber(graph, factor.term))) {
      return std::nullopt;
    }
  }
  if (!test || test->choice.node->op != Kind::Choice)
    return std::nullopt;
  layouts[OneHotSum::kChoice] = test->choice.layout;
  layouts[OneHotSum::kNumber] = test->number;
  std::optional<Aligned> parts = align(layouts);
  if (!parts)
    return std::nullopt;
  return OneHotSum{sum->coefficient, *test, values, *parts};
}

/// Reads a sum over slots of values where a choice is the number of an expert,
/// of each expert or of one.
static std::optional<DenseShares> readOneHot(Graph &graph, const Node *node) {
  std::optional<OneHotSum> sum = findOneHot(graph, node);
  if (!sum)
    return std::nullopt;
  const Aligned &parts = sum->parts;
  const ChosenNumber &test = sum->test;
  SmallVector<unsigned> rows, experts, slots;
  for (unsigned d = 0; d < parts.getNumDigits(); ++d) {
    bool isOut = parts.strides[OneHotSum::kSums][d] != 0;
    bool isNumber = parts.strides[OneHotSum::kNumber][d] != 0;
    bool isChoice = parts.strides[OneHotSum::kChoice][d] != 0;
    if (isNumber == isChoice || (isNumber && !isOut))
      return std::nullopt;
    for (unsigned k = 0; k < sum->values.size(); ++k)
      if (isNumber && parts.strides[OneHotSum::kValues + k][d] != 0)
        return std::nullopt;
    (isNumber ? experts : isOut ? rows : slots).push_back(d);
  }
  parts.sortByStride(rows, OneHotSum::kSums);
  parts.sortByStride(experts, OneHotSum::kNumber);
  parts.sortByStride(slots, OneHotSum::kChoice);
  int64_t count = parts.getSize(experts);
  SmallVector<unsigned> ofChoice = join({rows, slots});
  int64_t first = test.number.getOffset();
  Layout chosen = parts.select(OneHotSum::kChoice, ofChoice,
                               test.choice.layout.getOffset());
  Layout numbers = parts.select(OneHotSum::kNumber, experts, first);
  // The numbers of a row differ: one slot at most has that of an expert.
  if (chosen != Layout::identity(test.choice.node->size) ||
      (!test.isSingle && (numbers != Layout::identity(count) ||
                          countExperts(test.choice) != count)))
    return std::nullopt;
  Term product = graph.splat(sum->coefficient, parts.getSize(ofChoice));
  for (auto [k, value] : llvm::enumerate(sum->values))
    product = graph.multiply(
        {value.node, parts.select(OneHotSum::kValues + k, ofChoice,
                                  value.layout.getOffset())},
        product);
  SmallVector<unsigned> out = parts.getVarying(OneHotSum::kSums);
  parts.sortByStride(out, OneHotSum::kSums);
  DenseShares read{{test.choice.node, Layout::identity(test.choice.node->size)},
                   product,
                   parts.getSize(rows),
                   count,
                   parts.getSize(slots),
                   parts.locate(out, join({rows, experts}))};
  if (test.isSingle)
    read.number = first;
  return read;
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
    if (!read)
      read = readOneHot(graph, function);
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
  Term root = splitBias(graph, projection).term;
  std::optional<Contraction> product =
      root && (root.node->op == Kind::ReduceSum ||
               root.node->op == Kind::Linear)
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

Term parablock::raise::takeRowShares(Graph &graph, Term &x,
                                     std::optional<Layout> row,
                                     std::optional<Layout> slot,
                                     const Term &choice) {
  Term product = stripRounding(graph, x);
  if (product.node->op != Kind::Mul || product.node->source != Source::Data)
    return {};
  for (unsigned k : {0, 1}) {
    Term shares = graph.getOperand(product, k);
    Term rest = graph.getOperand(product, 1 - k);
    std::optional<Aligned> parts =
        row && slot && shares && rest && shares.node->source == Source::Data
            ? align({shares.layout, *row, *slot})
            : std::nullopt;
    if (!parts)
      continue;
    SmallVector<unsigned> rows, slots;
    bool isOfRow = true, isOfSlot = false;
    for (unsigned d = 0; d < parts->getNumDigits(); ++d) {
      bool isRead = parts->strides[0][d] != 0;
      bool isRow = parts->strides[1][d] != 0,
           isSlot = parts->strides[2][d] != 0;
      if (isRow || isSlot)
        (isRow ? rows : slots).push_back(d);
      isOfRow &= isRow || isSlot || !isRead;
      isOfSlot |= isSlot && isRead;
    }
    parts->sortByStride(rows, 1);
    parts->sortByStride(slots, 2);
    SmallVector<unsigned> both(rows);
    llvm::append_range(both, slots);
    Term values = {shares.node,
                   parts->select(0, both, shares.layout.getOffset())};
    // Of one expert a row, a number of the row is its weight if the choice is
    // weighed by it.
    Term folded = values, route = choice;
    if (isOfRow && slots.empty())
      foldRoute(graph, route, folded);
    const Node *weighed = getWhole(folded);
    bool isWeight = weighed && weighed->op == Kind::Route &&
                    route.node->op == Kind::Choice &&
                    route.node->operands[0].node == weighed;
    if (!isOfRow || !(isOfSlot || isWeight))
      continue;
    x = rest;
    return values;
  }
  return {};
}
