//===- SdpaShaw.cpp - products with rows of relative tables ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaShaw.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

static int64_t getNumRows(Value table) {
  return cast<RankedTensorType>(table.getType()).getDimSize(0);
}

SdpaShaw::SdpaShaw(const SdpaFrame &sdpa)
    : sdpa(sdpa), code(sdpa.code), keyTable(sdpa.op.getShawKey()),
      valueTable(sdpa.op.getShawValue()) {
  if (keyTable) {
    keyRows = getNumRows(keyTable);
    rowProducts = sdpa.allocate(keyRows * sdpa.blockQueries);
  }
  if (valueTable) {
    valueRows = getNumRows(valueTable);
    rowWeights = sdpa.allocate(valueRows * sdpa.blockQueries);
  }
}

Value SdpaShaw::findRow(const SdpaHead &head, int64_t rows, Value key,
                        Value query) {
  Value distance = code.subI(key, code.addI(head.position, query));
  return createTableRow(code, distance, rows / 2);
}

void SdpaShaw::prepareHead(Value queries) {
  if (rowWeights)
    sdpa.clear(rowWeights, valueRows * sdpa.blockQueries);
  if (!rowProducts)
    return;
  Value table = sdpa.getTensor(keyTable);
  Type tableType = getElementTypeOrSelf(keyTable.getType());
  code.loop(code.index(0), code.index(keyRows), 1, [&](Value row) {
    Value start = code.mulI(row, sdpa.headSize);
    Values products = code.loop(
        code.index(0), code.index(sdpa.headSize), 1,
        zeroSums(code, {1, sdpa.shape.vectors}),
        [&](Value at, ValueRange sums) -> Values {
          Value entry = code.load(table, tableType, code.addI(start, at), 1);
          Values next;
          for (int64_t v = 0; v < sdpa.shape.vectors; ++v)
            next.push_back(
                code.fma(code.loadRaw(queries, sdpa.wide, sdpa.place(at, v)),
                         entry, sums[v]));
          return next;
        });
    for (auto [v, product] : llvm::enumerate(products))
      code.storeRaw(product, rowProducts, sdpa.place(row, v));
  });
}

void SdpaShaw::addProducts(const SdpaHead &head, const SdpaKeys &keys,
                           Value products) {
  if (!rowProducts)
    return;
  sdpa.forKeys(keys, {}, [&](Value row, ValueRange) -> Values {
    Value key = code.addI(keys.first, row);
    code.loop(code.index(0), code.index(sdpa.blockQueries), 1,
              [&](Value query) {
                Value at = sdpa.place(row, query);
                Value product = code.loadRaw(
                    rowProducts, sdpa.narrow,
                    sdpa.place(findRow(head, keyRows, key, query), query));
                code.storeRaw(
                    code.add(code.loadRaw(products, sdpa.narrow, at), product),
                    products, at);
              });
    return {};
  });
}

void SdpaShaw::addWeights(const SdpaHead &head, const SdpaKeys &keys,
                          Value weights, Value corrections) {
  if (!rowWeights)
    return;
  code.loop(code.index(0), code.index(valueRows), 1, [&](Value row) {
    code.loop(
        code.index(0), code.index(sdpa.blockQueries), 1, [&](Value query) {
          Value at = sdpa.place(row, query);
          code.storeRaw(code.mul(code.loadRaw(rowWeights, sdpa.narrow, at),
                                 code.loadRaw(corrections, sdpa.narrow, query)),
                        rowWeights, at);
        });
  });
  sdpa.forKeys(keys, {}, [&](Value row, ValueRange) -> Values {
    Value key = code.addI(keys.first, row);
    code.loop(
        code.index(0), code.index(sdpa.blockQueries), 1, [&](Value query) {
          Value weight =
              code.loadRaw(weights, sdpa.narrow, sdpa.place(row, query));
          Value at = sdpa.place(findRow(head, valueRows, key, query), query);
          code.storeRaw(
              code.add(code.loadRaw(rowWeights, sdpa.narrow, at), weight),
              rowWeights, at);
        });
    return {};
  });
}

void SdpaShaw::addValues(const SdpaHead &head, Value sums) {
  if (!rowWeights)
    return;
  Value table = sdpa.getTensor(valueTable);
  Type tableType = getElementTypeOrSelf(valueTable.getType());
  code.loop(code.index(0), head.numQueries, 1, [&](Value query) {
    code.loop(code.index(0), code.index(valueRows), 1, [&](Value row) {
      Value weight =
          code.loadRaw(rowWeights, sdpa.narrow, sdpa.place(row, query));
      code.loop(
          code.index(0), code.index(sdpa.valueSize), 1, [&](Value column) {
            Value at = code.addI(code.mulI(query, sdpa.paddedValues), column);
            Value entry =
                code.load(table, tableType,
                          code.addI(code.mulI(row, sdpa.valueSize), column), 1);
            code.storeRaw(
                code.fma(weight, entry, code.loadRaw(sums, sdpa.narrow, at)),
                sums, at);
          });
    });
  });
}
