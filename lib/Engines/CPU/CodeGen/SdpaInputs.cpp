//===- SdpaInputs.cpp - queries, keys and values of attention -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaInputs.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

SdpaInputs::SdpaInputs(const SdpaFrame &sdpa)
    : sdpa(sdpa), code(sdpa.code),
      queries(sdpa.allocate(sdpa.headSize * sdpa.blockQueries)),
      keyRows(sdpa.allocate(SdpaFrame::blockKeys * sdpa.headSize)),
      values(sdpa.allocate(SdpaFrame::blockKeys * sdpa.paddedValues)) {}

void SdpaInputs::loadQueries(const SdpaHead &head) {
  Value memory = sdpa.getTensor(sdpa.op.getQuery());
  Value first = code.addI(code.mulI(head.batch, sdpa.queries), head.firstQuery);
  sdpa.clear(queries, sdpa.headSize * sdpa.blockQueries);
  code.loop(code.index(0), head.numQueries, 1, [&](Value query) {
    Value start = code.addI(
        code.mulI(code.addI(first, query), sdpa.heads * sdpa.headSize),
        code.mulI(head.number, sdpa.headSize));
    code.loop(code.index(0), code.index(sdpa.headSize), 1, [&](Value at) {
      Value element = code.load(memory, sdpa.type, code.addI(start, at), 1);
      code.storeRaw(element, queries, sdpa.place(at, query));
    });
  });
}

std::pair<Value, Value> SdpaInputs::findRow(const SdpaHead &head, Value key,
                                            Value tensor, Value past,
                                            int64_t size) {
  Value inHead = code.mulI(head.keyHead, size);
  auto startOf = [&](Value keys, Value row) {
    return code.addI(code.mulI(code.addI(code.mulI(head.batch, keys), row),
                               sdpa.keyHeads * size),
                     inHead);
  };
  Value memory = sdpa.getTensor(tensor);
  Value start = startOf(sdpa.newKeys, code.subI(key, sdpa.pastKeys));
  if (!past)
    return {memory, start};
  Value isPast = code.lessI(key, sdpa.pastKeys);
  auto choose = [&](Value a, Value b) -> Value {
    return arith::SelectOp::create(code.builder, code.loc, isPast, a, b);
  };
  return {choose(sdpa.getTensor(past), memory),
          choose(startOf(sdpa.pastKeys, key), start)};
}

std::pair<Value, Value> SdpaInputs::findValueRow(const SdpaHead &head,
                                                 Value key) {
  return findRow(head, key, sdpa.op.getValue(), sdpa.op.getPastValue(),
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

void SdpaInputs::loadKeys(const SdpaHead &head, const SdpaKeys &keys) {
  code.loop(code.index(0), keys.count, 1, [&](Value at) {
    Value key = code.addI(keys.first, at);
    copyRow(findRow(head, key, sdpa.op.getKey(), sdpa.op.getPastKey(),
                    sdpa.headSize),
            keyRows, code.mulI(at, sdpa.headSize), sdpa.headSize);
    copyRow(findValueRow(head, key), values, code.mulI(at, sdpa.paddedValues),
            sdpa.valueSize);
  });
}

void SdpaInputs::multiplyKeys(const SdpaKeys &keys, Value to) {
  const CpuTile &shape = sdpa.shape;
  Value last = code.addI(keys.count, -1);
  code.loop(code.index(0), keys.count, shape.rows, [&](Value first) {
    ProductOperands operands;
    operands.rightType = sdpa.narrow;
    for (int64_t i = 0; i < shape.rows; ++i) {
      Value row = code.minI(code.addI(first, i), last);
      operands.leftRows.push_back(
          code.address(keyRows, code.mulI(row, sdpa.headSize), sdpa.narrow));
    }
    operands.right = queries;
    operands.rightStep = sdpa.blockQueries;
    Values products = emitProduct(code, operands, code.index(sdpa.headSize),
                                  zeroSums(code, shape));
    for (auto [i, product] : llvm::enumerate(products))
      code.storeRaw(
          product, to,
          sdpa.place(code.addI(first, i / shape.vectors), i % shape.vectors));
  });
}
