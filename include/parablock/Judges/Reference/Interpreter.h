//===- Interpreter.h - reference engine of block IR -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The reference engine: evaluates every op from its formula, in float64,
// sharing no code with any rewrite or lowering. It is the oracle for all other
// code. Upstream ops are left to their evaluator (Evaluator.h), which is
// equally independent.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_REFERENCE_INTERPRETER_H
#define PARABLOCK_REFERENCE_INTERPRETER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Support/HostTensor.h"
#include <functional>
#include <optional>
#include <vector>

namespace parablock::reference {

using Tensor = HostTensor;

struct RouteLog;

struct Options {
  /// Results are rounded to their IR element type at the documented rounding
  /// points; exact arithmetic does not round at all.
  bool exactArithmetic = false;
  /// Rounds at random (RandomRounding.h); to nearest without
  /// it.
  std::optional<uint64_t> roundingSeed;
  /// The current rank, for functions that read it.
  int64_t rank = 0;
  /// Choices of routers, which a run adds, and choices that they must make; may
  /// be null, as it must for several ranks.
  RouteLog *routes = nullptr;
  /// Called after every op with its results, in order of execution.
  std::function<void(mlir::Operation *, llvm::ArrayRef<Tensor>)> observer;
};

/// Runs `function` on `arguments` and returns its results. Errors in arguments
/// or ops (a shape hidden by a `?`, an id outside its table, an op without
/// semantics here) are diagnosed at the op.
mlir::FailureOr<std::vector<Tensor>> run(mlir::func::FuncOp function,
                                         llvm::ArrayRef<Tensor> arguments,
                                         const Options &options = {});

/// Runs `function` as all ranks of its module's grid, each on its own
/// arguments, and returns the results of each. Ranks meet at collectives, which
/// sum in the order of the ranks. The callbacks of `options` observe rank 0.
mlir::FailureOr<std::vector<std::vector<Tensor>>>
runRanks(mlir::func::FuncOp function,
         llvm::ArrayRef<std::vector<Tensor>> arguments,
         const Options &options = {});

} // namespace parablock::reference

#endif // PARABLOCK_REFERENCE_INTERPRETER_H
