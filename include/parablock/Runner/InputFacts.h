//===- InputFacts.h - what a function expects of its integers ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RUNNER_INPUTFACTS_H
#define PARABLOCK_RUNNER_INPUTFACTS_H

#include "parablock/Runner/ArgumentBinding.h"
#include <optional>

namespace parablock::runner {

/// What is known of an integer input from how the function uses it.
struct InputFact {
  /// Ids are below the number of rows of the table they index.
  std::optional<int64_t> tableRows;
  /// Rows of the whole table, where those of a part are indexed and other ids
  /// are left to others.
  std::optional<int64_t> vocabulary;
  /// Lengths are at most the number of tokens they count.
  std::optional<int64_t> tokens;
  /// Beginnings of sequences that share one row of so many tokens, and its end:
  /// they start at 0 and never fall.
  std::optional<int64_t> packedTokens;
};

using InputFacts = llvm::StringMap<InputFact>;

/// Facts of all integer inputs that something is known of. `shapes` are the
/// resolved shapes of the arguments.
InputFacts collectInputFacts(const Signature &signature,
                             llvm::ArrayRef<Shape> shapes);

/// Whether an input of this name counts valid tokens.
bool isLengthsName(llvm::StringRef name);

} // namespace parablock::runner

#endif // PARABLOCK_RUNNER_INPUTFACTS_H
