//===- MultiplyMma.cpp - tile products by mma.sync ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Multiply.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace parablock::tile;

namespace {
/// Makes the products of one warp, 16 of the depth at a time.
class WarpProduct {
public:
  WarpProduct(DeviceBuilder &builder, const Product &product,
              const AccumulatorLayout &layout)
      : builder(builder), product(product), layout(layout),
        isBF16(product.leftType.getElementType().isBF16()) {
    Value lane = builder.laneIndex(), warp = builder.warpIndex();
    Value eighth = builder.divide(lane, 8);
    Value within = builder.remainder(lane, 8);
    Value warpRow = builder.multiply(builder.remainder(warp, layout.warpRows),
                                     layout.rowsPerWarp);
    Value warpColumn = builder.multiply(builder.divide(warp, layout.warpRows),
                                        layout.columnsPerWarp);
    // Lanes 8q to 8q + 7 name the rows of matrix q. Of the left operand those
    // are (rows 0-7, 8-15) of the first half of the depth, then of the second;
    // of the right, both halves of rows 0-7, then of rows 8-15.
    Value oddEighth = builder.remainder(eighth, 2);
    Value lateEighth = builder.divide(eighth, 2);
    leftRow = builder.add(warpRow,
                          builder.add(within, builder.multiply(oddEighth, 8)));
    leftChunk = lateEighth;
    rightRow = builder.add(
        warpColumn, builder.add(within, builder.multiply(lateEighth, 8)));
    rightChunk = oddEighth;
  }

  void add(int64_t depth, SmallVectorImpl<Value> &elements) {
    SmallVector<SmallVector<Value>> lefts, rights;
    int64_t chunk = depth / 8;
    for (int64_t row = 0; row < layout.rowsPerWarp; row += 16)
      lefts.push_back(
          loadMatrices(product.left, leftRow, row, leftChunk, chunk));
    for (int64_t row = 0; row < layout.columnsPerWarp; row += 16) {
      SmallVector<Value> both =
          loadMatrices(product.right, rightRow, row, rightChunk, chunk);
      rights.push_back({both[0], both[1]});
      rights.push_back({both[2], both[3]});
    }
    for (auto [i, left] : llvm::enumerate(lefts))
      for (auto [j, right] : llvm::enumerate(rights))
        multiply(left, right, &elements[layout.getElement(2 * i, j, 0)]);
  }

private:
  SmallVector<Value> loadMatrices(Value buffer, Value row, int64_t rowOffset,
                                  Value chunk, int64_t chunkOffset) {
    // Offsets are whole groups of 8 rows, which leaves the swizzle as it is.
    Value address =
        builder.offset(createChunkAddress(builder, buffer, row,
                                          builder.add(chunk, chunkOffset)),
                       rowOffset * 128);
    MLIRContext *context = builder.getContext();
    Type i32 = builder.getI32Type();
    auto four = LLVM::LLVMStructType::getLiteral(context, {i32, i32, i32, i32});
    auto load = NVVM::LdMatrixOp::create(
        builder, four, address, builder.getI32IntegerAttr(4),
        NVVM::MMALayoutAttr::get(context, NVVM::MMALayout::row),
        NVVM::LdStMatrixShapeAttr::get(context, 8, 8),
        NVVM::LdStMatrixEltTypeAttr::get(context,
                                         NVVM::LdStMatrixEltType::B16));
    SmallVector<Value> matrices = builder.unpack(load);
    if (!isBF16)
      for (Value &matrix : matrices)
        matrix = LLVM::BitcastOp::create(
            builder, VectorType::get(2, builder.getF16Type()), matrix);
    return matrices;
  }

  void multiply(ValueRange left, ValueRange right, Value *elements) {
    Type f32 = builder.getF32Type();
    auto four = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                 {f32, f32, f32, f32});
    NVVM::MMATypes type = isBF16 ? NVVM::MMATypes::bf16 : NVVM::MMATypes::f16;
    auto product = NVVM::MmaOp::create(
        builder, four, left, right, ArrayRef<Value>(elements, 4),
        ArrayRef<int64_t>{16, 8, 16}, std::nullopt, std::nullopt,
        std::array<NVVM::MMATypes, 2>{type, type},
        std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                       NVVM::MMALayout::col});
    llvm::copy(builder.unpack(product.getRes()), elements);
  }

  DeviceBuilder &builder;
  const Product &product;
  const AccumulatorLayout &layout;
  bool isBF16;
  Value leftRow, leftChunk, rightRow, rightChunk;
};
} // namespace

Value parablock::tile::createMmaProduct(DeviceBuilder &builder,
                                        const Product &product,
                                        const AccumulatorLayout &layout) {
  SmallVector<Value> elements = builder.unpack(product.accumulator);
  WarpProduct warpProduct(builder, product, layout);
  for (int64_t depth = 0; depth < product.leftType.getColumns(); depth += 16)
    warpProduct.add(depth, elements);
  return builder.pack(product.accumulator.getType(), elements);
}
