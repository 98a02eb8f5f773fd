//===- TokensFirst.h - streams of which tokens come first -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_TOKENSFIRST_H
#define PARABLOCK_LIB_RAISE_TOKENSFIRST_H

#include "Importer.h"

namespace parablock::raise {

/// Streams that the function is given, by the argument's copy with the batch
/// first, which pieces read instead.
using Turned = llvm::SmallVector<mlir::Value>;

/// Where streams come as [tokens, batch, width], which attention tells that is
/// found in that order alone, puts transpositions behind those arguments; else
/// nothing is changed.
Turned turnTokensFirst(mlir::FunctionOpInterface function);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_TOKENSFIRST_H
