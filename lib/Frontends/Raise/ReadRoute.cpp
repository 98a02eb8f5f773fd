//===- ReadRoute.cpp - routers in front of experts ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A choice of the largest columns is a route of plain scores when it is
// imported. This file reads the steps around it: the score before the choice,
// the groups that are hidden from it, and the weights behind it.
//
//===----------------------------------------------------------------------===//

#include "ReadRoute.h"
#include "Algebra.h"
#include "Contraction.h"
#include "Group.h"
#include "Importer.h"
#include "Recognise.h"
#include "mlir/IR/Builders.h"
#include "parablock/Dialect/Block/BlockAttrs.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;
using block::GroupScore;
using block::HiddenGroups;
using block::RouterScore;
using block::RouterWeight;
using block::WeightSum;

std::optional<Layout> parablock::raise::getNumbering(const Term &term) {
  // Constants of more elements are not read as numbers.
  constexpr int64_t kMostNumbers = 1 << 16;
  if (term.node->op == Kind::Iota)
    return term.layout;
  if (term.node->source != Source::Constant || term.node->size > kMostNumbers)
    return std::nullopt;
  std::optional<Layout> own =
      getIndexLayout({term.node, Layout::identity(term.node->size)});
  return own ? compose(term.layout, *own) : std::nullopt;
}

/// True for a choice by the numbers themselves. A route that a function has in
/// another form is left.
static bool isPlain(const Node *route) {
  if (route->op != Kind::Route)
    return false;
  auto form = cast<block::RoutingAttr>(route->form);
  return form.getScore() == RouterScore::Logit &&
         form.getWeight() == RouterWeight::Score &&
         form.getDivideBy() == WeightSum::One && form.getGroups() == 1 &&
         form.getLogitScaleValue() == 1 && form.getWeightScaleValue() == 1 &&
         route->roles.empty();
}

