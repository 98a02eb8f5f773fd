//===- OpenSizes.h - raising with dynamic sizes -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function with `?` is raised with numbers instead: primes that do not occur
// in it, above every number at which decisions about sizes change. Before that,
// SizeProof refuses functions for which two sizes are not sufficient. The
// results for two numbers are joined; a third number is for reading tables of
// the module to their ends.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_OPENSIZES_H
#define PARABLOCK_LIB_RAISE_OPENSIZES_H

#include "SizeProof.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock::raise {

/// True where sizes of all tensors are known.
bool isStatic(mlir::FunctionOpInterface function);

/// Runs `raise` on copies of the function with static sizes. If the result does
/// not depend on the sizes, it becomes the function's body; otherwise the
/// function is unchanged, and the reason is returned.
std::optional<SizeRefusal>
raiseWithOpenSizes(mlir::FunctionOpInterface function,
                   llvm::function_ref<void(mlir::FunctionOpInterface)> raise);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_OPENSIZES_H
