//===- InputFacts.h - facts about integer inputs ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EXECUTION_INPUTFACTS_H
#define PARABLOCK_EXECUTION_INPUTFACTS_H

#include "parablock/Execution/ArgumentBinding.h"
#include "parablock/Support/IndexLimits.h"
#include <optional>

namespace parablock::runner {

/// A fact about an integer input, from the function's uses of it.
struct InputFact {
  /// Ids are below the number of rows of the table they index.
  std::optional<int64_t> tableRows;
  /// An additional id that selects no row.
  std::optional<int64_t> ignored;
  /// Ids below 0 count from the end of each table that they index.
  bool countsFromEnd = false;
  /// Number of rows of the whole table, if this rank indexes a part and ignores
  /// other ids.
  std::optional<int64_t> vocabulary;
  /// Lengths are at most the number of tokens they count.
  std::optional<int64_t> tokens;
  /// Beginnings of packed sequences in one row of this many tokens, and its
  /// end: they start at 0 and never decrease.
  std::optional<int64_t> packedTokens;
  /// Positions of ids in their sequence are rows of a table.
  std::optional<IndexLimit> positions;
  /// Upper end of drawn counts of caches, which are mutually consistent
  /// (CacheLimits).
  std::optional<int64_t> drawnBelow;
  /// True if no number is drawn twice, as for pages.
  bool isDrawnOnce = false;
};

using InputFacts = llvm::StringMap<InputFact>;

/// Returns the facts of all integer inputs with known facts. `shapes` are the
/// resolved shapes of the arguments.
InputFacts collectInputFacts(const Signature &signature,
                             llvm::ArrayRef<Shape> shapes);

/// A size of a call: a number, or a dimension of an argument.
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

/// The values that an integer input may have, before sizes are known.
struct InputLimit {
  /// But for its size.
  IndexLimit limit;
  InputSize size;
  /// Tokens before the first; for Positions.
  InputSize past;
  /// For Rows: this rank indexes a part and ignores other ids; and `size` is
  /// that of the whole table, if known.
  bool isOfPart = false, isWholeKnown = false;

  IndexLimit evaluate(llvm::ArrayRef<Shape> shapes) const;
};

/// Returns all limits of an argument that is an integer input.
std::vector<InputLimit> collectInputLimits(const Signature &signature,
                                           unsigned argument);

/// Returns the facts about an input that follow from limits in a call of these
/// shapes.
InputFact evaluateLimits(llvm::ArrayRef<InputLimit> limits,
                         llvm::ArrayRef<Shape> shapes);

/// Returns whether an input of this name counts valid tokens.
bool isLengthsName(llvm::StringRef name);

} // namespace parablock::runner

#endif // PARABLOCK_EXECUTION_INPUTFACTS_H
