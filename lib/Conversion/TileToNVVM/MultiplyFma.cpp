//===- MultiplyFma.cpp - tile products by multiply-adds of f32 ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Multiply.h"

using namespace mlir;
using namespace parablock::tile;

/// The four elements of a chunk in each of the thread's rows of a buffer.
static SmallVector<SmallVector<Value>> loadChunks(DeviceBuilder &builder,
                                                  Value buffer, Value firstRow,
                                                  ArrayRef<int64_t> rowOffsets,
                                                  Value chunk) {
  auto four = VectorType::get(4, builder.getF32Type());
  SmallVector<SmallVector<Value>> rows;
  for (int64_t rowOffset : rowOffsets) {
    Value loaded = builder.load(
        four, createChunkAddress(builder, buffer,
                                 builder.add(firstRow, rowOffset), chunk));
    SmallVector<Value> &elements = rows.emplace_back();
    for (int64_t i = 0; i < 4; ++i)
      elements.push_back(
          LLVM::ExtractElementOp::create(builder, loaded, builder.constant(i)));
  }
  return rows;
}

Value parablock::tile::createFmaProduct(DeviceBuilder &builder,
                                        const Product &product,
                                        const AccumulatorLayout &layout) {
  auto [row, column] = layout.createOrigin(builder);
  Type type = product.accumulator.getType();
  auto loop =
      scf::ForOp::create(builder, builder.constant(0),
                         builder.constant(product.leftType.getColumns() / 4),
                         builder.constant(1), product.accumulator);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> elements = builder.unpack(loop.getRegionIterArg(0));
  Value chunk = loop.getInductionVar();
  auto lefts = loadChunks(builder, product.left, row, layout.rowOffsets, chunk);
  auto rights =
      loadChunks(builder, product.right, column, layout.columnOffsets, chunk);
  for (int64_t k = 0; k < 4; ++k)
    for (auto [i, left] : llvm::enumerate(lefts))
      for (auto [j, right] : llvm::enumerate(rights)) {
        Value &element = elements[layout.getElement(i, j, 0)];
        element = LLVM::FMAOp::create(builder, left[k], right[k], element);
      }
  scf::YieldOp::create(builder, builder.pack(type, elements));
  return loop.getResult(0);
}
