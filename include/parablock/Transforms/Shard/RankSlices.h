//===- RankSlices.h - a rank's part of a weight -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_SHARD_RANKSLICES_H
#define PARABLOCK_TRANSFORMS_SHARD_RANKSLICES_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Transforms/Shard/ColumnMap.h"
#include <map>

namespace parablock::block {

/// Creates the slices of weights that a rank of `grid` reads in one function.
/// Parameters keep their shapes. A slice is moved up to the parameter itself
/// wherever the ops in between allow it, so that a rank neither reads nor
/// computes unused elements.
class RankSlicer {
public:
  RankSlicer(mlir::FunctionOpInterface function, llvm::StringRef grid,
             int64_t ranks);
  /// For slices at constant offsets.
  explicit RankSlicer(mlir::FunctionOpInterface function);

  /// Returns columns `map` of `value` in dimension `dim`. Columns behind the
  /// end are zeros.
  mlir::Value slice(mlir::OpBuilder &builder, mlir::Value value, unsigned dim,
                    const ColumnMap &map);
  /// Returns the first column of `run` on this rank.
  mlir::Value getOffset(const ColumnRun &run);

private:
  mlir::Value sliceRun(mlir::OpBuilder &builder, mlir::Value value,
                       unsigned dim, const ColumnRun &run);
  mlir::Value extract(mlir::OpBuilder &builder, mlir::Value value, unsigned dim,
                      const ColumnRun &run);
  /// Computes the slice of `value` from slices of the operands of its op, or
  /// returns null where that is not possible.
  mlir::Value moveUp(mlir::OpBuilder &builder, mlir::Value value, unsigned dim,
                     const ColumnRun &run);
  mlir::Value moveUpConcat(mlir::OpBuilder &builder, mlir::tensor::ConcatOp op,
                           unsigned dim, const ColumnRun &run);
  mlir::Value moveUpSlice(mlir::OpBuilder &builder,
                          mlir::tensor::ExtractSliceOp op, unsigned dim,
                          const ColumnRun &run);
  mlir::Value moveUpCollapse(mlir::OpBuilder &builder,
                             mlir::tensor::CollapseShapeOp op, unsigned dim,
                             const ColumnRun &run);
  mlir::Value moveUpExpand(mlir::OpBuilder &builder,
                           mlir::tensor::ExpandShapeOp op, unsigned dim,
                           const ColumnRun &run);
  mlir::Value getIndex(int64_t value);

  int64_t ranks;
  /// At the start of the function, behind the rank.
  mlir::OpBuilder atStart;
  mlir::Value rank;
  std::map<std::tuple<int64_t, int64_t, int64_t>, mlir::Value> offsets;
  std::map<int64_t, mlir::Value> indices;
  /// Slices that exist in a basic block.
  std::map<std::tuple<mlir::Block *, void *, unsigned, ColumnRun>, mlir::Value>
      made;
};

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_SHARD_RANKSLICES_H
