//===- ModuleLoading.h - IR files and the functions in them -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EXECUTION_MODULELOADING_H
#define PARABLOCK_EXECUTION_MODULELOADING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace parablock::runner {

/// Parses and verifies IR, as text or bytecode; "-" is standard input. Errors
/// in the file are emitted as diagnostics and returned as DiagnosedError.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
loadModule(llvm::StringRef path, mlir::MLIRContext &context);

/// Returns the function of that name, which must have a body, or the model
/// of the module if the name is empty; the error lists the existing
/// functions.
llvm::Expected<mlir::func::FuncOp>
findFunction(mlir::ModuleOp module, llvm::StringRef name, llvm::StringRef path);

} // namespace parablock::runner

#endif // PARABLOCK_EXECUTION_MODULELOADING_H
