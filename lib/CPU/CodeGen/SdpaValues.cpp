//===- SdpaValues.cpp - weighted sums of values, and the result -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaBuilder.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// to[query] += sum of weights[key][query] * value[key]; where `corrected`,
/// what was summed with earlier maxima is brought to the new ones first.
void SdpaBuilder::addValues(const Head &head, const Keys &keys, Value weights,
                            Value to, bool corrected) {
  Type narrow = code.f32Type(1), wide = code.f32Type(code.lanes());
  auto addColumns = [&](Value column, int64_t vectors) {
    code.loop(code.index(0), head.numQueries, shape.rows, [&](Value first) {
      ProductOperands operands;
      operands.rightType = narrow;
      operands.leftStep = blockQueries;
      operands.right = code.address(valueMemory, column, narrow);
      operands.rightStep = paddedValues;
      Values before, places;
      for (int64_t i = 0; i < shape.rows; ++i) {
        Value query = code.addI(first, i);
        operands.leftRows.push_back(code.address(weights, query, narrow));
        for (int64_t v = 0; v < vectors; ++v) {
          places.push_back(
              code.addI(code.addI(code.mulI(query, paddedValues), column),
                        v * code.lanes()));
          Value sum = code.loadRaw(to, wide, places.back());
          if (corrected)
            sum = code.mul(sum, code.loadRaw(corrections, narrow, query));
          before.push_back(sum);
        }
      }
      Values after = emitProduct(code, operands, keys.count, before);
      for (auto [sum, place] : llvm::zip_equal(after, places))
        code.storeRaw(sum, to, place);
    });
  };
  int64_t step = shape.vectors * code.lanes();
  int64_t whole = paddedValues / step * step;
  code.loop(code.index(0), code.index(whole), step,
            [&](Value column) { addColumns(column, shape.vectors); });
  if (whole != paddedValues)
    addColumns(code.index(whole), (paddedValues - whole) / code.lanes());
}

void SdpaBuilder::finish(const Head &head) {
  Value result = frame.getTensor(kernel.getNumOperands());
  Type resultType = getElementTypeOrSelf(op.getResult().getType());
  Type narrow = code.f32Type(1);
  Value zero = code.f32(0), one = code.f32(1);
  Value firstRow = code.addI(code.mulI(head.batch, queries), head.firstQuery);
  Value beta = op.getBeta() ? gain(head, op.getBeta()) : one;
  code.loop(code.index(0), head.numQueries, 1, [&](Value query) {
    Value total = code.loadRaw(totals, narrow, query);
    // No allowed key, no weights.
    Value isSeeing = code.less(zero, total);
    Value factor = code.select(
        isSeeing, code.div(beta, code.select(isSeeing, total, one)), zero);
    Value meanFactor, alpha, valueFrom, valueStart;
    if (markSums) {
      Value count = code.max(code.loadRaw(markCounts, narrow, query), one);
      meanFactor = code.neg(code.div(gain(head, op.getGamma()), count));
    }
    if (op.getAlpha()) {
      alpha = gain(head, op.getAlpha());
      std::tie(valueFrom, valueStart) =
          findKeyRow(head, code.addI(head.position, query), op.getValue(),
                     op.getPastValue(), valueSize);
    }
    Value from = code.mulI(query, paddedValues);
    Value to =
        code.addI(code.mulI(code.addI(firstRow, query), heads * valueSize),
                  code.mulI(head.number, valueSize));
    int64_t lanes = code.lanes();
    for (int64_t done = 0; done < valueSize; done += lanes) {
      while (done + lanes > valueSize)
        lanes /= 2;
      Type part = code.f32Type(lanes);
      Value at = code.addI(from, done);
      Value x = code.mul(code.loadRaw(sums, part, at), factor);
      if (meanFactor)
        x = code.fma(code.loadRaw(markSums, part, at), meanFactor, x);
      if (alpha)
        x = code.fma(
            code.load(valueFrom, type, code.addI(valueStart, done), lanes),
            alpha, x);
      code.store(x, result, resultType, code.addI(to, done));
    }
  });
}
