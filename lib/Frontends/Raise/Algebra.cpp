//===- Algebra.cpp - collects factors and addends -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"

#include "TermMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <cmath>

using namespace llvm;
using namespace parablock::raise;

int Product::find(function_ref<bool(const Factor &)> accepts) const {
  auto found = llvm::find_if(factors, accepts);
  return found == factors.end() ? -1 : found - factors.begin();
}

Product Product::without(int index) const {
  Product rest = *this;
  rest.factors.erase(rest.factors.begin() + index);
  return rest;
}

int Sum::find(function_ref<bool(const Addend &)> accepts) const {
  auto found = llvm::find_if(addends, accepts);
  return found == addends.end() ? -1 : found - addends.begin();
}

Sum Sum::without(int index) const {
  Sum rest = *this;
  rest.addends.erase(rest.addends.begin() + index);
  return rest;
}

Term parablock::raise::stripRounding(Graph &graph, Term term) {
  // Constants equal their rounded values.
  while (term.node->op == Kind::Round && term.node->source != Source::Constant)
    term = graph.getOperand(term, 0);
  return term;
}

static void addFactor(Product &product, const Term &term, double exponent) {
  for (Factor &factor : product.factors)
    if (factor.term == term) {
      factor.exponent += exponent;
      return;
    }
  product.factors.push_back({term, exponent});
}

static void addAddend(Sum &sum, const Term &term, double coefficient) {
  for (Addend &addend : sum.addends)
    if (addend.term == term) {
      addend.coefficient += coefficient;
      return;
    }
  sum.addends.push_back({term, coefficient});
}

namespace {
/// Collects factors of nested products. Earlier factors are expanded
/// separately, once.
class ProductCollector {
public:
  ProductCollector(Graph &graph, const Node *atom) : graph(graph), atom(atom) {}

  void collect(const Term &given, double exponent, Product &product);

private:
  /// Returns the factors of `a * b`, which is `term`, to the power `exponent`.
  Product expand(const Term &term, const Term &a, const Term &b,
                 double exponent);

  Graph &graph;
  const Node *atom;
  TermSet seen;
  std::map<double, TermMap<Product>> known;
  bool isExpanding = false;
};

/// Addends of nested sums, of which each is expanded once in the same way.
class SumCollector {
public:
  SumCollector(Graph &graph, function_ref<bool(const Node *)> opens)
      : graph(graph), opens(opens) {}

  void collect(const Term &given, double coefficient, bool isTop, Sum &sum);

private:
  /// Returns the addends of `a + b`, which is `term`.
  Sum expand(const Term &term, const Term &a, const Term &b);

  Graph &graph;
  function_ref<bool(const Node *)> opens;
  TermSet seen;
  TermMap<Sum> known;
  bool isExpanding = false;
};
} // namespace

Product ProductCollector::expand(const Term &term, const Term &a, const Term &b,
                                 double exponent) {
  if (const Product *found = known[exponent].find(term))
    return *found;
  SaveAndRestore expanding(isExpanding, true);
  Product product;
  collect(a, exponent, product);
  collect(b, exponent, product);
  known[exponent].insert(term, product);
  return product;
}

void ProductCollector::collect(const Term &given, double exponent,
                               Product &product) {
  Term term = stripRounding(graph, given);
  if (std::optional<double> number = getSplat(term)) {
    product.coefficient *= std::pow(*number, exponent);
    return;
  }
  bool isWhole = exponent == std::floor(exponent) && term.node != atom;
  if (term.node->op == Kind::Mul && isWhole) {
    Term a = graph.getOperand(term, 0), b = graph.getOperand(term, 1);
    if (a && b && !isExpanding && seen.insert(term)) {
      collect(a, exponent, product);
      collect(b, exponent, product);
      return;
    }
    if (a && b) {
      Product own = expand(term, a, b, exponent);
      product.coefficient *= own.coefficient;
      for (const Factor &factor : own.factors)
        addFactor(product, factor.term, factor.exponent);
      return;
    }
  }
  if (term.node->op == Kind::Power && isWhole)
    if (Term base = graph.getOperand(term, 0)) {
      collect(base, exponent * term.node->value, product);
      return;
    }
  addFactor(product, term, exponent);
}

Product parablock::raise::getProduct(Graph &graph, const Term &term,
                                     const Node *atom) {
  Product product;
  ProductCollector(graph, atom).collect(term, 1, product);
  llvm::erase_if(product.factors,
                 [](const Factor &factor) { return factor.exponent == 0; });
  return product;
}

static Term findRounded(Graph &graph, TermSet &seen, const Term &product,
                        const Term &factor) {
  Term inner = stripRounding(graph, product);
  if (inner == factor)
    return product;
  if (inner.node->op == Kind::Mul && seen.insert(inner))
    for (unsigned k : {0, 1})
      if (Term operand = graph.getOperand(inner, k))
        if (Term found = findRounded(graph, seen, operand, factor))
          return found;
  return {};
}

Term parablock::raise::restoreRounding(Graph &graph, const Term &product,
                                       const Term &factor) {
  TermSet seen;
  Term found = findRounded(graph, seen, product, factor);
  return found ? found : factor;
}

