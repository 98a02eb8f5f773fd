//===- Interpreter.h - the meaning of block IR, executed --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The reference engine: every op from its formula, in float64, sharing no code
// with any rewrite or lowering. It is the oracle the rest is judged by.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_REFERENCE_INTERPRETER_H
#define PARABLOCK_REFERENCE_INTERPRETER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Support/FloatFormats.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>
#include <memory>
#include <vector>

namespace parablock::reference {

/// A tensor value: float64 whatever its element type, row-major. Copies share
/// the elements, which never change once made.
struct Tensor {
  ElementType type = ElementType::F64;
  llvm::SmallVector<int64_t> shape;
  std::shared_ptr<const std::vector<double>> values;

  llvm::ArrayRef<double> data() const { return *values; }
  int64_t getNumElements() const;
};

struct Options {
  /// Results are rounded to their IR element type at the documented rounding
  /// points; exact arithmetic does not round at all.
  bool exactArithmetic = false;
  /// Called after every op with its results, in order of execution.
  std::function<void(mlir::Operation *, llvm::ArrayRef<Tensor>)> observer;
};

/// Runs `function` on `arguments` and returns its results. What the arguments
/// or the ops are at fault for (a shape that a `?` hid, an id outside its
/// table, an op without a meaning here) is emitted as a diagnostic at the op.
mlir::FailureOr<std::vector<Tensor>> run(mlir::func::FuncOp function,
                                         llvm::ArrayRef<Tensor> arguments,
                                         const Options &options = {});

} // namespace parablock::reference

#endif // PARABLOCK_REFERENCE_INTERPRETER_H
