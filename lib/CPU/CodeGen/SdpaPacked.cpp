//===- SdpaPacked.cpp - sequences that share one batch row ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The sequence of a row begins at the last bound that is not behind it and ends
// at the first one that is: a pass over the bounds finds both for all queries
// of a block. Whatever the bounds are, keys stay within those that there are.
//
//===----------------------------------------------------------------------===//

#include "SdpaBuilder.h"

#include <limits>

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

void SdpaBuilder::findSequences(Head &head) {
  if (!op.getCuSeqlens())
    return;
  OpBuilder &builder = code.builder;
  Location loc = code.loc;
  Type lanes = code.typed(builder.getI32Type(), code.lanes());
  Value none = code.integer(lanes, 0);
  Value noEnd = code.integer(lanes, std::numeric_limits<int32_t>::max());
  auto choose = [&](Value condition, Value a, Value b) -> Value {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  };
  int64_t vectors = shape.vectors;
  Values initial(vectors, none);
  initial.append(vectors, noEnd);
  Value bounds = pointer(op.getCuSeqlens());
  Values found =
      code.loop(code.index(0), numBounds, 1, initial,
                [&](Value number, ValueRange carried) -> Values {
                  Values next(carried);
                  Value bound = splatKey(code.loadI64(bounds, number));
                  for (int64_t v = 0; v < vectors; ++v) {
                    Value isBehind = code.lessI(positions(head, v), bound);
                    Value &begin = next[v], &end = next[vectors + v];
                    begin = choose(isBehind, begin, code.maxI(begin, bound));
                    end = choose(isBehind, code.minI(end, bound), end);
                  }
                  return next;
                });
  // No end, no sequence, and no key.
  Value firstBegin, lastEnd;
  for (int64_t v = 0; v < vectors; ++v) {
    Value begin = found[v], end = found[vectors + v];
    end = choose(code.equalI(end, noEnd), none, end);
    head.sequenceBegins.push_back(begin);
    head.sequenceEnds.push_back(end);
    firstBegin = firstBegin ? code.minI(firstBegin, begin) : begin;
    lastEnd = lastEnd ? code.maxI(lastEnd, end) : end;
  }
  auto reduce = [&](vector::CombiningKind kind, Value of) -> Value {
    Value narrow = vector::ReductionOp::create(builder, loc, kind, of);
    return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), narrow);
  };
  head.begin =
      code.maxI(head.begin, reduce(vector::CombiningKind::MINSI, firstBegin));
  head.end = code.minI(head.end, reduce(vector::CombiningKind::MAXSI, lastEnd));
}
