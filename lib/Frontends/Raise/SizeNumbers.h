//===- SizeNumbers.h - functions of numbers ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_SIZENUMBERS_H
#define PARABLOCK_LIB_RAISE_SIZENUMBERS_H

#include "mlir/IR/Operation.h"
#include <functional>
#include <optional>

namespace parablock::raise {

/// Numbers beyond are not positions: the largest integers, for example.
inline constexpr double kFarNumber = 1 << 30;

/// Ops by how their results go on where operands go on by a rule.
enum class OpClass {
  Keep,
  Negate,
  Add,
  Subtract,
  Multiply,
  Divide,
  Compare,
  Extreme,
  Absolute,
  Select,
  Monotone,
  Wave,
  Other,
};

/// An op that acts on elements, as a function of numbers.
struct NumberOp {
  OpClass kind;
  std::function<double(llvm::ArrayRef<double>)> compute;
};

/// Returns the function of an op of arith or math; none if there is no rule.
std::optional<NumberOp> getNumberOp(mlir::Operation *op);

/// True of an op that gives the lesser of two numbers.
bool isMinimum(mlir::Operation *op);

/// True of float types that do not hold all positions.
bool isNarrowFloat(mlir::Type type);
/// Rounds to such a type; other types keep the number.
double roundToNarrow(double number, mlir::Type type);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_SIZENUMBERS_H
