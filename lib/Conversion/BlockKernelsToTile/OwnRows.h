//===- OwnRows.h - products that compute their rows -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_OWNROWS_H
#define PARABLOCK_LIB_CONVERSION_OWNROWS_H

#include "FewRows.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/DenseMap.h"

namespace parablock {

/// Products whose kernel computes the rows that it multiplies: for few rows.
/// More of them are computed by launches in front, which few rows leave out.
class OwnRows {
public:
  /// Separates the rows of all products in `module` that may have many.
  explicit OwnRows(mlir::ModuleOp module);

  /// Returns the kernel for few rows of a product that reads its rows; null if
  /// there is none.
  block::KernelOp getFused(block::KernelOp product) const {
    return fused.lookup(product);
  }
  /// Returns whether `kernel` is of few rows alone, for another one.
  bool isFused(block::KernelOp kernel) const {
    return llvm::is_contained(llvm::make_second_range(fused), kernel);
  }
  /// Returns when a launch of `op` is left out, without a kernel for few rows;
  /// no sizes if it never is.
  FewRowsKernel getOmission(mlir::Operation *op) const {
    return omissions.lookup(op);
  }
  /// Erases the kernels of few rows, of which there are programs now.
  void eraseFused();

private:
  llvm::DenseMap<mlir::Operation *, block::KernelOp> fused;
  llvm::DenseMap<mlir::Operation *, FewRowsKernel> omissions;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_OWNROWS_H
