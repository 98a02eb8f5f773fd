//===- LossProduct.h - products of a loss -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_LOSSPRODUCT_H
#define PARABLOCK_LIB_CONVERSION_LOSSPRODUCT_H

#include "KernelShell.h"
#include "TileCode.h"

namespace parablock {

/// A product whose operands are read as they are stored, with an epilogue for
/// rows of a tile.
class LossProduct {
public:
  /// Sizes of the result and the depth; open ones are many.
  struct Sizes {
    std::optional<int64_t> rows;
    int64_t columns;
    std::optional<int64_t> depth;
  };
  /// A tensor of the kernel, in memory with the depth first or last.
  struct Operand {
    mlir::Value tensor;
    bool isDepthFirst = false;
    /// A number that is added to rows of the tensor; null for 0.
    mlir::Value firstRow = {};
    /// The left operand is a sum of so many runs of `runColumns` columns.
    int64_t runs = 1, runColumns = 0;
  };
  /// One row of a tile.
  struct Row {
    /// Its number, the tile's columns, and the tile's number among columns.
    mlir::Value row, from, to, tile;
    /// Its number in the tile.
    mlir::Value local;
    mlir::Value staged;

    mlir::Value load(TileCode code, mlir::Value column) const {
      return code.load(staged, local, createDistance(code, column, from));
    }
  };
  using EmitRow = llvm::function_ref<void(TileCode, const Row &)>;

  /// Chooses the tiles of a product of `element`, for operands whose rows have
  /// `widths` columns.
  LossProduct(const Sizes &sizes, mlir::Type element,
              llvm::ArrayRef<int64_t> widths, llvm::StringRef chip);

  tile::ScheduleAttr getSchedule() const { return schedule; }
  int64_t countColumnTiles() const {
    return llvm::divideCeil(sizes.columns, tileColumns);
  }
  /// Emits the product of the first `rows` rows over a depth of `depth`, which
  /// are the sizes where these are known.
  void emit(KernelShell &shell, const Operand &left, const Operand &right,
            mlir::Value rows, mlir::Value depth, EmitRow emitRow) const;

private:
  mlir::Value multiply(TileCode code, const Operand &left, const Operand &right,
                       mlir::Value row, mlir::Value column,
                       mlir::Value depth) const;
  void emitRows(TileCode code, mlir::Value sums, mlir::Value rows, Row place,
                mlir::Value part, EmitRow emitRow) const;

  Sizes sizes;
  mlir::Type element;
  int64_t tileRows = 0, tileColumns = 0, stepDepth = 0, parts = 1;
  tile::ScheduleAttr schedule;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_LOSSPRODUCT_H
