//===- SdpaInputs.cpp - packs queries, keys and values --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaInputs.h"

#include "TileProduct.h"
#include "parablock/Dialect/Block/ElementTypes.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

SdpaInputs::SdpaInputs(const SdpaFrame &sdpa)
    : sdpa(sdpa), code(sdpa.code),
      queries(sdpa.allocate(sdpa.headSize * sdpa.blockQueries)),
      keyRows(sdpa.allocate(SdpaFrame::blockKeys * sdpa.headSize)),
      values(sdpa.allocate(SdpaFrame::blockKeys * sdpa.paddedValues)) {}

/// Turns queries into the lanes of vectors, in pairs of elements if keys
/// are multiplied so. A row's moves are unrolled: rows are far apart, and
/// the processor loads several at a time only if each is few
/// instructions.
void SdpaInputs::loadQueries(const SdpaHead &head) {
  Value memory = sdpa.getTensor(sdpa.op.getQuery());
  Value first = code.addI(code.mulI(head.batch, sdpa.queries), head.firstQuery);
  sdpa.clear(queries, sdpa.headSize * sdpa.blockQueries);
  bool inPairs = sdpa.keyPath != CpuPath::Fma;
  constexpr int64_t most = 32;
  int64_t units = sdpa.headSize / (inPairs ? 2 : 1);
  int64_t whole = units / most * most;
  code.loop(code.index(0), head.numQueries, 1, [&](Value query) {
    Value start = code.addI(
        code.mulI(code.addI(first, query), sdpa.heads * sdpa.headSize),
        code.mulI(head.number, sdpa.headSize));
    Value row = code.address(memory, start, sdpa.type);
    auto move = [&](Value from, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        Value unit = code.addI(from, i);
        Value element = inPairs
                            ? code.loadRaw(row, code.builder.getI32Type(), unit)
                            : code.load(row, sdpa.type, unit, 1);
        code.storeRaw(element, queries, sdpa.place(unit, query));
      }
    };
    code.loop(code.index(0), code.index(whole), most,
              [&](Value at) { move(at, most); });
    move(code.index(whole), units - whole);
  });
}

std::pair<Value, Value> SdpaInputs::findValueRow(const SdpaHead &head,
                                                 Value key) {
  return sdpa.findRow(head, key, sdpa.op.getValue(), sdpa.op.getPastValue(),
                      sdpa.valueSize);
}

void SdpaInputs::copyRow(std::pair<Value, Value> from, Value to, Value position,
                         int64_t size) {
  sdpa.forParts(size, [&](int64_t at, int64_t lanes) {
    code.storeRaw(
        code.load(from.first, sdpa.type, code.addI(from.second, at), lanes), to,
        code.addI(position, at));
  });
}

void SdpaInputs::moveRow(std::pair<Value, Value> from, Value to, Value position,
                         int64_t size) {
  sdpa.forParts(size, [&](int64_t at, int64_t lanes) {
    Type part = code.typed(code.builder.getI16Type(), lanes);
    code.storeRaw(code.loadRaw(from.first, part, code.addI(from.second, at)),
                  to, code.addI(position, at));
  });
}

void SdpaInputs::loadKeys(const SdpaHead &head, const SdpaKeys &keys) {
  code.loop(code.index(0), keys.count, 1, [&](Value at) {
    Value key = code.addI(keys.first, at);
    std::pair<Value, Value> row = sdpa.findRow(
        head, key, sdpa.op.getKey(), sdpa.op.getPastKey(), sdpa.headSize);
    Value place = code.mulI(at, sdpa.headSize);
    if (sdpa.keyPath == CpuPath::Fma)
      copyRow(row, keyRows, place, sdpa.headSize);
    else
      moveRow(row, keyRows, place, sdpa.headSize);
  });
  if (sdpa.valuePath == CpuPath::Fma)
    loadValues(head, keys);
  else
    loadValuePairs(head, keys);
}

void SdpaInputs::loadValues(const SdpaHead &head, const SdpaKeys &keys) {
  code.loop(code.index(0), keys.count, 1, [&](Value at) {
    copyRow(findValueRow(head, code.addI(keys.first, at)), values,
            code.mulI(at, sdpa.paddedValues), sdpa.valueSize);
  });
}