/// True for a route and one that differs in the type of its weights alone.
static bool isTwin(const Node *node, const Node *route) {
  return node->op == Kind::Route && node->form == route->form &&
         node->operands == route->operands && node->roles == route->roles;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

namespace {
/// A choice among the experts of the groups of largest scores.
struct Groups {
  int64_t count = 1, kept = 1;
  GroupScore score = GroupScore::Best;
  HiddenGroups hidden = HiddenGroups::Never;
  /// The scores of all experts.
  Term shown;
};

/// A value that is not 0 where a condition holds, or where it does not.
struct Condition {
  Term term;
  bool isNegated = false;
};
} // namespace

/// Returns the condition that `condition` is a test of, or a null term.
static Condition stripTest(Graph &graph, const Condition &condition) {
  const Node *node = condition.term.node;
  bool isNegated = condition.isNegated;
  auto take = [&](unsigned k, bool negates) {
    return Condition{graph.getOperand(condition.term, k), isNegated != negates};
  };
  auto isNumber = [&](unsigned k, double number) {
    return getSplat(node->operands[k]) == number;
  };
  bool isEqual = node->op == Kind::Equal;
  if (node->op == Kind::Round)
    return take(0, false);
  if (node->op == Kind::Less && isNumber(0, 0))
    return take(1, false);
  for (unsigned k : {0, 1}) {
    if (node->op == Kind::Xor && isNumber(k, 1))
      return take(1 - k, true);
    if ((isEqual || node->op == Kind::NotEqual) && isNumber(k, 0))
      return take(1 - k, isEqual);
    if (node->op == Kind::Select && isNumber(1, k) && isNumber(2, 1 - k))
      return take(0, k == 0);
  }
  return {};
}

/// Returns the choice of groups that a condition of [rows, experts] is, if it
/// holds in all experts of these, or else a null one.
static const Node *readChosenGroups(Graph &graph, const Condition &condition,
                                    int64_t experts) {
  Term test = condition.term;
  int64_t rows = test.getSize() / experts, kept = 1;
  const Node *any = test.node;
  if (any->op == Kind::ReduceOr || any->op == Kind::ReduceMax ||
      any->op == Kind::ReduceSum) {
    kept = any->width;
    test =
        graph.read(any->operands[0], appendDigit(test.layout, kept, {kept, 1}));
  }
  if (!test || test.node->op != Kind::Equal)
    return nullptr;
  for (unsigned k : {0, 1}) {
    Term choice = graph.getOperand(test, k);
    Term number = graph.getOperand(test, 1 - k);
    int64_t groups = choice && number ? countExperts(choice) : 0;
    if (groups == 0 || experts % groups != 0 || choice.node->width != kept)
      continue;
    bool isOfRow =
        choice.layout == Layout({{rows, kept}, {experts, 0}, {kept, 1}});
    Layout counted({{rows, 0}, {groups, 1}, {experts / groups, 0}, {kept, 0}});
    if (isOfRow && getNumbering(number) == counted)
      return choice.node;
  }
  return nullptr;
}

/// The score of groups of `shown` that these are.
static std::optional<GroupScore>
readGroupScore(const Term &scores, const Term &shown, int64_t size) {
  const Node *node = getWhole(scores);
  if (!node)
    return std::nullopt;
  auto isBest = [&](const Node *route, int64_t count) {
    return route && isPlain(route) && route->width == count &&
           route->extents[0] == size && route->operands[0] == shown;
  };
  if (node->op == Kind::ReduceSum && node->width == 2 &&
      isBest(getWhole(node->operands[0]), 2))
    return GroupScore::BestTwo;
  bool isLargest = node->op == Kind::ReduceMax && node->width == size &&
                   node->operands[0] == shown;
  if (isLargest || isBest(node, 1))
    return GroupScore::Best;
  return std::nullopt;
}

/// Reads scores [rows, experts] of which those of groups are hidden.
static std::optional<Groups> readGroups(Graph &graph, const Term &scores,
                                        int64_t experts) {
  const Node *node = getWhole(scores);
  if (!node || node->op != Kind::Select)
    return std::nullopt;
  Groups groups;
  std::optional<double> first = getSplat(node->operands[1]);
  std::optional<double> fill = first ? first : getSplat(node->operands[2]);
  groups.shown = node->operands[first ? 2 : 1];
  if (fill == 0.0)
    groups.hidden = HiddenGroups::Zero;
  else if (fill != -std::numeric_limits<double>::infinity())
    return std::nullopt;
  Condition condition{node->operands[0], first.has_value()};
  for (Condition inner = condition; inner.term;
       inner = stripTest(graph, condition))
    condition = inner;
  const Node *choice = condition.isNegated
                           ? nullptr
                           : readChosenGroups(graph, condition, experts);
  const Node *route = choice ? choice->operands[0].node : nullptr;
  if (!route || !isPlain(route))
    return std::nullopt;
  groups.count = route->extents[0];
  groups.kept = route->width;
  std::optional<GroupScore> score =
      readGroupScore(route->operands[0], groups.shown, experts / groups.count);
  if (!score)
    return std::nullopt;
  groups.score = *score;
  return groups;
}

//===----------------------------------------------------------------------===//
// Scores and weights
//===----------------------------------------------------------------------===//

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
  void readScore();
  Term readTaken(const Term &term) const;
  bool isValue(const Term &term);
  std::optional<RouterWeight> readWeight(const Term &term);
  bool readDivisor(const Term &divisor, const Term &weight);
  bool isSumOf(const Term &sum, const Term &weight) const;
  bool readFactors(const Product &product);

  Graph &graph;
  const Node *choice, *plain;
  int64_t experts, chosen;
  /// The scores without a correction, and what they are a function of.
  Term scores, logits, correction, scale;
  double logitScale = 1;
  Groups groups;
  /// True where weights are what is chosen by.
  bool isOfChosen = false;
  RouterScore score = RouterScore::Logit;
  RouterWeight weight = RouterWeight::Score;
  WeightSum sum = WeightSum::One;
  double eps = 0;
};
} // namespace

/// Returns the value that `node` is the root of the softplus of, or a null
/// term.
static Term readRootOfSoftplus(const Node *node) {
  if (node->op != Kind::Power || node->value != 0.5)
    return {};
  const Node *inner = getWhole(node->operands[0]);
  if (!inner || inner->op != Kind::Activation ||
      cast<block::ActivationAttr>(inner->form).getValue() !=
          block::Activation::Softplus)
    return {};
  return inner->operands[0];
}

/// Scores that are rounded to 16 bits may be equal where logits are not: those
/// stay in front of the route.
void RouteReader::readScore() {
  scores = plain->operands[0];
  if (std::optional<Groups> found = readGroups(graph, scores, experts)) {
    groups = *found;
    scores = groups.shown;
  }
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
  } else if (Term inner = readRootOfSoftplus(node)) {
    score = RouterScore::RootSoftplus;
    logits = inner;
  } else {
    return;
  }
  // A factor of logits themselves is one of their weights.
  for (unsigned k : {0, 1}) {
    std::optional<double> factor = logits.node->op == Kind::Mul
                                       ? getSplat(logits.node->operands[k])
                                       : std::nullopt;
    if (!factor)
      continue;
    logitScale = *factor;
    logits = graph.getOperand(logits, 1 - k);
    return;
  }
}

/// The elements of a vector of weights that the chosen experts have.
Term RouteReader::readTaken(const Term &given) const {
  const Node *node = getWhole(stripRounding(graph, given));
  if (!node || node->op != Kind::Gather || node->width != 1)
    return {};
  const Term &vector = node->operands[0];
  bool isOfExperts =
      vector.node->source != Source::Data && vector.getSize() == experts;
  return isOfExperts && getWhole(stripWrap(graph, node->operands[1])) == choice
             ? vector
             : Term();
}

