//===- Selection.h - choice under a budget ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_SELECTION_H
#define PARABLOCK_LIB_DRIFT_SELECTION_H

#include "Chain.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock::drift {

/// A candidate and its cost alone.
struct Priced {
  Candidate candidate;
  double cost = 0;
};

/// Returns, for each number of pairs from 0 to the maximum, the cheapest choice
/// of that many candidates without a common sublayer, in the order of the
/// chain. Every pair saves the same launches, so their number is the gain.
std::vector<std::vector<Candidate>>
chooseByCount(llvm::ArrayRef<Priced> candidates);

/// Returns, for each number of pairs from 0 to the maximum, that many
/// candidates without a common sublayer from the end of the chain: no candidate
/// before them is taken, and of those that leave room for as many, the cheapest
/// are.
std::vector<std::vector<Candidate>>
chooseFromTop(llvm::ArrayRef<Priced> candidates);

/// The sums of errors, were they independent and were they aligned.
struct Prediction {
  double independent = 0, aligned = 0;
};
Prediction predict(llvm::ArrayRef<Candidate> chosen,
                   llvm::ArrayRef<Priced> prices);

/// One joint measurement that a search made.
struct Trial {
  size_t pairs = 0;
  /// The sum of the pairs' costs alone.
  double independent = 0;
  double measured = 0;
  /// The cost to expect of other data; none for a choice that misses a budget
  /// already where it was measured.
  std::optional<double> predicted;
  /// The share of the same continuations, the ratio of perplexities, and the
  /// share of tasks that are still solved, where a budget is in them.
  std::optional<double> generation, perplexity, tasks;
  bool fits = false;
};

/// Returns the largest of `choices` that fits, as `measure` finds it, by
/// bisection. It starts where the prediction reaches `budgetKl`; without one,
/// in the middle. The empty choice fits. `trials` are the measurements.
llvm::Expected<size_t>
searchUnderBudget(llvm::ArrayRef<std::vector<Candidate>> choices,
                  llvm::ArrayRef<Priced> prices, std::optional<double> budgetKl,
                  llvm::function_ref<llvm::Expected<Trial>(size_t)> measure,
                  std::vector<Trial> &trials);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_SELECTION_H
