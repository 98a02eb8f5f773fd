//===- ConstantWork.h - folding of constants --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_CONSTANTWORK_H
#define PARABLOCK_LIB_TRANSFORMS_CONSTANTWORK_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Judges/Evaluator/Stored.h"

namespace parablock::block {

/// True for a constant tensor that files of tensors can hold.
bool isConstantTensor(mlir::Operation *op);

/// Returns the elements of a constant tensor; none if they are missing, such as
/// for a resource that is not in the file.
std::optional<evaluator::StoredTensor> readConstant(mlir::Operation *op);

/// Returns true for a constant with more elements than code should contain,
/// unless all are equal.
bool isLargeConstant(mlir::Operation *op);

/// Folds upstream ops on constants alone, such as tables of positions,
/// unless all elements are equal. Ops that the evaluator does not support
/// are kept.
void foldConstantWork(mlir::func::FuncOp function);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_CONSTANTWORK_H
