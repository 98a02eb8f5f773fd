//===- MatchActivation.cpp - matches activations by form or numbers -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "NearActivation.h"
#include "Recognise.h"
#include "TermMap.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"
#include <array>
#include <cmath>

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;
using block::Activation;

/// Coefficients of 1, x, x^2, x^3.
using Cubic = std::array<double, 4>;

/// Returns the product of two polynomials; none for a higher degree.
static std::optional<Cubic> multiply(const Cubic &a, const Cubic &b) {
  Cubic c = {0, 0, 0, 0};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      if (i + j < 4)
        c[i + j] += a[i] * b[j];
      else if (a[i] * b[j] != 0)
        return std::nullopt;
    }
  return c;
}

namespace {
/// Terms as polynomials in `x` of degree three at most, each found once.
class PolynomialFinder {
public:
  PolynomialFinder(Graph &graph, const Term &x) : graph(graph), x(x) {}

  std::optional<Cubic> find(const Term &given) {
    Term term = stripRounding(graph, given);
    if (const std::optional<Cubic> *found = known.find(term))
      return *found;
    std::optional<Cubic> polynomial = compute(term);
    known.insert(term, polynomial);
    return polynomial;
  }

private:
  std::optional<Cubic> compute(const Term &term);

  Graph &graph;
  const Term &x;
  TermMap<std::optional<Cubic>> known;
};
} // namespace

std::optional<Cubic> PolynomialFinder::compute(const Term &term) {
  if (term == x)
    return Cubic{0, 1, 0, 0};
  if (std::optional<double> number = getSplat(term))
    return Cubic{*number, 0, 0, 0};
  Kind op = term.node->op;
  if (op == Kind::Add || op == Kind::Mul) {
    std::optional<Cubic> a = find(graph.getOperand(term, 0));
    std::optional<Cubic> b = a ? find(graph.getOperand(term, 1)) : std::nullopt;
    if (!b)
      return std::nullopt;
    if (op == Kind::Mul)
      return multiply(*a, *b);
    for (int i = 0; i < 4; ++i)
      (*a)[i] += (*b)[i];
    return a;
  }
  double exponent = term.node->value;
  if (op != Kind::Power || (exponent != 2 && exponent != 3))
    return std::nullopt;
  std::optional<Cubic> base = find(graph.getOperand(term, 0));
  std::optional<Cubic> result = base ? multiply(*base, *base) : base;
  if (result && exponent == 3)
    result = multiply(*result, *base);
  return result;
}

/// `term` as a polynomial in `x` of degree three at most.
static std::optional<Cubic> getPolynomial(Graph &graph, const Term &term,
                                          const Term &x) {
  return PolynomialFinder(graph, x).find(term);
}

/// Returns the error of constants, relative to `term`, that 16-bit arithmetic
/// between `x` and `term` causes.
static double getRounding(const Term &term, const Term &x) {
  double most = 0;
  SetVector<const Node *> seen;
  seen.insert(term.node);
  for (size_t i = 0; i < seen.size(); ++i) {
    const Node *node = seen[i];
    if (node == x.node)
      continue;
    if (mlir::Type type = node->type)
      most = std::max(most, type.isBF16() ? 0x1p-8 : 0x1p-11);
    for (const Term &operand : node->operands)
      if (operand.node->source == Source::Data)
        seen.insert(operand.node);
  }
  return most;
}

/// True where `term` is `linear x + cubic x^3`.
static bool isOddPolynomial(Graph &graph, const Term &term, const Term &x,
                            double linear, double cubic) {
  std::optional<Cubic> p = getPolynomial(graph, term, x);
  if (!p || (*p)[0] != 0 || (*p)[2] != 0)
    return false;
  double rounding = getRounding(term, x);
  auto isNear = [&](double given, double number) {
    return isClose(given, number) ||
           std::fabs(given - number) <= rounding * std::fabs(number);
  };
  return isNear((*p)[1], linear) && isNear((*p)[3], cubic);
}

