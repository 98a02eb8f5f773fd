//===- SdpaGradInputs.cpp - packs queries, keys and values of gradients ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaGradInputs.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

SdpaGradInputs::SdpaGradInputs(const SdpaFrame &sdpa, Value gradient)
    : sdpa(sdpa), code(sdpa.code), gradient(gradient),
      queries(allocate(sdpa.blockQueries, sdpa.headSize, true)),
      gradients(allocate(sdpa.blockQueries, sdpa.valueSize, true)),
      keys(allocate(SdpaFrame::blockKeys, sdpa.headSize, false)),
      values(allocate(SdpaFrame::blockKeys, sdpa.valueSize, false)) {}

SdpaGradInputs::Rows SdpaGradInputs::allocate(int64_t numRows, int64_t size,
                                              bool isTransposed) const {
  Rows result;
  result.size = size;
  result.padded = llvm::alignTo(size, code.lanes());
  result.rows = sdpa.allocate(numRows * result.padded);
  sdpa.clear(result.rows, numRows * result.padded);
  if (isTransposed)
    result.transposed = sdpa.allocate(size * numRows);
  return result;
}

static void copyRow(const SdpaFrame &sdpa, Value from, Type type, Value start,
                    const SdpaGradInputs::Rows &to, Value row) {
  Code &code = sdpa.code;
  Value place = code.mulI(row, to.padded);
  sdpa.forParts(to.size, [&](int64_t at, int64_t lanes) {
    code.storeRaw(code.load(from, type, code.addI(start, at), lanes), to.rows,
                  code.addI(place, at));
  });
}

void SdpaGradInputs::loadBlock(const SdpaHead &head, Value tensor,
                               const Rows &to) {
  Value memory = sdpa.getTensor(tensor);
  Type type = getElementTypeOrSelf(tensor.getType());
  Value first = code.addI(code.mulI(head.batch, sdpa.queries), head.firstQuery);
  sdpa.clear(to.rows, sdpa.blockQueries * to.padded);
  code.loop(code.index(0), head.numQueries, 1, [&](Value query) {
    Value row =
        code.addI(code.mulI(code.addI(first, query), sdpa.heads), head.number);
    copyRow(sdpa, memory, type, code.mulI(row, to.size), to, query);
  });
  code.loop(code.index(0), code.index(to.size), 1, [&](Value at) {
    code.loop(code.index(0), code.index(sdpa.blockQueries), 1,
              [&](Value query) {
                Value from = code.addI(code.mulI(query, to.padded), at);
                code.storeRaw(code.loadRaw(to.rows, sdpa.narrow, from),
                              to.transposed, sdpa.place(at, query));
              });
  });
}

void SdpaGradInputs::loadQueries(const SdpaHead &head) {
  loadBlock(head, sdpa.op.getQuery(), queries);
  loadBlock(head, gradient, gradients);
}

void SdpaGradInputs::loadKeys(const SdpaHead &head, const SdpaKeys &block) {
  code.loop(code.index(0), block.count, 1, [&](Value at) {
    std::pair<Value, Value> row =
        sdpa.findRow(head, code.addI(block.first, at), sdpa.op.getKey(),
                     sdpa.op.getPastKey(), sdpa.headSize);
    copyRow(sdpa, row.first, sdpa.type, row.second, keys, at);
  });
}

void SdpaGradInputs::loadValues(const SdpaHead &head, const SdpaKeys &block) {
  code.loop(code.index(0), block.count, 1, [&](Value at) {
    std::pair<Value, Value> row =
        sdpa.findRow(head, code.addI(block.first, at), sdpa.op.getValue(),
                     sdpa.op.getPastValue(), sdpa.valueSize);
    copyRow(sdpa, row.first, sdpa.type, row.second, values, at);
  });
}

/// Zero times a number that is not finite is none.
Value SdpaGradInputs::areFinite(const Rows &rows, Value numRows) const {
  Values zeros = code.loop(
      code.index(0), code.mulI(numRows, rows.padded), code.lanes(),
      code.real(sdpa.wide, 0), [&](Value at, ValueRange sum) -> Values {
        return {code.fma(code.loadRaw(rows.rows, sdpa.wide, at),
                         code.real(sdpa.wide, 0), sum[0])};
      });
  return code.less(code.sum(zeros[0]), code.f32(1));
}

Value SdpaGradInputs::areQueriesFinite(const SdpaHead &head) {
  return arith::AndIOp::create(code.builder, code.loc,
                               areFinite(queries, head.numQueries),
                               areFinite(gradients, head.numQueries));
}

Value SdpaGradInputs::areKeysFinite(const SdpaKeys &block) {
  return areFinite(keys, block.count);
}