std::optional<TwoFactors> parablock::raise::splitInTwo(Graph &graph,
                                                       const Term &term) {
  Product product = getProduct(graph, term);
  bool isOfTwo = llvm::all_of(product.factors, [](const Factor &factor) {
    return factor.exponent == 1;
  });
  if (isOfTwo && product.factors.size() == 2)
    return TwoFactors{product.coefficient,
                      restoreRounding(graph, term, product.factors[0].term),
                      restoreRounding(graph, term, product.factors[1].term)};
  TwoFactors split{1, {}, {}};
  Term whole = stripRounding(graph, term);
  while (whole && whole.node->op == Kind::Mul) {
    split.a = graph.getOperand(whole, 0);
    split.b = graph.getOperand(whole, 1);
    if (!split.a || !split.b)
      return std::nullopt;
    std::optional<double> first = getSplat(split.a), second = getSplat(split.b);
    if (!first && !second)
      return split;
    split.coefficient *= first ? *first : *second;
    whole = stripRounding(graph, first ? split.b : split.a);
  }
  return std::nullopt;
}

Sum SumCollector::expand(const Term &term, const Term &a, const Term &b) {
  if (const Sum *found = known.find(term))
    return *found;
  SaveAndRestore expanding(isExpanding, true);
  Sum sum;
  collect(a, 1, /*isTop=*/false, sum);
  collect(b, 1, /*isTop=*/false, sum);
  known.insert(term, sum);
  return sum;
}

void SumCollector::collect(const Term &given, double coefficient, bool isTop,
                           Sum &sum) {
  // A rounded value with other readers is one addend.
  Term term = given;
  while (term.node->op == Kind::Round &&
         term.node->source != Source::Constant && (isTop || opens(term.node)))
    term = graph.getOperand(term, 0);
  if (std::optional<double> number = getSplat(term)) {
    sum.constant += coefficient * *number;
    return;
  }
  if (term.node->op == Kind::Add && (isTop || opens(term.node))) {
    Term a = graph.getOperand(term, 0), b = graph.getOperand(term, 1);
    if (a && b && !isExpanding && seen.insert(term)) {
      collect(a, coefficient, /*isTop=*/false, sum);
      collect(b, coefficient, /*isTop=*/false, sum);
      return;
    }
    if (a && b) {
      Sum own = expand(term, a, b);
      sum.constant += coefficient * own.constant;
      for (const Addend &addend : own.addends)
        addAddend(sum, addend.term, coefficient * addend.coefficient);
      return;
    }
  }
  if (term.node->op == Kind::Mul)
    for (unsigned k : {0, 1})
      if (std::optional<double> number = getSplat(term.node->operands[k]))
        if (Term other = graph.getOperand(term, 1 - k)) {
          collect(other, coefficient * *number, isTop, sum);
          return;
        }
  addAddend(sum, term, coefficient);
}

Sum parablock::raise::getSum(Graph &graph, const Term &term,
                             function_ref<bool(const Node *)> opens) {
  Sum sum;
  SumCollector(graph, opens).collect(term, 1, /*isTop=*/true, sum);
  return sum;
}

Term parablock::raise::build(Graph &graph, const Product &product,
                             int64_t size) {
  Term result;
  for (const Factor &factor : product.factors) {
    Term term = graph.power(factor.term, factor.exponent);
    result = result ? graph.multiply(result, term) : term;
  }
  if (!result)
    return graph.splat(product.coefficient, size);
  return graph.scale(result, product.coefficient);
}

Term parablock::raise::build(Graph &graph, const Sum &sum, int64_t size) {
  Term result = graph.splat(sum.constant, size);
  for (const Addend &addend : sum.addends)
    result = graph.add(result, graph.scale(addend.term, addend.coefficient));
  return result;
}

bool parablock::raise::isClose(double a, double b) {
  return std::fabs(a - b) <= 2e-7 * std::max(std::fabs(a), std::fabs(b));
}

double parablock::raise::takeLimit(Graph &graph, Term &term,
                                   bool isOfBothSigns) {
  Term bounded = stripRounding(graph, term);
  const Node *node = bounded.node;
  if (isOfBothSigns && node->op == Kind::Clamp) {
    term = graph.getOperand(bounded, 0);
    return node->value;
  }
  for (unsigned k : {0, 1}) {
    std::optional<double> most = !isOfBothSigns && node->op == Kind::Min
                                     ? getSplat(node->operands[k])
                                     : std::nullopt;
    if (!most || *most <= 0)
      continue;
    term = graph.getOperand(bounded, 1 - k);
    return *most;
  }
  return 0;
}

double parablock::raise::takeOffset(Graph &graph, Term &term) {
  Term sum = stripRounding(graph, term);
  for (unsigned k : {0, 1}) {
    std::optional<double> number = sum.node->op == Kind::Add
                                       ? getSplat(sum.node->operands[k])
                                       : std::nullopt;
    if (!number)
      continue;
    term = graph.getOperand(sum, 1 - k);
    return *number;
  }
  return 0;
}
