//===- SdpaGradProduct.cpp - tiles of products in attention's gradient ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaGradProduct.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Sums a tile of `vectors` starting at row `first` and column `column`. Rows
/// past the last one repeat it.
static void emitTile(const SdpaFrame &sdpa, const GradProduct &product,
                     Value first, Value column, int64_t vectors) {
  Code &code = sdpa.code;
  Value last = code.addI(product.rows, -1);
  ProductOperands operands;
  operands.rightType = sdpa.narrow;
  operands.leftStep = product.leftStep;
  operands.right = code.address(product.right, column, sdpa.narrow);
  operands.rightStep = product.rightStep;
  Values places;
  for (int64_t i = 0; i < sdpa.shape.rows; ++i) {
    Value row = code.minI(code.addI(first, i), last);
    operands.leftRows.push_back(code.address(
        product.left, code.mulI(row, product.leftRow), sdpa.narrow));
    for (int64_t v = 0; v < vectors; ++v)
      places.push_back(
          code.addI(code.addI(code.mulI(row, product.sumsRow), column),
                    v * code.lanes()));
  }
  auto load = [&] {
    Values known;
    for (Value place : places)
      known.push_back(code.loadRaw(product.sums, sdpa.wide, place));
    return known;
  };
  llvm::function_ref<Values()> getBefore;
  if (!product.isFirst)
    getBefore = load;
  Values after = emitProduct(code, operands, product.steps, product.mostSteps,
                             vectors, getBefore);
  for (auto [sum, place] : llvm::zip_equal(after, places))
    code.storeRaw(sum, product.sums, place);
}

void cpugen::emitGradProduct(const SdpaFrame &sdpa,
                             const GradProduct &product) {
  Code &code = sdpa.code;
  auto addColumns = [&](Value column, int64_t vectors) {
    code.loop(code.index(0), product.rows, sdpa.shape.rows, [&](Value first) {
      emitTile(sdpa, product, first, column, vectors);
    });
  };
  int64_t step = sdpa.shape.vectors * code.lanes();
  int64_t whole = product.columns / step * step;
  code.loop(code.index(0), code.index(whole), step,
            [&](Value column) { addColumns(column, sdpa.shape.vectors); });
  if (whole != product.columns)
    addColumns(code.index(whole), (product.columns - whole) / code.lanes());
}

void cpugen::emitCarefulGradProduct(const SdpaFrame &sdpa,
                                    const GradProduct &product) {
  Code &code = sdpa.code;
  auto addVector = [&](Value row, Value column) {
    Value place = code.addI(code.mulI(row, product.sumsRow), column);
    Value left = code.mulI(row, product.leftRow);
    Values sum = code.loop(
        code.index(0), product.steps, 1, code.real(sdpa.wide, 0),
        [&](Value step, ValueRange sums) -> Values {
          Value factor =
              code.loadRaw(product.left, sdpa.narrow,
                           code.addI(left, code.mulI(step, product.leftStep)));
          Value right = code.loadRaw(
              product.right, sdpa.wide,
              code.addI(code.mulI(step, product.rightStep), column));
          Value isZero = arith::CmpFOp::create(code.builder, code.loc,
                                               arith::CmpFPredicate::OEQ,
                                               factor, code.f32(0));
          return {
              code.select(isZero, sums[0], code.fma(right, factor, sums[0]))};
        });
    Value known = code.loadRaw(product.sums, sdpa.wide, place);
    code.storeRaw(code.add(known, sum[0]), product.sums, place);
  };
  code.loop(code.index(0), product.rows, 1, [&](Value row) {
    code.loop(code.index(0), code.index(product.columns), code.lanes(),
              [&](Value column) { addVector(row, column); });
  });
}
