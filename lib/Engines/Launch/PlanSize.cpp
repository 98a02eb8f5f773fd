//===- PlanSize.cpp - evaluates and prints size expressions ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Launch/PlanSize.h"

#include <algorithm>

using namespace parablock;
using launch::fail;
using launch::Status;

const char *parablock::getSizeStepName(PlanSize::Step step) {
  static constexpr const char *names[] = {"add",      "subtract", "multiply",
                                          "floordiv", "ceildiv",  "mod",
                                          "min",      "max",      "over"};
  return names[step];
}

/// Returns why the result is undefined, or null.
static const char *compute(PlanSize::Step step, int64_t a, int64_t b,
                           int64_t &value) {
  bool overflows = false;
  switch (step) {
  case PlanSize::Add:
    overflows = __builtin_add_overflow(a, b, &value);
    break;
  case PlanSize::Subtract:
    overflows = __builtin_sub_overflow(a, b, &value);
    break;
  case PlanSize::Multiply:
    overflows = __builtin_mul_overflow(a, b, &value);
    break;
  case PlanSize::Min:
    value = std::min(a, b);
    break;
  case PlanSize::Max:
    value = std::max(a, b);
    break;
  case PlanSize::FloorDiv:
  case PlanSize::CeilDiv:
  case PlanSize::Mod:
  case PlanSize::Share: {
    if (b < 1)
      return b ? "a division by a negative number" : "a division by 0";
    int64_t rest = a % b;
    if (step == PlanSize::Mod)
      value = rest < 0 ? rest + b : rest;
    else if (step == PlanSize::Share && rest)
      return "a share with something left over";
    else
      value = a / b + (step == PlanSize::CeilDiv && rest > 0) -
              (step == PlanSize::FloorDiv && rest < 0);
    break;
  }
  }
  return overflows ? "a number of more than 64 bits" : nullptr;
}

static bool isNumber(const PlanSize &size, int64_t value) {
  return size.isNumber() && size.value == value;
}

PlanSize parablock::makeSize(PlanSize::Step step, PlanSize first,
                             PlanSize second) {
  PlanSize result;
  if (first.isNumber() && second.isNumber() &&
      !compute(step, first.value, second.value, result.value))
    return result;
  bool isQuotient = step == PlanSize::FloorDiv || step == PlanSize::CeilDiv ||
                    step == PlanSize::Share;
  if ((step == PlanSize::Multiply || isQuotient) && isNumber(second, 1))
    return first;
  if ((step == PlanSize::Add || step == PlanSize::Subtract) &&
      isNumber(second, 0))
    return first;
  result.value = 0;
  result.step = step;
  result.operands = {std::move(first), std::move(second)};
  return result;
}

PlanSize parablock::makeShare(const PlanSize &size, int64_t ranks) {
  if (size.step == PlanSize::Share && size.isStep())
    return makeSize(
        PlanSize::Share, size.operands[0],
        makeSize(PlanSize::Multiply, size.operands[1], PlanSize{ranks, ""}));
  return makeSize(PlanSize::Share, size, PlanSize{ranks, ""});
}

/// Counts steps until there are too many.
static bool isSmall(const PlanSize &size, unsigned depth, unsigned &steps) {
  if (!size.isStep())
    return size.value >= 0 && size.value <= INT32_MAX;
  if (depth == mostSizeDepth || ++steps > mostSizeSteps)
    return false;
  return std::all_of(size.operands.begin(), size.operands.end(),
                     [&](const PlanSize &operand) {
                       return isSmall(operand, depth + 1, steps);
                     });
}

Status parablock::checkSize(const PlanSize &size) {
  unsigned steps = 0;
  if (isSmall(size, 0, steps))
    return {};
  return fail("expected a size of at most " + std::to_string(mostSizeSteps) +
              " steps, " + std::to_string(mostSizeDepth) +
              " of them in each other, with numbers from 0 to " +
              std::to_string(INT32_MAX));
}

//===----------------------------------------------------------------------===//
// As text
//===----------------------------------------------------------------------===//

static std::string formatOperand(const PlanSize &size) {
  bool isCall = size.step == PlanSize::Min || size.step == PlanSize::Max ||
                size.step == PlanSize::Share;
  return size.isStep() && !isCall ? "(" + formatSize(size) + ")"
                                  : formatSize(size);
}

std::string parablock::formatSize(const PlanSize &size) {
  if (size.isNumber())
    return std::to_string(size.value);
  if (size.isNamed())
    return size.name;
  static constexpr const char *signs[] = {" + ",        " - ",       " * ",
                                          " floordiv ", " ceildiv ", " mod ",
                                          "min",        "max",       "/"};
  const PlanSize &first = size.operands[0], &second = size.operands[1];
  std::string sign = signs[size.step];
  if (size.step == PlanSize::Min || size.step == PlanSize::Max)
    return sign + "(" + formatSize(first) + ", " + formatSize(second) + ")";
  return formatOperand(first) + sign + formatOperand(second);
}

//===----------------------------------------------------------------------===//
// As a number
//===----------------------------------------------------------------------===//

namespace {
/// Sizes of one tensor.
class Evaluator {
public:
  Evaluator(const std::string &tensor, const PlanDims &dims)
      : tensor(tensor), dims(dims) {}
  Status evaluate(const PlanSize &size, int64_t &value) const;

private:
  Status lookUp(const std::string &name, int64_t &value) const;

  const std::string &tensor;
  const PlanDims &dims;
};
} // namespace

Status Evaluator::lookUp(const std::string &name, int64_t &value) const {
  auto found = dims.find(name);
  if (found == dims.end())
    return fail("dimension '" + name + "' of '" + tensor + "' has no size");
  value = found->second;
  if (value >= 1)
    return {};
  return fail("dimension '" + name + "': expected a size of at least 1, got " +
              std::to_string(value));
}

Status Evaluator::evaluate(const PlanSize &size, int64_t &value) const {
  value = size.value;
  if (size.isNumber())
    return {};
  if (size.isNamed())
    return lookUp(size.name, value);
  int64_t first = 0, second = 0;
  if (Status failure = evaluate(size.operands[0], first))
    return failure;
  if (Status failure = evaluate(size.operands[1], second))
    return failure;
  const char *fault = compute(size.step, first, second, value);
  if (!fault)
    return {};
  if (size.step == PlanSize::Share && second > 0)
    return fail("expected dimension '" + formatSize(size.operands[0]) +
                "' to be a multiple of the " + std::to_string(second) +
                " ranks, got " + std::to_string(first));
  return fail("size '" + formatSize(size) + "' of '" + tensor + "' is " +
              fault);
}

Status parablock::evaluateSize(const PlanSize &size, const std::string &tensor,
                               const PlanDims &dims, int64_t &value) {
  if (Status failure = Evaluator(tensor, dims).evaluate(size, value))
    return failure;
  if (!size.isStep() || value >= 1)
    return {};
  return fail("size '" + formatSize(size) + "' of '" + tensor +
              "': expected at least 1, got " + std::to_string(value));
}
