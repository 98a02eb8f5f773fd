//===- GemmCodes.cpp - products of codes of few bits ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The weight is the left operand, in codes. Its scales are those of the rows of
// an accumulator: of whole rows, one multiplication of the finished sums; of
// groups of columns, or where the sum has several sources, of the sums of each
// part of a step.
//
// If rows are codes, too, a step has 128 columns of rows: those of one scale.
// Its sums are scaled and added in f32. Scales of rows of the weight multiply
// finished sums; those of groups of its columns, the sums of a step.
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

/// Returns the number of parts of a step's depth: those of the source with the
/// smallest groups.
static int64_t getParts(const GemmPlan &plan) {
  int64_t parts = 1;
  for (const GemmSource &source : plan.sources)
    parts = std::max(parts, block::getCellParts(source.unpack));
  return parts;
}

/// Returns the power of two of an exponent of 8 bits, E8M0: 255 is no number,
/// and 0 is subnormal.
static Value decodeExponent(const TileCode &code, Value exponent) {
  OpBuilder &builder = code.builder;
  Location loc = code.loc;
  Type i32 = builder.getI32Type();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, i32, value);
  };
  Value bits = arith::ExtUIOp::create(builder, loc, i32, exponent);
  Value next = arith::AddIOp::create(builder, loc, bits, number(1));
  Value rest = arith::AndIOp::create(builder, loc, next, number(0xfe));
  Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       rest, number(0));
  Value half = code.select(isLast, number(1 << 22), number(0));
  bits = arith::ShLIOp::create(builder, loc, bits, number(23));
  bits = arith::OrIOp::create(builder, loc, bits, half);
  return arith::BitcastOp::create(builder, loc, builder.getF32Type(), bits);
}

/// Returns the scale or zero point of `row` of a source's weight, in part
/// `part` of those of all steps of the source. Parts past the end have those of
/// the last group.
static Value loadRowValue(const TileCode &code, UnpackWeightOp unpack,
                          Value values, Value part, int64_t partColumns,
                          Value row) {
  Value group = code.index(0);
  if (auto size = static_cast<int64_t>(unpack.getGroup()))
    group = code.divIndex(part, code.index(size / partColumns));
  auto type = cast<MemRefType>(values.getType());
  group = code.minIndex(group, code.index(type.getDimSize(0) - 1));
  row = code.minIndex(row, code.index(type.getDimSize(1) - 1));
  return code.load(values, group, row);
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

Value GemmBuilder::createRowValues(OpBuilder &builder,
                                   ArrayRef<Value> weightRows, Value step,
                                   int64_t part, bool areZeros) {
  auto type = tile::RowValuesType::get(builder.getContext(),
                                       choice.shape.columns, choice.shape.rows);
  int64_t parts = getParts(plan);
  return TileCode(builder, loc)
      .map(type, {}, [&](const TileCode &code, ValueRange indices, ValueRange) {
        Value row = createRowOfPiece(code, weightRows, indices[0]);
        Value value;
        int64_t firstStep = 0;
        for (const GemmSource &source : plan.sources) {
          UnpackWeightOp unpack = source.unpack;
          Value values = shell.lookupInput(areZeros ? unpack.getZeros()
                                                    : unpack.getScales());
          auto load = [&](const TileCode &inner) {
            Value own = inner.subIndex(step, inner.index(firstStep));
            own = inner.addIndex(inner.mulIndex(own, inner.index(parts)),
                                 inner.index(part));
            Value loaded = loadRowValue(inner, unpack, values, own,
                                        choice.shape.depth / parts, row);
            if (loaded.getType().isF32())
              return loaded;
            return areZeros
                       ? arith::SIToFPOp::create(inner.builder, loc,
                                                 inner.builder.getF32Type(),
                                                 loaded)
                             .getResult()
                       : decodeExponent(inner, loaded);
          };
          Value before = value;
          value = before ? code.ifElse(
                               code.lessIndex(step, code.index(firstStep)),
                               [&](const TileCode &) { return before; }, load)
                         : load(code);
          firstStep += getSteps(source);
        }
        return value;
      });
}

GemmBuilder::CodeValues
GemmBuilder::createCodeValues(OpBuilder &builder, ArrayRef<Value> weightRows,
                              Value step) {
  CodeValues values;
  bool haveZeros =
      static_cast<bool>(UnpackWeightOp(plan.sources[0].unpack).getZeros());
  for (int64_t part = 0, parts = getParts(plan); part < parts; ++part) {
    if (!areOfRows(plan))
      values.scales.push_back(createRowValues(builder, weightRows, step, part,
                                              /*areZeros=*/false));
    if (haveZeros)
      values.zeros.push_back(createRowValues(builder, weightRows, step, part,
                                             /*areZeros=*/true));
  }
  return values;
}

/// Returns the numbers that codes of a form represent.
static tile::Codes getCodes(block::CodeForm form) {
  switch (form) {
  case block::CodeForm::Int8:
    return tile::Codes::Int8;
  case block::CodeForm::Int4:
    return tile::Codes::Int4;
  case block::CodeForm::MxFp4:
    return tile::Codes::MxFp4;
  case block::CodeForm::Fp8:
    return tile::Codes::Fp8;
  }
  llvm_unreachable("every form has codes");
}

Value GemmBuilder::createCodeProduct(OpBuilder &builder,
                                     ArrayRef<Value> weightRows,
                                     tile::AccumulatorType type, Value steps,
                                     Value firstStep, TypeRange buffers,
                                     Produce produce, Produce fill) {
  TileCode code(builder, loc);
  Value first = firstStep ? firstStep : code.index(0);
  CodeValues values = createCodeValues(builder, weightRows, first);
  SmallVector<Value> inits = {code.zero(type)};
  // One of each for a step is loaded a step ahead; more would take registers
  // from others.
  bool areOfSteps = !areOfRows(plan);
  bool areCarried = areOfSteps && getParts(plan) == 1;
  if (areCarried)
    for (const SmallVector<Value> &each : {values.scales, values.zeros})
      llvm::append_range(inits, each);
  tile::Codes codes =
      getCodes(UnpackWeightOp(plan.sources[0].unpack).getForm());
  auto consume = [&](const TileCode &inner, Value step, ValueRange given,
                     ValueRange carried) {
    fill(inner, step, given);
    CodeValues now = values, later;
    if (areOfSteps) {
      Value number = inner.addIndex(step, first);
      if (areCarried)
        number = inner.addIndex(number, inner.index(1));
      later = createCodeValues(inner.builder, weightRows, number);
      now = later;
    }
    if (areCarried) {
      now.scales = carried.slice(1, now.scales.size());
      now.zeros = carried.take_back(now.zeros.size());
    }
    SmallVector<Value> next = {
        tile::MmaCodesOp::create(inner.builder, loc, type, codes, given[0],
                                 given[1], carried[0], now.scales, now.zeros)};
    if (areCarried)
      for (const SmallVector<Value> &each : {later.scales, later.zeros})
        llvm::append_range(next, each);
    return next;
  };
  Value sums =
      code.pipeline(steps, buffers, inits, /*stages=*/0, produce, consume)[0];
  if (areOfSteps)
    return sums;
  Value scales = createRowValues(builder, weightRows, code.index(0),
                                 /*part=*/0, /*areZeros=*/false);
  return code.map(type, {sums, scales},
                  [](const TileCode &inner, ValueRange, ValueRange elements) {
                    return inner.mul(elements[0], elements[1]);
                  });
}

//===----------------------------------------------------------------------===//
// Rows in codes
//===----------------------------------------------------------------------===//

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
