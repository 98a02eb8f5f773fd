//===- CodeProduct.h - products of codes of few bits ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_CODEPRODUCT_H
#define PARABLOCK_LIB_CONVERSION_CODEPRODUCT_H

#include "TileCode.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock {

/// One term of a sum of products whose weight is codes: what unpacks it, its
/// scales and zero points as tensors of the kernel, and steps along its depth.
struct CodeSource {
  block::UnpackWeightOp unpack;
  mlir::Value scales, zeros;
  int64_t steps;
};

/// A pipeline that multiplies codes: the weight is the left operand.
class CodeProduct {
public:
  /// The rows of the left operand are `pieceRows` of the weight from each of
  /// `weightRows` on; a step has `depth` columns.
  CodeProduct(llvm::ArrayRef<CodeSource> sources, tile::AccumulatorType sums,
              llvm::ArrayRef<mlir::Value> weightRows, int64_t pieceRows,
              int64_t depth);

  using Produce =
      llvm::function_ref<void(TileCode, mlir::Value, mlir::ValueRange)>;
  /// Creates the pipeline from step `firstStep` on, if given; returns the
  /// finished sums. `fill` computes elements of buffers.
  mlir::Value create(const TileCode &code, mlir::Value steps,
                     mlir::Value firstStep, mlir::TypeRange buffers,
                     Produce produce, Produce fill) const;

  /// Creates the copies of step `step` of `codes` into `buffer`.
  void createCopies(const TileCode &code, mlir::Value codes, mlir::Value step,
                    mlir::Value buffer) const;

private:
  /// Scales and zero points of the parts of a step's depth.
  struct Values {
    llvm::SmallVector<mlir::Value> scales, zeros;
  };
  Values createValues(const TileCode &code, mlir::Value step) const;
  /// Returns the scales, or zero points, of the tile's rows of the weight in
  /// part `part` of step `step`.
  mlir::Value createRowValues(const TileCode &code, mlir::Value step,
                              int64_t part, bool areZeros) const;
  mlir::Value createRow(const TileCode &code, mlir::Value row) const;
  /// Returns whether a scale counts for all of a product.
  bool areOfRows() const;
  bool haveZeros() const { return static_cast<bool>(sources.front().zeros); }

  llvm::SmallVector<CodeSource, 2> sources;
  tile::AccumulatorType sums;
  llvm::SmallVector<mlir::Value> weightRows;
  int64_t pieceRows, depth;
  /// Parts of a step's depth: those of the source with the smallest groups.
  int64_t parts = 1;
};

/// Returns the buffer of the codes of a step of `rows` rows of a weight.
tile::BufferType getCodeBuffer(mlir::MLIRContext *context, int64_t rows);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_CODEPRODUCT_H
