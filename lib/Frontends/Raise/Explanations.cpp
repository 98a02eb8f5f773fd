//===- Explanations.cpp - records steps and refusals ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Explanations.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace parablock::raise;

Explanations::Attempt::Attempt(Explanations &explanations,
                               StringLiteral matcher, const Node *root)
    : explanations(explanations), matcher(matcher), root(root) {
  if (explanations.keepsRefusals)
    explanations.attempts.push_back(this);
}

Explanations::Attempt::~Attempt() {
  if (!explanations.keepsRefusals)
    return;
  explanations.attempts.pop_back();
  if (refusal && !hasSucceeded)
    explanations.refusals[root].push_back(std::move(*refusal));
}

/// Keeps, of several attempts of a matcher, the first one that passed the most
/// steps.
void Explanations::refuse(const Twine &why, const Node *got, bool isCandidate) {
  Attempt &attempt = *attempts.back();
  std::optional<Refusal> &refusal = attempt.refusal;
  if (!refusal || (isCandidate && !refusal->isCandidate) ||
      refusal->found.size() < attempt.found.size())
    refusal =
        Refusal{attempt.matcher, attempt.found, why.str(), got, isCandidate};
}

void Explanations::pass(StringRef step) {
  SmallVectorImpl<StringRef> &found = attempts.back()->found;
  found.erase(llvm::find(found, step), found.end());
  found.push_back(step);
}

ArrayRef<Refusal> Explanations::getRefusals(const Node *node) const {
  auto known = refusals.find(node);
  return known == refusals.end() ? ArrayRef<Refusal>() : known->second;
}
