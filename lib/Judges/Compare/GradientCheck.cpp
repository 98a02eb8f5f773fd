//===- GradientCheck.cpp - compares gradients with differences ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Compare/GradientCheck.h"

#include "StepFunction.h"
#include "parablock/Judges/Compare/DifferenceLadder.h"
#include "parablock/Judges/Compare/ReferenceEngine.h"
#include "parablock/Support/SeededRandom.h"
#include "parablock/Support/Tolerances.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

/// Steps are relative to the argument's own size. The first one balances
/// float64 rounding and curvature, and is nearly always sufficient. The others
/// start where rounding is smallest and end where kinks are far apart.
static constexpr double kFirstStep = 6e-6, kLargestStep = 1e-2, kStepRatio = 4;
static constexpr unsigned kSteps = 10;
/// Maximum number of directions drawn until differences converge, and the
/// number of converged ones that must show an error: rounding can make one of
/// them appear converged.
static constexpr unsigned kMostDirections = 8, kEnoughDirections = 2;
/// Differences have settled when they are this sure, as part of the limit.
static constexpr double kSettled = 0.25;
/// Minimum effect of a gradient on the loss, relative to it, if the argument
/// were moved by its own size: smaller gradients are measured against this,
/// since rounding leaves about 1e-13 of the loss undetermined.
static constexpr double kLeastEffect = 1e-5;

static double getNorm(ArrayRef<double> values) {
  double squares = 0;
  for (double value : values)
    squares += value * value;
  return std::sqrt(squares);
}

/// Root mean square; 1 where it is 0, as of a bias before training.
static double getSize(ArrayRef<double> values) {
  double norm = getNorm(values);
  return norm > 0 ? norm / std::sqrt(static_cast<double>(values.size())) : 1;
}

static double dot(ArrayRef<double> left, ArrayRef<double> right) {
  double sum = 0;
  for (auto [a, b] : llvm::zip_equal(left, right))
    sum += a * b;
  return sum;
}

static double getProductNorm(ArrayRef<double> left, ArrayRef<double> right) {
  double squares = 0;
  for (auto [a, b] : llvm::zip_equal(left, right))
    squares += a * a * b * b;
  return std::sqrt(squares);
}

static std::string formatNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9e", value);
  return text;
}

static Expected<std::vector<Tensor>> runExactly(mlir::func::FuncOp function,
                                                ArrayRef<Tensor> arguments) {
  RunOptions options;
  options.exactArithmetic = true;
  Expected<RunResult> result =
      createReferenceEngine()->run(function, arguments, options);
  if (!result)
    return result.takeError();
  return std::move(result->outputs);
}

//===----------------------------------------------------------------------===//
// The differentiated value
//===----------------------------------------------------------------------===//

namespace {
/// A function to differentiate, around the point that the arguments are.
class Loss {
public:
  Loss(mlir::func::FuncOp whole, ArrayRef<Tensor> arguments,
       ArrayRef<LossTerm> terms)
      : function(whole, terms), arguments(arguments), terms(terms) {}

  /// Returns the norm of all products in the sum of the loss, and of the
  /// arguments' shares in it: the loss is rounded at about this size, even if
  /// its terms cancel. `results` and gradients are those of the whole function.
  double measureSize(ArrayRef<Tensor> results,
                     ArrayRef<GradientResult> gradients) const;

  /// Returns (f(to) - f(from)) / (to - from), where f(h) is the loss with
  /// `direction` times h added to argument `moved`.
  Expected<double> measureSlope(unsigned moved, ArrayRef<double> direction,
                                double to, double from) const;

  Readers findReaders(unsigned argument) const {
    return runner::findReaders(function.get(), argument);
  }

private:
  struct Point {
    std::vector<Tensor> arguments, values;
  };
  Expected<Point> evaluate(unsigned moved, ArrayRef<double> direction,
                           double step) const;

  LossFunction function;
  ArrayRef<Tensor> arguments;
  ArrayRef<LossTerm> terms;
};
} // namespace

double Loss::measureSize(ArrayRef<Tensor> results,
                         ArrayRef<GradientResult> gradients) const {
  double size = 0;
  for (const LossTerm &term : terms) {
    ArrayRef<double> values = results[term.result].data();
    size = std::hypot(
        size, term.factor
                  ? getProductNorm(values, arguments[*term.factor].data())
                  : getNorm(values));
  }
  for (const GradientResult &gradient : gradients)
    size =
        std::hypot(size, getProductNorm(results[gradient.result].data(),
                                        arguments[gradient.argument].data()));
  return size;
}