/// True for the scores of the chosen experts.
bool RouteReader::isValue(const Term &given) {
  Term term = stripRounding(graph, given);
  const Node *node = getWhole(term);
  if (!node)
    return false;
  if (isTwin(node, plain)) {
    isOfChosen = true;
    return !correction;
  }
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
  // The choice is by the operand of that function.
  score = RouterScore::Logit;
  logits = scores;
  logitScale = 1;
  return isSoftmax ? RouterWeight::Softmax : RouterWeight::Sigmoid;
}

bool RouteReader::isSumOf(const Term &sum, const Term &weight) const {
  int64_t rows = plain->size / chosen;
  if (chosen == 1)
    return stripRounding(graph, sum) == stripRounding(graph, weight);
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

/// Reads the factors of the weights: their function, what they are divided by,
/// and the scales of experts.
bool RouteReader::readFactors(const Product &product) {
  Term value, divisor;
  for (const Factor &factor : product.factors) {
    Term taken = factor.exponent == 1 ? readTaken(factor.term) : Term();
    Term &place = taken ? scale : factor.exponent == 1 ? value : divisor;
    if (place || (factor.exponent != 1 && factor.exponent != -1))
      return false;
    place = taken ? taken : factor.term;
  }
  // The weight of one expert, divided by itself.
  if (chosen == 1 && !value && !divisor) {
    if (score == RouterScore::Logit)
      weight = RouterWeight::Softmax;
    else
      sum = WeightSum::Added;
    return true;
  }
  std::optional<RouterWeight> found = value ? readWeight(value) : std::nullopt;
  if (!found || (divisor && !readDivisor(divisor, value)))
    return false;
  weight = *found;
  return true;
}

Term RouteReader::read(const Term &shares) {
  if (!isPlain(plain))
    return {};
  readScore();
  Product product = getProduct(graph, shares);
  if (!readFactors(product))
    return {};
  // A hidden 0 that is chosen has a weight of 0, as a kept score of 0 has.
  if (isOfChosen && groups.hidden == HiddenGroups::Zero) {
    if (score == RouterScore::Logit)
      return {};
    groups.hidden = HiddenGroups::Never;
  }
  if (groups.kept * (experts / groups.count) < chosen)
    return {};
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
  if (shares.node->op == Kind::Round || shares.node->isRecognised())
    route.type = shares.node->type;
  route.form = block::RoutingAttr::get(
      graph.context, chosen, score, weight, sum, number(eps, 0), groups.count,
      groups.kept, groups.score, groups.hidden, number(logitScale, 1),
      number(product.coefficient, 1));
  if (correction)
    route.addRole("correction", correction);
  if (scale)
    route.addRole("expert_scale", scale);
  return graph.make(route);
}

void parablock::raise::foldRoute(Graph &graph, Term &choice, Term &shares) {
  const Node *given = getWhole(choice);
  if (!given || given->op != Kind::Choice)
    return;
  Term route = RouteReader(graph, given).read(shares);
  // One op gives the weights, of their type, and the choice.
  if (const Node *own = getWhole(shares);
      !route && own && isTwin(own, given->operands[0].node))
    route = shares;
  if (!route)
    return;
  Node folded = *given;
  folded.operands = {route};
  choice = graph.make(folded);
  shares = route;
}

static void missPart(Graph &graph, const Node *node) {
  auto miss = [&](const Term &choice, StringRef what, StringRef found) {
    int64_t experts = choice ? countExperts(choice) : 0;
    if (experts > 1)
      graph.miss(
          "experts", Reason::UnknownChoice,
          "a choice among " + Twine(experts) + " columns " + what +
              ", and what follows is recognised as neither experts nor " +
              found,
          choice);
  };
  if (node->op == Kind::Equal)
    for (unsigned k : {0, 1})
      if (node->operands[1 - k].node->source == Source::Constant)
        miss(node->operands[k], "is compared with numbers",
             "groups of a router");
  if (node->op == Kind::Gather && node->width > 1 &&
      node->operands[0].node->source != Source::Data)
    miss(stripWrap(graph, node->operands[1]), "reads rows of weights",
         "an embedding");
}

void parablock::raise::missExperts(Graph &graph, ArrayRef<Term> results,
                                   ArrayRef<Term> otherRoots) {
  SmallVector<Term> roots(results);
  roots.append(otherRoots.begin(), otherRoots.end());
  Users users(roots);
  for (const Node *node : graph.getNodes()) {
    if (!users.isLive(node))
      continue;
    if (const Home *home = graph.getHome(node))
      graph.location = home->value.getLoc();
    missPart(graph, node);
  }
}
