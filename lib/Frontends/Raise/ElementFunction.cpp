//===- ElementFunction.cpp - compiles and evaluates step lists ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ElementFunction.h"

#include "parablock/Dialect/Block/ElementCode.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// Longer expressions are not activations.
static constexpr size_t kMaxSteps = 512;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

unsigned ElementFunction::push(Kind op, ArrayRef<unsigned> operands,
                               double value, mlir::Type rounding) {
  steps.push_back({op, SmallVector<unsigned, 3>(operands), value, rounding});
  if (rounding && (!type || rounding.isBF16()))
    type = rounding;
  return steps.size() - 1;
}

/// Returns true for steps with too many kinks for all of them to be sampled.
static bool isSmooth(Kind op, ArrayRef<unsigned> operands) {
  switch (op) {
  case Kind::Equal:
  case Kind::NotEqual:
    // Only NaN differs from itself.
    return operands[0] == operands[1];
  case Kind::DivInt:
  case Kind::Rem:
  case Kind::Floor:
  case Kind::ToInt:
  case Kind::Nearest:
  case Kind::Sin:
  case Kind::Cos:
  case Kind::PowerOf:
    return false;
  default:
    return true;
  }
}

/// Returns the number by which `term` exceeds the projection `x`: it has become
/// a bias.
static std::optional<double> getAddedNumber(const Term &term, const Term &x) {
  Term bias = term.node->getRole("bias");
  if (!bias || term.node->op != Kind::Linear || x.node->op != Kind::Linear ||
      x.node->getRole("bias") || term.node->width != x.node->width ||
      !(term.layout == x.layout) ||
      !llvm::equal(ArrayRef(term.node->operands).take_front(2),
                   ArrayRef(x.node->operands)))
    return std::nullopt;
  return getSplat(bias);
}

std::optional<unsigned> ElementFunction::compile(const Term &term) {
  for (const auto &[other, step] : known)
    if (other == term)
      return step;
  if (std::optional<double> number = getSplat(term))
    return push(Kind::Splat, {}, *number);
  if (term == x) {
    known.emplace_back(term, push(Kind::Leaf, {}, 0));
    return known.back().second;
  }
  if (std::optional<double> number = getAddedNumber(term, x)) {
    unsigned operands[] = {*compile(x), push(Kind::Splat, {}, *number)};
    return push(Kind::Add, operands, 0);
  }
  const Node *node = term.node;
  bool isKnown = node->isElementwise() || node->op == Kind::Clamp ||
                 node->op == Kind::Activation;
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
  if (!isSmooth(node->op, operands))
    return std::nullopt;
  double value = node->op == Kind::Activation
                     ? static_cast<double>(getActivation(term))
                     : node->value;
  unsigned step = push(node->op, operands, value, node->type);
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

SmallVector<double, 64> ElementFunction::run(double number,
                                             bool isRounded) const {
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
    case Kind::Activation:
      results.push_back(
          activate(static_cast<block::Activation>(static_cast<int>(step.value)),
                   operands[0]));
      break;
    default:
      results.push_back(apply(step.op, operands, step.value));
    }
    if (isRounded && step.type)
      results.back() = roundNumber(results.back(), step.type);
  }
  return results;
}

bool ElementFunction::overflows(double number) const {
  SmallVector<double, 64> results = run(number, /*isRounded=*/true);
  return llvm::any_of(llvm::zip(steps, results), [&](const auto &each) {
    const Step &step = std::get<0>(each);
    bool isOfExponential =
        step.op == Kind::Exp ||
        (step.op == Kind::Round && steps[step.operands[0]].op == Kind::Exp);
    return isOfExponential && std::isinf(std::get<1>(each));
  });
}

double ElementFunction::addUp(ArrayRef<double> results) const {
  double sum = 0;
  for (auto [result, coefficient] : addends)
    sum += coefficient * results[result];
  return sum;
}

double ElementFunction::operator()(double number) const {
  return addUp(run(number));
}

double ElementFunction::getRounded(double number) const {
  return addUp(run(number, /*isRounded=*/true));
}

//===----------------------------------------------------------------------===//
// Places where steps break or bend
//===----------------------------------------------------------------------===//

SmallVector<ElementFunction::Watch> ElementFunction::getWatches() const {
  SmallVector<Watch> watches;
  for (auto [k, step] : llvm::enumerate(steps))
    switch (step.op) {
    case Kind::Splat:
    case Kind::Round:
      break;
    case Kind::Max:
    case Kind::Min:
    case Kind::Less:
    case Kind::LessEqual:
      watches.push_back({step.operands[0], step.operands[1], 0});
      break;
    case Kind::Clamp:
      watches.push_back({step.operands[0], std::nullopt, step.value});
      watches.push_back({step.operands[0], std::nullopt, -step.value});
      break;
    case Kind::Activation:
      // Kinks of piecewise functions: relu and similar ones, and hardswish.
      for (double bend : {-3, 0, 3})
        watches.push_back({step.operands[0], std::nullopt, bend});
      [[fallthrough]];
    default:
      watches.push_back({static_cast<unsigned>(k), std::nullopt, 0});
    }
  return watches;
}

double ElementFunction::get(const Watch &watch, double number) const {
  SmallVector<double, 64> results = run(number);
  double other = watch.other ? results[*watch.other] : 0;
  return results[watch.step] - other - watch.offset;
}

/// From far below 0 to far above, denser where activations bend.
static std::vector<double> getGrid() {
  std::vector<double> grid = {0};
  for (double x = 1e-30; x < 1e31; x *= x > 1e-3 && x < 1e3 ? 1.1 : 2)
    grid.insert(grid.end(), {x, -x});
  llvm::sort(grid);
  return grid;
}

std::optional<std::vector<double>> ElementFunction::getCriticalPoints() const {
  constexpr size_t kMaxPoints = 4096;
  constexpr int kHalvings = 80;
  std::vector<double> grid = getGrid(), found;
  for (const Watch &watch : getWatches()) {
    std::vector<double> values;
    for (double x : grid)
      values.push_back(get(watch, x));
    for (size_t i = 1; i < grid.size(); ++i) {
      double low = grid[i - 1], high = grid[i];
      if ((values[i - 1] < 0) == (values[i] < 0))
        continue;
      for (int k = 0; k < kHalvings; ++k) {
        double middle = low + (high - low) / 2;
        bool isBelow = (get(watch, middle) < 0) == (values[i - 1] < 0);
        (isBelow ? low : high) = middle;
      }
      found.insert(found.end(), {low, high});
    }
    for (size_t i = 1; i + 1 < grid.size(); ++i) {
      double before = values[i] - values[i - 1];
      double after = values[i] - values[i + 1];
      // Changes by rounding alone count as flat.
      double flat = 1e-9 * std::fabs(values[i]);
      if (!(before * after > 0) || std::fabs(before) <= flat ||
          std::fabs(after) <= flat)
        continue;
      double low = grid[i - 1], high = grid[i + 1], sign = before > 0 ? 1 : -1;
      for (int k = 0; k < kHalvings; ++k) {
        double third = (high - low) / 3;
        bool isLater =
            sign * get(watch, low + third) < sign * get(watch, high - third);
        (isLater ? low : high) = isLater ? low + third : high - third;
      }
      found.insert(found.end(), {low, high});
    }
    if (found.size() > kMaxPoints)
      return std::nullopt;
  }
  llvm::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}
