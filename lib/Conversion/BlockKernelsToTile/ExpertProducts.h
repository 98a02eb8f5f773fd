//===- ExpertProducts.h - grouped products of experts -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_EXPERTPRODUCTS_H
#define PARABLOCK_LIB_CONVERSION_EXPERTPRODUCTS_H

#include "ExpertPlan.h"
#include "KernelShell.h"
#include "TileCode.h"

namespace parablock {

/// Numbers in the table of tiles: expert, first place, end of places.
constexpr int64_t kTileNumbers = 3;

/// Element `at` of a tensor of i64, counted through all its dimensions.
mlir::Value loadFlatIndex(TileCode code, mlir::Value tensor, mlir::Value at);

/// A tile of a product.
struct ExpertTile {
  /// First and end of its places, and the number of its columns among the
  /// expert's tiles.
  mlir::Value expert, first, end, number;
  /// The first column of the result.
  mlir::Value column;
};

/// Emits the product of rows by places and the matrices of their experts.
/// Inputs of the kernel begin with rows, tiles, total and the stack's tensors.
class ExpertProductEmitter {
public:
  /// Returns a sum of the product by its column in the tile.
  using LoadSum = llvm::function_ref<mlir::Value(TileCode, mlir::Value)>;
  /// Returns the row of the result for a place.
  using FindRow = llvm::function_ref<mlir::Value(TileCode, mlir::Value place)>;
  /// Emits one element of the result.
  using EmitElement =
      llvm::function_ref<void(TileCode, const ExpertTile &, mlir::Value row,
                              mlir::Value column, LoadSum)>;
  /// Emits columns from the tile's to below `to` of the row at a place.
  using EmitRow =
      llvm::function_ref<void(TileCode, const ExpertTile &, mlir::Value place,
                              mlir::Value to, LoadSum)>;

  ExpertProductEmitter(const ExpertPlan &plan, const ExpertProduct &product,
                       KernelShell &shell)
      : plan(plan), product(product), shell(shell) {}

  void emit(EmitRow emitRow);
  void emitElements(FindRow findRow, EmitElement element);

private:
  mlir::Value createProduct(TileCode code, const ExpertTile &place);
  mlir::Value createCodeProduct(TileCode code, const ExpertTile &place,
                                llvm::ArrayRef<mlir::Value> matrixRows,
                                mlir::Value steps);
  void createEpilogue(TileCode code, const ExpertTile &place, mlir::Value sums,
                      mlir::Value part, EmitRow emitRow);
  /// The row of the stack that piece `piece` of a tile begins with.
  mlir::Value createMatrixRow(TileCode code, const ExpertTile &place,
                              int64_t piece);
  /// Rows that warps divide: no more than there are.
  int64_t getExtent() const {
    return product.parts > 1
               ? plan.tileRows
               : std::min(plan.places.value_or(plan.tileRows), plan.tileRows);
  }

  const ExpertPlan &plan;
  const ExpertProduct &product;
  KernelShell &shell;
};

/// Adds the element of the expert's bias, if there is one.
mlir::Value addExpertBias(TileCode code, mlir::Value x, mlir::Value bias,
                          mlir::Value expert, mlir::Value column);

/// Hidden values by places. Inputs: rows, tiles, total, the stack's tensors,
/// bias if any.
tile::KernelOp buildUpProduct(mlir::OpBuilder &atModule,
                              const ForwardExpertPlan &plan,
                              llvm::StringRef name);

/// Products by slots, in f32. Inputs: hidden values, tiles, total, the stack's
/// tensors, order, bias if any.
tile::KernelOp buildDownProduct(mlir::OpBuilder &atModule,
                                const ForwardExpertPlan &plan,
                                llvm::StringRef name);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_EXPERTPRODUCTS_H
