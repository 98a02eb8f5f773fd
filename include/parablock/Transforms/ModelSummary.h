//===- ModelSummary.h - summary of a model ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_MODELSUMMARY_H
#define PARABLOCK_TRANSFORMS_MODELSUMMARY_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/raw_ostream.h"

namespace parablock {

/// Writes what was recognised and missed in `function`, its launches, its
/// leftovers with their cost, and the errors of approximate rewrites. Fails,
/// with a diagnostic, where block-report does.
mlir::LogicalResult writeModelSummary(llvm::raw_ostream &os,
                                      mlir::FunctionOpInterface function);

} // namespace parablock

#endif // PARABLOCK_TRANSFORMS_MODELSUMMARY_H
