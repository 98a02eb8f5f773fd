//===- Selection.cpp - bisects choices under a budget ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Selection.h"

#include <cmath>

using namespace parablock;
using namespace parablock::drift;
using llvm::ArrayRef;

namespace {
/// The cheapest choice of a given number of candidates so far.
struct Best {
  double cost = 0;
  std::vector<Candidate> chosen;
};
using BestByCount = std::vector<std::optional<Best>>;
} // namespace

std::vector<std::vector<Candidate>>
drift::chooseByCount(ArrayRef<Priced> candidates) {
  // best[i]: among the first i candidates, which are sorted by position.
  std::vector<BestByCount> best(candidates.size() + 1);
  best[0] = {Best()};
  for (size_t i = 0; i < candidates.size(); ++i) {
    const Candidate &candidate = candidates[i].candidate;
    // Only the neighbour before can share a sublayer.
    bool overlaps =
        i > 0 && candidates[i - 1].candidate.position + 1 == candidate.position;
    const BestByCount &without = best[i];
    const BestByCount &before = best[overlaps ? i - 1 : i];
    BestByCount &now = best[i + 1];
    now = without;
    for (size_t count = 0; count < before.size(); ++count) {
      if (!before[count])
        continue;
      double cost = before[count]->cost + candidates[i].cost;
      now.resize(std::max(now.size(), count + 2));
      if (now[count + 1] && now[count + 1]->cost <= cost)
        continue;
      Best extended = *before[count];
      extended.cost = cost;
      extended.chosen.push_back(candidate);
      now[count + 1] = std::move(extended);
    }
  }
  std::vector<std::vector<Candidate>> choices;
  for (std::optional<Best> &entry : best.back())
    choices.push_back(std::move(entry->chosen));
  return choices;
}

std::vector<std::vector<Candidate>>
drift::chooseFromTop(ArrayRef<Priced> candidates) {
  std::vector<std::vector<Candidate>> choices(1);
  for (size_t count = 1; count <= candidates.size(); ++count) {
    std::vector<std::vector<Candidate>> upper =
        chooseByCount(candidates.take_back(count));
    if (upper.size() > choices.size())
      choices.push_back(std::move(upper.back()));
  }
  return choices;
}

Prediction drift::predict(ArrayRef<Candidate> chosen, ArrayRef<Priced> prices) {
  Prediction prediction;
  double roots = 0;
  for (const Candidate &candidate : chosen)
    for (const Priced &priced : prices)
      if (priced.candidate.position == candidate.position) {
        prediction.independent += priced.cost;
        roots += std::sqrt(priced.cost);
      }
  prediction.aligned = roots * roots;
  return prediction;
}

llvm::Expected<size_t> drift::searchUnderBudget(
    ArrayRef<std::vector<Candidate>> choices, ArrayRef<Priced> prices,
    std::optional<double> budgetKl,
    llvm::function_ref<llvm::Expected<Trial>(size_t)> measure,
    std::vector<Trial> &trials) {
  size_t fits = 0, fails = choices.size();
  size_t next = budgetKl ? 0 : fails / 2;
  for (size_t count = 1; budgetKl && count < choices.size(); ++count)
    if (predict(choices[count], prices).independent <= *budgetKl)
      next = count;
  next = std::max<size_t>(next, 1);
  while (fails - fits > 1) {
    llvm::Expected<Trial> trial = measure(next);
    if (!trial)
      return trial.takeError();
    trial->pairs = next;
    trial->independent = predict(choices[next], prices).independent;
    (trial->fits ? fits : fails) = next;
    trials.push_back(*trial);
    next = fits + (fails - fits) / 2;
  }
  return fits;
}
