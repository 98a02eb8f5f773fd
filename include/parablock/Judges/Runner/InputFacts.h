//===- InputFacts.h - what a function expects of its integers ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RUNNER_INPUTFACTS_H
#define PARABLOCK_RUNNER_INPUTFACTS_H

#include "parablock/Judges/Runner/ArgumentBinding.h"
#include "parablock/Support/IndexLimits.h"
#include <optional>

namespace parablock::runner {

/// A fact about an integer input, from how the function uses it.
struct InputFact {
  /// Ids are below the number of rows of the table they index.
  std::optional<int64_t> tableRows;
  /// An id beside them that stands for no row.
  std::optional<int64_t> ignored;
  /// Ids below 0 count from the end of each table that they index.
  bool countsFromEnd = false;
  /// Rows of the whole table, where those of a part are indexed and other ids
  /// are left to others.
  std::optional<int64_t> vocabulary;
  /// Lengths are at most the number of tokens they count.
  std::optional<int64_t> tokens;
  /// Beginnings of sequences that share one row of so many tokens, and its end:
  /// they start at 0 and never fall.
  std::optional<int64_t> packedTokens;
  /// Places of ids in their sequence are rows of a table.
  std::optional<IndexLimit> positions;
  /// The end of what is drawn of counts of caches, which fit with each other
  /// (CacheLimits).
  std::optional<int64_t> drawnBelow;
  /// Truth of: no number is drawn twice, as of pages.
  bool isDrawnOnce = false;
};

using InputFacts = llvm::StringMap<InputFact>;

/// Facts of all integer inputs that something is known of. `shapes` are the
/// resolved shapes of the arguments.
InputFacts collectInputFacts(const Signature &signature,
                             llvm::ArrayRef<Shape> shapes);

/// A size that a call gives: a number, or a dimension of an argument.
struct InputSize {
  int64_t value = 0;
  std::optional<unsigned> argument;
  unsigned dim = 0;

  bool operator==(const InputSize &other) const {
    return value == other.value && argument == other.argument &&
           dim == other.dim;
  }
  int64_t evaluate(llvm::ArrayRef<Shape> shapes) const {
    return argument ? shapes[*argument][dim] : value;
  }
};

/// The numbers that an integer input may hold, before sizes are known.
struct InputLimit {
  /// But for its size.
  IndexLimit limit;
  InputSize size;
  /// Tokens before the first; for Positions.
  InputSize past;
  /// For Rows: the ids of a part are indexed and others left to others, and the
  /// size is that of the whole table, where it is known.
  bool isOfPart = false, isWholeKnown = false;

  IndexLimit evaluate(llvm::ArrayRef<Shape> shapes) const;
};

/// All that is known of an argument that is an integer input.
std::vector<InputLimit> collectInputLimits(const Signature &signature,
                                           unsigned argument);

/// Gives what limits say of an input in a call of these shapes.
InputFact evaluateLimits(llvm::ArrayRef<InputLimit> limits,
                         llvm::ArrayRef<Shape> shapes);

/// Tells whether an input of this name counts valid tokens.
bool isLengthsName(llvm::StringRef name);

} // namespace parablock::runner

#endif // PARABLOCK_RUNNER_INPUTFACTS_H