static Term makeActivation(Graph &graph, const Term &x, Activation kind) {
  Node node;
  node.op = Kind::Activation;
  node.size = x.getSize();
  node.operands = {x};
  node.form = block::ActivationAttr::get(graph.context, kind);
  return graph.make(node);
}

namespace {
/// An activation as `x` times a function of an odd polynomial in `x`.
struct Form {
  Kind function;
  Activation kind;
  double linear, cubic;
};
} // namespace

/// Returns the forms of `function`: the error function and the tangent are
/// incremented by 1, and the sum halved.
static SmallVector<Form> getForms(Kind function) {
  double root = std::sqrt(2 / M_PI), cubic = root * 0.044715;
  const Form forms[] = {
      {Kind::Sigmoid, Activation::Silu, 1, 0},
      {Kind::Sigmoid, Activation::QuickGelu, 1.702, 0},
      // The logistic function of 2 y is (1 + tanh(y)) / 2.
      {Kind::Sigmoid, Activation::GeluTanh, 2 * root, 2 * cubic},
      {Kind::Erf, Activation::GeluErf, M_SQRT1_2, 0},
      {Kind::Tanh, Activation::GeluTanh, root, cubic},
      {Kind::Tanh, Activation::Silu, 0.5, 0}};
  SmallVector<Form> own;
  for (const Form &form : forms)
    if (form.function == function)
      own.push_back(form);
  return own;
}

static std::string describe(double linear, double cubic) {
  std::string text = formatv("{0:f6} x", linear);
  return cubic == 0 ? text : formatv("{0} + {1:f6} x^3", text, cubic).str();
}

/// The form that `function` has in `x`.
static std::optional<Activation> matchForm(Graph &graph, const Term &function,
                                           const Term &x) {
  Term inner = graph.getOperand(function, 0);
  SmallVector<Form> forms = getForms(function.node->op);
  for (const Form &form : forms)
    if (isOddPolynomial(graph, inner, x, form.linear, form.cubic))
      return form.kind;
  if (!graph.explanations.isListening())
    return std::nullopt;
  std::optional<Cubic> own = getPolynomial(graph, inner, x);
  if (!own || ((*own)[1] == 0 && (*own)[3] == 0))
    return std::nullopt;
  graph.found("a value times a function of it");
  std::string wanted;
  for (const Form &form : forms)
    wanted += (Twine(wanted.empty() ? "" : " or ") +
               describe(form.linear, form.cubic) + " for " +
               block::stringifyActivation(form.kind))
                  .str();
  return graph.wanted("the function of " + wanted + ", not of " +
                          describe((*own)[1], (*own)[3]),
                      function);
}

/// The activation that `x` times `factor` is, `coefficient` times.
static std::optional<Activation> matchFactor(Graph &graph, const Term &factor,
                                             const Term &x,
                                             double &coefficient) {
  coefficient = 1;
  if (factor.node->op == Kind::Sigmoid)
    return matchForm(graph, factor, x);
  if (factor.node->op == Kind::Activation &&
      getActivation(factor) == Activation::Relu &&
      graph.getOperand(factor, 0) == x)
    return Activation::ReluSquared;
  // c (1 + f(x)), of which c = 1/2 is the activation.
  Sum sum = getSum(graph, factor);
  if (sum.addends.size() != 1 ||
      !isClose(sum.constant, sum.addends[0].coefficient))
    return std::nullopt;
  coefficient = 2 * sum.constant;
  Term function = sum.addends[0].term;
  if (function.node->op != Kind::Erf && function.node->op != Kind::Tanh)
    return std::nullopt;
  return matchForm(graph, function, x);
}

