//===- Rows.h - how many rows a model takes at once -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_ROWS_H
#define PARABLOCK_LIB_DRIFT_ROWS_H

#include "Dataset.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace parablock::drift {

/// The data of `request` for `function` of `module`, both of which become the
/// same with open rows. Where ops of other tools do not allow that, they stay,
/// a remark says so, and chunks of the data are batches as they are written
/// for.
llvm::Expected<Dataset> loadRows(mlir::OwningOpRef<mlir::ModuleOp> &module,
                                 mlir::func::FuncOp &function,
                                 DataRequest request,
                                 llvm::raw_ostream &remarks);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_ROWS_H
