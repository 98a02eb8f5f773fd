//===- SizeProof.h - what two sizes show of all others ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function with open sizes is looked at with two numbers in the place of
// each. Elements and sizes that these would not tell apart from something else
// are found here before: they are refused, with the op that computes them, or
// bound the numbers that show all of them.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_SIZEPROOF_H
#define PARABLOCK_LIB_RAISE_SIZEPROOF_H

#include "SizeNeeds.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace parablock::raise {

/// Walks `function`. Each `?` of an argument is the size of the number
/// `sizeOf(argument, dim)`; `names` are those of all sizes.
SizeNeeds findSizeNeeds(mlir::FunctionOpInterface function,
                        llvm::function_ref<unsigned(unsigned, unsigned)> sizeOf,
                        llvm::ArrayRef<llvm::StringRef> names);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_SIZEPROOF_H
