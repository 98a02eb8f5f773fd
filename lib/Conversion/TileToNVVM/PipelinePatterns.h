//===- PipelinePatterns.h - lowering of copies and products -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_PIPELINEPATTERNS_H
#define PARABLOCK_CONVERSION_TILETONVVM_PIPELINEPATTERNS_H

#include "TilePattern.h"

namespace parablock::tile {

/// tile.zero, tile.mma.
void populateMultiplyPatterns(mlir::TypeConverter &converter,
                              mlir::RewritePatternSet &patterns,
                              const LoweringContext &context);

/// tile.map, tile.combine, tile.settle.
void populateRegisterPatterns(mlir::TypeConverter &converter,
                              mlir::RewritePatternSet &patterns,
                              const LoweringContext &context);

/// tile.copy_out.
void populateCopyOutPatterns(mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns,
                             const LoweringContext &context);

/// tile.stage.
void populateStagePatterns(mlir::TypeConverter &converter,
                           mlir::RewritePatternSet &patterns,
                           const LoweringContext &context);

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_PIPELINEPATTERNS_H
