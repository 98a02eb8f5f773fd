//===- Algebra.h - normal forms of sums and products ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Any nesting, order and sign of additions is one sum, and any nesting of
// multiplications, divisions, roots and constant factors one product.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_ALGEBRA_H
#define PARABLOCK_LIB_RAISE_ALGEBRA_H

#include "Graph.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace parablock::raise {

struct Factor {
  Term term;
  double exponent;
};

struct Product {
  double coefficient = 1;
  llvm::SmallVector<Factor, 4> factors;
  /// The place of the first factor that `accepts`, or -1.
  int find(llvm::function_ref<bool(const Factor &)> accepts) const;
  /// Without the factor at `index`.
  Product without(int index) const;
};

struct Addend {
  Term term;
  double coefficient;
};

struct Sum {
  double constant = 0;
  llvm::SmallVector<Addend, 4> addends;
  int find(llvm::function_ref<bool(const Addend &)> accepts) const;
  Sum without(int index) const;
};

/// A term without the roundings around it.
Term stripRounding(Graph &graph, Term term);

/// Takes the bound off `term`, from above alone or of both signs; returns it,
/// or 0 if there is none. `term` is null if what is bounded cannot be read in
/// the term's layout.
double takeLimit(Graph &graph, Term &term, bool isOfBothSigns);

/// Takes the number off that is added to `term`; returns it. `term` is null if
/// the other summand cannot be read in the term's layout.
double takeOffset(Graph &graph, Term &term);

/// The node `atom` is a single factor, even if it is a product.
Product getProduct(Graph &graph, const Term &term, const Node *atom = nullptr);

/// A factor of `product` as it was before its rounding was left out.
Term restoreRounding(Graph &graph, const Term &product, const Term &factor);

/// A product of two values.
struct TwoFactors {
  double coefficient;
  Term a, b;
};

/// The two values that `term` is a product of: its factors, or the operands of
/// the multiplication if those are products themselves, as values times a gate.
std::optional<TwoFactors> splitInTwo(Graph &graph, const Term &term);

/// Sums and roundings are followed through nodes for which `opens` holds.
Sum getSum(
    Graph &graph, const Term &term,
    llvm::function_ref<bool(const Node *)> opens = [](const Node *) {
      return true;
    });

/// The term that a product or a sum is again, over `size` elements.
Term build(Graph &graph, const Product &product, int64_t size);

Term build(Graph &graph, const Sum &sum, int64_t size);

/// Returns whether two numbers are equal up to rounding to f32.
bool isClose(double a, double b);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_ALGEBRA_H
