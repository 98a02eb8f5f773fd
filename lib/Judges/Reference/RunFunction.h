//===- RunFunction.h - one function, as entry or as callee ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_REFERENCE_RUNFUNCTION_H
#define PARABLOCK_LIB_REFERENCE_RUNFUNCTION_H

#include "Evaluation.h"

namespace parablock::reference {

/// Emits a diagnostic unless `function` has a body of one block, and such
/// arguments.
mlir::LogicalResult checkCall(mlir::func::FuncOp function,
                              llvm::ArrayRef<Tensor> arguments);

/// `run` below `callDepth` callers; a chain of calls without end is refused.
mlir::FailureOr<Tensors> runFunction(mlir::func::FuncOp function,
                                     llvm::ArrayRef<Tensor> arguments,
                                     const Options &options,
                                     unsigned callDepth);

} // namespace parablock::reference

#endif // PARABLOCK_LIB_REFERENCE_RUNFUNCTION_H
