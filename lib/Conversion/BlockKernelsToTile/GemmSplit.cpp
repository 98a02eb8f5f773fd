//===- GemmSplit.cpp - CTAs that share the depth of a tile ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each CTA stores its sums in memory; the last one adds them in order and runs
// the epilogue.
//
//===----------------------------------------------------------------------===//

#include "GemmBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace parablock;

void GemmBuilder::forEachElement(
    OpBuilder &builder, const Place &place,
    llvm::function_ref<void(OpBuilder &, Value, Value)> body) {
  OpBuilder::InsertionGuard guard(builder);
  Type index = builder.getIndexType();
  Value none = constant(builder, 0);
  Value width = constant(builder, choice.shape.columns);
  auto rowLoop = tile::RowsOp::create(
      builder, loc, createNumRows(builder, place), getNumRows());
  Block *row = builder.createBlock(&rowLoop.getBody(), {}, index, loc);
  auto columnLoop = tile::ColumnsOp::create(builder, loc, none, width);
  tile::YieldOp::create(builder, loc);
  Block *column = builder.createBlock(&columnLoop.getBody(), {}, index, loc);
  body(builder, row->getArgument(0), column->getArgument(0));
  tile::YieldOp::create(builder, loc);
}

void GemmBuilder::createJoinedEpilogues(OpBuilder &builder, const Place &place,
                                        Value staged) {
  Value sums = shell.getWorkspace(0), counters = shell.getWorkspace(1);
  Type f32 = builder.getF32Type();
  Value splits = constant(builder, choice.splits);
  Value firstSlot = arith::MulIOp::create(builder, loc, place.column, splits);
  auto createSlotRow = [&](OpBuilder &builder, Value slot, Value row) -> Value {
    Value first = arith::MulIOp::create(builder, loc, slot,
                                        constant(builder, choice.shape.rows));
    return arith::AddIOp::create(builder, loc, first, row);
  };
  Value ownSlot = arith::AddIOp::create(builder, loc, firstSlot, place.split);
  forEachElement(
      builder, place, [&](OpBuilder &builder, Value row, Value column) {
        Value own = tile::LoadOp::create(builder, loc, f32, staged,
                                         ValueRange{row, column});
        tile::StoreOp::create(
            builder, loc, own, sums,
            ValueRange{createSlotRow(builder, ownSlot, row), column});
      });
  auto join =
      tile::JoinOp::create(builder, loc, counters, place.column, splits);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&join.getBody());
  auto end = tile::YieldOp::create(builder, loc);
  builder.setInsertionPoint(end);
  forEachElement(
      builder, place, [&](OpBuilder &builder, Value row, Value column) {
        Value sum;
        for (int64_t split = 0; split < choice.splits; ++split) {
          Value slot = arith::AddIOp::create(builder, loc, firstSlot,
                                             constant(builder, split));
          Value part = tile::LoadOp::create(
              builder, loc, f32, sums,
              ValueRange{createSlotRow(builder, slot, row), column});
          sum = sum ? Value(arith::AddFOp::create(builder, loc, sum, part))
                    : part;
        }
        tile::StoreOp::create(builder, loc, sum, staged,
                              ValueRange{row, column});
      });
  createRowEpilogues(builder, place, staged, /*part=*/{});
}
