//===- ModelSummary.h - what became of a model, in a few lines --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_MODELSUMMARY_H
#define PARABLOCK_TRANSFORMS_MODELSUMMARY_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/raw_ostream.h"

namespace parablock {

/// Says what was recognised in `function` and what was missed, its launches,
/// what is left over and costs how much, and what approximate rewrites left.
/// Fails, with a diagnostic, where block-report does.
mlir::LogicalResult writeModelSummary(llvm::raw_ostream &os,
                                      mlir::FunctionOpInterface function);

} // namespace parablock

#endif // PARABLOCK_TRANSFORMS_MODELSUMMARY_H
