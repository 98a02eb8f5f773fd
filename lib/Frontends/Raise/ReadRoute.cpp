//===- ReadRoute.cpp - routers in front of experts ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A choice of the largest columns is a route of plain scores when it is
// imported. This file reads the steps around it: the score before the choice,
// and the weights behind it.
//
//===----------------------------------------------------------------------===//

#include "ReadRoute.h"
#include "Algebra.h"
#include "Group.h"
#include "Recognise.h"
#include "mlir/IR/Builders.h"
#include "parablock/Dialect/Block/BlockAttrs.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;
using block::RouterScore;
using block::RouterWeight;
using block::WeightSum;

int64_t parablock::raise::countExperts(const Term &choice) {
  if (choice.node->op != Kind::Choice)
    return 0;
  return choice.node->operands[0].node->extents[0];
}

namespace {
/// The steps around a choice.
class RouteReader {
public:
  RouteReader(Graph &graph, const Node *choice)
      : graph(graph), choice(choice), plain(choice->operands[0].node),
        experts(plain->extents[0]), chosen(plain->width) {}
  /// Returns the route that gives `shares`, or a null term.
  Term read(const Term &shares);

private:
  bool isPlain() const;
  void readScore();
  bool isValue(const Term &term);
  std::optional<RouterWeight> readWeight(const Term &term);
  bool readDivisor(const Term &divisor, const Term &weight);
  bool isSumOf(const Term &sum, const Term &weight) const;

  Graph &graph;
  const Node *choice, *plain;
  int64_t experts, chosen;
  /// The scores without a correction, and what they are a function of.
  Term scores, logits, correction;
  RouterScore score = RouterScore::Logit;
  WeightSum sum = WeightSum::One;
  double eps = 0;
};
} // namespace

/// A route that a function has in its own form is left.
bool RouteReader::isPlain() const {
  auto form = cast<block::RoutingAttr>(plain->form);
  return form.getScore() == RouterScore::Logit &&
         form.getWeight() == RouterWeight::Score &&
         form.getDivideBy() == WeightSum::One && form.getGroups() == 1 &&
         form.getLogitScaleValue() == 1 && form.getWeightScaleValue() == 1 &&
         plain->roles.empty();
}

/// Scores that are rounded to 16 bits may be equal where logits are not: those
/// stay in front of the route.
void RouteReader::readScore() {
  scores = plain->operands[0];
  if (scores.node->op == Kind::Add)
    for (unsigned k : {0, 1}) {
      Term vector = graph.getOperand(scores, k);
      Term rest = graph.getOperand(scores, 1 - k);
      std::optional<Layout> part =
          vector && rest && vector.node->source != Source::Data
              ? getRowPart(vector.layout, experts)
              : std::nullopt;
      if (!part || part->isBroadcast() || rest.node->source != Source::Data)
        continue;
      correction = {vector.node, *part};
      scores = rest;
      break;
    }
  logits = scores;
  const Node *node = getWhole(scores);
  if (!node || node->type)
    return;
  if (node->op == Kind::Softmax && node->width == experts && node->value == 0 &&
      node->roles.empty()) {
    score = RouterScore::Softmax;
    logits = node->operands[0];
  } else if (node->op == Kind::Sigmoid) {
    score = RouterScore::Sigmoid;
    logits = node->operands[0];
  }
}

/// True for the scores of the chosen experts.
bool RouteReader::isValue(const Term &given) {
  Term term = stripRounding(graph, given);
  const Node *node = getWhole(term);
  if (!node)
    return false;
  if (node == plain)
    return !correction;
  // Elements of the scores, a row after the other.
  if (node->op != Kind::Gather || node->width != 1 ||
      !(node->operands[0] == scores))
    return false;
  Sum places = getSum(graph, node->operands[1]);
  if (places.constant != 0)
    return false;
  int64_t rows = plain->size / chosen;
  unsigned found = 0;
  for (const Addend &addend : places.addends) {
    bool isChoice = getWhole(addend.term) == choice;
    bool isRow = addend.term.node->op == Kind::Iota &&
                 addend.term.layout == Layout({{rows, experts}, {chosen, 0}});
    if (addend.coefficient != 1 || (!isChoice && !isRow))
      return false;
    found |= isChoice ? 1 : 2;
  }
  return places.addends.size() <= 2 &&
         (found == 3 || (found == 1 && rows == 1));
}

