//===- RouterTies.cpp - choices of experts that rounding decides ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A router is not continuous: where the scores of two experts differ by less
// than their rounding errors, engines that are right choose either, and results
// differ by more than roundings. This file implements a search for the choices
// of an engine among those that its roundings allow. Errors are measured as
// ever, from exact results with these choices.
//
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Judges/Compare/Original.h"
#include "parablock/Judges/Reference/Interpreter.h"
#include "parablock/Judges/Reference/RouteLog.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <tuple>

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Expected;
using reference::RoutedRow;
using reference::RouteLog;

/// Errors of an engine, in those of the reference, as limits allow.
static constexpr double kMostErrors = 1.5;
/// A choice that an engine made is nearer than one that it did not make, by a
/// share that falls with the number of rows beside its own.
static constexpr double kNearer = 0.998;
/// Number of roundings, to nearest and at random, that scores are measured in:
/// the error of a row's few scores in one of them may be small by chance.
static constexpr uint64_t kRoundings = 8;
/// Number of runs of a search.
static constexpr unsigned kMostRuns = 400;

namespace {
/// The largest rounding errors of a row's scores: of all, and in shares of the
/// score. A softmax of a small logit has a small error.
struct ScoreError {
  double largest = 0, share = 0;

  void note(const RoutedRow &exact, const RoutedRow &rounded) {
    for (auto [a, b] : llvm::zip_equal(exact.scores, rounded.scores)) {
      if (!std::isfinite(a) || !std::isfinite(b) || a == b)
        continue;
      double error = std::fabs(a - b);
      largest = std::max(largest, error);
      share = std::max(share, error / std::fabs(a));
    }
  }
};
} // namespace

/// Returns the largest gap that rounding errors close between what a row
/// chooses and another choice: those of two scores, or of all that differ.
static double findWidth(const RoutedRow &routed,
                        const reference::OtherChoice &other,
                        const ScoreError &error) {
  double sizes = 0;
  auto add = [&](const reference::Choice &these,
                 const reference::Choice &those) {
    for (int64_t expert : these)
      if (!llvm::is_contained(those, expert))
        sizes += std::fabs(routed.scores[expert]);
  };
  add(routed.experts, other.experts);
  add(other.experts, routed.experts);
  return kMostErrors * std::min(2 * error.largest, error.share * sizes);
}

static bool areEqual(const Outputs &a, const Outputs &b) {
  return llvm::all_of(llvm::zip(a.ports, a.tensors), [&](auto both) {
    const Tensor *other = b.lookup(std::get<0>(both).name);
    return other && other->data() == std::get<1>(both).data();
  });
}

