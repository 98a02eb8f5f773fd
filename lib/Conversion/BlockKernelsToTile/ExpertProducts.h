//===- ExpertProducts.h - grouped products of experts -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_EXPERTPRODUCTS_H
#define PARABLOCK_LIB_CONVERSION_EXPERTPRODUCTS_H

#include "ExpertPlan.h"
#include "TileCode.h"

namespace parablock {

/// Numbers in the table of tiles: expert, first place, end of places.
constexpr int64_t kTileNumbers = 3;

/// Element `at` of a tensor of i64, counted through all its dimensions.
mlir::Value loadFlatIndex(TileCode code, mlir::Value tensor, mlir::Value at);

/// Hidden values by places. Inputs: rows, tiles, total, weight, bias if any.
tile::KernelOp buildUpProduct(mlir::OpBuilder &atModule, const ExpertPlan &plan,
                              llvm::StringRef name);

/// Products by slots, in f32. Inputs: hidden values, tiles, total, weight,
/// order, bias if any.
tile::KernelOp buildDownProduct(mlir::OpBuilder &atModule,
                                const ExpertPlan &plan, llvm::StringRef name);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_EXPERTPRODUCTS_H
