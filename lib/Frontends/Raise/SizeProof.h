//===- SizeProof.h - sufficiency of two sizes -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function with dynamic sizes is raised with two numbers for each. This walk
// finds elements and sizes for which these are not sufficient: they are
// refused, with the op that computes them, or they bound the numbers from
// below.
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
