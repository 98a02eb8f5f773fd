//===- WeightedSum.cpp - matches values weighted by a softmax -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "WeightedSum.h"
#include "Recognise.h"
#include <cmath>

using namespace llvm;
using namespace parablock::raise;

/// Returns the weights before dropout if `term` is their dropout.
Term WeightedSum::skipDropout(const Term &term) {
  dropped = term.node->op == Kind::Dropout ? term : Term();
  if (!dropped)
    return term;
  const Term &softmax = term.node->operands[0];
  std::optional<Layout> layout = compose(term.layout, softmax.layout);
  return layout ? Term(softmax.node, *layout) : term;
}

/// Matches alpha I + beta softmax - gamma C, with one factor for each head: I
/// keeps a query's own value, C is the mean over allowed keys.
bool WeightedSum::splitWeights(Graph &graph, const Term &mixed) {
  if (mixed.node->op != Kind::Add && mixed.node->op != Kind::Mul)
    return false;
  mix.clear();
  Term softmax;
  Sum sum = getSum(graph, mixed);
  if (sum.constant != 0)
    return false;
  for (const Addend &addend : sum.addends) {
    Product product = getProduct(graph, addend.term);
    double sign = product.coefficient * addend.coefficient;
    MixedPart part;
    bool isSoftmax = false;
    for (const Factor &each : product.factors) {
      if (each.term.node->op == Kind::Softmax && each.exponent == 1 &&
          !isSoftmax) {
        softmax = each.term;
        isSoftmax = true;
      } else if (each.term.node->source == Source::Weight &&
                 each.exponent == 1 && !part.gain)
        part.gain = each.term;
      else if (each.term.node->source == Source::Constant)
        part.tables.push_back(each);
      else
        return false;
    }
    // Over one key, tables are ones, which leave products.
    if (isSoftmax && !part.tables.empty())
      return false;
    if (!part.gain) {
      if (!isSoftmax || sign != 1)
        return false;
      continue;
    }
    if (isSoftmax ? sign != 1 : std::fabs(sign) != 1)
      return false;
    part.role = isSoftmax ? "beta" : sign == 1 ? "alpha" : "gamma";
    mix.push_back(part);
  }
  if (!softmax)
    return false;
  weights = softmax;
  return true;
}

bool WeightedSum::find(Graph &graph, const Node *node) {
  std::optional<TwoFactors> split = splitInTwo(graph, node->operands[0]);
  if (!split)
    return graph.wanted("a sum of products of two values", node->operands[0]);
  factor = split->coefficient;
  const Term *sides[] = {&split->a, &split->b};
  for (unsigned k : {0, 1}) {
    weights = skipDropout(stripRounding(graph, *sides[k]));
    value = *sides[1 - k];
    if (value.node->source == Source::Data &&
        (weights.node->op == Kind::Softmax || splitWeights(graph, weights)))
      return true;
    mix.clear();
  }
  return graph.wanted("a softmax times values", node->operands[0]);
}

void parablock::raise::splitDigits(const Layout &layout, int64_t width,
                                   SmallVectorImpl<Digit> &ofRows,
                                   SmallVectorImpl<Digit> &inRows) {
  for (Digit digit : layout.getDigits()) {
    bool isOfRows = digit.stride % width == 0;
    ofRows.push_back({digit.extent, isOfRows ? digit.stride / width : 0});
    inRows.push_back({digit.extent, isOfRows ? 0 : digit.stride});
  }
}

void WeightedSum::separateSink(Graph &graph) {
  const Node *softmax = weights.node;
  const Term &scores = softmax->operands[0];
  int64_t width = softmax->width, keyWidth = width - 1;
  int64_t rows = softmax->size / width;
  int64_t offset = weights.layout.getOffset(), first = offset % width;
  SmallVector<Digit> ofRows, inRows, digits;
  splitDigits(weights.layout, width, ofRows, inRows);
  int64_t reach = 0;
  for (auto [row, place] : llvm::zip_equal(ofRows, inRows)) {
    reach += (place.extent - 1) * place.stride;
    digits.push_back({row.extent, row.stride * keyWidth + place.stride});
  }
  if (softmax->getRole("sink") || keyWidth < 1 || reach + 1 != keyWidth ||
      first > 1)
    return;
  Term logit =
      graph.read(scores, Layout({{rows, width}}, first == 0 ? keyWidth : 0));
  Term own = graph.read(scores, Layout({{rows, width}, {keyWidth, 1}}, first));
  if (!logit || !own || logit.node->source == Source::Data)
    return;
  graph.found("a logit beside those of the keys");
  graph.attend(softmax);
  Node keysAlone = *softmax;
  keysAlone.size = rows * keyWidth;
  keysAlone.width = keyWidth;
  keysAlone.operands = {own};
  keysAlone.addRole("sink", logit);
  weights = {graph.make(keysAlone).node,
             Layout(digits, offset / width * keyWidth)};
}
