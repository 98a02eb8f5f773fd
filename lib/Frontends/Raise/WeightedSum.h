//===- WeightedSum.h - values weighted by a softmax -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_WEIGHTEDSUM_H
#define PARABLOCK_LIB_RAISE_WEIGHTEDSUM_H

#include "Algebra.h"

namespace parablock::raise {

/// A part of the weights other than softmax, and its gain for each head.
struct MixedPart {
  llvm::StringRef role;
  llvm::SmallVector<Factor, 2> tables;
  Term gain;
};

/// A sum of values with weights from a softmax: the first stage of matching
/// attention.
struct WeightedSum {
  double factor = 1;
  /// The softmax.
  Term weights;
  Term value;
  /// The weights as dropout leaves them; null where nothing is dropped.
  Term dropped;
  llvm::SmallVector<MixedPart, 3> mix;

  bool find(Graph &graph, const Node *node);
  /// Turns a softmax over keys and one logit more, the first or the last, that
  /// no value is multiplied with, into one over the keys with a sink.
  void separateSink(Graph &graph);

private:
  Term skipDropout(const Term &term);
  bool splitWeights(Graph &graph, const Term &mixed);
};

/// Writes each digit of `layout` in rows of `width`: its step among rows, and
/// its step within a row.
void splitDigits(const Layout &layout, int64_t width,
                 llvm::SmallVectorImpl<Digit> &ofRows,
                 llvm::SmallVectorImpl<Digit> &inRows);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_WEIGHTEDSUM_H
