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

/// Makes the slices that a rank of `grid` takes of weights in one function. The
/// parameters keep their shape; what is taken of one stands at the parameter
/// itself wherever the work in between allows it, so that a rank neither reads
/// nor computes what it has no use for.
class RankSlicer {
public:
  RankSlicer(mlir::FunctionOpInterface function, llvm::StringRef grid,
             int64_t ranks);
  /// For slices at places that are known.
  explicit RankSlicer(mlir::FunctionOpInterface function);

  /// Gives what a rank holds of `value` in dimension `dim`. Columns behind the
  /// end are zeros.
  mlir::Value slice(mlir::OpBuilder &builder, mlir::Value value, unsigned dim,
                    const ColumnMap &map);
  /// The first column of `run` on this rank.
  mlir::Value getOffset(const ColumnRun &run);

private:
  mlir::Value sliceRun(mlir::OpBuilder &builder, mlir::Value value,
                       unsigned dim, const ColumnRun &run);
  mlir::Value extract(mlir::OpBuilder &builder, mlir::Value value, unsigned dim,
                      const ColumnRun &run);
  /// The slice of `value` as made from slices of what it is made from, or null
  /// where it cannot be.
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
  /// Values that were made in a basic block.
  std::map<std::tuple<mlir::Block *, void *, unsigned, ColumnRun>, mlir::Value>
      made;
};

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_SHARD_RANKSLICES_H
