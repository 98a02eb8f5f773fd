//===- RowStats.cpp - statistics of rows, whole and in parts --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowCode.h"

#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

RowCode::Moments RowCode::computeMoments(Value tensor, Value from, Value to,
                                         int64_t multiple, Value count,
                                         bool centered) {
  ColumnOrder order = findOrder(tensor);
  Moments result;
  if (centered) {
    Value sum =
        sumColumns(order, from, to, multiple, [&](const Column &column) {
          return element(tensor, column);
        });
    result.mean = code.div(sum, count);
  }
  result.squares =
      sumColumns(order, from, to, multiple, [&](const Column &column) {
        Value x = element(tensor, column);
        if (centered)
          x = code.sub(x, result.mean);
        return code.mul(x, x);
      });
  return result;
}

Value RowCode::statistic(Value tensor, Value group) {
  Value &known = statistics[tensor];
  if (!known)
    known = loaders.find(tensor)->second(row, {group, 0, 1});
  return known;
}

void RowCode::prepareNormStats(block::NormStatsOp op, Value group) {
  int64_t size = widthOf(op.getInput()) / op.getGroups();
  Value from = code.mulI(group, size), count = code.f32(size);
  Moments moments = computeMoments(op.getInput(), from, code.addI(from, size),
                                   size, count, op.getCentered());
  if (op.getCentered())
    statistics[op.getMean()] = moments.mean;
  statistics[op.getMoment()] = code.div(moments.squares, count);
}

/// What the norm multiplies with, from the mean of `size` squares.
void RowCode::prepareFactor(Operation *op, Value mean, Value moment,
                            Value group, block::NormAttr form, int64_t size) {
  if (mean)
    statistic(mean, group);
  Value s = statistic(moment, group);
  if (form.getKind() == block::NormKind::L2)
    s = code.mul(s, static_cast<double>(size));
  Value eps = code.f32(form.getEpsValue()), root;
  switch (form.getEpsForm()) {
  case block::EpsForm::InsideRoot:
    root = code.sqrt(code.add(s, eps));
    break;
  case block::EpsForm::OutsideRoot:
    root = code.add(code.sqrt(s), eps);
    break;
  case block::EpsForm::Clamp:
    root = code.max(code.sqrt(s), eps);
    break;
  }
  factors[op] = code.div(code.f32(1), root);
}

//===----------------------------------------------------------------------===//
// Statistics in parts
//===----------------------------------------------------------------------===//

void RowCode::emitPartialStats(block::PartialStatsOp op,
                               ArrayRef<RowOutput> outputs, Value from,
                               Value to, int64_t multiple) {
  int64_t tile = op.getTile();
  Value end = code.ceilDivI(to, tile);
  code.loop(code.divI(from, tile), end, 1, [&](Value part) {
    Value first = code.mulI(part, tile);
    Value last = code.minI(code.addI(first, tile), to);
    Value count = code.toF32(code.subI(last, first));
    Moments moments =
        computeMoments(op.getInput(), first, last, std::gcd(tile, multiple),
                       count, op.getCentered());
    for (const RowOutput &output : outputs)
      code.storeRaw(output.tensor == op.getPartials().back() ? moments.squares
                                                             : moments.mean,
                    output.pointer,
                    code.addI(code.mulI(row, widthOf(output.tensor)), part));
  });
}

/// Chan's formula for all parts at once, as they all are known.
void RowCode::prepareMergeStats(block::MergeStatsOp op) {
  int64_t width = op.getWidth(), tile = op.getTile();
  Value zero = code.index(0), total = code.f32(width);
  bool centered = static_cast<bool>(op.getMean());
  Moments merged;
  auto partial = op.getMoment().getDefiningOp<block::PartialStatsOp>();
  if (partial && !loaders.contains(op.getMoment())) {
    // The row is here: no need to go through its parts.
    merged = computeMoments(partial.getInput(), zero, code.index(width), width,
                            total, centered);
  } else {
    Value tiles = code.index(llvm::divideCeil(width, tile));
    auto partOf = [&](Value tensor, Value part) {
      return loaders.find(tensor)->second(row, {part, 0, 1});
    };
    auto countOf = [&](Value part) {
      Value left = code.subI(code.index(width), code.mulI(part, tile));
      return width % tile == 0 ? code.f32(tile)
                               : code.toF32(code.minI(left, code.index(tile)));
    };
    auto sumParts = [&](llvm::function_ref<Value(Value, Value)> body) {
      return code
          .loop(zero, tiles, 1, code.f32(0),
                [&](Value part, ValueRange sum) -> Values {
                  return {body(part, sum[0])};
                })
          .front();
    };
    if (centered)
      merged.mean = code.div(sumParts([&](Value part, Value sum) {
                               return code.fma(partOf(op.getMean(), part),
                                               countOf(part), sum);
                             }),
                             total);
    merged.squares = sumParts([&](Value part, Value sum) {
      sum = code.add(sum, partOf(op.getMoment(), part));
      if (!centered)
        return sum;
      Value distance = code.sub(partOf(op.getMean(), part), merged.mean);
      return code.fma(code.mul(distance, distance), countOf(part), sum);
    });
  }
  if (centered)
    statistics[op.getStatistics().front()] = merged.mean;
  statistics[op.getStatistics().back()] = code.div(merged.squares, total);
}
