//===- EmbeddingGradKernel.cpp - adds gradients to rows of a table --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An item is some rows of a table. It visits all tokens in order and adds
// the gradients of tokens with these rows, so no two threads add to one
// row.
//
//===----------------------------------------------------------------------===//

#include "EmbeddingGradKernel.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Minimum number of rows of an item, and a sufficient number of items for
/// threads: every item visits every token.
static constexpr int64_t kFewestRows = 64, kMostItems = 64;

KernelCode cpugen::buildTableGradKernel(Frame &frame, const TableGrad &table) {
  Code &code = frame.getCode();
  int64_t itemRows =
      std::max<int64_t>(kFewestRows, llvm::divideCeil(table.rows, kMostItems));
  int64_t width = table.width, lanes = code.lanes();
  Value gradient = frame.getTensor(0);
  Value ids = table.hasIds ? frame.getTensor(1) : Value();
  Value result = frame.getTensor(table.hasIds ? 2 : 1);
  Value batch = frame.getDim(0), sequence = frame.getDim(1);
  Value zero = code.index(0), one = code.index(1);
  Value offset =
      table.isOfPositions ? code.addI(frame.getDim(2), table.offset) : Value();
  auto addRow = [&](Value token, Value row) {
    Value from = code.mulI(token, width), to = code.mulI(row, width);
    auto add = [&](Value at, int64_t wide) {
      Value place = code.addI(to, at);
      Value x = code.load(gradient, table.gradient, code.addI(from, at), wide);
      Value sum = code.loadRaw(result, code.f32Type(wide), place);
      code.storeRaw(code.add(sum, code.scale(x, table.scale)), result, place);
    };
    int64_t whole = width / lanes * lanes;
    code.loop(zero, code.index(whole), lanes,
              [&](Value at) { add(at, lanes); });
    code.loop(code.index(whole), code.index(width), 1,
              [&](Value at) { add(at, 1); });
  };
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value item) {
    Value first = code.mulI(item, itemRows);
    Value end = code.minI(code.addI(first, itemRows), code.index(table.rows));
    code.fillZeros(
        code.address(result, code.mulI(first, width), code.f32Type(1)),
        code.mulI(code.subI(end, first), width));
    code.loop(zero, batch, 1, [&](Value sample) {
      // Number of tokens so far that are not padding.
      code.loop(
          zero, sequence, 1, zero, [&](Value time, ValueRange count) -> Values {
            Value token = code.addI(code.mulI(sample, sequence), time);
            Value row = zero, known = count[0];
            if (table.hasIds)
              row = code.loadI64(ids, token);
            if (table.isOfPositions && table.padId) {
              Value isPad = code.equalI(row, code.index(*table.padId));
              known = code.addI(known, code.select(isPad, zero, one));
              row = code.addI(code.select(isPad, zero, known), *table.padId);
            } else if (table.isOfPositions) {
              row = code.addI(time, offset);
            }
            Value isHere = arith::AndIOp::create(
                code.builder, code.loc, code.lessI(row, end),
                code.compareI(arith::CmpIPredicate::sge, row, first));
            code.ifThen(isHere, [&] { addRow(token, row); });
            return {known};
          });
    });
  });
  return frame.finish(
      static_cast<int64_t>(llvm::divideCeil(table.rows, itemRows)));
}
