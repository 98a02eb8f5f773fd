//===- TokensFirst.h - streams with tokens first ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_TOKENSFIRST_H
#define PARABLOCK_LIB_RAISE_TOKENSFIRST_H

#include "Importer.h"

namespace parablock::raise {

/// Argument streams, each as a copy with the batch first, which pieces read
/// instead.
using Turned = llvm::SmallVector<mlir::Value>;

/// Inserts transpositions after arguments that are [tokens, batch, width],
/// if attention is recognised in that order alone; otherwise changes
/// nothing.
Turned turnTokensFirst(mlir::FunctionOpInterface function);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_TOKENSFIRST_H
