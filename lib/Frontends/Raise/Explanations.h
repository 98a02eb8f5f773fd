//===- Explanations.h - why pieces were not recognised ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A matcher that fails reports the unmet precondition and the value found, and
// before that the steps that it passed. Candidates whose first unmet
// precondition is in the list of reasons become remarks; other reports are kept
// for --block-raise-dump, and are free otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_EXPLANATIONS_H
#define PARABLOCK_LIB_RAISE_EXPLANATIONS_H

#include "parablock/Analysis/Decisions.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <string>
#include <vector>

namespace parablock::raise {

struct Node;

/// A candidate and the first precondition that it does not meet.
struct Missed {
  llvm::StringRef kind;
  Reason reason;
  std::string detail;
  mlir::Location location;
};

/// The steps that a matcher passed, why it then failed, and the node found, or
/// null.
struct Refusal {
  llvm::StringRef matcher;
  llvm::SmallVector<llvm::StringRef, 4> found;
  std::string why;
  const Node *got = nullptr;
  /// The node is a candidate, of which there is a remark.
  bool isCandidate = false;
  /// True where the matcher came so far that the node may well be its piece.
  bool isClose() const { return isCandidate || !found.empty(); }
};

/// The result of a failed match: false, null or none.
struct NoMatch {
  /// Only bool itself: false is not the number 0.
  template <typename T, typename = std::enable_if_t<std::is_same_v<T, bool>>>
  operator T() const {
    return false;
  }
  template <typename T> operator std::optional<T>() const {
    return std::nullopt;
  }
};

class Explanations {
public:
  /// True to keep refusals, not only candidates.
  bool keepsRefusals = false;
  std::vector<Missed> missed;

  /// Returns whether the current matcher's refusals are kept.
  bool isListening() const { return !attempts.empty(); }
  /// Records that the current matcher fails, and why.
  NoMatch giveUp(const llvm::Twine &why, const Node *got = nullptr,
                 bool isCandidate = false) {
    if (!attempts.empty())
      refuse(why, got, isCandidate);
    return {};
  }
  /// Records a step that the current matcher passed; a known one is tried again
  /// with another candidate.
  void found(llvm::StringLiteral step) {
    if (!attempts.empty())
      pass(step);
  }
  /// Returns the refusals of matchers that did not accept `node`.
  llvm::ArrayRef<Refusal> getRefusals(const Node *node) const;

  /// One matcher's look at one node.
  class Attempt {
  public:
    Attempt(Explanations &explanations, llvm::StringLiteral matcher,
            const Node *root);
    ~Attempt();
    Attempt(const Attempt &) = delete;
    Attempt &operator=(const Attempt &) = delete;
    /// Forgets refusals on the way to a match.
    void succeed() { hasSucceeded = true; }

  private:
    friend Explanations;
    Explanations &explanations;
    llvm::StringRef matcher;
    const Node *root;
    llvm::SmallVector<llvm::StringRef, 4> found;
    std::optional<Refusal> refusal;
    bool hasSucceeded = false;
  };

private:
  void refuse(const llvm::Twine &why, const Node *got, bool isCandidate);
  void pass(llvm::StringRef step);

  /// The matchers at work, the innermost one last.
  llvm::SmallVector<Attempt *> attempts;
  llvm::DenseMap<const Node *, llvm::SmallVector<Refusal, 1>> refusals;
};

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_EXPLANATIONS_H
