//===- SdpaHidden.cpp - hidden values that are no numbers -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A key that a query may not look at has no weight. But zero times infinity is
// no number: one row of such values would reach the queries before it, and the
// sequences beside it. Where a sum is not finite, the block of queries is done
// again, with sums over visible keys alone.
//
//===----------------------------------------------------------------------===//

#include "SdpaBuilder.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

bool SdpaBuilder::hidesKeys() {
  block::ScoresAttr form = op.getScores();
  return form.getCausal() || form.getWindow() || op.getCuSeqlens();
}

void SdpaBuilder::emitPasses(const Head &head,
                             llvm::function_ref<void(const Keys &)> addAll) {
  auto addWithCare = [&](const Keys &keys) {
    noteVisible(head, keys);
    addVisible(head, keys, scores, sums, /*corrected=*/true);
    if (marks)
      addVisible(head, keys, marks, markSums, /*corrected=*/false);
    return Values();
  };
  auto emitPass = [&](Value pass) -> Values {
    Value isFirst = code.equalI(pass, code.index(0));
    emitKeys(head, [&](const Keys &keys) {
      auto addQuickly = [&] {
        addAll(keys);
        return Values();
      };
      code.ifElse(isFirst, {}, addQuickly, [&] { return addWithCare(keys); });
    });
    return {areFinite(head)};
  };
  Type flag = code.builder.getI1Type();
  code.loop(code.index(0), code.index(2), 1, code.integer(flag, 0),
            [&](Value pass, ValueRange isDone) {
              return code.ifElse(
                  isDone[0], flag, [&] { return Values(isDone); },
                  [&] { return emitPass(pass); });
            });
}

/// Zero times a number that is not finite is none, and stays so in sums.
Value SdpaBuilder::areFinite(const Head &head) {
  Type wide = code.f32Type(code.lanes());
  Values found =
      code.loop(code.index(0), head.numQueries, 1, code.real(wide, 0),
                [&](Value query, ValueRange before) -> Values {
                  Value start = code.mulI(query, paddedValues), zeros;
                  int64_t lanes = code.lanes();
                  for (int64_t done = 0; done < valueSize; done += lanes) {
                    while (done + lanes > valueSize)
                      lanes /= 2;
                    Value part = code.loadRaw(sums, code.f32Type(lanes),
                                              code.addI(start, done));
                    part = code.mul(part, code.f32(0));
                    if (lanes != code.lanes())
                      part = code.sum(part);
                    zeros = zeros ? code.add(zeros, part) : part;
                  }
                  return {code.add(before[0], zeros)};
                });
  return code.less(code.sum(found[0]), code.f32(1));
}

void SdpaBuilder::noteVisible(const Head &head, const Keys &keys) {
  forKeys(keys, {}, [&](Value row, ValueRange) -> Values {
    for (int64_t v = 0; v < shape.vectors; ++v) {
      Value isAllowed = allowed(head, code.addI(keys.first, row), v);
      code.storeRaw(code.select(isAllowed, code.f32(1), code.f32(0)), visible,
                    code.addI(code.mulI(row, blockQueries), v * code.lanes()));
    }
    return {};
  });
}

void SdpaBuilder::addVisible(const Head &head, const Keys &keys, Value weights,
                             Value to, bool corrected) {
  Type narrow = code.f32Type(1), wide = code.f32Type(code.lanes());
  auto addColumns = [&](Value query, Value column) {
    Value place = code.addI(code.mulI(query, paddedValues), column);
    Value before = code.loadRaw(to, wide, place);
    if (corrected)
      before = code.mul(before, code.loadRaw(corrections, narrow, query));
    Values after =
        forKeys(keys, before, [&](Value row, ValueRange carried) -> Values {
          Value at = code.addI(code.mulI(row, blockQueries), query);
          Value value =
              code.loadRaw(valueMemory, wide,
                           code.addI(code.mulI(row, paddedValues), column));
          Value sum =
              code.fma(code.loadRaw(weights, narrow, at), value, carried[0]);
          Value isVisible =
              code.less(code.f32(0), code.loadRaw(visible, narrow, at));
          return {code.select(isVisible, sum, carried[0])};
        });
    code.storeRaw(after[0], to, place);
  };
  code.loop(code.index(0), head.numQueries, 1, [&](Value query) {
    code.loop(code.index(0), code.index(paddedValues), code.lanes(),
              [&](Value column) { addColumns(query, column); });
  });
}
