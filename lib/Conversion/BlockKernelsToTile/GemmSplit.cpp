//===- GemmSplit.cpp - CTAs that share the depth of a tile ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each CTA stores its sums in memory; the last one adds them in order and runs
// the epilogue.
//
//===----------------------------------------------------------------------===//

#include "GemmSplit.h"

using namespace mlir;
using namespace parablock;

void SplitSums::join(TileCode code, Value tile, Value split, Value count,
                     int64_t extent, Value staged,
                     llvm::function_ref<void(TileCode)> finish) const {
  Value none = code.index(0), width = code.index(columns);
  auto forEachElement =
      [&](TileCode at, llvm::function_ref<void(TileCode, Value, Value)> body) {
        at.tileRows(count, extent, [&](TileCode inner, Value row) {
          inner.columns(none, width, [&](TileCode each, Value column) {
            body(each, row, column);
          });
        });
      };
  Value firstSlot = code.mulIndex(tile, code.index(splits));
  auto createSlotRow = [&](TileCode at, Value slot, Value row) {
    return at.addIndex(at.mulIndex(slot, at.index(rows)), row);
  };
  Value ownSlot = code.addIndex(firstSlot, split);
  forEachElement(code, [&](TileCode at, Value row, Value column) {
    at.store(at.load(staged, row, column), sums,
             createSlotRow(at, ownSlot, row), column);
  });
  auto join = tile::JoinOp::create(code.builder, code.loc, counters, tile,
                                   code.index(splits));
  OpBuilder inner = OpBuilder::atBlockEnd(&join.getBody().emplaceBlock());
  TileCode last{inner, code.loc};
  forEachElement(last, [&](TileCode at, Value row, Value column) {
    Value sum;
    for (int64_t number = 0; number < splits; ++number) {
      Value slot = at.addIndex(firstSlot, at.index(number));
      Value part = at.load(sums, createSlotRow(at, slot, row), column);
      sum = sum ? at.add(sum, part) : part;
    }
    at.store(sum, staged, row, column);
  });
  finish(last);
  tile::YieldOp::create(inner, code.loc);
}
