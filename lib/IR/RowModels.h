//===- RowModels.h - which ops are steps on rows ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How the ops implement RowStepOpInterface: here and not in their definitions,
// so that all that is known about an element of an op stands in one place.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_IR_ROWMODELS_H
#define PARABLOCK_LIB_IR_ROWMODELS_H

#include "parablock/IR/BlockOps.h"
#include "parablock/IR/RowInterface.h"

namespace parablock {

/// The part of an implementation that finds the op.
template <typename Model, typename Op>
struct RowModel : block::RowStepOpInterface::ExternalModel<Model, Op> {
  mlir::Value emitElement(mlir::Operation *op, RowElements &rows,
                          unsigned result, const Column &column) const {
    return static_cast<const Model *>(this)->emit(mlir::cast<Op>(op), rows,
                                                  column);
  }
};

void attachElementwiseRows(mlir::MLIRContext &context);
void attachNormRows(mlir::MLIRContext &context);
void attachRotationRows(mlir::MLIRContext &context);
void attachEmbeddingRows(mlir::MLIRContext &context);

} // namespace parablock

#endif // PARABLOCK_LIB_IR_ROWMODELS_H
