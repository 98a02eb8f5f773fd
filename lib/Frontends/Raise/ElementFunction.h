//===- ElementFunction.h - functions of one variable ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An activation may be written as a polynomial, a quotient of two or by pieces,
// by tools without an op for the error function. An expression of one value and
// constants is identified by its numbers: at thousands of points, in float64,
// and on both sides of each place where one of its steps is discontinuous.
//
// lib/Judges/Evaluator cannot run it, since no op of the function computes it:
// matchers assemble it from factors and addends. It is therefore a list of
// steps, each evaluated by the code for constants (Evaluate.cpp), once for each
// point.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_ELEMENTFUNCTION_H
#define PARABLOCK_LIB_RAISE_ELEMENTFUNCTION_H

#include "Algebra.h"
#include "parablock/Dialect/Block/BlockAttrs.h"

namespace parablock::raise {

/// The kind of a recognised activation.
inline block::Activation getActivation(const Term &term) {
  return llvm::cast<block::ActivationAttr>(term.node->form).getValue();
}

/// An expression of elements of `x` and constants.
class ElementFunction {
public:
  explicit ElementFunction(Graph &graph, const Term &x)
      : graph(graph), x(x), type(x.node->type) {}

  /// Adds `coefficient` times `product`; returns false, and adds nothing, if
  /// that is not a function of `x`.
  bool add(const Product &product, double coefficient = 1);
  double operator()(double number) const;
  /// Returns the value with every step rounded to 16 bits, if it is rounded.
  double getRounded(double number) const;
  /// True where an exponential is too large for a number.
  bool overflows(double number) const;
  /// Returns the 16-bit type that steps are rounded to, the coarser of two, or
  /// null.
  mlir::Type getType() const { return type; }

  /// Returns the points where steps may have a jump or a kink, in order: points
  /// where compared values are equal, zeros, and extrema. None if there are too
  /// many.
  std::optional<std::vector<double>> getCriticalPoints() const;

private:
  /// A number that is 0 at a critical point: a step, or the difference of two,
  /// minus an offset.
  struct Watch {
    unsigned step;
    std::optional<unsigned> other;
    double offset;
  };
  std::optional<unsigned> compile(const Term &term);
  unsigned push(Kind op, llvm::ArrayRef<unsigned> operands, double value,
                mlir::Type type = {});
  llvm::SmallVector<double, 64> run(double number,
                                    bool isRounded = false) const;
  double addUp(llvm::ArrayRef<double> results) const;
  llvm::SmallVector<Watch> getWatches() const;
  double get(const Watch &watch, double number) const;

  /// One operation; results of earlier steps are its operands.
  struct Step {
    Kind op;
    llvm::SmallVector<unsigned, 3> operands;
    double value;
    mlir::Type type;
  };
  Graph &graph;
  Term x;
  mlir::Type type;
  llvm::SmallVector<Step> steps;
  llvm::SmallVector<std::pair<Term, unsigned>> known;
  llvm::SmallVector<std::pair<unsigned, double>> addends;
};

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_ELEMENTFUNCTION_H
