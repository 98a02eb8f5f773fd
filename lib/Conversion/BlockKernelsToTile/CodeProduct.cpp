//===- CodeProduct.cpp - products of codes of few bits --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The weight is the left operand, in codes. Its scales are those of the rows of
// an accumulator: of whole rows, one multiplication of the finished sums; of
// groups of columns, or where the sum has several sources, of the sums of each
// part of a step.
//
//===----------------------------------------------------------------------===//

#include "CodeProduct.h"

#include "parablock/Dialect/Block/LaneCodes.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock;
using block::UnpackWeightOp;

CodeProduct::CodeProduct(ArrayRef<CodeSource> sources,
                         tile::AccumulatorType sums, ArrayRef<Value> weightRows,
                         int64_t pieceRows, int64_t depth)
    : sources(sources), sums(sums), weightRows(weightRows),
      pieceRows(pieceRows), depth(depth) {
  for (const CodeSource &source : sources)
    parts = std::max(parts, block::getCellParts(source.unpack));
}

bool CodeProduct::areOfRows() const {
  return sources.size() == 1 &&
         UnpackWeightOp(sources.front().unpack).getGroup() == 0;
}

tile::BufferType parablock::getCodeBuffer(MLIRContext *context, int64_t rows) {
  // Rows of cells have two rows of the weight each.
  return tile::BufferType::get(context, rows / 2, 2 * block::cellBytes,
                               IntegerType::get(context, 8),
                               tile::BufferLayout::Swizzled);
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
Value CodeProduct::createRow(const TileCode &code, Value row) const {
  Value result = code.addIndex(weightRows.front(), row);
  for (size_t piece = 1; piece < weightRows.size(); ++piece) {
    Value first = code.index(static_cast<int64_t>(piece) * pieceRows);
    Value own = code.addIndex(weightRows[piece], code.subIndex(row, first));
    result = code.select(code.lessIndex(row, first), result, own);
  }
  return result;
}

Value CodeProduct::createRowValues(const TileCode &code, Value step,
                                   int64_t part, bool areZeros) const {
  auto type = tile::RowValuesType::get(code.builder.getContext(),
                                       sums.getRows(), sums.getColumns());
  auto load = [&](const TileCode &at, const CodeSource &source,
                  int64_t firstStep, Value row) {
    Value own = at.subIndex(step, at.index(firstStep));
    own = at.addIndex(at.mulIndex(own, at.index(parts)), at.index(part));
    Value loaded =
        loadRowValue(at, source.unpack, areZeros ? source.zeros : source.scales,
                     own, depth / parts, row);
    if (loaded.getType().isF32())
      return loaded;
    if (!areZeros)
      return decodeExponent(at, loaded);
    Type f32 = at.builder.getF32Type();
    return arith::SIToFPOp::create(at.builder, at.loc, f32, loaded).getResult();
  };
  return code.map(
      type, {}, [&](const TileCode &at, ValueRange indices, ValueRange) {
        Value row = createRow(at, indices[0]), value;
        int64_t firstStep = 0;
        for (const CodeSource &source : sources) {
          auto loadOwn = [&](const TileCode &inner) {
            return load(inner, source, firstStep, row);
          };
          Value before = value;
          value = before
                      ? at.ifElse(
                            at.lessIndex(step, at.index(firstStep)),
                            [&](const TileCode &) { return before; }, loadOwn)
                      : loadOwn(at);
          firstStep += source.steps;
        }
        return value;
      });
}

CodeProduct::Values CodeProduct::createValues(const TileCode &code,
                                              Value step) const {
  Values values;
  for (int64_t part = 0; part < parts; ++part) {
    if (!areOfRows())
      values.scales.push_back(
          createRowValues(code, step, part, /*areZeros=*/false));
    if (haveZeros())
      values.zeros.push_back(
          createRowValues(code, step, part, /*areZeros=*/true));
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

void CodeProduct::createCopies(const TileCode &code, Value codes, Value step,
                               Value buffer) const {
  // Codes are rows of cells, each of two rows of the weight.
  Value column = code.mulIndex(step, code.index(2 * block::cellBytes));
  int64_t count = pieceRows / 2;
  for (auto [piece, row] : llvm::enumerate(weightRows))
    tile::CopyOp::create(code.builder, code.loc, codes,
                         code.divIndex(row, code.index(2)), column, buffer,
                         piece * count, count);
}

Value CodeProduct::create(const TileCode &code, Value steps, Value firstStep,
                          TypeRange buffers, Produce produce,
                          Produce fill) const {
  Value first = firstStep ? firstStep : code.index(0);
  Values values = createValues(code, first);
  SmallVector<Value> inits = {code.zero(sums)};
  // One of each for a step is loaded a step ahead; more would take registers
  // from others.
  bool areOfSteps = !areOfRows(), areCarried = areOfSteps && parts == 1;
  if (areCarried)
    for (const SmallVector<Value> &each : {values.scales, values.zeros})
      llvm::append_range(inits, each);
  tile::Codes codes =
      getCodes(UnpackWeightOp(sources.front().unpack).getForm());
  auto consume = [&](const TileCode &inner, Value step, ValueRange given,
                     ValueRange carried) {
    fill(inner, step, given);
    Values now = values, later;
    if (areOfSteps) {
      Value number = inner.addIndex(step, first);
      if (areCarried)
        number = inner.addIndex(number, inner.index(1));
      later = createValues(inner, number);
      now = later;
    }
    if (areCarried) {
      now.scales = carried.slice(1, now.scales.size());
      now.zeros = carried.take_back(now.zeros.size());
    }
    SmallVector<Value> next = {tile::MmaCodesOp::create(
        inner.builder, inner.loc, sums, codes, given[0], given[1], carried[0],
        now.scales, now.zeros)};
    if (areCarried)
      for (const SmallVector<Value> &each : {later.scales, later.zeros})
        llvm::append_range(next, each);
    return next;
  };
  Value product =
      code.pipeline(steps, buffers, inits, /*stages=*/0, produce, consume)[0];
  if (areOfSteps)
    return product;
  Value scales =
      createRowValues(code, code.index(0), /*part=*/0, /*areZeros=*/false);
  return code.map(sums, {product, scales},
                  [](const TileCode &inner, ValueRange, ValueRange elements) {
                    return inner.mul(elements[0], elements[1]);
                  });
}
