//===- ElementFunction.h - functions of one number --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An activation may be written as a polynomial, a quotient of two or by pieces,
// as tools do that have no op for the error function. What an expression of one
// value and constants is, its numbers tell: on thousands of points, in float64.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_ELEMENTFUNCTION_H
#define PARABLOCK_LIB_RAISE_ELEMENTFUNCTION_H

#include "Algebra.h"
#include "parablock/IR/BlockAttrs.h"

namespace parablock::raise {

/// An expression of elements of `x` and constants.
class ElementFunction {
public:
  explicit ElementFunction(Graph &graph, const Term &x) : graph(graph), x(x) {}

  /// Adds `coefficient` times `product`; false, with nothing added, where that
  /// is no function of `x`.
  bool add(const Product &product, double coefficient = 1);
  double operator()(double number) const;

private:
  std::optional<unsigned> compile(const Term &given);
  unsigned push(Kind op, llvm::ArrayRef<unsigned> operands, double value);

  /// One operation; results of earlier steps are its operands.
  struct Step {
    Kind op;
    llvm::SmallVector<unsigned, 3> operands;
    double value;
  };
  Graph &graph;
  Term x;
  llvm::SmallVector<Step> steps;
  llvm::SmallVector<std::pair<Term, unsigned>> known;
  llvm::SmallVector<std::pair<unsigned, double>> addends;
};

/// The activation that a function is next to, times a factor.
struct NearActivation {
  block::Activation kind;
  double factor;
  /// The largest distance, divided by the factor, and where it is.
  double distance, at;
};
std::optional<NearActivation> findNearActivation(const ElementFunction &f);

/// The activation that `f` is, times `factor`: no result differs by more than
/// computing it in f32 may, one step of the argument's.
std::optional<block::Activation> findActivation(const ElementFunction &f,
                                                double &factor);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_ELEMENTFUNCTION_H
