//===- Fold.cpp - elementwise nodes that need not be made -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// MLIR's folders preserve floating-point results; these rules are those of real
// numbers, on terms instead of ops: a sign is moved out of an error function, a
// logarithm of a sum becomes a quotient. Folders of arith or math must not do
// so.
//

#include "Algebra.h"
#include "Contraction.h"
#include "Recognise.h"
#include <cmath>

using namespace llvm;
using namespace parablock::raise;

/// A number times a number times a value.
static Term joinFactors(Graph &graph, ArrayRef<Term> operands) {
  for (unsigned k : {0, 1}) {
    std::optional<double> outer = getSplat(operands[k]);
    const Term &product = operands[1 - k];
    if (!outer || product.node->op != Kind::Mul)
      continue;
    for (unsigned j : {0, 1}) {
      std::optional<double> inner = getSplat(product.node->operands[j]);
      if (inner && std::isfinite(*outer * *inner))
        return graph.scale(graph.getOperand(product, 1 - j), *outer * *inner);
    }
  }
  return {};
}

/// `exp(a - log(sum of exponentials))` as a quotient; the sum is positive.
static Term splitLogarithm(Graph &graph, const Term &exponent) {
  if (exponent.node->op != Kind::Add)
    return {};
  Sum sum = getSum(graph, exponent);
  int at = sum.find([&](const Addend &addend) {
    if (addend.term.node->op != Kind::Log || addend.coefficient != -1)
      return false;
    const Node *inner = addend.term.node->operands[0].node;
    return inner->op == Kind::ReduceSum &&
           inner->operands[0].node->op == Kind::Exp;
  });
  if (at < 0)
    return {};
  Term divisor = graph.getOperand(sum.addends[at].term, 0);
  Term above = build(graph, sum.without(at), exponent.getSize());
  return graph.multiply(graph.elementwise(Kind::Exp, {above}),
                        graph.power(divisor, -1));
}

/// `a < b ? b : a` and `a < b ? a : b`.
static Term selectLarger(Graph &graph, ArrayRef<Term> operands) {
  Kind test = operands[0].node->op;
  if (test != Kind::Less && test != Kind::LessEqual)
    return {};
  Term a = graph.getOperand(operands[0], 0);
  Term b = graph.getOperand(operands[0], 1);
  if (operands[1] == b && operands[2] == a)
    return graph.elementwise(Kind::Max, {a, b});
  if (operands[1] == a && operands[2] == b)
    return graph.elementwise(Kind::Min, {a, b});
  return {};
}

/// Returns how many numbers from 0 on elements may be; 0 if unknown: numbers of
/// chosen experts, positions in an order, and their quotients.
static int64_t countNumbers(const Term &term) {
  const Node *node = term.node;
  if (node->op == Kind::Order)
    return node->size;
  if (node->op != Kind::DivInt)
    return countExperts(term);
  std::optional<double> by = getSplat(node->operands[1]);
  int64_t count = by && *by >= 1 ? countNumbers(node->operands[0]) : 0;
  return count == 0 ? 0 : (count - 1) / static_cast<int64_t>(*by) + 1;
}

/// The larger or the smaller one of a chosen number and a bound of all.
static Term boundChoice(Kind op, ArrayRef<Term> operands) {
  for (unsigned k : {0, 1}) {
    std::optional<double> bound = getSplat(operands[1 - k]);
    int64_t count = bound ? countNumbers(operands[k]) : 0;
    if (count > 0 && (op == Kind::Max ? *bound <= 0 : *bound >= count - 1))
      return operands[k];
  }
  return {};
}

