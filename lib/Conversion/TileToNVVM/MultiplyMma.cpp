//===- MultiplyMma.cpp - products by mma.sync and ldmatrix ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Multiply.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace parablock::tile;

namespace {
/// Emits the products of one warp, 16 of the depth at a time.
class WarpProduct {
public:
  WarpProduct(DeviceBuilder &builder, const Product &product,
              const AccumulatorLayout &layout)
      : builder(builder), product(product), layout(layout),
        isBF16(product.right.type.getElementType().isBF16()) {
    Value lane = builder.laneIndex(), warp = builder.warpIndex();
    Value eighth = builder.divide(lane, 8);
    Value within = builder.remainder(lane, 8);
    Value warpRow = builder.multiply(builder.remainder(warp, layout.warpRows),
                                     layout.rowsPerWarp);
    Value warpColumn =
        layout.warpColumns == 1
            ? builder.constant(0)
            : builder.multiply(builder.divide(warp, layout.warpRows),
                               layout.columnsPerWarp);
    // Lanes 8q to 8q + 7 address the rows of matrix q. For the left operand
    // those are (rows 0-7, 8-15) of the first half of the depth, then of the
    // second; for the right, both halves of rows 0-7, then of rows 8-15.
    Value oddEighth = builder.remainder(eighth, 2);
    Value lateEighth = builder.divide(eighth, 2);
    left = {within, warpRow, oddEighth, lateEighth};
    right = {within, warpColumn, lateEighth, oddEighth};
  }

  void add(int64_t depth, SmallVectorImpl<Value> &elements) {
    SmallVector<SmallVector<Value>> lefts, rights;
    for (int64_t row = 0; row < layout.rowsPerWarp; row += 16)
      lefts.push_back(createLeft(row, depth));
    for (int64_t row = 0; row < layout.columnsPerWarp; row += 16) {
      SmallVector<Value> both =
          loadMatrices(product.right, right, row, product.first + depth);
      rights.push_back({both[0], both[1]});
      rights.push_back({both[2], both[3]});
    }
    for (auto [i, left] : llvm::enumerate(lefts))
      for (auto [j, right] : llvm::enumerate(rights))
        multiply(left, right, &elements[layout.getElement(2 * i, j, 0)]);
  }

private:
  SmallVector<Value> createLeft(int64_t row, int64_t depth) {
    if (auto *buffer = std::get_if<Operand>(&product.left))
      return loadMatrices(*buffer, left, row, depth);
    if (auto *packed = std::get_if<PackedOperand>(&product.left))
      return createParts(ArrayRef(packed->words)
                             .slice((row * product.depth / 16 + depth) / 4, 4));
    auto type = cast<FloatType>(product.right.type.getElementType());
    SmallVector<Value> parts =
        createFragment(builder, std::get<RegisterOperand>(product.left),
                       row / 16, depth / 16, type);
    if (isBF16)
      for (Value &part : parts)
        part = LLVM::BitcastOp::create(builder, builder.getI32Type(), part);
    return parts;
  }

  /// Words as the instruction's operands.
  SmallVector<Value> createParts(ArrayRef<Value> words) {
    SmallVector<Value> parts(words);
    if (!isBF16)
      for (Value &part : parts)
        part = LLVM::BitcastOp::create(
            builder, VectorType::get(2, builder.getF16Type()), part);
    return parts;
  }

  /// The place of this lane's matrix in 16 rows and 16 of the depth.
  struct Place {
    /// The row of the matrix that the lane names.
    Value within;
    /// The warp's first row of the operand.
    Value firstRow;
    /// True where the matrix is in the second half of the rows, of the depth.
    Value rowHalf, depthHalf;
  };

  /// Returns the address of the lane's 16 bytes; offsets by whole groups of 8
  /// rows of the buffer preserve the swizzle.
  Value createAddress(const Operand &operand, const Place &place,
                      int64_t rowOffset, int64_t depth) {
    if (operand.isDepthFirst) {
      Value row =
          builder.add(place.within, builder.multiply(place.depthHalf, 8));
      Value chunk =
          builder.add(builder.divide(builder.add(place.firstRow, rowOffset), 8),
                      place.rowHalf);
      return builder.offset(createChunkAddress(builder, operand, row, chunk),
                            depth * 128);
    }
    Value row = builder.add(
        place.firstRow,
        builder.add(place.within, builder.multiply(place.rowHalf, 8)));
    int64_t perPanel = operand.type.getPanelColumns();
    Value chunk = builder.add(place.depthHalf, depth % perPanel / 8);
    return builder.offset(
        createPanelAddress(builder, operand.address, row, chunk),
        depth / perPanel * operand.type.getPanelBytes() + rowOffset * 128);
  }

  SmallVector<Value> loadMatrices(const Operand &operand, const Place &place,
                                  int64_t rowOffset, int64_t depth) {
    Value address = createAddress(operand, place, rowOffset, depth);
    // Matrices with rows of the depth are transposed on the way.
    NVVM::MMALayout order =
        operand.isDepthFirst ? NVVM::MMALayout::col : NVVM::MMALayout::row;
    MLIRContext *context = builder.getContext();
    Type i32 = builder.getI32Type();
    auto four = LLVM::LLVMStructType::getLiteral(context, {i32, i32, i32, i32});
    auto load = NVVM::LdMatrixOp::create(
        builder, four, address, builder.getI32IntegerAttr(4),
        NVVM::MMALayoutAttr::get(context, order),
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
  Place left, right;
};
} // namespace

Value parablock::tile::createMmaProduct(DeviceBuilder &builder,
                                        const Product &product,
                                        const AccumulatorLayout &layout) {
  SmallVector<Value> elements = builder.unpack(product.accumulator);
  WarpProduct warpProduct(builder, product, layout);
  for (int64_t depth = 0; depth < product.depth; depth += 16)
    warpProduct.add(depth, elements);
  return builder.pack(product.accumulator.getType(), elements);
}

void parablock::tile::createMmaParts(DeviceBuilder &builder, Product product,
                                     const AccumulatorLayout &layout,
                                     int64_t parts, UnpackParts unpack,
                                     FinishPart finish) {
  WarpProduct warpProduct(builder, product, layout);
  product.depth /= parts;
  for (int64_t part = 0; part < parts; ++part) {
    product.left = unpack(part, part + 1);
    product.first = part * product.depth;
    SmallVector<Value> sums = builder.unpack(product.accumulator);
    for (int64_t depth = 0; depth < product.depth; depth += 16)
      warpProduct.add(depth, sums);
    finish(part, sums);
  }
}
