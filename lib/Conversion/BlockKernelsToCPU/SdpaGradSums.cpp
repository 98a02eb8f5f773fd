//===- SdpaGradSums.cpp - adds partial sums of items ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaGradKernel.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

namespace {
/// The summands of an item: `count` times `inner`, at these distances, starting
/// at `first`.
struct Summands {
  Value first, count, step, inner, innerStep;
};
} // namespace

static Summands findSummands(Frame &frame, const GradSum &sum, Value item) {
  Code &code = frame.getCode();
  Value batch = frame.getDim(0), rows = frame.getDim(1);
  Value one = code.index(1), zero = code.index(0);
  Value ofHead = code.mulI(sum.isPart ? frame.getDim(2) : rows, sum.padded);
  switch (sum.kind) {
  case GradSum::OfGroups: {
    int64_t group = sum.heads / sum.keyHeads;
    Value row = code.divI(item, sum.keyHeads);
    Value head = code.addI(code.mulI(code.divI(row, rows), sum.heads),
                           code.mulI(code.remI(item, sum.keyHeads), group));
    Value key = code.remI(row, rows);
    if (sum.isPart)
      key = code.addI(key, frame.getDim(3));
    Value first =
        code.addI(code.mulI(head, ofHead), code.mulI(key, sum.padded));
    return {first, one, zero, code.index(group), ofHead};
  }
  case GradSum::OfBatch: {
    Value first = code.addI(code.mulI(code.remI(item, sum.heads), ofHead),
                            code.mulI(code.divI(item, sum.heads), sum.padded));
    return {first, batch, code.mulI(ofHead, sum.heads), one, zero};
  }
  case GradSum::OfAll:
    return {code.mulI(item, sum.padded), code.mulI(batch, sum.heads), ofHead,
            one, zero};
  case GradSum::OfNone:
    return {code.mulI(item, sum.padded), one, zero, one, zero};
  }
  llvm_unreachable("every kind has its case");
}

cpugen::KernelCode cpugen::buildGradSumKernel(Frame &frame,
                                              const GradSum &sum) {
  Code &code = frame.getCode();
  Value sums = frame.getTensor(0), result = frame.getTensor(1);
  auto addUp = [&](const Summands &of, int64_t at, int64_t lanes) {
    Type part = code.f32Type(lanes);
    return code.loop(
        code.index(0), of.count, 1, code.real(part, 0),
        [&](Value number, ValueRange outer) {
          Value first = code.addI(of.first, code.mulI(number, of.step));
          return code.loop(
              code.index(0), of.inner, 1, outer,
              [&](Value inner, ValueRange before) -> Values {
                Value place = code.addI(first, code.mulI(inner, of.innerStep));
                return {code.add(
                    before[0], code.loadRaw(sums, part, code.addI(place, at)))};
              });
        });
  };
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value item) {
    Summands of = findSummands(frame, sum, item);
    Value to = code.mulI(item, sum.width);
    int64_t lanes = code.lanes();
    for (int64_t done = 0; done < sum.width; done += lanes) {
      while (done + lanes > sum.width)
        lanes /= 2;
      code.store(addUp(of, done, lanes)[0], result, sum.type,
                 code.addI(to, done));
    }
  });
  return frame.finish();
}
