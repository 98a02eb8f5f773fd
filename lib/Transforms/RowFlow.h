//===- RowFlow.h - ops that compute rows one by one -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A step on new tokens computes fewer rows than the function was written for.
// An op between blocks gives the same rows then if each is made of the same row
// of its operands. RowFlow follows values in which rows are the first two
// dimensions, [B, T, ..], and those that have them joined.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_ROWFLOW_H
#define PARABLOCK_LIB_TRANSFORMS_ROWFLOW_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace parablock::block {

class RowFlow {
public:
  /// Forgets all values, and takes rows from `value`, [B, T, ..]. `depending`
  /// are the values that depend on inputs; it grows while ops are followed.
  void start(mlir::Value value, const llvm::DenseSet<mlir::Value> &depending);

  /// Returns whether rows of what `op` gives are made of the same rows of its
  /// operands, or are all the same. Notes how its results have them.
  bool follow(mlir::Operation *op);

  /// Returns whether `op` was followed as one of rows [B, T, ..], element by
  /// element: operands that are the same in every call were not looked at.
  bool isEach(mlir::Operation *op) const { return op == lastEach; }
  /// Returns whether an op of this dialect keeps rows apart, which may be those
  /// of all sequences as those of one, [1, rows, ..], for a router.
  bool followOurs(mlir::Operation *op);
  /// Returns whether `value` is the same along its first `dims` dimensions,
  /// however many elements these have.
  bool isUniform(mlir::Value value, int64_t dims) const;
  /// Returns whether rows of `value` differ by their number in a call alone.
  bool isNumbered(mlir::Value value) const;

private:
  bool followEach(mlir::Operation *op);
  bool followJoined(mlir::Operation *op);
  bool followGeneric(mlir::linalg::GenericOp op, int64_t dims);
  bool noteUniform(mlir::Operation *op);
  bool joinRows(mlir::tensor::CollapseShapeOp op);
  bool divideRows(mlir::tensor::ExpandShapeOp op);
  bool isWholeSize(mlir::OpFoldResult size, mlir::Value source,
                   int64_t dim) const;
  bool keepsRows(mlir::Value value) const;
  /// Returns whether rows are the first `dims` dimensions of `value`.
  bool hasRows(mlir::Value value, int64_t dims) const;
  bool readsOwnRows(mlir::linalg::GenericOp op, int64_t dims) const;
  /// Returns whether no operand of an elementwise op is a number for all rows.
  bool isEachElement(mlir::Operation *op) const;
  /// Notes that results of `op` have the joined rows of what it reads.
  bool noteJoined(mlir::Operation *op, mlir::ValueRange read);

  bool isJoined(mlir::Value value) const { return joined.contains(value); }
  bool isVarying(mlir::Value value) const { return varying->contains(value); }

  const llvm::DenseSet<mlir::Value> *varying = nullptr;
  mlir::Value tokens;
  mlir::Operation *lastEach = nullptr;
  /// Values whose first dimension has the rows of all sequences, and how many
  /// elements it has for each.
  llvm::DenseMap<mlir::Value, int64_t> joined;
  /// Joined rows as those of one sequence.
  llvm::DenseSet<mlir::Value> single;
  /// How many of the first dimensions a value is the same along.
  llvm::DenseMap<mlir::Value, int64_t> uniform;
};

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_ROWFLOW_H