/// A comparison of the number of a chosen expert, which is one of 0 to the last
/// expert's, or of a position in an order, with a number.
static Term compareChoice(Graph &graph, Kind op, ArrayRef<Term> operands) {
  for (unsigned k : {0, 1}) {
    int64_t count = countNumbers(operands[k]);
    std::optional<double> bound = getSplat(operands[1 - k]);
    if (count == 0 || !bound)
      continue;
    double last = static_cast<double>(count - 1);
    bool isOrder = op == Kind::Less || op == Kind::LessEqual;
    if (!isOrder && last > 0)
      continue;
    auto compare = [&](double number) {
      double sides[] = {number, *bound};
      return apply(op, {sides[k], sides[1 - k]}, 0);
    };
    if (compare(0) == compare(last))
      return graph.splat(compare(0), operands[k].getSize());
  }
  return {};
}

/// Simplifies `and` and `or` of a number: true is neutral for `and`, false for
/// `or`.
static Term simplifyLogic(Kind op, ArrayRef<Term> operands) {
  double neutral = op == Kind::And;
  for (unsigned k : {0, 1}) {
    std::optional<double> number = getSplat(operands[k]);
    if (number == neutral)
      return operands[1 - k];
    if (number == 1 - neutral)
      return operands[k];
  }
  return {};
}

/// Simplifies a power of an absolute value or of another power.
static Term simplifyPower(Graph &graph, const Term &base, double exponent) {
  if (exponent == 1)
    return base;
  // Even powers have no sign.
  if (base.node->op == Kind::Abs && std::fmod(exponent, 2) == 0)
    return graph.power(graph.getOperand(base, 0), exponent);
  // An integer power of a power; the other way round, signs would be lost.
  if (base.node->op == Kind::Power && exponent == std::floor(exponent)) {
    double inner = base.node->value;
    if (Term own = graph.getOperand(base, 0))
      return graph.power(own, inner * exponent);
  }
  return {};
}

/// Moves the sign of its operand out of an odd function.
static Term moveSign(Graph &graph, Kind op, const Term &operand) {
  Product product = getProduct(graph, operand);
  if (product.coefficient >= 0)
    return {};
  product.coefficient = -product.coefficient;
  Term positive = build(graph, product, operand.getSize());
  return graph.scale(graph.elementwise(op, {positive}), -1);
}

Term parablock::raise::simplify(Graph &graph, Kind op, ArrayRef<Term> operands,
                                double value) {
  int64_t size = operands.front().getSize();
  SmallVector<double> numbers;
  for (const Term &operand : operands)
    if (std::optional<double> number = getSplat(operand))
      numbers.push_back(*number);
  if (numbers.size() == operands.size())
    return graph.splat(apply(op, numbers, value), size);
  auto isNumber = [&](unsigned k, double number) {
    return getSplat(operands[k]) == number;
  };
  double lowest = -std::numeric_limits<double>::infinity();
  switch (op) {
  case Kind::Add:
  case Kind::Mul:
  case Kind::Max: {
    double neutral = op == Kind::Add ? 0 : op == Kind::Mul ? 1 : lowest;
    if (isNumber(0, neutral))
      return operands[1];
    if (isNumber(1, neutral))
      return operands[0];
    if (op == Kind::Mul)
      return joinFactors(graph, operands);
    return op == Kind::Max ? boundChoice(op, operands) : Term();
  }
  case Kind::Min:
    return boundChoice(op, operands);
  case Kind::Less:
  case Kind::LessEqual:
  case Kind::Equal:
  case Kind::NotEqual:
    return compareChoice(graph, op, operands);
  case Kind::Exp:
    return splitLogarithm(graph, operands[0]);
  case Kind::And:
  case Kind::Or:
    return simplifyLogic(op, operands);
  case Kind::Select:
    if (std::optional<double> condition = getSplat(operands[0]))
      return operands[*condition != 0 ? 1 : 2];
    if (operands[1] == operands[2])
      return operands[1];
    return selectLarger(graph, operands);
  case Kind::Erf:
  case Kind::Tanh:
    return moveSign(graph, op, operands[0]);
  case Kind::Power:
    return simplifyPower(graph, operands[0], value);
  default:
    return {};
  }
}
