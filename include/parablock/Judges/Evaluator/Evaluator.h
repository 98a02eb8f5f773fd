//===- Evaluator.h - evaluator of upstream ops ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A float64 evaluator of a closed list of upstream ops
// (docs/internals/Evaluator.md). It defines the result of foreign model IR, and
// so is the standard for raising it. The reference engine uses it for such ops;
// it shares no code with any rewrite or lowering.
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
  /// Float results are rounded to their element type after every op, unless the
  /// arithmetic is exact. Sums inside one op are not rounded in between.
  bool exactArithmetic = false;
  /// Rounds at random (RandomRounding.h); to nearest without
  /// it.
  std::optional<uint64_t> roundingSeed;
};

/// Returns the element type of an IR type; none for an unsupported
/// type.
std::optional<ElementType> getElementTypeOf(mlir::Type type);

/// Returns true for an op that is on the list.
bool isKnown(mlir::Operation *op);

/// Runs one op that is on the list. `lookup` returns the values that it
/// reads, including outer values read by its region. A mismatched shape,
/// an index outside its table or a failing assertion is diagnosed at the
/// op.
mlir::FailureOr<Arrays>
runOp(mlir::Operation *op,
      llvm::function_ref<const Array &(mlir::Value)> lookup,
      const Options &options = {});

} // namespace parablock::evaluator

#endif // PARABLOCK_EVALUATOR_EVALUATOR_H
