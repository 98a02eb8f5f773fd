//===- SdpaGradTables.cpp - gradients of relative tables and Shaw rows ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaGradTables.h"

#include "SdpaGradProduct.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

//===----------------------------------------------------------------------===//
// Rows by distance
//===----------------------------------------------------------------------===//

SdpaGradShaw::SdpaGradShaw(const SdpaFrame &sdpa, Value table,
                           const SdpaGradInputs::Rows &right)
    : sdpa(sdpa), code(sdpa.code), table(table), right(right) {
  if (!table)
    return;
  numRows = cast<RankedTensorType>(table.getType()).getDimSize(0);
  rows = sdpa.allocate(numRows * right.padded);
  sdpa.clear(rows, numRows * right.padded);
  Value memory = sdpa.getTensor(table);
  Type type = getElementTypeOrSelf(table.getType());
  code.loop(code.index(0), code.index(numRows), 1, [&](Value row) {
    sdpa.forParts(right.size, [&](int64_t at, int64_t lanes) {
      Value from = code.addI(code.mulI(row, right.size), at);
      code.storeRaw(code.load(memory, type, from, lanes), rows,
                    code.addI(code.mulI(row, right.padded), at));
    });
  });
  products = sdpa.allocate(numRows * sdpa.blockQueries);
  factors = sdpa.allocate(numRows * sdpa.blockQueries);
}

void SdpaGradShaw::prepareHead() {
  if (!table)
    return;
  emitGradProduct(sdpa,
                  {rows, right.padded, 1, right.transposed, sdpa.blockQueries,
                   products, sdpa.blockQueries, sdpa.blockQueries,
                   code.index(numRows), code.index(right.size), right.size,
                   /*isFirst=*/true});
  sdpa.clear(factors, numRows * sdpa.blockQueries);
}

void SdpaGradShaw::forPairs(
    const SdpaHead &head, const SdpaKeys &keys,
    llvm::function_ref<void(Value at, Value inTable)> body) {
  code.loop(code.index(0), keys.count, 1, [&](Value row) {
    Value ahead = code.subI(code.addI(keys.first, row), head.position);
    code.loop(code.index(0), code.index(sdpa.blockQueries), 1,
              [&](Value query) {
                Value inTable =
                    createTableRow(code, code.subI(ahead, query), numRows / 2);
                body(sdpa.place(row, query), sdpa.place(inTable, query));
              });
  });
}

void SdpaGradShaw::addProducts(const SdpaHead &head, const SdpaKeys &keys,
                               Value sums) {
  if (!table)
    return;
  forPairs(head, keys, [&](Value at, Value inTable) {
    code.storeRaw(code.add(code.loadRaw(sums, sdpa.narrow, at),
                           code.loadRaw(products, sdpa.narrow, inTable)),
                  sums, at);
  });
}

void SdpaGradShaw::addFactors(const SdpaHead &head, const SdpaKeys &keys,
                              Value of) {
  if (!table)
    return;
  forPairs(head, keys, [&](Value at, Value inTable) {
    code.storeRaw(code.add(code.loadRaw(factors, sdpa.narrow, inTable),
                           code.loadRaw(of, sdpa.narrow, at)),
                  factors, inTable);
  });
}

void SdpaGradShaw::addToRows(Value sums) {
  if (table)
    emitCarefulGradProduct(sdpa, {factors, 1, sdpa.blockQueries, rows,
                                  right.padded, sums, right.padded,
                                  right.padded, code.index(sdpa.blockQueries),
                                  code.index(numRows), numRows});
}

void SdpaGradShaw::addToTable(Value sums) {
  if (table && sums)
    emitCarefulGradProduct(
        sdpa, {factors, sdpa.blockQueries, 1, right.rows, right.padded, sums,
               right.padded, right.padded, code.index(numRows),
               code.index(sdpa.blockQueries), sdpa.blockQueries});
}

//===----------------------------------------------------------------------===//
// Buckets
//===----------------------------------------------------------------------===//

SdpaGradBuckets::SdpaGradBuckets(const SdpaFrame &sdpa, bool isWanted)
    : sdpa(sdpa), code(sdpa.code) {
  if (isWanted)
    distances = sdpa.allocate(SdpaFrame::blockKeys + sdpa.blockQueries);
}

void SdpaGradBuckets::prepareKeys() {
  if (distances)
    sdpa.clear(distances, SdpaFrame::blockKeys + sdpa.blockQueries);
}

void SdpaGradBuckets::add(const SdpaKeys &keys, Value key, int64_t vector,
                          Value byBias) {
  if (!distances)
    return;
  Value last = code.addI(code.addI(keys.first, keys.count), -1);
  Value at = code.addI(code.subI(last, key), vector * code.lanes());
  code.storeRaw(code.add(code.loadRaw(distances, sdpa.wide, at), byBias),
                distances, at);
}

void SdpaGradBuckets::addToTable(const SdpaHead &head, const SdpaKeys &keys,
                                 Value sums) {
  if (!distances)
    return;
  sdpa.forBuckets(head, keys, [&](Value distance, Value bucket) {
    code.storeRaw(code.add(code.loadRaw(sums, sdpa.narrow, bucket),
                           code.loadRaw(distances, sdpa.narrow, distance)),
                  sums, bucket);
  });
}
