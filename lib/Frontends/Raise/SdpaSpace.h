//===- SdpaSpace.h - heads, queries and keys of an attention ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_SDPASPACE_H
#define PARABLOCK_LIB_RAISE_SDPASPACE_H

#include "ScoreChain.h"
#include "WeightedSum.h"

namespace parablock::raise {

/// The digits of an attention. The weighted sum of values, the product of
/// queries and keys and all operations on the scores are written in the digits
/// of one space: elements of the result, keys, and elements of a query's head.
/// The meaning of a digit follows from the operands that depend on it.
struct SdpaSpace {
  /// Weights, value, query, key, result, and then every mask and bias, the
  /// tables and gains beside the softmax, the sink, and dropped weights.
  enum { W, V, Q, K, Out, Pieces };

  int64_t headSize = 0;
  llvm::SmallVector<Layout> layouts;
  Aligned aligned;
  llvm::SmallVector<unsigned> batch, groups, repeats, queries, keys, elements,
      valueElements;
  /// Number of the first layout of each part beside the softmax.
  llvm::SmallVector<unsigned> mixPieces;
  /// The logit of the softmax that has no value, where the weights read it;
  /// null for none.
  Term sink;
  unsigned sinkPiece = 0;

  /// Aligns all operands and sorts the digits; false if heads cannot be told
  /// from tokens and elements. Swaps query and key of the chain if keys come
  /// first in the product.
  bool find(const Graph &graph, const Node *node, const WeightedSum &sum,
            ScoreChain &chain);

  bool varies(unsigned piece, unsigned digit) const {
    return aligned.strides[piece][digit] != 0;
  }
  bool countsHeads(unsigned digit) const;
  bool isOfHeads(unsigned piece) const;
  bool isPerHead(unsigned piece) const;
  bool isPerKey(unsigned piece) const {
    return llvm::any_of(keys, [&](unsigned d) { return varies(piece, d); });
  }
  /// Returns the `digits` that any of the first `count` masks and biases depend
  /// on.
  llvm::SmallVector<unsigned> findMasked(llvm::ArrayRef<unsigned> digits,
                                         unsigned count) const;
  /// Returns the number of positions of digits.
  int64_t getSize(llvm::ArrayRef<unsigned> digits) const {
    return aligned.getSize(digits);
  }
  int64_t getNumHeads() const { return getSize(groups) * getSize(repeats); }
  /// Returns a piece over digits, in their order.
  Layout select(unsigned piece, llvm::ArrayRef<unsigned> digits) const {
    return aligned.select(piece, digits, layouts[piece].getOffset());
  }
};

/// Returns the node that `node` is projected from, before norms and rotations.
const Node *findProjected(const Node *node);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_SDPASPACE_H
