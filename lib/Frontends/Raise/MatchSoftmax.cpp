//===- MatchSoftmax.cpp - matches softmax over rows -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "NumberRange.h"
#include "Recognise.h"
#include "TermMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <cmath>

using namespace llvm;
using namespace parablock::raise;

/// True where `term` has one number for each row of `width` elements.
static bool isOfRows(const Term &term, int64_t width) {
  int64_t rows = term.getSize() / width;
  std::optional<Aligned> aligned =
      align({term.layout, Layout({{rows, 1}, {width, 0}})});
  if (!aligned)
    return false;
  for (unsigned d = 0; d < aligned->getNumDigits(); ++d)
    if (aligned->strides[1][d] == 0 && aligned->strides[0][d] != 0)
      return false;
  return true;
}

/// Returns whether `term` may select a number that hides whole rows, whose
/// weights then are NaN, or 0 with such a rule in the graph.
static bool mayHideRows(Graph &graph, const Term &given) {
  constexpr double kHides = 1e9;
  TermSet seen;
  SmallVector<Term> open = {given};
  while (!open.empty()) {
    Term term = open.pop_back_val();
    const Node *node = term.node;
    if (!seen.insert(term))
      continue;
    if (node->source == Source::Constant) {
      auto range = getRange(graph, term);
      if (!range || range->first < -kHides || range->second > kHides)
        return true;
      continue;
    }
    if (!node->isElementwise())
      continue;
    for (unsigned k = node->op == Kind::Select ? 1 : 0;
         k < node->operands.size(); ++k)
      if (Term operand = graph.getOperand(term, k))
        open.push_back(operand);
  }
  return false;
}

/// Returns `scores` of `scores - max(scores)`: the maximum cancels, like every
/// number that a whole row shares.
static Term dropMaximum(Graph &graph, const Term &exponent, int64_t width) {
  if (exponent.node->op != Kind::Add)
    return exponent;
  for (unsigned k : {0, 1}) {
    Term common = graph.getOperand(exponent, k);
    if (isOfRows(common, width) && !mayHideRows(graph, common))
      return graph.getOperand(exponent, 1 - k);
  }
  return exponent;
}

/// Matches exp(s - s) / exp(s - s) or exp(s) / exp(s): the maximum and the sum
/// over one position are that position, and folders remove them.
static Term matchSingleSoftmax(Graph &graph, const Node *node) {
  Term root{node, Layout::identity(node->size)};
  auto strip = [&](const Term &term) {
    return term ? stripRounding(graph, term) : term;
  };
  Term exponential;
  for (unsigned k : {0, 1}) {
    Term above = strip(graph.getOperand(root, k));
    Term below = strip(graph.getOperand(root, 1 - k));
    if (above && below && above.node->op == Kind::Exp &&
        below.node->op == Kind::Power && below.node->value == -1 &&
        strip(graph.getOperand(below, 0)) == above)
      exponential = above;
  }
  Term scores;
  if (exponential)
    scores = strip(graph.getOperand(exponential, 0));
  if (!scores || scores.node->source != Source::Data)
    return {};
  if (scores.node->op == Kind::Add &&
      llvm::all_of(getSum(graph, scores).addends, [](const Addend &addend) {
        return addend.coefficient == 0;
      }))
    // The node of the scores is older than that of the maximum times -1.
    scores = strip(graph.getOperand(scores, 0));
  if (!scores)
    return {};
  graph.found("an exponential divided by itself");
  Node softmax;
  softmax.op = Kind::Softmax;
  softmax.size = node->size;
  softmax.width = 1;
  softmax.operands = {scores};
  return graph.make(softmax);
}

