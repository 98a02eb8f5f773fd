//===- RankValues.h - values as a rank holds them ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_RANKVALUES_H
#define PARABLOCK_LIB_TRANSFORMS_RANKVALUES_H

#include "parablock/Transforms/Shard/RankSlices.h"

namespace parablock::block {

/// The part of a value that a rank holds.
struct Local {
  enum class Kind {
    /// All of it, as every rank does.
    Whole,
    /// The columns of a map.
    Columns,
    /// A summand: the value is the sum over all ranks, plus a bias.
    Partial,
    /// Its share of the rows of each sequence.
    Rows,
  };
  Kind kind = Kind::Whole;
  mlir::Value value;
  ColumnMap columns = {};
  mlir::Value bias = {};
};

/// Records what a rank holds of each value, and changes the form of a value
/// where a reader requires another one. Ops are created by `builder`, which
/// must outlive this.
class RankValues {
public:
  RankValues(mlir::FunctionOpInterface function, llvm::StringRef grid,
             int64_t ranks, mlir::OpBuilder &builder);

  /// Whole unless it was set.
  Local get(mlir::Value value) const;
  void set(mlir::Value value, Local local) { locals[value] = std::move(local); }
  int64_t getRanks() const { return ranks; }

  mlir::Value getWhole(mlir::Value value);
  mlir::Value getColumns(mlir::Value value, const ColumnMap &map);
  mlir::Value getRows(mlir::Value value);

  /// The sum over all ranks, as `kind` Whole or Rows, bias included, in f32.
  mlir::Value reduce(mlir::Value partial, mlir::Value bias, Local::Kind kind);
  mlir::Value gather(mlir::Value value, int64_t dim, mlir::Type type);
  /// Columns as a summand: zeros where other ranks have theirs.
  mlir::Value embedInZeros(mlir::Value value, const Local &local);
  mlir::Value slice(mlir::Value value, unsigned dim, const ColumnMap &map) {
    return slicer.slice(builder, value, dim, map);
  }
  /// The first column of `run` on this rank.
  mlir::Value getOffset(const ColumnRun &run) { return slicer.getOffset(run); }

private:
  using Kind = Local::Kind;

  mlir::Value gatherRows(mlir::Value value, Local local);
  /// Columns of all ranks side by side, each once; none may be padding.
  mlir::Value joinColumns(const Local &local);
  /// Zeros of the rows of `like`.
  mlir::Value createZeros(mlir::RankedTensorType type, mlir::Value like);
  mlir::Value takeColumns(mlir::Value value, int64_t first, int64_t size);
  mlir::Value insertColumns(mlir::Value part, mlir::Value into,
                            mlir::OpFoldResult first);

  std::string grid;
  int64_t ranks;
  RankSlicer slicer;
  mlir::OpBuilder &builder;
  llvm::DenseMap<mlir::Value, Local> locals;
  /// Values that ranks have rows of, put together in a basic block.
  llvm::DenseMap<std::pair<mlir::Value, mlir::Block *>, mlir::Value> gathered;
};

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_RANKVALUES_H
