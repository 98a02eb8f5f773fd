//===- MultiplyFma.cpp - tile products by multiply-adds of f32 ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Multiply.h"

using namespace mlir;
using namespace parablock::tile;

/// Four of the depth, from 4 * `turn` on, in each of the thread's rows.
static SmallVector<SmallVector<Value>>
loadFours(DeviceBuilder &builder, const Operand &operand, Value firstRow,
          ArrayRef<int64_t> rowOffsets, Value turn) {
  auto four = VectorType::get(4, builder.getF32Type());
  SmallVector<SmallVector<Value>> rows;
  for (int64_t rowOffset : rowOffsets) {
    Value row = builder.add(firstRow, rowOffset);
    SmallVector<Value> &elements = rows.emplace_back();
    if (operand.isDepthFirst) {
      // They lie in different rows of the buffer.
      for (int64_t i = 0; i < 4; ++i) {
        Value depth = builder.add(builder.multiply(turn, 4), i);
        elements.push_back(builder.load(
            builder.getF32Type(),
            createBufferAddress(builder, builder.getLoc(), operand.type,
                                operand.address, depth, row)));
      }
      continue;
    }
    Value loaded =
        builder.load(four, createChunkAddress(builder, operand, row, turn));
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
  auto loop = scf::ForOp::create(builder, builder.constant(0),
                                 builder.constant(product.left.getDepth() / 4),
                                 builder.constant(1), product.accumulator);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> elements = builder.unpack(loop.getRegionIterArg(0));
  Value turn = loop.getInductionVar();
  auto lefts = loadFours(builder, product.left, row, layout.rowOffsets, turn);
  auto rights =
      loadFours(builder, product.right, column, layout.columnOffsets, turn);
  for (int64_t k = 0; k < 4; ++k)
    for (auto [i, left] : llvm::enumerate(lefts))
      for (auto [j, right] : llvm::enumerate(rights)) {
        Value &element = elements[layout.getElement(i, j, 0)];
        element = LLVM::FMAOp::create(builder, left[k], right[k], element);
      }
  scf::YieldOp::create(builder, builder.pack(type, elements));
  return loop.getResult(0);
}