/// Pads an odd last key of a pair with zeros; on tiles pads a whole step, since
/// zero times undefined values may be NaN.
void SdpaInputs::loadValuePairs(const SdpaHead &head, const SdpaKeys &keys) {
  Value pairs = code.ceilDivI(keys.count, 2), last = code.addI(keys.count, -1);
  code.loop(code.index(0), pairs, 1, [&](Value pair) {
    Value even = code.mulI(pair, 2), odd = code.addI(even, 1);
    auto find = [&](Value row) {
      return findValueRow(head, code.addI(keys.first, row));
    };
    std::pair<Value, Value> first = find(even);
    std::pair<Value, Value> second = find(code.minI(odd, last));
    Value isThere = code.lessI(odd, keys.count);
    Value to = code.mulI(pair, sdpa.paddedValues);
    sdpa.forParts(sdpa.valueSize, [&](int64_t at, int64_t lanes) {
      Type i32 = code.typed(code.builder.getI32Type(), lanes);
      auto load = [&](const std::pair<Value, Value> &row) -> Value {
        Type bits = code.typed(code.builder.getI16Type(), lanes);
        return arith::ExtUIOp::create(
            code.builder, code.loc, i32,
            code.loadRaw(row.first, bits, code.addI(row.second, at)));
      };
      Value high = arith::ShLIOp::create(code.builder, code.loc, load(second),
                                         code.integer(i32, 16));
      high = code.select(isThere, high, code.integer(i32, 0));
      code.storeRaw(
          arith::OrIOp::create(code.builder, code.loc, load(first), high),
          values, code.addI(to, at));
    });
  });
  if (!isTilePath(sdpa.valuePath))
    return;
  Value zero = code.real(sdpa.wide, 0);
  Value end = code.mulI(code.ceilDivI(pairs, kTilePairs), kTilePairs);
  code.loop(code.mulI(pairs, sdpa.paddedValues),
            code.mulI(end, sdpa.paddedValues), code.lanes(),
            [&](Value at) { code.storeRaw(zero, values, at); });
}

Value SdpaInputs::loadValue(Value key, Value column) {
  if (sdpa.valuePath == CpuPath::Fma)
    return code.loadRaw(values, sdpa.wide,
                        code.addI(code.mulI(key, sdpa.paddedValues), column));
  Value line = code.mulI(code.divI(key, 2), sdpa.paddedValues);
  // Both numbers of each lane, of which one is the key's.
  Type i32 = code.typed(code.builder.getI32Type(), code.lanes());
  Value pairs = code.loadRaw(values, i32, code.addI(line, column));
  Value isOdd = code.equalI(code.remI(key, 2), code.index(1));
  Value high = arith::ShRUIOp::create(code.builder, code.loc, pairs,
                                      code.integer(i32, 16));
  Value own = code.select(isOdd, high, pairs);
  return fromBits(code,
                  arith::TruncIOp::create(
                      code.builder, code.loc,
                      code.typed(code.builder.getI16Type(), code.lanes()), own),
                  sdpa.type);
}

ProductOperands SdpaInputs::getOperands(Value firstKey, Value lastKey) {
  ProductOperands operands;
  operands.inPairs = sdpa.keyPath != CpuPath::Fma;
  int64_t together = operands.inPairs ? 2 : 1;
  Type left = operands.inPairs ? code.builder.getI32Type() : sdpa.narrow;
  operands.rightType = operands.inPairs ? sdpa.type : sdpa.narrow;
  for (int64_t i = 0; i < sdpa.shape.rows; ++i) {
    Value row = code.minI(code.addI(firstKey, i), lastKey);
    operands.leftRows.push_back(
        code.address(keyRows, code.mulI(row, sdpa.headSize / together), left));
  }
  operands.right = queries;
  operands.rightStep = sdpa.blockQueries * together;
  return operands;
}

void SdpaInputs::multiplyKeys(const SdpaKeys &keys, Value to) {
  if (isTilePath(sdpa.keyPath)) {
    TileOperands operands;
    operands.left = keyRows;
    operands.leftStride = sdpa.headSize * 2;
    operands.right = queries;
    operands.rightStride = sdpa.blockQueries * 4;
    operands.sums = to;
    operands.sumsStride = sdpa.blockQueries * 4;
    operands.columns = sdpa.blockQueries;
    operands.steps = code.index(sdpa.headSize / 2);
    operands.numRows = keys.count;
    operands.isFirst = code.integer(code.builder.getI1Type(), 1);
    emitTileProduct(code, sdpa.keyPath, operands);
    return;
  }
  const CpuTile &shape = sdpa.shape;
  Value last = code.addI(keys.count, -1);
  code.loop(code.index(0), keys.count, shape.rows, [&](Value first) {
    ProductOperands operands = getOperands(first, last);
    int64_t steps = sdpa.headSize / (operands.inPairs ? 2 : 1);
    Values products =
        emitProduct(code, operands, code.index(steps), steps, shape.vectors);
    for (auto [i, product] : llvm::enumerate(products))
      code.storeRaw(
          product, to,
          sdpa.place(code.addI(first, i / shape.vectors), i % shape.vectors));
  });
}
