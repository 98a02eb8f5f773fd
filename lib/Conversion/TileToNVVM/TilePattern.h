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

/// Moves the only block of `region` to the insertion point, with `values` in
/// place of its arguments, and returns the operands of its tile.yield.
llvm::SmallVector<mlir::Value>
inlineBody(mlir::ConversionPatternRewriter &rewriter,
           const mlir::TypeConverter &converter, mlir::Region &region,
           mlir::ValueRange values);

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_TILEPATTERN_H