/// exp(s - max s) / sum exp(s - max s), over the positions summed over.
Term parablock::raise::matchSoftmax(Graph &graph, const Node *node) {
  if (Term single = matchSingleSoftmax(graph, node))
    return single;
  Term root{node, Layout::identity(node->size)};
  Product product = getProduct(graph, root);
  int above = product.find([](const Factor &factor) {
    return factor.exponent == 1 && factor.term.node->op == Kind::Exp;
  });
  int below = product.find([](const Factor &factor) {
    return factor.exponent == -1 && factor.term.node->op == Kind::ReduceSum;
  });
  if (above < 0 || below < 0)
    return graph.wanted("an exponential divided by a sum");
  if (product.factors.size() != 2)
    return graph.wanted("nothing else beside an exponential and a sum",
                        product.factors[above].term);
  Term exponential = product.factors[above].term;
  Term sum = product.factors[below].term;
  Term inner = stripRounding(graph, sum.node->operands[0]);
  if (inner.node != exponential.node)
    return graph.wanted("a sum of the same exponentials", inner);
  graph.found("exponentials divided by their sum");
  if (!isRowOfReduction(exponential.layout, sum.layout, inner.layout,
                        sum.node->width))
    return graph.wanted("each divided by the sum of its own row", sum);
  // Rows first, then the positions that are summed over.
  std::optional<Aligned> aligned = align({exponential.layout, sum.layout});
  SmallVector<unsigned> order, keys;
  for (unsigned d = 0; d < aligned->getNumDigits(); ++d)
    (aligned->strides[1][d] != 0 ? order : keys).push_back(d);
  order.append(keys);
  SmallVector<Digit> back(order.size());
  int64_t place = 1;
  for (unsigned d : llvm::reverse(order)) {
    back[d] = {aligned->extents[d], place};
    place *= aligned->extents[d];
  }
  Term argument =
      graph.read({exponential.node,
                  aligned->select(0, order, exponential.layout.getOffset())},
                 Layout::identity(node->size));
  Term exponent = graph.getOperand(argument, 0);
  if (!exponent)
    return graph.wanted("an exponent that can be read by rows", argument);
  Node softmax;
  softmax.op = Kind::Softmax;
  softmax.size = node->size;
  softmax.width = sum.node->width;
  softmax.operands = {
      dropMaximum(graph, stripRounding(graph, exponent), softmax.width)};
  Term result = graph.read(graph.make(softmax), Layout(back));
  return result ? graph.scale(result, product.coefficient) : Term();
}

/// select(all scores of the row are -inf, 0, softmax): rows without a key.
Term parablock::raise::matchSafeSoftmax(Graph &graph, const Node *node) {
  Term whole{node, Layout::identity(node->size)};
  Term condition = graph.getOperand(whole, 0);
  bool isNegated = false;
  if (condition.node->op == Kind::Xor)
    for (unsigned k : {0, 1})
      if (getSplat(condition.node->operands[k]) == 1.0) {
        condition = graph.getOperand(condition, 1 - k);
        isNegated = true;
        break;
      }
  // A row of one score is tested directly.
  bool isSingle =
      condition.node->op == Kind::Equal || condition.node->op == Kind::NotEqual;
  bool isAny = condition.node->op == Kind::ReduceOr ||
               condition.node->op == Kind::NotEqual;
  if (!isAny && !isSingle && condition.node->op != Kind::ReduceAnd)
    return graph.wanted("a condition of whole rows", condition);
  // All are -inf, or not any is something else.
  bool saysHidden = isAny == isNegated;
  Term zero = graph.getOperand(whole, saysHidden ? 1 : 2);
  Term softmax =
      stripRounding(graph, graph.getOperand(whole, saysHidden ? 2 : 1));
  if (getSplat(zero) != 0.0 || softmax.node->op != Kind::Softmax ||
      (isSingle ? 1 : condition.node->width) != softmax.node->width)
    return graph.wanted("0 in the place of rows of a softmax", softmax);
  graph.found("rows of a softmax that are made 0");
  Term test = isSingle ? condition : condition.node->operands[0];
  if (isAny != (test.node->op == Kind::NotEqual || test.node->op == Kind::Xor))
    return graph.wanted("a test of all scores of a row", test);
  if (test.node->op == Kind::Xor) {
    test = graph.getOperand(test, getSplat(test.node->operands[0]) ? 1 : 0);
    if (test.node->op != Kind::Equal)
      return graph.wanted("scores compared with -inf", test);
  }
  if (test.node->op != Kind::Equal && test.node->op != Kind::NotEqual)
    return graph.wanted("scores compared with -inf", test);
  double lowest = -std::numeric_limits<double>::infinity();
  Term tested;
  for (unsigned k : {0, 1})
    if (getSplat(test.node->operands[k]) == lowest)
      tested = graph.getOperand(test, 1 - k);
  if (!tested)
    return graph.wanted("scores compared with -inf", test);
  // The scores of the same rows, read in the softmax's order.
  const Term &scores = softmax.node->operands[0];
  Term own = graph.read(scores, softmax.layout);
  bool isOwn =
      own && own.node == tested.node &&
      (isSingle ? own.layout == tested.layout
                : isRowOfReduction(own.layout, condition.layout, tested.layout,
                                   condition.node->width));
  if (!isOwn)
    return graph.wanted("a test of the scores of the same softmax", tested);
  Node safe = *softmax.node;
  safe.value = 1;
  return graph.read(graph.make(safe), softmax.layout);
}
