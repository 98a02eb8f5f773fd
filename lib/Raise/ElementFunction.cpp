//===- ElementFunction.cpp - functions of one number ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ElementFunction.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;
using block::Activation;

/// Longer expressions are no activations.
static constexpr size_t kMaxSteps = 256;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

unsigned ElementFunction::push(Kind op, ArrayRef<unsigned> operands,
                               double value) {
  steps.push_back({op, SmallVector<unsigned, 3>(operands), value});
  return steps.size() - 1;
}

std::optional<unsigned> ElementFunction::compile(const Term &given) {
  for (Term term : {given, stripRounding(graph, given)}) {
    if (term == x)
      return push(Kind::Leaf, {}, 0);
    if (std::optional<double> number = getSplat(term))
      return push(Kind::Splat, {}, *number);
  }
  Term term = stripRounding(graph, given);
  for (const auto &[other, step] : known)
    if (other == term)
      return step;
  Node *node = term.node;
  bool isKnown = node->isElementwise() || node->op == Kind::Clamp;
  if (!isKnown || node->source != Source::Data || steps.size() >= kMaxSteps)
    return std::nullopt;
  SmallVector<unsigned, 3> operands;
  for (unsigned k = 0; k < node->operands.size(); ++k) {
    Term operand = graph.getOperand(term, k);
    std::optional<unsigned> step = operand ? compile(operand) : std::nullopt;
    if (!step)
      return std::nullopt;
    operands.push_back(*step);
  }
  unsigned step = push(node->op, operands, node->value);
  known.emplace_back(term, step);
  return step;
}

bool ElementFunction::add(const Product &product, double coefficient) {
  size_t size = steps.size(), numKnown = known.size();
  std::optional<unsigned> result;
  for (const Factor &factor : product.factors) {
    std::optional<unsigned> step = compile(factor.term);
    if (!step) {
      steps.truncate(size);
      known.truncate(numKnown);
      return false;
    }
    unsigned power = factor.exponent == 1
                         ? *step
                         : push(Kind::Power, {*step}, factor.exponent);
    result = result ? push(Kind::Mul, {*result, power}, 0) : power;
  }
  if (!result)
    return false;
  addends.emplace_back(*result, coefficient * product.coefficient);
  return true;
}

double ElementFunction::operator()(double number) const {
  SmallVector<double, 64> results;
  SmallVector<double, 3> operands;
  for (const Step &step : steps) {
    operands.clear();
    for (unsigned operand : step.operands)
      operands.push_back(results[operand]);
    switch (step.op) {
    case Kind::Leaf:
      results.push_back(number);
      break;
    case Kind::Splat:
      results.push_back(step.value);
      break;
    case Kind::Clamp:
      results.push_back(std::clamp(operands[0], -step.value, step.value));
      break;
    default:
      results.push_back(apply(step.op, operands, step.value));
    }
  }
  double sum = 0;
  for (auto [result, coefficient] : addends)
    sum += coefficient * results[result];
  return sum;
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// Those that their numbers tell; what has other powers of x is not among them.
static constexpr Activation kActivations[] = {
    Activation::GeluErf, Activation::GeluTanh, Activation::Silu,
    Activation::QuickGelu, Activation::Relu};

/// Here all of them are their argument.
static constexpr double kFar = 64;

static double activate(Activation kind, double x) {
  auto silu = [&](double slope) { return x / (1 + std::exp(-slope * x)); };
  switch (kind) {
  case Activation::GeluErf:
    return 0.5 * x * std::erfc(-x * M_SQRT1_2);
  case Activation::GeluTanh:
    return silu(2 * std::sqrt(2 / M_PI) * (1 + 0.044715 * x * x));
  case Activation::Silu:
    return silu(1);
  case Activation::QuickGelu:
    return silu(1.702);
  default:
    return std::max(x, 0.0);
  }
}

/// Calls `visit` with points of both signs, dense about 0 and where activations
/// bend, until it returns false.
static bool visitPoints(function_ref<bool(double)> visit) {
  auto visitBoth = [&](double x) { return visit(x) && visit(-x); };
  // Four that tell most functions from each other come first.
  for (double x : {1.0, 3.0, 0.125, 0.0})
    if (!visitBoth(x))
      return false;
  for (double x = 1.0 / 128; x < 12; x += 1.0 / 128)
    if (!visitBoth(x))
      return false;
  for (double x = kFar; x > 1e-7; x *= 0.93)
    if (!visitBoth(x))
      return false;
  return true;
}

/// The number of the same sign for both, or none where `f` has no such limit.
static std::optional<double> getFactor(const ElementFunction &f) {
  double factor = f(kFar) / kFar;
  if (!std::isfinite(factor) || factor == 0)
    return std::nullopt;
  return isClose(factor, 1) ? 1 : factor;
}

std::optional<Activation>
parablock::raise::findActivation(const ElementFunction &f, double &factor) {
  std::optional<double> found = getFactor(f);
  if (!found)
    return std::nullopt;
  factor = *found;
  for (Activation kind : kActivations)
    if (visitPoints([&](double x) {
          double difference = f(x) / factor - activate(kind, x);
          // Not a number fails as well.
          return std::fabs(difference) <= std::ldexp(std::fabs(x), -23);
        }))
      return kind;
  return std::nullopt;
}

std::optional<NearActivation>
parablock::raise::findNearActivation(const ElementFunction &f) {
  std::optional<double> factor = getFactor(f);
  if (!factor)
    return std::nullopt;
  std::optional<NearActivation> nearest;
  for (Activation kind : kActivations) {
    NearActivation own = {kind, *factor, 0, 0};
    bool isNumber = visitPoints([&](double x) {
      double difference = std::fabs(f(x) / *factor - activate(kind, x));
      if (difference > own.distance) {
        own.distance = difference;
        own.at = x;
      }
      return std::isfinite(difference);
    });
    if (isNumber && (!nearest || own.distance < nearest->distance))
      nearest = own;
  }
  return nearest;
}
