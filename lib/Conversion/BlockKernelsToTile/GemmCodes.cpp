//===- GemmCodes.cpp - products of codes of few bits ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The weight is the left operand, in codes. Its scales are those of the rows of
// an accumulator: of whole rows, one multiplication of the finished sums; of
// groups of columns, or where the sum has several sources, of the sums of each
// step.
//
//===----------------------------------------------------------------------===//

#include "GemmBuilder.h"
#include "TileCode.h"
#include "parablock/Dialect/Block/LaneCodes.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock;
using block::UnpackWeightOp;

/// Returns whether a scale counts for all of a product.
static bool areOfRows(const GemmPlan &plan) {
  return plan.sources.size() == 1 &&
         UnpackWeightOp(plan.sources.front().unpack).getGroup() == 0;
}

/// Returns the scale of `row` of a source's weight in step `step` of the
/// source. Steps past the end have those of the last group.
static Value loadScale(const TileCode &code, UnpackWeightOp unpack,
                       Value scales, Value step, Value row) {
  Value group = code.index(0);
  if (auto size = static_cast<int64_t>(unpack.getGroup()))
    group = code.divIndex(
        step, code.index(size / block::getCellColumns(unpack.getForm())));
  auto type = cast<MemRefType>(scales.getType());
  group = code.minIndex(group, code.index(type.getDimSize(0) - 1));
  row = code.minIndex(row, code.index(type.getDimSize(1) - 1));
  return code.load(scales, group, row);
}

/// Returns the row of the weight that is row `row` of the tile, in one of its
/// pieces.
Value GemmBuilder::createRowOfPiece(const TileCode &code,
                                    ArrayRef<Value> weightRows, Value row) {
  Value result = code.addIndex(weightRows.front(), row);
  for (int64_t piece = 1; piece < pieces; ++piece) {
    Value first = code.index(piece * pieceColumns);
    Value own = code.addIndex(weightRows[piece], code.subIndex(row, first));
    result = code.select(code.lessIndex(row, first), result, own);
  }
  return result;
}

Value GemmBuilder::createScales(OpBuilder &builder, ArrayRef<Value> weightRows,
                                Value step) {
  auto type = tile::RowValuesType::get(builder.getContext(),
                                       choice.shape.columns, choice.shape.rows);
  return TileCode(builder, loc)
      .map(type, {}, [&](const TileCode &code, ValueRange indices, ValueRange) {
        Value row = createRowOfPiece(code, weightRows, indices[0]);
        Value scale;
        int64_t firstStep = 0;
        for (const GemmSource &source : plan.sources) {
          UnpackWeightOp unpack = source.unpack;
          Value scales = shell.lookupInput(unpack.getScales());
          auto load = [&](const TileCode &inner) {
            Value own = inner.subIndex(step, inner.index(firstStep));
            return loadScale(inner, unpack, scales, own, row);
          };
          Value before = scale;
          scale = before ? code.ifElse(
                               code.lessIndex(step, code.index(firstStep)),
                               [&](const TileCode &) { return before; }, load)
                         : load(code);
          firstStep += getSteps(source);
        }
        return scale;
      });
}

Value GemmBuilder::multiplyCodes(OpBuilder &builder, ArrayRef<Value> weightRows,
                                 Value step, ValueRange arguments) {
  Value sums = arguments[2];
  TileCode code(builder, loc);
  // Loads of scales are under way during the product.
  Value scales;
  if (!areOfRows(plan))
    scales = createScales(builder, weightRows, step);
  auto type = cast<tile::AccumulatorType>(sums.getType());
  Value product =
      tile::MmaOp::create(builder, loc, arguments[0], arguments[1],
                          scales ? code.zero(type) : sums, /*less=*/Value(),
                          /*leftDepthFirst=*/false, /*rightDepthFirst=*/false,
                          /*depth=*/IntegerAttr(), /*deferred=*/false);
  // The registers of its codes are written again in the next step.
  product = code.settle(product);
  if (!scales)
    return product;
  return code.map(type, {product, scales, sums},
                  [](const TileCode &inner, ValueRange, ValueRange elements) {
                    return inner.fma(elements[0], elements[1], elements[2]);
                  });
}

Value GemmBuilder::scaleSums(OpBuilder &builder, ArrayRef<Value> weightRows,
                             Value sums) {
  if (!areOfRows(plan))
    return sums;
  Value scales = createScales(builder, weightRows, constant(builder, 0));
  return TileCode(builder, loc)
      .map(sums.getType(), {sums, scales},
           [](const TileCode &code, ValueRange, ValueRange elements) {
             return code.mul(elements[0], elements[1]);
           });
}
