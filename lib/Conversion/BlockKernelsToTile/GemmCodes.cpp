//===- GemmCodes.cpp - products of rows in codes of 8 bits ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// If rows are codes, too, a step has 128 columns of rows: those of one scale.
// Its sums are scaled and added in f32. Scales of rows of the weight multiply
// finished sums; those of groups of its columns, the sums of a step.
//
//===----------------------------------------------------------------------===//

#include "GemmBuilder.h"
#include "TileCode.h"

using namespace mlir;
using namespace parablock;
using block::UnpackWeightOp;

Value GemmBuilder::createStepScales(OpBuilder &builder, const Place &place,
                                    Value step) {
  block::DecodeGroupsOp decode = plan.sources.front().encoded;
  auto type = cast<RankedTensorType>(decode.getScales().getType());
  Value scales = shell.lookupInput(decode.getScales());
  auto values = tile::RowValuesType::get(
      builder.getContext(), choice.shape.rows, choice.shape.columns);
  TileCode code(builder, loc);
  // Rows and steps past the end multiply zeros.
  Value last = code.subIndex(rows, code.index(1));
  Value group = code.minIndex(step, code.index(type.getShape().back() - 1));
  return code.map(
      values, {}, [&](const TileCode &inner, ValueRange indices, ValueRange) {
        Value row = inner.minIndex(inner.addIndex(place.row, indices[0]), last);
        return inner.load(scales, type, row, {group, std::nullopt, 1});
      });
}

Value GemmBuilder::createEncodedProduct(OpBuilder &builder, const Place &place,
                                        ArrayRef<Value> weightRows,
                                        tile::AccumulatorType type, Value steps,
                                        Value firstStep, TypeRange buffers,
                                        Produce produce) {
  TileCode code(builder, loc);
  Value first = firstStep ? firstStep : code.index(0);
  UnpackWeightOp unpack = plan.sources.front().unpack;
  auto columnsOfScale = static_cast<int64_t>(unpack.getGroup());
  auto consume = [&](const TileCode &inner, Value step, ValueRange given,
                     ValueRange carried) -> SmallVector<Value> {
    Value number = inner.addIndex(step, first), columns, group;
    SmallVector<Value> firsts;
    if (columnsOfScale) {
      columns = shell.lookupInput(unpack.getScales());
      int64_t groups = cast<MemRefType>(columns.getType()).getDimSize(1);
      group = inner.divIndex(number,
                             inner.index(columnsOfScale / choice.shape.depth));
      group = inner.minIndex(group, inner.index(groups - 1));
      firsts.assign(weightRows.begin(), weightRows.end());
    }
    Value sums = tile::MmaScaledOp::create(inner.builder, loc, type, given[0],
                                           given[1], carried[0], carried[1],
                                           columns, group, firsts);
    // Loaded a step ahead.
    return {sums, createStepScales(inner.builder, place,
                                   inner.addIndex(number, inner.index(1)))};
  };
  Value inits[] = {code.zero(type), createStepScales(builder, place, first)};
  return code.pipeline(steps, buffers, inits, /*stages=*/0, produce,
                       consume)[0];
}

Value GemmBuilder::scaleColumn(const RowCode &code, Value element,
                               Value column) {
  const GemmSource &source = plan.sources.front();
  UnpackWeightOp unpack = source.unpack;
  if (!source.encoded || unpack.getGroup() != 0)
    return element;
  Value scale = tile::LoadOp::create(
      code.builder, code.loc, code.builder.getF32Type(),
      shell.lookupInput(unpack.getScales()), ValueRange{column, code.index(0)});
  return code.mul(element, scale);
}
