//===- InputDrawing.cpp - draws inputs by rule ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Execution/InputDrawing.h"
#include "parablock/Support/DrawTensor.h"
#include "parablock/Support/SafeTensors.h"
#include "parablock/Support/SeededRandom.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::MutableArrayRef;
using llvm::StringRef;

static DrawRule getRule(block::InitAttr init) {
  DrawRule rule;
  switch (init.getKind()) {
  case block::InitKind::Normal:
    rule.distribution = Distribution::Normal;
    break;
  case block::InitKind::Uniform:
    rule.distribution = Distribution::Uniform;
    break;
  case block::InitKind::Constant:
    rule.distribution = Distribution::Constant;
    break;
  }
  rule.mean = init.getMeanValue();
  rule.deviation = init.getStdValue();
  return rule;
}

static DrawRule getRule(const Argument &argument, ArrayRef<int64_t> shape) {
  if (argument.init)
    return getRule(argument.init);
  DrawRule rule;
  StringRef name = argument.name;
  // An argument without a name is drawn alike whether or not it is known to be
  // a weight.
  if (argument.isParameter && !isPositionalName(name))
    return getDefaultWeightRule(shape);
  bool isPlain = name.starts_with("past_key") ||
                 name.starts_with("past_value") || name.starts_with("arg");
  rule.mean = isPlain ? 0.0 : 0.5;
  return rule;
}

/// Whole numbers from `first`, below `first + count`.
static void drawIntegers(const SeededStream &stream, int64_t first,
                         int64_t count, MutableArrayRef<double> values) {
  for (auto [index, value] : llvm::enumerate(values))
    value =
        static_cast<double>(first + static_cast<int64_t>(stream.integer(
                                        index, static_cast<uint64_t>(count))));
}

/// Draws nondecreasing numbers starting at 0, the last one at least three
/// quarters of `tokens`.
static void drawBounds(const SeededStream &stream, int64_t tokens,
                       MutableArrayRef<double> values) {
  if (values.empty())
    return;
  int64_t behind =
      stream.integer(values.size(), static_cast<uint64_t>(tokens / 4 + 1));
  drawIntegers(stream, 0, tokens - behind + 1, values);
  values.back() = static_cast<double>(tokens - behind);
  llvm::sort(values);
  values.front() = 0;
}

/// Makes about every eighth value the ignored id, but never all of them.
static void drawIgnored(const SeededStream &stream, double ignored,
                        MutableArrayRef<double> values) {
  size_t count = values.size();
  if (count == 0)
    return;
  size_t kept = stream.integer(count, count);
  for (auto [index, value] : llvm::enumerate(values))
    if (index != kept && stream.integer(count + 1 + index, 8) == 0)
      value = ignored;
}

/// Different numbers below `count`.
static Error drawOnce(const Argument &argument, const SeededStream &stream,
                      int64_t count, MutableArrayRef<double> values) {
  if (count < static_cast<int64_t>(values.size()))
    return llvm::createStringError(
        "argument '" + argument.name + "': expected a page for each of its " +
        llvm::Twine(values.size()) + " entries, got " + llvm::Twine(count));
  std::vector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0.0);
  for (auto [index, value] : llvm::enumerate(values)) {
    size_t rest = numbers.size() - index;
    std::swap(numbers[index], numbers[index + stream.integer(index, rest)]);
    value = numbers[index];
  }
  return Error::success();
}

static Error drawInput(const Argument &argument, const InputFact &fact,
                       uint64_t seed, MutableArrayRef<double> values) {
  SeededStream stream(seed, argument.name);
  if (fact.tokens) {
    if (*fact.tokens < 1)
      return llvm::createStringError("argument '" + argument.name +
                                     "': there are no tokens to count");
    drawIntegers(stream, 1, *fact.tokens, values);
    // One row without padding, drawn like the rest.
    if (!values.empty())
      values[stream.integer(values.size(), values.size())] =
          static_cast<double>(*fact.tokens);
    return Error::success();
  }
  if (fact.packedTokens) {
    drawBounds(stream, *fact.packedTokens, values);
    return Error::success();
  }
  if (fact.isDrawnOnce && fact.drawnBelow)
    return drawOnce(argument, stream, *fact.drawnBelow, values);
  if (fact.drawnBelow) {
    drawIntegers(stream, 0, *fact.drawnBelow, values);
    return Error::success();
  }
  int64_t bound = fact.tableRows.value_or(fact.vocabulary.value_or(2));
  if (bound < 1)
    return llvm::createStringError("argument '" + argument.name +
                                   "': the table it indexes has no rows");
  drawIntegers(stream, 0, bound, values);
  if (fact.ignored)
    drawIgnored(stream, static_cast<double>(*fact.ignored), values);
  return Error::success();
}

Expected<Tensor> runner::drawArgument(const Argument &argument,
                                      ArrayRef<int64_t> shape,
                                      const InputFact &fact, uint64_t seed) {
  std::vector<double> values(countElements(shape).value_or(0));
  if (isFloatType(argument.type) || argument.init || argument.isParameter)
    drawTensor(getRule(argument, shape), seed, argument.name, 0, values);
  else if (Error error = drawInput(argument, fact, seed, values))
    return error;
  roundTo(argument.type, values);

  Tensor tensor;
  tensor.type = argument.type;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.values =
      std::make_shared<const std::vector<double>>(std::move(values));
  return tensor;
}