/// Returns `activation` times the remaining factors.
static Term multiplyRest(Graph &graph, const Term &activation, Product rest) {
  if (isClose(rest.coefficient, 1))
    rest.coefficient = 1;
  if (rest.factors.empty())
    return graph.scale(activation, rest.coefficient);
  return graph.multiply(activation, build(graph, rest, activation.getSize()));
}

/// Returns the activation of `x` that equals `node` up to a factor, by its
/// numbers.
static Term matchByNumbers(Graph &graph, const Node *node, const Term &x) {
  Product whole;
  whole.factors.push_back({{node, Layout::identity(node->size)}, 1});
  ElementFunction function(graph, x);
  double factor = 1;
  if (!function.add(whole))
    return {};
  if (auto kind = findActivation(function, factor))
    return graph.scale(makeActivation(graph, x, *kind), factor);
  return {};
}

/// Matches a value times functions of it that have no other form here.
static Term matchProductByNumbers(Graph &graph, const Product &product) {
  for (const Factor &x : product.factors) {
    if (x.exponent != 1 || x.term.node->source != Source::Data)
      continue;
    Product own, rest;
    own.coefficient = product.coefficient;
    for (const Factor &factor : product.factors) {
      ElementFunction alone(graph, x.term);
      (alone.add({1, {factor}}) ? own : rest).factors.push_back(factor);
    }
    if (own.factors.size() < 2)
      continue;
    ElementFunction function(graph, x.term);
    function.add(own);
    if (auto kind = findActivation(function, rest.coefficient))
      return multiplyRest(graph, makeActivation(graph, x.term, *kind), rest);
  }
  return {};
}

/// Matches a sum: every addend has the value as a factor.
static Term matchSumByNumbers(Graph &graph, const Sum &sum) {
  if (sum.constant != 0 || sum.addends.size() < 2)
    return {};
  SmallVector<Product, 0> products =
      map_to_vector<0>(sum.addends, [&](const Addend &addend) {
        return getProduct(graph, addend.term);
      });
  for (const Factor &x : products.front().factors) {
    if (x.exponent != 1 || x.term.node->source != Source::Data)
      continue;
    ElementFunction function(graph, x.term);
    bool isFunction =
        llvm::all_of(llvm::zip(products, sum.addends), [&](const auto &addend) {
          auto &[product, given] = addend;
          return product.find([&](const Factor &factor) {
            return factor.term == x.term && factor.exponent >= 1;
          }) >= 0 &&
                 function.add(product, given.coefficient);
        });
    double factor = 1;
    if (!isFunction)
      continue;
    if (auto kind = findActivation(function, factor))
      return graph.scale(makeActivation(graph, x.term, *kind), factor);
  }
  return {};
}

static Term matchProduct(Graph &graph, const Node *node) {
  Term root{node, Layout::identity(node->size)};
  Product product = getProduct(graph, root);
  // Six times a rounded sixth of one.
  if (product.factors.size() == 1 && product.factors[0].exponent == 1 &&
      product.factors[0].term.node->op == Kind::Activation &&
      isClose(product.coefficient, 1))
    return product.factors[0].term;
  for (auto [at, factor] : llvm::enumerate(product.factors)) {
    // max(x, 0)^2
    if (factor.exponent == 2 && factor.term.node->op == Kind::Activation &&
        getActivation(factor.term) == Activation::Relu)
      return multiplyRest(graph,
                          makeActivation(graph,
                                         graph.getOperand(factor.term, 0),
                                         Activation::ReluSquared),
                          product.without(at));
    if (factor.exponent != 1)
      continue;
    for (auto [other, x] : llvm::enumerate(product.factors)) {
      if (other == at || x.exponent != 1)
        continue;
      double coefficient;
      std::optional<Activation> kind =
          matchFactor(graph, factor.term, x.term, coefficient);
      if (!kind)
        continue;
      Product rest =
          product.without(std::max(at, other)).without(std::min(at, other));
      rest.coefficient *= coefficient;
      return multiplyRest(graph, makeActivation(graph, x.term, *kind), rest);
    }
  }
  if (Term activation = matchProductByNumbers(graph, product))
    return activation;
  return graph.wanted("a value times a function of it that is an activation's");
}

