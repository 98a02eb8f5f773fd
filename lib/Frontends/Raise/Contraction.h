//===- Contraction.h - nested sums of products as one -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tools contract several tensors pair by pair, in an order of their own. Here
// all orders are one sum over the positions of all of them.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_CONTRACTION_H
#define PARABLOCK_LIB_RAISE_CONTRACTION_H

#include "Graph.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace parablock::raise {

/// A sum of products. All factors are read at all positions.
struct Contraction {
  struct Factor {
    Term term;
    /// True for a factor of the sum that the bias is added to.
    bool isBiased = false;
  };
  llvm::SmallVector<Factor, 8> factors;
  /// A term that is added to an inner sum, or null.
  Term bias;
  double coefficient = 1;
  /// The element that each position is added to.
  Layout sums;
};

/// Returns `term`, a sum of products or a product, and sums among the factors
/// for which `opens` holds, as one sum. None if it cannot be read as one.
std::optional<Contraction>
getContraction(Graph &graph, const Term &term,
               llvm::function_ref<bool(const Node *)> opens);

/// Returns whether the product that a sum adds up has a factor for which `has`
/// holds, itself or in a sum within.
bool leadsTo(const Node *sum, llvm::function_ref<bool(const Node *)> has);

/// Returns whether `node` is a sum of products with weights.
bool sumsWeights(const Node *node);

/// `layout` times `scale`, and a fastest digit.
Layout appendDigit(const Layout &layout, int64_t scale, Digit last);

/// Returns how many experts the numbers in `choice` are below; 0 if unknown.
int64_t countExperts(const Term &choice);

/// A sum of two terms, one of which depends on weights alone.
struct BiasedTerm {
  Term term, bias;
};

/// Returns `term` without the bias that is added to it; the bias may be null.
BiasedTerm splitBias(Graph &graph, const Term &term);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_CONTRACTION_H
