//===- LaneCodes.h - codes in the order of GPU lanes ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A lane of a GPU's warp multiplies, of 16 rows of a weight and 16 columns, the
// rows l / 4 and l / 4 + 8 and the columns 2 (l mod 4), + 1, + 8 and + 9. A
// cell has 64 bytes of codes of each of the 16 rows: 8 rows of 128 bytes, with
// 16 bytes of row r, then 16 of row r + 8, for each of four lanes. Codes past
// the last column are 0, and multiply columns of the other operand that are 0.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DIALECT_BLOCK_LANECODES_H
#define PARABLOCK_DIALECT_BLOCK_LANECODES_H

#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::block {

/// Columns of rows in codes that share a scale: tensor cores add up so many
/// products before their sums become f32.
inline constexpr int64_t kEncodedColumns = 128;

/// Rows of a cell, and bytes of its codes of a row.
inline constexpr int64_t cellRows = 16, cellBytes = 64;

/// Returns the columns of a cell, whose codes of a row are 64 bytes.
int64_t getCellColumns(CodeForm form);

/// Returns the number of equal parts of a cell's columns, each with one scale.
int64_t getCellParts(UnpackWeightOp unpack);

/// Returns whether codes are in the order of lanes: half as many rows as those
/// of the weight.
bool areLaneCodes(UnpackWeightOp unpack);

/// Returns why GPU kernels have no code for `unpacked`, the weight of codes in
/// the order of columns; empty if they have.
llvm::StringRef findLaneRefusal(UnpackWeightOp unpacked);

/// The map of a row and a column to the place of its code, or of its scale.
mlir::AffineMap getLaneCodeMap(CodeForm form, mlir::MLIRContext *context);
mlir::AffineMap getLaneScaleMap(int64_t group, mlir::MLIRContext *context);

/// Creates ops that reorder codes or scales.
mlir::Value createLaneCodes(mlir::OpBuilder &builder, CodeForm form,
                            mlir::Value codes);
mlir::Value createLaneScales(mlir::OpBuilder &builder, mlir::Value scales);

} // namespace parablock::block

#endif // PARABLOCK_DIALECT_BLOCK_LANECODES_H