/// Tells whether the module of `function` has a router: another function of it
/// may be called.
static bool hasRouters(mlir::func::FuncOp function) {
  auto module = function->getParentOfType<mlir::ModuleOp>();
  return module
      .walk([](mlir::Operation *op) {
        return mlir::isa<block::MoeOp, block::RouteOp>(op)
                   ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
/// Searches for the choices of an engine.
class TieSearch {
public:
  TieSearch(const Signature &signature, ArrayRef<Tensor> arguments,
            const Outputs &got, const OutputRows &rows)
      : signature(signature), arguments(arguments), got(got), rows(rows) {}

  Expected<std::optional<TiedResults>> search();

private:
  /// A run with the choices of `forced`.
  struct Run {
    Outputs outputs;
    RouteLog log;
    double distance = 0;
  };
  Expected<Run> run(const std::map<size_t, reference::Choice> &forced,
                    bool isExact, uint64_t roundingSeed = 0);
  /// An exact run with one more choice than the best one.
  Expected<Run> runWith(size_t row, const reference::Choice &experts);
  double measure(const Outputs &outputs) const;
  /// Another choice of a row, and how far results with it are from the
  /// engine's.
  struct Trial {
    size_t row;
    reference::Choice experts;
    double distance;
  };
  /// Returns other choices of all rows that rounding errors allow, with the
  /// share of the errors that they take, the least first.
  std::vector<Trial> findGuesses() const;
  /// Tries these, each alone; returns those that are nearer, the nearest
  /// first.
  Expected<std::vector<Trial>> tryAll();
  /// Measures rounding errors of scores with the choices of the best run.
  llvm::Error measureScoreErrors();

  const Signature &signature;
  ArrayRef<Tensor> arguments;
  const Outputs &got;
  const OutputRows &rows;
  Run best;
  /// Rounding errors of each row's scores, with the choices of the best run.
  std::vector<ScoreError> scoreErrors;
  unsigned numRuns = 0;
};
} // namespace

double TieSearch::measure(const Outputs &outputs) const {
  double squares = 0;
  for (auto [port, tensor] : llvm::zip_equal(outputs.ports, outputs.tensors)) {
    const Tensor *found = got.lookup(port.name);
    if (!found || found->shape != tensor.shape || !isFloatType(port.type))
      continue;
    double error =
        compare(found->data(), tensor.data(), rows.getOptions(port)).relL2;
    squares += error * error;
  }
  return std::sqrt(squares);
}

Expected<TieSearch::Run>
TieSearch::run(const std::map<size_t, reference::Choice> &forced, bool isExact,
               uint64_t roundingSeed) {
  ++numRuns;
  Run made;
  made.log.forced = forced;
  reference::Options options;
  options.exactArithmetic = isExact;
  if (roundingSeed)
    options.roundingSeed = roundingSeed;
  options.routes = &made.log;
  auto outputs = reference::run(signature.function, arguments, options);
  if (mlir::failed(outputs))
    return llvm::createStringError("the original could not be run again");
  made.outputs = makeOutputs(signature, std::move(*outputs));
  made.distance = measure(made.outputs);
  return made;
}

Expected<TieSearch::Run> TieSearch::runWith(size_t row,
                                            const reference::Choice &experts) {
  std::map<size_t, reference::Choice> forced = best.log.forced;
  forced[row] = experts;
  return run(forced, /*isExact=*/true);
}

llvm::Error TieSearch::measureScoreErrors() {
  std::map<size_t, reference::Choice> choices;
  for (auto [number, routed] : llvm::enumerate(best.log.rows))
    choices[number] = routed.experts;
  scoreErrors.assign(best.log.rows.size(), {});
  for (uint64_t seed = 0; seed < kRoundings; ++seed) {
    Expected<Run> made = run(choices, /*isExact=*/false, seed);
    if (!made)
      return made.takeError();
    for (auto [error, exact, rounded] :
         llvm::zip_equal(scoreErrors, best.log.rows, made->log.rows))
      error.note(exact, rounded);
  }
  return llvm::Error::success();
}

std::vector<TieSearch::Trial> TieSearch::findGuesses() const {
  std::vector<Trial> guesses;
  for (auto [row, routed] : llvm::enumerate(best.log.rows)) {
    if (best.log.forced.count(row))
      continue;
    for (const reference::OtherChoice &other : routed.others) {
      double width = findWidth(routed, other, scoreErrors[row]);
      if (other.gap <= width)
        guesses.push_back(
            {row, other.experts, width > 0 ? other.gap / width : 0});
    }
  }
  llvm::stable_sort(guesses, [](const Trial &a, const Trial &b) {
    return a.distance < b.distance;
  });
  return guesses;
}

Expected<std::vector<TieSearch::Trial>> TieSearch::tryAll() {
  std::vector<Trial> nearer;
  for (const Trial &guess : findGuesses()) {
    if (numRuns >= kMostRuns)
      break;
    Expected<Run> tried = runWith(guess.row, guess.experts);
    if (!tried)
      return tried.takeError();
    if (tried->distance < kNearer * best.distance)
      nearer.push_back({guess.row, guess.experts, tried->distance});
  }
  llvm::sort(nearer, [](const Trial &a, const Trial &b) {
    return std::tie(a.distance, a.row) < std::tie(b.distance, b.row);
  });
  return nearer;
}

Expected<std::optional<TiedResults>> TieSearch::search() {
  Expected<Run> exact = run({}, /*isExact=*/true);
  if (!exact)
    return exact.takeError();
  best = std::move(*exact);
  if (best.log.rows.empty())
    return std::nullopt;
  // A choice moves later scores, so that others become possible.
  for (bool isNearer = true; isNearer;) {
    if (llvm::Error error = measureScoreErrors())
      return error;
    Expected<std::vector<Trial>> trials = tryAll();
    if (!trials)
      return trials.takeError();
    isNearer = false;
    for (const Trial &trial : *trials) {
      if (best.log.forced.count(trial.row))
        continue;
      Expected<Run> tried = runWith(trial.row, trial.experts);
      if (!tried)
        return tried.takeError();
      if (tried->distance >= kNearer * best.distance)
        continue;
      best = std::move(*tried);
      isNearer = true;
    }
  }
  if (best.log.forced.empty())
    return std::nullopt;
  unsigned numChanged = best.log.forced.size();
  return TiedResults{std::move(best.outputs), numChanged};
}

Expected<std::optional<TiedResults>>
Original::followTies(const Outputs &got, const Outputs &want,
                     const OutputRows &rows) const {
  if (!rankArguments.empty() || !hasRouters(signature->function) ||
      !areEqual(exact, want))
    return std::nullopt;
  return TieSearch(*signature, arguments, got, rows).search();
}
