//===- Contraction.cpp - joins nested sums of products --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "Algebra.h"

using namespace llvm;
using namespace parablock::raise;

int64_t parablock::raise::countExperts(const Term &choice) {
  const Node *node = choice.node;
  // Elements of a choice, in another order.
  while (node->op == Kind::Gather && node->width == 1)
    node = node->operands[0].node;
  return node->op == Kind::Choice ? node->operands[0].node->extents[0] : 0;
}

Layout parablock::raise::appendDigit(const Layout &layout, int64_t scale,
                                     Digit last) {
  SmallVector<Digit> digits;
  for (Digit digit : layout.getDigits())
    digits.push_back({digit.extent, digit.stride * scale});
  digits.push_back(last);
  return Layout(digits, layout.getOffset() * scale);
}

bool parablock::raise::leadsTo(const Node *sum,
                               function_ref<bool(const Node *)> has) {
  SmallVector<const Node *> work = {sum->operands[0].node};
  if (sum->op == Kind::Mul || sum->op == Kind::Select)
    work.push_back(sum->operands[1].node);
  DenseSet<const Node *> seen;
  constexpr size_t kMostNodes = 64;
  while (!work.empty() && seen.size() < kMostNodes) {
    const Node *node = work.pop_back_val();
    if (!seen.insert(node).second || node->source != Source::Data)
      continue;
    if (has(node))
      return true;
    bool isBiased =
        node->op == Kind::Add &&
        llvm::any_of(node->operands, [](const Term &operand) {
          const Node *bias = operand.node;
          return bias->source != Source::Data || bias->op == Kind::Gather;
        });
    bool isPair = node->op == Kind::Mul || node->op == Kind::Select || isBiased;
    bool isFollowed = node->op == Kind::Round || node->op == Kind::ReduceSum ||
                      node->op == Kind::Linear || node->op == Kind::Gather;
    unsigned followed = isPair ? 2 : isFollowed ? 1 : 0;
    for (const Term &operand : ArrayRef(node->operands).take_front(followed))
      work.push_back(operand.node);
  }
  return false;
}

bool parablock::raise::sumsWeights(const Node *node) {
  const Node *product = node->operands[0].node;
  return node->op == Kind::Linear ||
         (node->op == Kind::ReduceSum && product->op == Kind::Mul &&
          llvm::any_of(product->operands, [](const Term &term) {
            return term.node->source != Source::Data && !getSplat(term);
          }));
}

/// Returns whether a term depends on weights alone, apart from the row of a
/// table that data choose.
static bool isOfWeights(const Term &term) {
  const Node *node = term.node;
  if (node->op == Kind::Gather)
    node = node->operands[0].node;
  return node->source != Source::Data;
}

BiasedTerm parablock::raise::splitBias(Graph &graph, const Term &given) {
  Term term = stripRounding(graph, given);
  const Node *node = term.node;
  if (node->op == Kind::Linear && node->getRole("bias")) {
    std::optional<Layout> column = compose(
        term.layout, Layout({{node->size / node->width, 0}, {node->width, 1}}));
    Term bias = column ? graph.read(node->getRole("bias"), *column) : Term();
    return {bias ? term : Term(), bias};
  }
  if (node->op != Kind::Add)
    return {term, {}};
  for (unsigned k : {0, 1}) {
    Term bias = graph.getOperand(term, k);
    Term rest = stripRounding(graph, graph.getOperand(term, 1 - k));
    if (bias && rest && isOfWeights(bias) && !isOfWeights(rest))
      return {rest, bias};
  }
  return {term, {}};
}

namespace {
class Flattener {
public:
  Flattener(Graph &graph, Contraction &result) : graph(graph), result(result) {}
  bool flatten(const Term &term, function_ref<bool(const Node *)> opens);

private:
  /// A factor, and whether a sum adds it up itself.
  struct Work {
    Contraction::Factor factor;
    bool isSummand;
  };
  bool take(const Work &taken, function_ref<bool(const Node *)> opens);
  bool openSum(const Contraction::Factor &factor);
  bool openPicked(const Contraction::Factor &factor);
  void repeatAll(int64_t count);
  void push(const Term &term, bool isBiased, bool isSummand) {
    work.push_back({{term, isBiased}, isSummand});
  }

  Graph &graph;
  Contraction &result;
  SmallVector<Work, 8> work;
};
} // namespace

static bool isSum(const Node *node) {
  return node->op == Kind::ReduceSum || node->op == Kind::Linear;
}

/// Reads everything at `count` more positions each.
void Flattener::repeatAll(int64_t count) {
  auto repeat = [&](Term &term) {
    term.layout = appendDigit(term.layout, 1, {count, 0});
  };
  for (Contraction::Factor &other : result.factors)
    repeat(other.term);
  for (Work &other : work)
    repeat(other.factor.term);
  if (result.bias)
    repeat(result.bias);
  result.sums = appendDigit(result.sums, 1, {count, 0});
}