/// The function of the chosen experts' scores or logits that `term` is.
std::optional<RouterWeight> RouteReader::readWeight(const Term &term) {
  if (isValue(term))
    return RouterWeight::Score;
  const Node *node = getWhole(stripRounding(graph, term));
  bool isSoftmax = node && node->op == Kind::Softmax && node->width == chosen &&
                   node->value == 0 && node->roles.empty();
  bool isSigmoid = node && node->op == Kind::Sigmoid;
  if ((!isSoftmax && !isSigmoid) || !isValue(node->operands[0]))
    return std::nullopt;
  // What the weights are a function of is what is chosen by.
  score = RouterScore::Logit;
  logits = scores;
  return isSoftmax ? RouterWeight::Softmax : RouterWeight::Sigmoid;
}

bool RouteReader::isSumOf(const Term &sum, const Term &weight) const {
  int64_t rows = plain->size / chosen;
  return sum.node->op == Kind::ReduceSum && sum.node->width == chosen &&
         sum.layout == Layout({{rows, 1}, {chosen, 0}}) &&
         stripRounding(graph, sum.node->operands[0]) ==
             stripRounding(graph, weight);
}

/// The sum of the weights, plus a number or at least a number.
bool RouteReader::readDivisor(const Term &given, const Term &weight) {
  Term divisor = stripRounding(graph, given);
  if (divisor.node->op == Kind::Max) {
    for (unsigned k : {0, 1}) {
      std::optional<double> least = getSplat(divisor.node->operands[k]);
      Term sum = graph.getOperand(divisor, 1 - k);
      if (!least || !sum || !isSumOf(stripRounding(graph, sum), weight))
        continue;
      this->sum = WeightSum::Floored;
      eps = *least;
      return eps >= 0;
    }
    return false;
  }
  Sum parts = getSum(graph, divisor);
  if (parts.addends.size() != 1 || parts.addends[0].coefficient != 1 ||
      parts.constant < 0 || !isSumOf(parts.addends[0].term, weight))
    return false;
  this->sum = WeightSum::Added;
  eps = parts.constant;
  return true;
}

Term RouteReader::read(const Term &shares) {
  if (!isPlain())
    return {};
  readScore();
  Product product = getProduct(graph, shares);
  int at =
      product.find([](const Factor &factor) { return factor.exponent == 1; });
  if (at < 0 || product.factors.size() > 2)
    return {};
  const Term &value = product.factors[at].term;
  std::optional<RouterWeight> weight = readWeight(value);
  if (!weight)
    return {};
  if (product.factors.size() == 2) {
    const Factor &divisor = product.factors[1 - at];
    if (divisor.exponent != -1 || !readDivisor(divisor.term, value))
      return {};
  }
  mlir::Builder builder(graph.context);
  auto number = [&](double given, double absent) {
    return given == absent ? mlir::FloatAttr()
                           : builder.getF64FloatAttr(shorten(graph, given));
  };
  Node route;
  route.op = Kind::Route;
  route.size = plain->size;
  route.width = chosen;
  route.operands = {logits};
  route.extents = {experts};
  if (shares.node->op == Kind::Round)
    route.type = shares.node->type;
  route.form = block::RoutingAttr::get(
      graph.context, chosen, score, *weight, sum, number(eps, 0), 1, 1,
      block::GroupScore::Best, block::HiddenGroups::Never,
      /*logit_scale=*/{}, number(product.coefficient, 1));
  if (correction)
    route.addRole("correction", correction);
  return graph.make(route);
}

void parablock::raise::foldRoute(Graph &graph, Term &choice, Term &shares) {
  const Node *given = getWhole(choice);
  if (!given || given->op != Kind::Choice)
    return;
  Term route = RouteReader(graph, given).read(shares);
  if (!route)
    return;
  Node folded = *given;
  folded.operands = {route};
  choice = graph.make(folded);
  shares = route;
}
