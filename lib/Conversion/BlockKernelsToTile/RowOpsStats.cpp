//===- RowOpsStats.cpp - statistics of rows, whole and in parts -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowEmitter.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;

RowEmitter::Statistics RowEmitter::computeStatistics(TileCode code,
                                                     Value tensor, Value from,
                                                     Value to, Value count,
                                                     bool centered) {
  Statistics result;
  if (centered) {
    Value sum = code.reduce(tile::Reduction::Add, from, to,
                            [&](TileCode inner, Value column) {
                              return element(inner, tensor, column);
                            });
    result.mean = code.div(sum, count);
  }
  result.squares = code.reduce(
      tile::Reduction::Add, from, to, [&](TileCode inner, Value column) {
        Value x = element(inner, tensor, column);
        Value distance = centered ? inner.sub(x, result.mean) : x;
        return inner.mul(distance, distance);
      });
  return result;
}

Value RowEmitter::getStatistic(TileCode code, Value tensor, Value group) {
  Value &known = statistics[tensor];
  if (!known)
    known = load(code, tensor, row, group);
  return known;
}

void RowEmitter::prepareNormStats(TileCode code, block::NormStatsOp op,
                                  Value group) {
  int64_t size = getWidth(op.getInput()) / op.getGroups();
  Value from = code.mulIndex(group, code.index(size));
  Value to = code.addIndex(from, code.index(size)), count = code.f32(size);
  Statistics result =
      computeStatistics(code, op.getInput(), from, to, count, op.getCentered());
  if (op.getCentered())
    statistics[op.getMean()] = result.mean;
  statistics[op.getMoment()] = code.div(result.squares, count);
}

//===----------------------------------------------------------------------===//
// Statistics in parts
//===----------------------------------------------------------------------===//

void RowEmitter::emitPartialStats(TileCode code, block::PartialStatsOp op,
                                  ArrayRef<RowOutput> outputs, Value from,
                                  Value to) {
  Value tile = code.index(op.getTile());
  Value end =
      code.divIndex(code.addIndex(to, code.index(op.getTile() - 1)), tile);
  code.loop(code.divIndex(from, tile), end, [&](TileCode inner, Value part) {
    Value first = inner.mulIndex(part, tile);
    Value last = inner.minIndex(inner.addIndex(first, tile), to);
    Value count = inner.toF32(inner.subIndex(last, first));
    Statistics result = computeStatistics(inner, op.getInput(), first, last,
                                          count, op.getCentered());
    for (const RowOutput &output : outputs)
      inner.store(output.tensor == op.getPartials().back() ? result.squares
                                                           : result.mean,
                  output.destination, row, part);
  });
}

void RowEmitter::prepareMergeStats(TileCode code, block::MergeStatsOp op) {
  int64_t width = op.getWidth(), tile = op.getTile();
  Value zero = code.index(0), total = code.f32(width);
  bool centered = static_cast<bool>(op.getMean());
  Statistics merged;
  auto partial = op.getMoment().getDefiningOp<block::PartialStatsOp>();
  if (partial && !program.loaders.contains(op.getMoment())) {
    // The row is here: no need to go through its parts.
    merged = computeStatistics(code, partial.getInput(), zero,
                               code.index(width), total, centered);
  } else {
    // Chan's formula for all parts at once, as they all are known.
    Value tiles = code.index(llvm::divideCeil(width, tile));
    auto countOf = [&](TileCode inner, Value part) {
      if (width % tile == 0)
        return inner.f32(tile);
      Value left = inner.subIndex(inner.index(width),
                                  inner.mulIndex(part, inner.index(tile)));
      return inner.toF32(inner.minIndex(left, inner.index(tile)));
    };
    if (centered) {
      Value sum = code.reduce(
          tile::Reduction::Add, zero, tiles, [&](TileCode inner, Value part) {
            return inner.mul(load(inner, op.getMean(), row, part),
                             countOf(inner, part));
          });
      merged.mean = code.div(sum, total);
    }
    merged.squares = code.reduce(
        tile::Reduction::Add, zero, tiles, [&](TileCode inner, Value part) {
          Value squares = load(inner, op.getMoment(), row, part);
          if (!centered)
            return squares;
          Value distance =
              inner.sub(load(inner, op.getMean(), row, part), merged.mean);
          return inner.fma(inner.mul(distance, distance), countOf(inner, part),
                           squares);
        });
  }
  if (centered)
    statistics[op.getStatistics().front()] = merged.mean;
  statistics[op.getStatistics().back()] = code.div(merged.squares, total);
}
