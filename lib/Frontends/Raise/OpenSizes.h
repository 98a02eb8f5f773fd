//===- OpenSizes.h - functions whose sizes are not known --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function with `?` is looked at with numbers in its place: primes that occur
// nowhere in it, beyond every number at which what sizes decide changes.
// Before, SizeProof refuses what two sizes do not show. What both of two
// numbers give is joined again; a third one reads tables of the module to their
// ends.
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

/// Runs `raise` on copies of the function with known sizes. Where what it makes
/// of them does not depend on the sizes, it becomes the function's body;
/// otherwise the function stays as it is, and the reason is returned.
std::optional<SizeRefusal>
raiseWithOpenSizes(mlir::FunctionOpInterface function,
                   llvm::function_ref<void(mlir::FunctionOpInterface)> raise);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_OPENSIZES_H
