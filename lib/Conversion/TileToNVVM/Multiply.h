//===- Multiply.h - tile products by each unit ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_MULTIPLY_H
#define PARABLOCK_CONVERSION_TILETONVVM_MULTIPLY_H

#include "AccumulatorLayout.h"
#include "TilePattern.h"
#include <variant>

namespace parablock::tile {

/// A swizzled buffer at this address: [row, depth], or [depth, row] if the
/// depth comes first.
struct Operand {
  BufferType type;
  mlir::Value address;
  bool isDepthFirst;

  int64_t getRows() const {
    return isDepthFirst ? type.getColumns() : type.getRows();
  }
  int64_t getDepth() const {
    return isDepthFirst ? type.getRows() : type.getColumns();
  }
};

/// An accumulator as the left operand: the thread's share of it.
struct RegisterOperand {
  AccumulatorLayout layout;
  llvm::SmallVector<mlir::Value> elements;
};

/// A left operand in words, as products read it: four for each 16 of the depth,
/// of 16 rows after the other.
struct PackedOperand {
  llvm::SmallVector<mlir::Value> words;
};

/// Adds left[m, k] * right[n, k], for k below `depth`, to the thread's share of
/// the accumulator.
struct Product {
  std::variant<Operand, RegisterOperand, PackedOperand> left;
  Operand right;
  mlir::Value accumulator;
  /// A value for each of the thread's rows, subtracted from the left operand's
  /// elements; with fma only.
  llvm::SmallVector<mlir::Value> less;
  int64_t depth, columns;
  /// True where the accumulator is zero so far.
  bool isFirst;
  /// Where the depth begins in the right operand; 0 but for packed ones.
  int64_t first = 0;
};

/// An op that adds a product to an accumulator.
template <typename OpT> struct ProductPattern : public TilePattern<OpT> {
  using TilePattern<OpT>::TilePattern;

  llvm::LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const final {
    AccumulatorLayout layout = *AccumulatorLayout::get(
        op.getAccumulator().getType(), this->lowering.schedule);
    DeviceBuilder builder(op.getLoc(), rewriter);
    rewriter.replaceOp(op, create(builder, op, adaptor, layout));
    return mlir::success();
  }

protected:
  /// Returns the accumulator after it.
  virtual mlir::Value create(DeviceBuilder &builder, OpT op,
                             typename OpT::Adaptor adaptor,
                             const AccumulatorLayout &layout) const = 0;
};

/// Returns 16 rows of an accumulator in tensor core layout, starting at row 16
/// * `tile`, and 16 columns starting at 16 * `step`, as a left operand: four
/// times two elements of `type`.
llvm::SmallVector<mlir::Value> createFragment(DeviceBuilder &builder,
                                              const RegisterOperand &operand,
                                              int64_t tile, int64_t step,
                                              mlir::FloatType type);

/// mma.sync on 16-bit operands.
mlir::Value createMmaProduct(DeviceBuilder &builder, const Product &product,
                             const AccumulatorLayout &layout);

/// wgmma on 16-bit operands: issues and commits one group.
mlir::Value createWgmmaProduct(DeviceBuilder &builder, const Product &product);
/// The same, and waits for all groups: the sum, and registers that were
/// operands, may be used.
mlir::Value createWgmmaSum(DeviceBuilder &builder, const Product &product);

/// The left operand of parts `first` to below `end` of a depth.
using UnpackParts =
    llvm::function_ref<PackedOperand(int64_t first, int64_t end)>;
using FinishPart =
    llvm::function_ref<void(int64_t part, llvm::ArrayRef<mlir::Value> sums)>;

/// Computes each of `parts` of the depth by itself, beginning with the
/// accumulator, and calls `finish` with its sums; `together` of them overlap.
void createMmaParts(DeviceBuilder &builder, Product product,
                    const AccumulatorLayout &layout, int64_t parts,
                    UnpackParts unpack, FinishPart finish);
void createWgmmaParts(DeviceBuilder &builder, Product product, int64_t parts,
                      int64_t together, UnpackParts unpack, FinishPart finish);

/// Rounds operands of wgmma in registers.
PackedOperand packOperand(DeviceBuilder &builder,
                          const RegisterOperand &operand, int64_t depth,
                          mlir::FloatType type);

/// A deferred product in two parts: the packed left operand, and the product.
/// All values are converted.
PackedOperand packLeft(DeviceBuilder &builder, MmaOp op, mlir::Value left,
                       const LoweringContext &context);
mlir::Value createPackedProduct(DeviceBuilder &builder, MmaOp op,
                                const PackedOperand &left, mlir::Value right,
                                mlir::Value accumulator);

/// Emits wgmma as assembly with the left operand in registers, for which the
/// backend has no op: returns the accumulator after 16 of the depth, or these
/// products alone if they replace it.
mlir::Value createRegisterWgmma(DeviceBuilder &builder, mlir::ValueRange left,
                                mlir::Value right, const Product &product,
                                mlir::Value accumulator, bool replaces);

/// Multiply-adds of f32.
mlir::Value createFmaProduct(DeviceBuilder &builder, const Product &product,
                             const AccumulatorLayout &layout);

/// The address of 16 bytes of a panel that begins at `panel`.
mlir::Value createPanelAddress(DeviceBuilder &builder, mlir::Value panel,
                               mlir::Value row, mlir::Value chunk);

/// The address of 16 bytes of a swizzled buffer; its chunks are counted through
/// all panels.
mlir::Value createChunkAddress(DeviceBuilder &builder, const Operand &buffer,
                               mlir::Value row, mlir::Value chunk);

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_MULTIPLY_H
