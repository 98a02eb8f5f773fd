//===- Padding.h - what is computed from masks of padding -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_PADDING_H
#define PARABLOCK_LIB_RAISE_PADDING_H

#include "ScoreChain.h"

namespace parablock::raise {

/// True for an argument of `size` whole numbers.
bool isGivenNumbers(const Node *node, int64_t size);

/// True where `term`, rows of `width`, has the number of each column.
bool isColumn(const Term &term, int64_t width);

/// True for an argument of lengths that are 1 and more.
bool isOfPadding(const Node *counts);

/// Reads what is computed from masks of padding, `j < lengths[b]`: terms over
/// batch rows, anything else and keys, the latter innermost.
class PaddingReader {
public:
  PaddingReader(Graph &graph, int64_t rows, int64_t keys)
      : graph(graph), rows(rows), keys(keys) {}

  /// Returns whether any element depends on a mask of padding.
  bool isPadded(const Node *node);
  /// Returns whether the elements of each key depend on the masks of this key
  /// and of those before it alone.
  bool looksBack(const Term &term);
  /// Returns `term` with all tokens real, or with all of them padding but for
  /// running sums, which stay; a null term for an operation that is not
  /// followed.
  Term replace(const Term &term, bool isReal);

  /// The argument of lengths, the same one in all masks; null for none so far.
  const Node *lengths = nullptr;

private:
  /// Returns what a comparison of keys with lengths is for real keys; none for
  /// another node.
  std::optional<bool> getMark(const Node *node) const;
  bool isMask(const Term &term);
  bool isRunningSum(const Node *node);
  Term sumRows(const Term &all, int64_t width);
  Term replaceAll(const Node *node, bool isReal);

  Graph &graph;
  int64_t rows, keys;
  llvm::DenseMap<const Node *, bool> padded;
  llvm::DenseMap<const Node *, Term> replaced[2];
};

/// Masks and biases of a chain over batch rows, heads, queries and keys.
struct ScoreSpace {
  int64_t rows, keys;
  /// Queries and keys are of the same tokens.
  bool isOfOneStream;
  llvm::SmallVector<Term> conditions, biases;
};

/// A chain as it is without padding, and the lengths that hide the rest.
struct UnpaddedScores {
  ScoreChain chain;
  Term lengths;
};

/// Separates padding from the other masks and biases of a chain.
std::optional<UnpaddedScores> readPadding(Graph &graph, const ScoreChain &chain,
                                          const ScoreSpace &space);

/// Returns whether no result has anything of rows of padding in real ones,
/// after steps were grouped as if no result depended on these.
bool keepsPaddingApart(Graph &graph, llvm::ArrayRef<Term> results,
                       llvm::ArrayRef<Term> others);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_PADDING_H
