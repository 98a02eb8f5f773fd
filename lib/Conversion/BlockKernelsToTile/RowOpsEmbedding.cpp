//===- RowOpsEmbedding.cpp - rows of tokens and of image patches ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Angles.h"
#include "RowEmitter.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <cmath>

using namespace mlir;
using namespace parablock;

//===----------------------------------------------------------------------===//
// Token embedding
//===----------------------------------------------------------------------===//

void RowEmitter::prepareToken(TileCode code, block::EmbeddingOp op) {
  Value batch = getBatch(code), time = getTime(code), zero = code.index(0);
  TokenFacts facts;
  Value id = load(code, op.getIds(), batch, time);
  facts.id = facts.tableRow = code.toIndex(id);
  if (op.getFirstId()) {
    // Rows of other ids are elsewhere: nothing is added for them.
    int64_t rows =
        cast<RankedTensorType>(op.getTable().getType()).getDimSize(0);
    Value wanted = code.subIndex(
        facts.id, code.index(*getConstantIntValue(op.getFirstId())));
    facts.tableRow =
        code.maxIndex(zero, code.minIndex(wanted, code.index(rows - 1)));
    facts.isHere =
        arith::CmpIOp::create(code.builder, code.loc, arith::CmpIPredicate::eq,
                              wanted, facts.tableRow);
  }
  if (op.getTypeTable())
    facts.type = op.getTypeIds()
                     ? code.toIndex(load(code, op.getTypeIds(), batch, time))
                     : zero;
  if (std::optional<int64_t> padId = op.getPadId()) {
    // Real tokens up to this one; f32 counts exactly up to 2^24.
    Value pad =
        arith::ConstantIntOp::create(code.builder, code.loc, *padId, 64);
    auto isPad = [&](TileCode inner, Value token) {
      return arith::CmpIOp::create(inner.builder, inner.loc,
                                   arith::CmpIPredicate::eq, token, pad);
    };
    Value end = code.addIndex(time, code.index(1));
    Value count = code.reduce(
        tile::Reduction::Add, zero, end, [&](TileCode inner, Value column) {
          Value token = load(inner, op.getIds(), batch, column);
          return inner.select(isPad(inner, token), inner.f32(0), inner.f32(1));
        });
    Value counted = arith::FPToSIOp::create(code.builder, code.loc,
                                            code.builder.getI64Type(), count);
    facts.position =
        code.addIndex(code.index(*padId), code.select(isPad(code, id), zero,
                                                      code.toIndex(counted)));
  } else {
    facts.position = time;
    if (op.getPositionOffset() != 0)
      facts.position = code.addIndex(time, code.index(op.getPositionOffset()));
    if (op.getOffset())
      facts.position = code.addIndex(
          facts.position, code.toIndex(load(code, op.getOffset(), row, zero)));
  }
  tokens[op] = facts;
}

/// The component `column` of the sinusoid of `position`.
static Value createSinusoid(TileCode code, block::Sinusoid layout,
                            int64_t width, Value position, Value column) {
  SmallVector<double> frequencies;
  for (int64_t pair = 0; pair < width / 2; ++pair)
    frequencies.push_back(std::pow(10000.0, -2.0 * pair / width));
  bool inPairs = layout == block::Sinusoid::Interleaved;
  Value divisor = code.index(inPairs ? 2 : width / 2);
  Value quotient = code.divIndex(column, divisor);
  Value remainder = code.remIndex(column, divisor);
  Value pair = inPairs ? quotient : remainder;
  Value isSine = code.lessIndex(inPairs ? remainder : quotient, code.index(1));
  // A cosine is a sine a quarter of a turn ahead.
  Value ahead = code.select(isSine, code.f32(0), code.f32(0.25));
  Value turns = createTurns(code, createFrequencyTable(code, frequencies),
                            createPosition(code, position), pair, ahead);
  return createSine(code, turns);
}

Value RowEmitter::evaluate(TileCode code, block::EmbeddingOp op, Value column) {
  TokenFacts facts = tokens.lookup(op);
  Value x = code.scale(load(code, op.getTable(), facts.tableRow, column),
                       op.getScale().convertToDouble());
  if (facts.isHere)
    x = code.select(facts.isHere, x, code.f32(0));
  if (op.getPositionTable())
    x = code.add(x, load(code, op.getPositionTable(), facts.position, column));
  if (op.getSinusoid())
    x = code.add(x, createSinusoid(code, *op.getSinusoid(),
                                   getWidth(op.getResult()), facts.position,
                                   column));
  if (op.getTypeTable())
    x = code.add(x, load(code, op.getTypeTable(), facts.type, column));
  return x;
}

//===----------------------------------------------------------------------===//
// Patch embedding
//===----------------------------------------------------------------------===//

Value RowEmitter::evaluate(TileCode code, block::PatchEmbeddingOp op,
                           Value column) {
  ArrayRef<int64_t> image =
      cast<RankedTensorType>(op.getPixels().getType()).getShape();
  ArrayRef<int64_t> patchShape =
      cast<RankedTensorType>(op.getWeight().getType()).getShape();
  int64_t channels = image[1], height = image[2];
  int64_t patchHeight = patchShape[2], patchWidth = patchShape[3];
  Value time = getTime(code), zero = code.index(0);

  auto project = [&](TileCode code) {
    Value patch =
        op.getClassToken() ? code.subIndex(time, code.index(1)) : time;
    Value across = code.index(image[3] / patchWidth);
    Value top =
        code.mulIndex(code.divIndex(patch, across), code.index(patchHeight));
    Value left =
        code.mulIndex(code.remIndex(patch, across), code.index(patchWidth));
    Value firstLine = code.addIndex(
        code.mulIndex(getBatch(code), code.index(channels * height)), top);
    Value lines = code.index(channels * patchHeight);
    Value firstWeight = code.mulIndex(column, lines);
    Value bias =
        op.getBias() ? element(code, op.getBias(), column) : code.f32(0);
    return code.accumulate(
        zero, lines, bias,
        [&](TileCode code, Value line, ValueRange sum) -> SmallVector<Value> {
          // Line `line % patchHeight` of channel `line / patchHeight`.
          Value channel = code.divIndex(line, code.index(patchHeight));
          Value pixelLine = code.addIndex(
              firstLine,
              code.addIndex(code.mulIndex(channel, code.index(height)),
                            code.remIndex(line, code.index(patchHeight))));
          Value weightLine = code.addIndex(firstWeight, line);
          return code.accumulate(
              zero, code.index(patchWidth), sum,
              [&](TileCode code, Value x,
                  ValueRange sum) -> SmallVector<Value> {
                Value pixel = load(code, op.getPixels(), pixelLine,
                                   code.addIndex(left, x));
                Value weight = load(code, op.getWeight(), weightLine, x);
                return {code.fma(pixel, weight, sum[0])};
              });
        })[0];
  };
  Value x =
      op.getClassToken()
          ? code.ifElse(code.lessIndex(zero, time), project,
                        [&](TileCode code) {
                          return element(code, op.getClassToken(), column);
                        })
          : project(code);
  if (!op.getPositionTable())
    return x;
  return code.add(x, load(code, op.getPositionTable(), time, column));
}
