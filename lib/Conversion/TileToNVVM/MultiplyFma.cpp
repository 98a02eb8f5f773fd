//===- MultiplyFma.cpp - products by fused multiply-adds ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Multiply.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

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
      // They are in different rows of the buffer.
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

/// Adds the products of every left with every right element.
static void addProducts(DeviceBuilder &builder, const AccumulatorLayout &layout,
                        ArrayRef<Value> lefts, ArrayRef<Value> rights,
                        MutableArrayRef<Value> elements) {
  for (auto [i, left] : llvm::enumerate(lefts))
    for (auto [j, right] : llvm::enumerate(rights)) {
      Value &element = elements[layout.getElement(i, j, 0)];
      element = LLVM::FMAOp::create(builder, left, right, element);
    }
}

/// Multiplies a left operand in registers: lanes that share a row exchange its
/// elements, one column each in turn.
static Value createRegisterProduct(DeviceBuilder &builder,
                                   const Product &product,
                                   const RegisterOperand &left,
                                   const AccumulatorLayout &layout) {
  Value origin = layout.createOrigin(builder).column;
  int64_t lanes = layout.getLanesPerRow();
  Value lane = builder.laneIndex();
  Value firstLane = builder.subtract(lane, builder.remainder(lane, lanes));
  const Operand &right = product.right;
  Type type = product.accumulator.getType();
  Value sums = product.accumulator;
  for (auto [slot, first] : llvm::enumerate(left.layout.columnOffsets)) {
    auto loop =
        scf::ForOp::create(builder, builder.constant(0),
                           builder.constant(lanes), builder.constant(1), sums);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value turn = loop.getInductionVar(), depth = builder.add(turn, first);
    SmallVector<Value> lefts, rights;
    for (int64_t i = 0, e = left.layout.rowOffsets.size(); i < e; ++i)
      lefts.push_back(NVVM::ShflOp::create(
          builder, builder.getF32Type(), builder.constant(-1),
          left.elements[left.layout.getElement(i, slot, 0)],
          builder.add(firstLane, turn), builder.constant(31),
          NVVM::ShflKind::idx, UnitAttr()));
    for (int64_t offset : layout.columnOffsets) {
      Value column = builder.add(origin, offset);
      rights.push_back(builder.load(
          builder.getF32Type(),
          createBufferAddress(builder, builder.getLoc(), right.type,
                              right.address,
                              right.isDepthFirst ? depth : column,
                              right.isDepthFirst ? column : depth)));
    }
    SmallVector<Value> elements = builder.unpack(loop.getRegionIterArg(0));
    addProducts(builder, layout, lefts, rights, elements);
    scf::YieldOp::create(builder, builder.pack(type, elements));
    sums = loop.getResult(0);
  }
  return sums;
}

Value parablock::tile::createFmaProduct(DeviceBuilder &builder,
                                        const Product &product,
                                        const AccumulatorLayout &layout) {
  if (auto *registers = std::get_if<RegisterOperand>(&product.left))
    return createRegisterProduct(builder, product, *registers, layout);
  auto [row, column] = layout.createOrigin(builder);
  Type type = product.accumulator.getType();
  auto loop = scf::ForOp::create(builder, builder.constant(0),
                                 builder.constant(product.depth / 4),
                                 builder.constant(1), product.accumulator);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> elements = builder.unpack(loop.getRegionIterArg(0));
  Value turn = loop.getInductionVar();
  auto lefts = loadFours(builder, std::get<Operand>(product.left), row,
                         layout.rowOffsets, turn);
  for (auto [four, less] : llvm::zip(lefts, product.less))
    for (Value &element : four)
      element = LLVM::FSubOp::create(builder, element, less);
  auto rights =
      loadFours(builder, product.right, column, layout.columnOffsets, turn);
  for (int64_t k = 0; k < 4; ++k) {
    auto takeOne = [k](const SmallVector<Value> &four) { return four[k]; };
    addProducts(builder, layout, llvm::map_to_vector(lefts, takeOne),
                llvm::map_to_vector(rights, takeOne), elements);
  }
  scf::YieldOp::create(builder, builder.pack(type, elements));
  return loop.getResult(0);
}