Expected<Loss::Point> Loss::evaluate(unsigned moved, ArrayRef<double> direction,
                                     double step) const {
  Point point;
  point.arguments = arguments.vec();
  std::vector<double> values = arguments[moved].data();
  for (auto [value, change] : llvm::zip_equal(values, direction))
    value += step * change;
  point.arguments[moved].values =
      std::make_shared<const std::vector<double>>(std::move(values));
  Expected<std::vector<Tensor>> results =
      runExactly(function.get(), point.arguments);
  if (!results)
    return results.takeError();
  point.values = std::move(*results);
  return point;
}

Expected<double> Loss::measureSlope(unsigned moved, ArrayRef<double> direction,
                                    double to, double from) const {
  Expected<Point> above = evaluate(moved, direction, to);
  if (!above)
    return above.takeError();
  Expected<Point> below = evaluate(moved, direction, from);
  if (!below)
    return below.takeError();
  // Term by term: the sums themselves would be rounded at their size.
  double change = 0;
  for (auto [index, term] : llvm::enumerate(terms)) {
    ArrayRef<double> more = above->values[index].data();
    ArrayRef<double> less = below->values[index].data();
    for (size_t i = 0; i < more.size(); ++i)
      change += term.factor
                    ? more[i] * above->arguments[*term.factor].data()[i] -
                          less[i] * below->arguments[*term.factor].data()[i]
                    : more[i] - less[i];
  }
  return change / (to - from);
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

namespace {
/// One gradient before its judge.
class GradientJudge {
public:
  GradientJudge(const Loss &loss, double lossSize, const Tensor &point,
                const Tensor &gradient, unsigned argument, uint64_t seed,
                GradientVerdict &verdict)
      : loss(loss), gradient(gradient.data()), argument(argument), seed(seed),
        verdict(verdict), unit(getSize(point.data())),
        least(std::max(getNorm(gradient.data()),
                       kLeastEffect * lossSize / unit)) {}

  Error run();

private:
  enum class Finding { Agrees, Differs, Unsettled };
  Expected<Finding> tryDirection(unsigned attempt);
  /// Records the error relative to `slope`; returns true if it is within the
  /// limit.
  bool agrees(double slope) {
    double size = std::max(least, std::fabs(slope));
    double difference = std::fabs(claimed - slope);
    verdict.error = difference == 0 ? 0 : difference / size;
    return verdict.error <= gradientLimit;
  }
  Expected<double> measureSlope(double to, double from) const {
    return loss.measureSlope(argument, direction, to, from);
  }
  Error explainDifference();

  const Loss &loss;
  ArrayRef<double> gradient;
  unsigned argument;
  uint64_t seed;
  GradientVerdict &verdict;
  /// The size of the argument's elements.
  double unit;
  /// The least size that errors are relative to.
  double least;
  std::vector<double> direction;
  /// Slopes in the direction, from the gradient and from differences.
  double claimed = 0, measured = 0;
};
} // namespace

Expected<GradientJudge::Finding> GradientJudge::tryDirection(unsigned attempt) {
  direction.resize(gradient.size());
  SeededStream(seed,
               "direction " + std::to_string(attempt) + " of " + verdict.name)
      .fillNormal(0, direction);
  claimed = dot(gradient, direction);
  Expected<double> first = measureSlope(kFirstStep * unit, -kFirstStep * unit);
  if (!first)
    return first.takeError();
  if (agrees(*first))
    return Finding::Agrees;

  DifferenceLadder ladder;
  double step = kLargestStep * unit;
  for (unsigned i = 0; i < kSteps; ++i, step /= kStepRatio) {
    Expected<double> slope = measureSlope(step, -step);
    if (!slope)
      return slope.takeError();
    ladder.add(step, *slope);
    if (agrees(ladder.findNearest(claimed)))
      return Finding::Agrees;
    measured = ladder.best().value;
    double size = std::max(least, std::fabs(measured));
    if (ladder.best().uncertainty <= kSettled * gradientLimit * size) {
      agrees(measured);
      return Finding::Differs;
    }
  }
  agrees(*first);
  return Finding::Unsettled;
}

/// Describes the error in the direction that was tried last.
Error GradientJudge::explainDifference() {
  verdict.reasons.push_back(
      "expected " + formatNumber(measured) +
      " in a random direction, by central differences, got " +
      formatNumber(claimed));
  double step = kFirstStep * unit;
  Expected<double> right = measureSlope(step, 0);
  if (!right)
    return right.takeError();
  Expected<double> left = measureSlope(0, -step);
  if (!left)
    return left.takeError();
  // The effect of curvature is proportional to the step, and so is the rounding
  // error of a zero gradient.
  double size = std::max({least, std::fabs(*right), std::fabs(*left)});
  if (std::fabs(*right - *left) > 0.01 * size)
    verdict.reasons.push_back(
        "there is a kink right here: differences to its two sides are " +
        formatNumber(*left) + " and " + formatNumber(*right) +
        "; another --seed has none, if it is by chance");
  return Error::success();
}

Error GradientJudge::run() {
  size_t numOther = llvm::count_if(
      gradient, [](double value) { return !std::isfinite(value); });
  if (numOther)
    verdict.reasons.push_back((Twine(numOther) + " of " +
                               Twine(gradient.size()) +
                               " elements are NaN or infinite")
                                  .str());
  else if (!std::isfinite(least))
    verdict.reasons.push_back("what is differentiated is NaN or infinite");
  if (!verdict.pass()) {
    verdict.error = std::numeric_limits<double>::quiet_NaN();
    return Error::success();
  }
  unsigned numDifferent = 0;
  for (unsigned attempt = 0; attempt < kMostDirections; ++attempt) {
    Expected<Finding> finding = tryDirection(attempt);
    if (!finding)
      return finding.takeError();
    if (*finding == Finding::Agrees)
      return Error::success();
    if (*finding == Finding::Differs && ++numDifferent == kEnoughDirections)
      return explainDifference();
  }
  verdict.reasons.push_back(
      ("central differences do not settle in " + Twine(kMostDirections) +
       " random directions, and in none agree with the gradient: there are "
       "kinks everywhere, or numbers that cancel")
          .str());
  return Error::success();
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// Sizes that `?` hid from readStep.
static Error checkShapes(const StepOutline &outline, const Signature &signature,
                         ArrayRef<Tensor> arguments, ArrayRef<Tensor> results) {
  auto check = [&](unsigned result, unsigned argument) -> Error {
    const Tensor &value = results[result], &other = arguments[argument];
    if (value.shape == other.shape)
      return Error::success();
    return llvm::createStringError(
        "expected result '" + signature.results[result].name +
        "' to have the shape of '" + signature.arguments[argument].name +
        "', " + formatDims(other.shape) + ", got " + formatDims(value.shape));
  };
  for (const GradientResult &gradient : outline.gradients)
    if (Error error = check(gradient.result, gradient.argument))
      return error;
  for (const LossTerm &term : outline.loss)
    if (term.factor)
      if (Error error = check(term.result, *term.factor))
        return error;
  return Error::success();
}

Expected<GradientCheck> runner::checkGradients(const BoundFunction &function,
                                               ArrayRef<Tensor> arguments,
                                               uint64_t seed) {
  const Signature &signature = function.signature;
  Expected<StepOutline> outline = readStep(signature);
  if (!outline)
    return outline.takeError();
  Expected<std::vector<Tensor>> results =
      runExactly(signature.function, arguments);
  if (!results)
    return results.takeError();
  if (Error error = checkShapes(*outline, signature, arguments, *results))
    return error;

  Loss loss(signature.function, arguments, outline->loss);
  double lossSize = loss.measureSize(*results, outline->gradients);
  GradientCheck check;
  size_t lastPlace = 0;
  for (const GradientResult &each : outline->gradients) {
    const Tensor &gradient = (*results)[each.result];
    GradientVerdict verdict;
    verdict.name = signature.arguments[each.argument].name;
    verdict.type = signature.results[each.result].type;
    verdict.shape = gradient.shape;
    GradientJudge judge(loss, lossSize, arguments[each.argument], gradient,
                        each.argument, seed, verdict);
    if (Error error = judge.run())
      return error;
    Readers readers = loss.findReaders(each.argument);
    verdict.readers = std::move(readers.names);
    verdict.layer = std::move(readers.layer);
    verdict.maker = describeMaker(signature.function, each.result);
    if (!verdict.pass() && (!check.firstWrong || readers.place > lastPlace)) {
      check.firstWrong = check.verdicts.size();
      lastPlace = readers.place;
    }
    check.verdicts.push_back(std::move(verdict));
  }
  return check;
}
