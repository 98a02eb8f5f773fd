//===- GemmBuilder.h - one product with its epilogue ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_GEMMBUILDER_H
#define PARABLOCK_LIB_CONVERSION_GEMMBUILDER_H

#include "CacheAppends.h"
#include "CodeProduct.h"
#include "GemmSchedules.h"
#include "KernelShell.h"
#include "TileCode.h"
#include "parablock/Conversion/Rows/RowProgram.h"
#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock {

/// Emits the program of a kernel by its plan and the chosen schedule.
class GemmBuilder {
public:
  GemmBuilder(block::KernelOp source, const GemmPlan &plan,
              const GemmChoice &choice, KernelShell &shell)
      : source(source), plan(plan), choice(choice), shell(shell),
        loc(source.getLoc()), pieces(plan.getNumPieces()),
        pieceColumns(choice.shape.columns / pieces) {
    int64_t start = 0;
    for (auto [group, columns] :
         llvm::zip_equal(plan.groups, choice.groupColumns)) {
      groupStarts.push_back(start);
      start += llvm::divideCeil(group.width, columns);
    }
  }

  void build();

private:
  /// Position of a tile.
  struct Place {
    mlir::Value row;    // of the product
    mlir::Value column; // in tiles
    mlir::Value split;  // which part of the depth
  };

  mlir::Value constant(mlir::OpBuilder &builder, int64_t value) {
    return createIndex(builder, loc, value);
  }
  /// The first column of the tile within the segments of `group`.
  mlir::Value createGroupColumn(mlir::OpBuilder &builder, unsigned group,
                                mlir::Value tile);
  /// The weight's row that piece `piece` of the tile begins with.
  mlir::Value createWeightRow(mlir::OpBuilder &builder, unsigned piece,
                              mlir::Value tile);
  mlir::Value createProduct(mlir::OpBuilder &builder, const Place &place);
  /// Returns the sources of a product of codes.
  llvm::SmallVector<CodeSource> listCodeSources();
  using Produce = CodeProduct::Produce;
  /// Creates the pipeline of a product of rows in codes of 8 bits from step
  /// `firstStep` on (GemmCodes.cpp).
  mlir::Value createEncodedProduct(mlir::OpBuilder &builder, const Place &place,
                                   llvm::ArrayRef<mlir::Value> weightRows,
                                   tile::AccumulatorType type,
                                   mlir::Value steps, mlir::Value firstStep,
                                   mlir::TypeRange buffers, Produce produce);
  /// Returns the scales of the tile's rows in step `step`.
  mlir::Value createStepScales(mlir::OpBuilder &builder, const Place &place,
                               mlir::Value step);
  /// Returns `element` times the scale of row `column` of the weight, if it has
  /// one scale.
  mlir::Value scaleColumn(const RowCode &code, mlir::Value element,
                          mlir::Value column);
  /// The means of the tile's rows, where the product is of rows without these.
  mlir::Value createMeans(mlir::OpBuilder &builder, const Place &place);
  /// Creates the number of rows, and that of each batch row.
  void countRows();

  // Rows that the kernel computes (GemmRows.cpp).

  /// Gives what a row of the product is made of: row `taken` of what rows are
  /// taken from.
  void giveSources(RowProgram &program, mlir::Value taken);
  /// Computes the statistics of the tile's rows, where all warps read them, and
  /// elements ahead, of the steps from `firstStep` on, if given.
  void fillStatistics(mlir::OpBuilder &builder, const Place &place,
                      mlir::Value firstStep);
  /// Computes the columns of step `step` of the tile's rows.
  void fillRows(mlir::OpBuilder &builder, const Place &place, mlir::Value step,
                mlir::Value buffer);

  void createCopies(mlir::OpBuilder &builder, const Place &place,
                    llvm::ArrayRef<mlir::Value> weightRows, mlir::Value step,
                    mlir::Value input, mlir::Value weight,
                    const CodeProduct *codes, unsigned firstSource);
  mlir::Value createStage(mlir::OpBuilder &builder, mlir::Value product,
                          mlir::Value part = {});
  /// Generates the epilogue: in registers, or on the staged rows of the tile,
  /// in as many parts as shared memory requires.
  void createEpilogues(mlir::OpBuilder &builder, const Place &place,
                       mlir::Value product);
  /// Calls `body` where the tile is in a group, from `firstGroup` on.
  void
  forGroup(mlir::OpBuilder &builder, const Place &place, unsigned firstGroup,
           llvm::function_ref<void(mlir::OpBuilder &, unsigned group)> body);
  void createRowEpilogues(mlir::OpBuilder &builder, const Place &place,
                          mlir::Value staged, mlir::Value part);
  void createRegisterEpilogue(mlir::OpBuilder &builder, const Place &place,
                              mlir::Value product, unsigned group);
  int64_t getNumRows() const;
  mlir::Value createNumRows(mlir::OpBuilder &builder, const Place &place);
  void createRowEpilogue(mlir::OpBuilder &builder, const Place &place,
                         mlir::Value staged, mlir::Value part, unsigned group);
  /// Returns the product's `element` in a segment, with bias.
  mlir::Value finishElement(const RowCode &code, const GemmSegment &segment,
                            mlir::Value element, const Column &column);
  ElementLoader createLoader(mlir::Value staged, mlir::Value localRow,
                             mlir::Value firstColumn, unsigned group,
                             unsigned position);

  /// Returns the cache whose new rows are output `number`.
  std::optional<CacheAppend> findAppend(unsigned number);

  void giveCentring(RowProgram &program, const GemmSegment &segment) const {
    if (centresRows())
      program.noteCentred(segment.value);
  }
  /// Returns whether f32 rows are centred; tensor cores multiply tiles without
  /// conversion.
  bool centresRows() const { return plan.mean && plan.elementType.isF32(); }

  int64_t getSteps(const GemmSource &source) const {
    return llvm::divideCeil(source.depth, choice.shape.depth);
  }

  block::KernelOp source;
  const GemmPlan &plan;
  const GemmChoice &choice;
  KernelShell &shell;
  mlir::Location loc;
  /// Number of pieces of a tile's columns, each from consecutive rows of the
  /// weight.
  int64_t pieces, pieceColumns;
  /// The first column tile of each group.
  llvm::SmallVector<int64_t> groupStarts;
  mlir::Value rows, sequenceLength;
  /// Statistics and number of each row of a tile, if the kernel computes these.
  mlir::Value statistics;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_GEMMBUILDER_H
