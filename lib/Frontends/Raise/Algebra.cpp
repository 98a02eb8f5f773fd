//===- Algebra.cpp - sums and products in normal form ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"

#include "llvm/ADT/STLExtras.h"
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
  // Constants are what they are rounded to.
  while (term.node->op == Kind::Round && term.node->source != Source::Constant)
    term = graph.getOperand(term, 0);
  return term;
}

static void collect(Graph &graph, const Term &given, double exponent,
                    const Node *atom, Product &product) {
  Term term = stripRounding(graph, given);
  if (std::optional<double> number = getSplat(term)) {
    product.coefficient *= std::pow(*number, exponent);
    return;
  }
  bool isWhole = exponent == std::floor(exponent) && term.node != atom;
  if (term.node->op == Kind::Mul && isWhole) {
    Term a = graph.getOperand(term, 0), b = graph.getOperand(term, 1);
    if (a && b) {
      collect(graph, a, exponent, atom, product);
      collect(graph, b, exponent, atom, product);
      return;
    }
  }
  if (term.node->op == Kind::Power && isWhole)
    if (Term base = graph.getOperand(term, 0)) {
      collect(graph, base, exponent * term.node->value, atom, product);
      return;
    }
  for (Factor &factor : product.factors)
    if (factor.term == term) {
      factor.exponent += exponent;
      return;
    }
  product.factors.push_back({term, exponent});
}

Product parablock::raise::getProduct(Graph &graph, const Term &term,
                                     const Node *atom) {
  Product product;
  collect(graph, term, 1, atom, product);
  llvm::erase_if(product.factors,
                 [](const Factor &factor) { return factor.exponent == 0; });
  return product;
}

static Term findRounded(Graph &graph, const Term &product, const Term &factor) {
  Term inner = stripRounding(graph, product);
  if (inner == factor)
    return product;
  if (inner.node->op == Kind::Mul)
    for (unsigned k : {0, 1})
      if (Term operand = graph.getOperand(inner, k))
        if (Term found = findRounded(graph, operand, factor))
          return found;
  return {};
}

Term parablock::raise::restoreRounding(Graph &graph, const Term &product,
                                       const Term &factor) {
  Term found = findRounded(graph, product, factor);
  return found ? found : factor;
}

static void collect(Graph &graph, const Term &given, double coefficient,
                    function_ref<bool(const Node *)> opens, bool isTop,
                    Sum &sum) {
  // What others read as it was rounded is one addend.
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
    if (a && b) {
      collect(graph, a, coefficient, opens, false, sum);
      collect(graph, b, coefficient, opens, false, sum);
      return;
    }
  }
  if (term.node->op == Kind::Mul)
    for (unsigned k : {0, 1})
      if (std::optional<double> number = getSplat(term.node->operands[k]))
        if (Term other = graph.getOperand(term, 1 - k)) {
          collect(graph, other, coefficient * *number, opens, isTop, sum);
          return;
        }
  for (Addend &addend : sum.addends)
    if (addend.term == term) {
      addend.coefficient += coefficient;
      return;
    }
  sum.addends.push_back({term, coefficient});
}

Sum parablock::raise::getSum(Graph &graph, const Term &term,
                             function_ref<bool(const Node *)> opens) {
  Sum sum;
  collect(graph, term, 1, opens, true, sum);
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
