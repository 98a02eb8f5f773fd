//===- TilePattern.h - base class of patterns -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_TILEPATTERN_H
#define PARABLOCK_CONVERSION_TILETONVVM_TILEPATTERN_H

#include "LoweringContext.h"

namespace parablock::tile {

/// A pattern with access to the kernel's schedule and parameters.
template <typename OpT>
struct TilePattern : public mlir::OpConversionPattern<OpT> {
  TilePattern(const mlir::TypeConverter &converter,
              mlir::MLIRContext *mlirContext, const LoweringContext &lowering)
      : mlir::OpConversionPattern<OpT>(converter, mlirContext),
        lowering(lowering) {}

protected:
  const LoweringContext &lowering;
};

/// The set that TilePatterns are added to, with what they are created from.
class TilePatterns {
public:
  TilePatterns(const mlir::TypeConverter &converter,
               mlir::RewritePatternSet &patterns,
               const LoweringContext &context)
      : converter(converter), patterns(patterns), context(context) {}

  template <typename... PatternTs> void add() {
    patterns.add<PatternTs...>(converter, patterns.getContext(), context);
  }

private:
  const mlir::TypeConverter &converter;
  mlir::RewritePatternSet &patterns;
  const LoweringContext &context;
};

/// tile.tiles, tile.return.
void addTilePatterns(TilePatterns &patterns);
/// tile.join.
void addJoinPatterns(TilePatterns &patterns);
/// tile.fold.
void addFoldPatterns(TilePatterns &patterns);
/// tile.fill, tile.shared.
void addFillPatterns(TilePatterns &patterns);
/// tile.rows, tile.columns, tile.reduce.
void addRowPatterns(TilePatterns &patterns);
/// tile.load, tile.store, tile.round, tile.scratch, tile.dim.
void addAccessPatterns(TilePatterns &patterns);
/// tile.pipeline, tile.between.
void addPipelinePatterns(TilePatterns &patterns);
/// tile.zero, tile.mma, tile.mma_codes.
void addMultiplyPatterns(TilePatterns &patterns);
/// tile.mma_codes.
void addCodePatterns(TilePatterns &patterns);
void addScaledPatterns(TilePatterns &patterns);
/// tile.map, tile.combine, tile.settle.
void addRegisterPatterns(TilePatterns &patterns);
/// tile.copy_out.
void addCopyOutPatterns(TilePatterns &patterns);
/// tile.stage.
void addStagePatterns(TilePatterns &patterns);

/// Moves the only block of `region` to the insertion point, with `values` in
/// place of its arguments, and returns the operands of its tile.yield.
llvm::SmallVector<mlir::Value>
inlineBody(mlir::ConversionPatternRewriter &rewriter,
           const mlir::TypeConverter &converter, mlir::Region &region,
           mlir::ValueRange values);

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_TILEPATTERN_H
