//===- StepFunction.h - a function and its gradients ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_COMPARE_STEPFUNCTION_H
#define PARABLOCK_LIB_COMPARE_STEPFUNCTION_H

#include "parablock/Execution/Signature.h"
#include <optional>

namespace parablock::runner {

/// Result `result` is the gradient by argument `argument`.
struct GradientResult {
  unsigned result, argument;
};

/// A part of the differentiated value: the sum of a result's elements, each
/// times that of an argument, if there is one.
struct LossTerm {
  unsigned result;
  std::optional<unsigned> factor;
};

/// The gradients of a function, and the terms of the differentiated value, in
/// the order of results.
struct StepOutline {
  llvm::SmallVector<GradientResult> gradients;
  llvm::SmallVector<LossTerm> loss;
};

/// Reads the outline of `signature`, whose results are marked as gradients.
/// Errors: there is none; one is by an integer, has another shape than its
/// argument, or is the second by that argument; the loss is not a single float,
/// or a float output has no argument grad.NAME of its shape.
llvm::Expected<StepOutline> readStep(const Signature &signature);

/// A copy of a function that returns the terms of a loss alone and computes
/// nothing else; it exists in the same module during this object's lifetime.
class LossFunction {
public:
  LossFunction(mlir::func::FuncOp whole, llvm::ArrayRef<LossTerm> terms);
  ~LossFunction() { function.erase(); }
  LossFunction(const LossFunction &) = delete;
  LossFunction &operator=(const LossFunction &) = delete;

  mlir::func::FuncOp get() const { return function; }

private:
  mlir::func::FuncOp function;
};

/// The ops that read an argument.
struct Readers {
  /// Their names, each once.
  std::vector<std::string> names;
  /// The label of the layer that the first of them is in, or empty.
  std::string layer;
  /// The place of the first of them among all ops, from 1 on; 0 without any.
  size_t place = 0;
};

/// Returns the readers of `argument` of `function`, after casts and
/// rearrangements by ops outside the block dialect.
Readers findReaders(mlir::func::FuncOp function, unsigned argument);

/// Describes the op, its layer and its line in the file that compute the result
/// `index` of `function`.
std::string describeMaker(mlir::func::FuncOp function, unsigned index);

} // namespace parablock::runner

#endif // PARABLOCK_LIB_COMPARE_STEPFUNCTION_H
