//===- NeighbourColumns.h - unrolling over columns --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_TILETONVVM_NEIGHBOURCOLUMNS_H
#define PARABLOCK_LIB_CONVERSION_TILETONVVM_NEIGHBOURCOLUMNS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock::tile {

/// Returns whether `value` is a known multiple of `divisor`, or becomes one
/// with `known`, if given.
bool isMultipleOf(mlir::Value value, int64_t divisor, mlir::Value known = {});

/// Unrolls a body for `width` neighbouring columns, or rows, op by op. The
/// first of them is a multiple of `width`, so all of them are in one part of
/// columns, on one side of a border between such parts, and at known positions
/// of pairs: conditions on these are evaluated once or not at all, and
/// neighbouring places are visible as such. A loop over columns is shared by
/// all rows. Columns at a greater `distance` are unrolled in the same way, but
/// without facts about the first.
class NeighbourWriter {
public:
  /// `first` is where the first one is, in place of `column`.
  NeighbourWriter(mlir::Value column, mlir::Value first, int64_t width,
                  int64_t distance = 1);

  /// Writes the ops of `body` at `builder`; returns the yielded values of all
  /// columns in turn.
  mlir::SmallVector<mlir::Value> write(mlir::OpBuilder &builder,
                                       mlir::Block &body);

private:
  using Value = mlir::Value;
  using Operation = mlir::Operation;
  using OpBuilder = mlir::OpBuilder;
  /// An index: so far beyond `base`, or 0 where that is null, for each column.
  struct Index {
    Value base;
    mlir::SmallVector<int64_t> beyond;
  };

  bool isUniform(Value value) const;
  std::optional<Index> getIndex(Value value) const;
  /// The number that an index is for every column.
  std::optional<int64_t> getNumber(Value value) const;
  /// Returns the index with `beyond` in the range from 0 to below the width,
  /// and a base that is a multiple of the width.
  std::optional<Index> align(OpBuilder &builder, const Index &index) const;
  Value makeIndex(OpBuilder &builder, const Index &index, int64_t column);
  Value get(OpBuilder &builder, Value value, int64_t column);

  void writeOp(OpBuilder &builder, Operation *op);
  bool writeKnown(OpBuilder &builder, Operation *op);
  std::optional<Index> writeSum(OpBuilder &builder, Operation *op);
  std::optional<Index> writeQuotient(OpBuilder &builder, Operation *op);
  bool writeComparison(OpBuilder &builder, mlir::arith::CmpIOp op);
  bool writeSelect(OpBuilder &builder, mlir::arith::SelectOp op);
  bool writeBranch(OpBuilder &builder, mlir::scf::IfOp op);
  bool writeColumns(OpBuilder &builder, ColumnsOp op);
  Operation *clone(OpBuilder &builder, Operation *op, int64_t column);
  /// Sets the written form of `value`, equal for all columns.
  void setUniform(Value value, Value written);

  int64_t width;
  bool areNeighbours;
  Value first;
  llvm::DenseMap<Value, Index> indices;
  /// Truth values that are known for each column.
  llvm::DenseMap<Value, mlir::SmallVector<bool>> truths;
  llvm::DenseMap<std::pair<Value, int64_t>, Value> sums;
  mlir::SmallVector<mlir::IRMapping> copies;
};

} // namespace parablock::tile

#endif // PARABLOCK_LIB_CONVERSION_TILETONVVM_NEIGHBOURCOLUMNS_H
