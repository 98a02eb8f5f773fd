//===- RowEmbedding.cpp - rows of tokens and of image patches -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowCode.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

//===----------------------------------------------------------------------===//
// Token embedding
//===----------------------------------------------------------------------===//

void RowCode::prepareToken(block::EmbeddingOp op) {
  Value time = code.remI(row, sequence);
  Token token;
  Value ids = memory.lookup(op.getIds());
  token.id = code.loadI64(ids, row);
  token.tableRow = token.id;
  if (op.getFirstId()) {
    // Rows of other ids are elsewhere: nothing is added for them.
    int64_t rows =
        cast<RankedTensorType>(op.getTable().getType()).getDimSize(0);
    Value wanted = code.subI(token.id, sizes.lookup(op.getFirstId()));
    token.tableRow =
        code.maxI(code.minI(wanted, code.index(rows - 1)), code.index(0));
    token.isHere = code.equalI(wanted, token.tableRow);
  }
  if (op.getTypeTable())
    token.type = op.getTypeIds()
                     ? code.loadI64(memory.lookup(op.getTypeIds()), row)
                     : code.index(0);
  token.position = time;
  if (std::optional<int64_t> padId = op.getPadId()) {
    // Real tokens up to this one.
    Value pad = code.index(*padId), one = code.index(1), zero = code.index(0);
    auto isPad = [&](Value id) { return code.equalI(id, pad); };
    Value first = code.subI(row, time);
    Value count = code.loop(first, code.addI(row, one), 1, zero,
                            [&](Value at, ValueRange count) -> Values {
                              Value isPadding = isPad(code.loadI64(ids, at));
                              Value added = arith::SelectOp::create(
                                  code.builder, code.loc, isPadding, zero, one);
                              return {code.addI(count[0], added)};
                            })
                      .front();
    Value real = arith::SelectOp::create(code.builder, code.loc,
                                         isPad(token.id), zero, count);
    token.position = code.addI(real, pad);
  } else {
    token.position =
        code.addI(time, static_cast<int64_t>(op.getPositionOffset()));
    if (op.getOffset())
      token.position = code.addI(token.position, sizes.lookup(op.getOffset()));
  }
  tokens[op] = token;
}

/// The sinusoid of `position` in `column`.
Value RowCode::sinusoid(block::EmbeddingOp op, Value position,
                        const Column &column) {
  // A cosine is a sine a quarter of a turn ahead.
  int64_t width = widthOf(op.getResult());
  bool inPairs = *op.getSinusoid() == block::Sinusoid::Interleaved;
  SmallVector<double> frequencies, ahead;
  for (int64_t at = 0; at < width; ++at) {
    int64_t pair = inPairs ? at / 2 : at % (width / 2);
    bool isSine = inPairs ? at % 2 == 0 : at < width / 2;
    frequencies.push_back(std::pow(10000.0, -2.0 * static_cast<double>(pair) /
                                                static_cast<double>(width)));
    ahead.push_back(isSine ? 0 : 0.25);
  }
  Type f64 = code.builder.getF64Type();
  position = arith::SIToFPOp::create(code.builder, code.loc, f64, position);
  Value turns = turnsOf(frequencies, position, column.index, column.lanes);
  auto type = RankedTensorType::get(width, f64);
  Value table = code.table(DenseElementsAttr::get(type, ArrayRef(ahead)));
  turns =
      arith::AddFOp::create(code.builder, code.loc, turns,
                            code.loadRaw(table, turns.getType(), column.index));
  return code.cosineAndSine(turns).second;
}

/// The sum in the order of its terms in the op's description.
Value RowCode::evaluate(block::EmbeddingOp op, const Column &column) {
  Token token = tokens.lookup(op);
  auto fromTable = [&](Value table, Value at) {
    return loaders.find(table)->second(at, column);
  };
  Value x = code.mul(fromTable(op.getTable(), token.tableRow),
                     op.getScale().convertToDouble());
  if (token.isHere)
    x = code.select(token.isHere, x, code.f32(0));
  if (op.getPositionTable())
    x = code.add(x, fromTable(op.getPositionTable(), token.position));
  if (op.getSinusoid())
    x = code.add(x, sinusoid(op, token.position, column));
  if (op.getTypeTable())
    x = code.add(x, fromTable(op.getTypeTable(), token.type));
  return x;
}

//===----------------------------------------------------------------------===//
// Patch embedding
//===----------------------------------------------------------------------===//

/// One column: the sum over the lines of a patch of products along each.
Value RowCode::evaluate(block::PatchEmbeddingOp op, const Column &column) {
  auto pixelType = cast<RankedTensorType>(op.getPixels().getType());
  auto weightType = cast<RankedTensorType>(op.getWeight().getType());
  ArrayRef<int64_t> image = pixelType.getShape();
  ArrayRef<int64_t> patchShape = weightType.getShape();
  int64_t height = image[2], width = image[3];
  int64_t patchHeight = patchShape[2], patchWidth = patchShape[3];
  int64_t lines = image[1] * patchHeight;
  Value time = code.remI(row, sequence), batch = code.divI(row, sequence);
  Value pixels = memory.lookup(op.getPixels());
  Value weight = memory.lookup(op.getWeight());

  auto project = [&]() -> Values {
    Value patch = op.getClassToken() ? code.addI(time, -1) : time;
    int64_t across = width / patchWidth;
    Value top = code.mulI(code.divI(patch, across), patchHeight);
    Value left = code.mulI(code.remI(patch, across), patchWidth);
    Value firstLine = code.addI(code.mulI(batch, image[1] * height), top);
    Value firstWeight = code.mulI(column.index, lines);
    Value bias = op.getBias() ? element(op.getBias(), column) : code.f32(0);
    return code.loop(
        code.index(0), code.index(lines), 1, bias,
        [&](Value line, ValueRange sum) -> Values {
          // Line `line % patchHeight` of channel `line / patchHeight`.
          Value channel = code.divI(line, patchHeight);
          Value pixelLine =
              code.addI(firstLine, code.addI(code.mulI(channel, height),
                                             code.remI(line, patchHeight)));
          Value pixel = code.addI(code.mulI(pixelLine, width), left);
          Value factor = code.mulI(code.addI(firstWeight, line), patchWidth);
          Value total = sum[0];
          int64_t lanes = code.lanes();
          for (int64_t done = 0; done < patchWidth; done += lanes) {
            while (done + lanes > patchWidth)
              lanes /= 2;
            Value product =
                code.mul(code.load(pixels, pixelType.getElementType(),
                                   code.addI(pixel, done), lanes),
                         code.load(weight, weightType.getElementType(),
                                   code.addI(factor, done), lanes));
            total = code.add(total, code.sum(product));
          }
          return {total};
        });
  };
  Value x = op.getClassToken()
                ? code.ifElse(code.lessI(code.index(0), time), code.f32Type(1),
                              project,
                              [&]() -> Values {
                                return {element(op.getClassToken(), column)};
                              })
                      .front()
                : project().front();
  if (!op.getPositionTable())
    return x;
  return code.add(x, loaders.find(op.getPositionTable())->second(time, column));
}