/// Puts a sum over experts, of their results where their number is chosen, in
/// the place of results that a choice picks.
bool Flattener::openPicked(const Contraction::Factor &factor) {
  const Node *node = factor.term.node;
  int64_t width = node->width, count = node->size / width;
  std::optional<Layout> row =
      compose(factor.term.layout, Layout({{count, 1}, {width, 0}}));
  std::optional<Layout> column =
      compose(factor.term.layout, Layout({{count, 0}, {width, 1}}));
  Term choice;
  Layout first = Layout::broadcast(count);
  Sum places = getSum(graph, node->operands[1]);
  for (const Addend &addend : places.addends) {
    bool isChoice = countExperts(addend.term) > 0;
    if (addend.coefficient != 1 || (isChoice && choice) ||
        (!isChoice && addend.term.node->op != Kind::Iota))
      return false;
    if (isChoice)
      choice = addend.term;
    else
      first = addend.term.layout;
  }
  std::optional<Layout> rows = row ? compose(*row, first) : std::nullopt;
  std::optional<Aligned> aligned =
      rows && column ? align({*rows, *column}) : std::nullopt;
  if (!choice || places.constant != 0 || places.addends.size() > 2 || !aligned)
    return false;
  int64_t experts = countExperts(choice);
  SmallVector<Digit> digits;
  for (unsigned d = 0; d < aligned->getNumDigits(); ++d)
    digits.push_back({aligned->extents[d],
                      aligned->strides[0][d] * width + aligned->strides[1][d]});
  digits.push_back({experts, width});
  Term result =
      graph.read(node->operands[0], Layout(digits, rows->getOffset() * width +
                                                       column->getOffset()));
  Term chosen = graph.read(choice, appendDigit(*row, 1, {experts, 0}));
  if (!result || !chosen)
    return false;
  Term number = graph.iota(Layout({{factor.term.getSize(), 0}, {experts, 1}}));
  repeatAll(experts);
  push(graph.elementwise(Kind::Equal, {chosen, number}), factor.isBiased,
       /*isSummand=*/false);
  push(result, factor.isBiased, /*isSummand=*/false);
  return true;
}

/// Puts the addends of a sum in its place: all else is repeated over them.
bool Flattener::openSum(const Contraction::Factor &factor) {
  const Node *node = factor.term.node;
  const Layout &layout = factor.term.layout;
  SmallVector<Term, 2> inner;
  int64_t depth = node->width;
  if (node->op == Kind::ReduceSum) {
    inner = {
        graph.read(node->operands[0], appendDigit(layout, depth, {depth, 1}))};
  } else {
    int64_t width = node->width, rows = node->size / width;
    depth = node->operands[1].getSize() / width;
    std::optional<Layout> row =
        compose(layout, Layout({{rows, depth}, {width, 0}}));
    std::optional<Layout> column =
        compose(layout, Layout({{rows, 0}, {width, depth}}));
    if (!row || !column)
      return false;
    inner = {
        graph.read(node->operands[0], appendDigit(*row, 1, {depth, 1})),
        graph.read(node->operands[1], appendDigit(*column, 1, {depth, 1}))};
  }
  repeatAll(depth);
  for (const Term &term : inner) {
    if (!term)
      return false;
    push(term, factor.isBiased, /*isSummand=*/node->op == Kind::ReduceSum);
  }
  return true;
}

bool Flattener::take(const Work &taken,
                     function_ref<bool(const Node *)> opens) {
  Contraction::Factor factor = taken.factor;
  Term given = factor.term;
  Term term = factor.term = stripRounding(graph, given);
  const Node *node = term.node;
  if (std::optional<double> number = getSplat(term)) {
    result.coefficient *= *number;
    return true;
  }
  auto pushOperands = [&](unsigned first) {
    for (unsigned k : {first, first + 1}) {
      Term operand = graph.getOperand(term, k);
      if (!operand)
        return false;
      push(operand, factor.isBiased, /*isSummand=*/false);
    }
    return true;
  };
  // A product that is no part of the form is one factor.
  if (node->op == Kind::Mul && node->source == Source::Data &&
      (taken.isSummand || opens(node)))
    return pushOperands(0);
  // A number where a condition holds, and else 0. Where any of several holds,
  // these are dense shares: see DenseShares.h.
  if (node->op == Kind::Select && getSplat(node->operands[2]) == 0.0 &&
      node->operands[0].node->op != Kind::ReduceOr)
    return pushOperands(0);
  if (isSum(node) && node->source == Source::Data && opens(node) &&
      !node->getRole("bias"))
    return openSum(factor);
  if (node->op == Kind::Gather &&
      node->operands[0].node->source == Source::Data && opens(node))
    return openPicked(factor);
  BiasedTerm biased = splitBias(graph, term);
  if (biased.bias && !result.bias && isSum(biased.term.node) &&
      opens(biased.term.node)) {
    result.bias = biased.bias;
    factor = {biased.term, /*isBiased=*/true};
    return openSum(factor);
  }
  // Other factors keep their roundings.
  bool isPlace = node->op == Kind::Activation || node->op == Kind::Equal ||
                 node->op == Kind::Gather;
  result.factors.push_back({isPlace ? term : given, factor.isBiased});
  return true;
}

bool Flattener::flatten(const Term &term,
                        function_ref<bool(const Node *)> opens) {
  result.sums = Layout::identity(term.getSize());
  bool isProduct = term.node->op == Kind::Mul || term.node->op == Kind::Select;
  if (isProduct)
    push(term, /*isBiased=*/false, /*isSummand=*/true);
  else if (!isSum(term.node) || !openSum({term, false}))
    return false;
  // A form has fewer; a product of shared products would have 2^n.
  constexpr size_t kMostFactors = 32;
  while (!work.empty())
    if (work.size() + result.factors.size() > kMostFactors ||
        !take(work.pop_back_val(), opens))
      return false;
  return true;
}

std::optional<Contraction>
parablock::raise::getContraction(Graph &graph, const Term &term,
                                 function_ref<bool(const Node *)> opens) {
  Contraction result;
  if (!Flattener(graph, result).flatten(term, opens))
    return std::nullopt;
  return result;
}
