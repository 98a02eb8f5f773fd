//===- Scalars.h - functions of numbers -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_EVALUATOR_SCALARS_H
#define PARABLOCK_LIB_EVALUATOR_SCALARS_H

#include "mlir/IR/Operation.h"
#include "parablock/Support/FloatFormats.h"

namespace parablock::evaluator {

/// A function of one, two or three numbers.
class ScalarFunction {
public:
  using Unary = double (*)(double);
  using Binary = double (*)(double, double);
  using Ternary = double (*)(double, double, double);

  ScalarFunction() = default;
  ScalarFunction(Unary function) : unary(function), arity(1) {}
  ScalarFunction(Binary function) : binary(function), arity(2) {}
  ScalarFunction(Ternary function) : ternary(function), arity(3) {}

  unsigned getArity() const { return arity; }
  explicit operator bool() const { return arity != 0; }

  /// Applies it `count` times; the arguments must be as many as its arity.
  void apply(double *result, llvm::ArrayRef<const double *> arguments,
             int64_t count) const;

private:
  Unary unary = nullptr;
  Binary binary = nullptr;
  Ternary ternary = nullptr;
  unsigned arity = 0;
};

/// Returns the function of an elementwise op of arith, math or
/// index; none for other ops. Results must still be converted to
/// their type.
ScalarFunction getScalarFunction(mlir::Operation *op);

/// Wraps integers to an integer type, by dropping high bits; floats
/// are unchanged. Returns false beyond 2^53, where doubles have
/// gaps.
bool wrap(ElementType type, llvm::MutableArrayRef<double> values);

/// Returns the number of `value`, an attribute of a float or integer type; none
/// for an integer that no double represents.
std::optional<double> getNumber(mlir::Attribute value);

} // namespace parablock::evaluator

#endif // PARABLOCK_LIB_EVALUATOR_SCALARS_H