/// `a x + a x f(x)` as `a x (1 + f(x))`, where that is an activation.
static Term matchSum(Graph &graph, const Node *node) {
  Sum sum = getSum(graph, {node, Layout::identity(node->size)});
  bool isPair = sum.constant == 0 && sum.addends.size() == 2;
  for (unsigned k : {0, 1}) {
    if (!isPair)
      break;
    const Addend &plain = sum.addends[k], &other = sum.addends[1 - k];
    Product product = getProduct(graph, other.term);
    int function = product.find([](const Factor &factor) {
      return factor.term.node->op == Kind::Erf ||
             factor.term.node->op == Kind::Tanh;
    });
    if (function < 0 || product.factors.size() != 2 ||
        !isClose(product.coefficient * other.coefficient, plain.coefficient))
      continue;
    const Factor &f = product.factors[function];
    const Factor &x = product.factors[1 - function];
    if (f.exponent != 1 || x.exponent != 1 || !(x.term == plain.term))
      continue;
    double coefficient;
    Term factor = graph.add(graph.splat(1, node->size), f.term);
    if (std::optional<Activation> kind =
            matchFactor(graph, factor, x.term, coefficient))
      return graph.scale(makeActivation(graph, x.term, *kind),
                         2 * plain.coefficient);
  }
  if (Term activation = matchSumByNumbers(graph, sum))
    return activation;
  // max(x, 0) + log(1 + exp(-|x|)).
  for (const Addend &addend : sum.addends) {
    Term part = stripRounding(graph, addend.term);
    if (isPair && part.node->op == Kind::Activation &&
        getActivation(part) == Activation::Relu)
      if (Term activation =
              matchByNumbers(graph, node, graph.getOperand(part, 0)))
        return activation;
  }
  return graph.wanted("a sum of functions of one value that is an activation");
}

/// 1 / (1 + exp(-x)).
static Term matchSigmoid(Graph &graph, const Node *node) {
  Sum sum = getSum(graph, node->operands[0]);
  if (node->value != -1 || sum.constant != 1 || sum.addends.size() != 1 ||
      sum.addends[0].coefficient != 1 ||
      sum.addends[0].term.node->op != Kind::Exp)
    return graph.wanted("1 / (1 + exp(-x))");
  Term inner = graph.getOperand(sum.addends[0].term, 0);
  return graph.elementwise(Kind::Sigmoid, {graph.scale(inner, -1)});
}

/// log(1 + exp(x)).
static Term matchSoftplus(Graph &graph, const Node *node) {
  Term whole{node, Layout::identity(node->size)};
  Sum sum = getSum(graph, stripRounding(graph, graph.getOperand(whole, 0)));
  if (sum.constant != 1 || sum.addends.size() != 1)
    return graph.wanted("log(1 + exp(x))");
  Term power = stripRounding(graph, sum.addends[0].term);
  if (power.node->op != Kind::Exp)
    return graph.wanted("log(1 + exp(x))");
  return matchByNumbers(graph, node, graph.getOperand(power, 0));
}

/// A choice between functions of one value, each for a part of the numbers.
static Term matchChoice(Graph &graph, const Node *node) {
  Term whole{node, Layout::identity(node->size)};
  Term condition = stripRounding(graph, graph.getOperand(whole, 0));
  for (unsigned k = 0; k < condition.node->operands.size(); ++k)
    if (condition.node->isElementwise() &&
        !getSplat(condition.node->operands[k]))
      if (Term found =
              matchByNumbers(graph, node, graph.getOperand(condition, k)))
        return found;
  return {};
}

