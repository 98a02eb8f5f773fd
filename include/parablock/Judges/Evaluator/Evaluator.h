//===- Evaluator.h - the meaning of upstream ops, executed ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A float64 evaluator of a closed list of upstream ops
// (docs/internals/Evaluator.md): what model IR of other tools computes, and so
// what raising it is judged by. The reference engine runs such ops by it; it
// shares no code with any rewrite or lowering.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EVALUATOR_EVALUATOR_H
#define PARABLOCK_EVALUATOR_EVALUATOR_H

#include "mlir/IR/Operation.h"
#include "parablock/Support/HostTensor.h"
#include <optional>

namespace parablock::evaluator {

/// A tensor, or with an empty shape a scalar.
using Array = HostTensor;
using Arrays = llvm::SmallVector<Array, 1>;

struct Options {
  /// Float results are rounded to their element type after every op, unless
  /// the arithmetic is exact. Sums inside one op are not rounded on the way.
  bool exactArithmetic = false;
  /// Draws these roundings at random (RandomRounding.h); without it they go to
  /// the nearest number.
  std::optional<uint64_t> roundingSeed;
};

/// The type of the elements that an IR type holds; none for a type that has no
/// values here.
std::optional<ElementType> getElementTypeOf(mlir::Type type);

/// Returns true for an op that is on the list.
bool isKnown(mlir::Operation *op);

/// Runs one op that is on the list. `lookup` gives the values it reads, those
/// that its region reads from outside included. A shape that does not fit, an
/// index outside its table, an assertion that fails: all are diagnostics at
/// the op.
mlir::FailureOr<Arrays>
runOp(mlir::Operation *op,
      llvm::function_ref<const Array &(mlir::Value)> lookup,
      const Options &options = {});

} // namespace parablock::evaluator

#endif // PARABLOCK_EVALUATOR_EVALUATOR_H
