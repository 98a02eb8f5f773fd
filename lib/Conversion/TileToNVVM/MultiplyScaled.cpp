//===- MultiplyScaled.cpp - products of 8 bits with scales ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A warpgroup computes the sums of at most 128 columns at a time, waits, and
// adds them to those of all steps in f32. Meanwhile, the other warpgroup of the
// CTA multiplies.
//
//===----------------------------------------------------------------------===//

#include "Multiply.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock::tile;

namespace {
struct LowerMmaScaled final : public ProductPattern<MmaScaledOp> {
  using ProductPattern::ProductPattern;

private:
  Value create(DeviceBuilder &builder, MmaScaledOp op, OpAdaptor adaptor,
               const AccumulatorLayout &layout) const final {
    SmallVector<Value> scales = builder.unpack(adaptor.getScales());
    SmallVector<Value> all = builder.unpack(adaptor.getAccumulator());
    constexpr int64_t mostColumns = 128;
    int64_t columns = op.getAccumulator().getType().getColumns();
    auto chunks = static_cast<int64_t>(llvm::divideCeil(columns, mostColumns));
    auto own = static_cast<int64_t>(all.size()) / chunks;
    auto blocks = static_cast<int64_t>(layout.columnOffsets.size()) / chunks;
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
      SmallVector<Value> sums =
          multiply(builder, op, adaptor, chunk, columns / chunks, own);
      Value first =
          op.getColumns() ? layout.createOrigin(builder).column : Value();
      for (int64_t block = chunk * blocks; block < (chunk + 1) * blocks;
           ++block)
        for (int64_t i = 0; i < layout.width; ++i) {
          Value factor = createColumnScale(builder, op, first,
                                           layout.columnOffsets[block] + i);
          for (auto [row, scale] : llvm::enumerate(scales)) {
            int64_t element =
                layout.getElement(static_cast<int64_t>(row), block, i);
            Value both =
                factor ? Value(arith::MulFOp::create(builder, scale, factor))
                       : scale;
            all[element] = math::FmaOp::create(
                builder, sums[element - chunk * own], both, all[element]);
          }
        }
    }
    return builder.pack(adaptor.getAccumulator().getType(), all);
  }

  /// Returns the `own` sums of `columns` columns, those of chunk `chunk`.
  static SmallVector<Value> multiply(DeviceBuilder &builder, MmaScaledOp op,
                                     OpAdaptor adaptor, int64_t chunk,
                                     int64_t columns, int64_t own) {
    BufferType right = op.getRight().getType();
    Product product{};
    product.left = Operand{op.getLeft().getType(), adaptor.getLeft(),
                           /*isDepthFirst=*/false};
    Value address = builder.offset(adaptor.getRight(),
                                   chunk * columns * right.getRowBytes());
    product.right = {right, address, /*isDepthFirst=*/false};
    // The first instruction replaces them.
    product.accumulator = LLVM::ZeroOp::create(
        builder, LLVM::LLVMStructType::getLiteral(
                     builder.getContext(),
                     SmallVector<Type>(own, builder.getF32Type())));
    product.isFirst = true;
    product.depth = right.getColumns();
    product.columns = columns;
    return builder.unpack(createWgmmaSum(builder, product));
  }

  /// Returns the scale of the column that is so many behind the thread's first
  /// one; null where columns have none.
  static Value createColumnScale(DeviceBuilder &builder, MmaScaledOp op,
                                 Value first, int64_t column) {
    if (!op.getColumns())
      return {};
    int64_t pieces = op.getFirsts().size();
    int64_t pieceColumns = op.getAccumulator().getType().getColumns() / pieces;
    int64_t piece = column / pieceColumns;
    Value own = builder.add(first, column % pieceColumns);
    Value place = arith::AddIOp::create(builder, op.getFirsts()[piece],
                                        builder.toIndex(own));
    auto type = cast<MemRefType>(op.getColumns().getType());
    Value last =
        arith::ConstantIndexOp::create(builder, type.getDimSize(0) - 1);
    place = arith::MinUIOp::create(builder, place, last);
    return LoadOp::create(builder, builder.getF32Type(), op.getColumns(),
                          ValueRange{place, op.getGroup()});
  }
};
} // namespace

void parablock::tile::addScaledPatterns(TilePatterns &patterns) {
  patterns.add<LowerMmaScaled>();
}
