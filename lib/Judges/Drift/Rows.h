//===- Rows.h - data with dynamic rows --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_ROWS_H
#define PARABLOCK_LIB_DRIFT_ROWS_H

#include "Dataset.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace parablock::drift {

/// Returns the data of `request` for `function` of `module`, both of which
/// get dynamic rows. If ops of other tools prevent that, they are
/// unchanged, with a remark, and chunks of the data have the batches of the
/// function.
llvm::Expected<Dataset> loadRows(mlir::OwningOpRef<mlir::ModuleOp> &module,
                                 mlir::func::FuncOp &function,
                                 DataRequest request,
                                 llvm::raw_ostream &remarks);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_ROWS_H