/// Returns a function that keeps positive values, and multiplies others by a
/// factor.
static Term makeRelu(Graph &graph, const Term &x, double slope) {
  if (slope == 0)
    return makeActivation(graph, x, Activation::Relu);
  if (isClose(slope, 0.01))
    return makeActivation(graph, x, Activation::LeakyRelu);
  return graph.wanted("a slope of 0 or 0.01 below 0", x);
}

static Term matchRelu(Graph &graph, const Node *node) {
  Term whole{node, Layout::identity(node->size)};
  if (node->op == Kind::Max) {
    for (unsigned k : {0, 1}) {
      Term x = graph.getOperand(whole, k);
      if (getSplat(node->operands[1 - k]) == 0.0)
        return makeRelu(graph, x, 0);
      Sum other = getSum(graph, graph.getOperand(whole, 1 - k));
      if (other.constant == 0 && other.addends.size() == 1 &&
          other.addends[0].term == x && other.addends[0].coefficient < 1)
        return makeRelu(graph, x, other.addends[0].coefficient);
    }
    return graph.wanted("the larger of a value and 0, or a part of it");
  }
  Term condition = graph.getOperand(whole, 0), x = graph.getOperand(whole, 1);
  Term below = graph.getOperand(whole, 2);
  if (condition.node->op != Kind::Less && condition.node->op != Kind::LessEqual)
    return graph.wanted("a value compared with 0", condition);
  unsigned zero = getSplat(condition.node->operands[0]) == 0.0 ? 0 : 1;
  if (getSplat(condition.node->operands[zero]) != 0.0)
    return graph.wanted("a value compared with 0", condition);
  // x < 0 selects the lower branch first.
  if (zero == 1)
    std::swap(x, below);
  Term tested = graph.getOperand(condition, 1 - zero);
  Sum other = getSum(graph, below);
  Product squared = getProduct(graph, x);
  if (!(x == tested)) {
    // The square of a positive value.
    bool isSquare = squared.coefficient == 1 && squared.factors.size() == 1 &&
                    squared.factors[0].exponent == 2 &&
                    squared.factors[0].term == tested;
    return isSquare && other.addends.empty() && other.constant == 0
               ? makeActivation(graph, tested, Activation::ReluSquared)
               : Term();
  }
  if (other.addends.empty() && other.constant == 0)
    return makeRelu(graph, x, 0);
  if (other.constant == 0 && other.addends.size() == 1 &&
      other.addends[0].term == x)
    return makeRelu(graph, x, other.addends[0].coefficient);
  return graph.wanted("0 or a part of the value where it is negative", below);
}

/// min(max(x, -c), c).
static Term matchClamp(Graph &graph, const Node *node) {
  Term whole{node, Layout::identity(node->size)};
  for (unsigned k : {0, 1}) {
    std::optional<double> high = getSplat(node->operands[k]);
    Term inner = graph.getOperand(whole, 1 - k);
    if (!high || *high <= 0 || inner.node->op != Kind::Max)
      continue;
    for (unsigned j : {0, 1})
      if (getSplat(inner.node->operands[j]) == -*high) {
        Node clamp;
        clamp.op = Kind::Clamp;
        clamp.size = node->size;
        clamp.value = *high;
        clamp.operands = {graph.getOperand(inner, 1 - j)};
        return graph.make(clamp);
      }
  }
  return graph.wanted("bounds of a number and its negative");
}

Term parablock::raise::matchActivation(Graph &graph, const Node *node) {
  switch (node->op) {
  case Kind::Mul:
    return matchProduct(graph, node);
  case Kind::Add:
    return matchSum(graph, node);
  case Kind::Power:
    if (node->value == 2)
      return matchProduct(graph, node);
    return matchSigmoid(graph, node);
  case Kind::Min:
    return matchClamp(graph, node);
  case Kind::Log:
    return matchSoftplus(graph, node);
  case Kind::Select: {
    Term relu = matchRelu(graph, node);
    return relu ? relu : matchChoice(graph, node);
  }
  default:
    return matchRelu(graph, node);
  }
}
