//===- SdpaShaw.cpp - tables of relative keys and values ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A query's products with all rows of the table of keys are computed once; each
// score adds the one of its distance. Weights are summed up by distance, and
// meet the table of values at the end.
//
//===----------------------------------------------------------------------===//

#include "SdpaBuilder.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

Value SdpaBuilder::shawRow(const Head &head, int64_t rows, Value key,
                           Value query) {
  int64_t reach = rows / 2;
  Value distance = code.subI(key, code.addI(head.position, query));
  distance =
      code.minI(code.maxI(distance, code.index(-reach)), code.index(reach));
  return code.addI(distance, reach);
}

void SdpaBuilder::prepareShaw(const Head &) {
  Type wide = code.f32Type(code.lanes());
  if (shawWeights)
    clear(shawWeights, shawValueRows * blockQueries);
  if (!shawProducts)
    return;
  Value table = pointer(op.getShawKey());
  Type tableType = getElementTypeOrSelf(op.getShawKey().getType());
  code.loop(code.index(0), code.index(shawKeyRows), 1, [&](Value row) {
    Value start = code.mulI(row, headSize);
    Values products = code.loop(
        code.index(0), code.index(headSize), 1,
        zeroSums(code, {1, shape.vectors}),
        [&](Value at, ValueRange sums) -> Values {
          Value entry = code.load(table, tableType, code.addI(start, at), 1);
          Values next;
          for (int64_t v = 0; v < shape.vectors; ++v)
            next.push_back(
                code.fma(code.loadRaw(queryMemory, wide,
                                      code.addI(code.mulI(at, blockQueries),
                                                v * code.lanes())),
                         entry, sums[v]));
          return next;
        });
    for (auto [v, product] : llvm::enumerate(products))
      code.storeRaw(product, shawProducts,
                    code.addI(code.mulI(row, blockQueries),
                              static_cast<int64_t>(v) * code.lanes()));
  });
}

void SdpaBuilder::addShawScores(const Head &head, const Keys &keys) {
  if (!shawProducts)
    return;
  Type narrow = code.f32Type(1);
  forKeys(keys, {}, [&](Value row, ValueRange) -> Values {
    Value key = code.addI(keys.first, row);
    code.loop(code.index(0), code.index(blockQueries), 1, [&](Value query) {
      Value at = code.addI(code.mulI(row, blockQueries), query);
      Value product = code.loadRaw(
          shawProducts, narrow,
          code.addI(
              code.mulI(shawRow(head, shawKeyRows, key, query), blockQueries),
              query));
      code.storeRaw(code.add(code.loadRaw(scores, narrow, at), product), scores,
                    at);
    });
    return {};
  });
}

void SdpaBuilder::addShawWeights(const Head &head, const Keys &keys) {
  if (!shawWeights)
    return;
  Type narrow = code.f32Type(1);
  code.loop(code.index(0), code.index(shawValueRows), 1, [&](Value row) {
    code.loop(code.index(0), code.index(blockQueries), 1, [&](Value query) {
      Value at = code.addI(code.mulI(row, blockQueries), query);
      code.storeRaw(code.mul(code.loadRaw(shawWeights, narrow, at),
                             code.loadRaw(corrections, narrow, query)),
                    shawWeights, at);
    });
  });
  forKeys(keys, {}, [&](Value row, ValueRange) -> Values {
    Value key = code.addI(keys.first, row);
    code.loop(code.index(0), code.index(blockQueries), 1, [&](Value query) {
      Value weight = code.loadRaw(
          scores, narrow, code.addI(code.mulI(row, blockQueries), query));
      Value at = code.addI(
          code.mulI(shawRow(head, shawValueRows, key, query), blockQueries),
          query);
      code.storeRaw(code.add(code.loadRaw(shawWeights, narrow, at), weight),
                    shawWeights, at);
    });
    return {};
  });
}

void SdpaBuilder::addShawValues(const Head &head) {
  if (!shawWeights)
    return;
  Type narrow = code.f32Type(1);
  Value table = pointer(op.getShawValue());
  Type tableType = getElementTypeOrSelf(op.getShawValue().getType());
  code.loop(code.index(0), head.numQueries, 1, [&](Value query) {
    code.loop(code.index(0), code.index(shawValueRows), 1, [&](Value row) {
      Value weight = code.loadRaw(
          shawWeights, narrow, code.addI(code.mulI(row, blockQueries), query));
      code.loop(code.index(0), code.index(valueSize), 1, [&](Value column) {
        Value at = code.addI(code.mulI(query, paddedValues), column);
        Value entry = code.load(
            table, tableType, code.addI(code.mulI(row, valueSize), column), 1);
        code.storeRaw(code.fma(weight, entry, code.loadRaw(sums, narrow, at)),
                      sums, at);
      });
    });
  });
}
