//===- RouteGradKernel.cpp - gradients by a router's logits ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This file implements block.route_grad, row by row in f32. Scores and weights
// are formed again as the router's kernel forms them.
//
//===----------------------------------------------------------------------===//

#include "ExpertKernels.h"
#include "RouteKernel.h"

#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

#include <tuple>

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

namespace {
class RouteGradBuilder : public RouterCode {
public:
  RouteGradBuilder(Frame &frame, block::RouteGradOp op)
      : RouterCode(frame, op.getForm(), block::getDim(op.getLogits(), -1)),
        op(op), byLogits(allocate(experts)),
        byWeights(allocate(form.getChosen())) {
    unsigned next = 0;
    gradient = frame.getTensor(next++);
    logits = frame.getTensor(next++);
    indices = frame.getTensor(next++);
    if (op.getExpertScale())
      expertScale = frame.getTensor(next++);
    result = frame.getTensor(next++);
    shares = frame.getTensor(next++);
  }

  KernelCode build();

private:
  Value place(Value row, Value slot) {
    return code.addI(code.mulI(row, form.getChosen()), slot);
  }
  /// An index that checks reject reads nothing else here.
  Value expertOf(Value row, Value slot) {
    Value index = code.loadI64(indices, place(row, slot));
    return code.minI(code.maxI(index, code.index(0)), code.index(experts - 1));
  }
  void writeByWeights(Value row);
  void writeByLogits(Value row);
  void passScores();
  /// Adds to the gradient by the logit of the slot's expert.
  void addTo(Value expert, Value summand) {
    code.storeRaw(code.add(read(byLogits, expert), summand), byLogits, expert);
  }

  block::RouteGradOp op;
  Value gradient, logits, indices, expertScale, result, shares;
  /// Numbers of one row: gradients by logits, and by weights before they are
  /// divided.
  Value byLogits, byWeights;
};
} // namespace

/// Also writes the shares in the gradients by scales.
void RouteGradBuilder::writeByWeights(Value row) {
  int64_t count = form.getChosen();
  Value sum, divisor;
  std::tie(sum, divisor) = buildDivisor();
  // The gradient by what step 5 gives, which is divided already.
  auto byDivided = [&](Value slot) {
    Value own = code.load(gradient, getElementTypeOrSelf(op.getGradient()),
                          place(row, slot), 1);
    own = code.scale(own, form.getWeightScaleValue());
    if (!expertScale)
      return own;
    return code.mul(own, code.load(expertScale,
                                   getElementTypeOrSelf(op.getExpertScale()),
                                   expertOf(row, slot), 1));
  };
  Value mean = real(0);
  if (divisor) {
    mean =
        code.div(sumOf(count,
                       [&](Value slot) {
                         return code.mul(byDivided(slot), read(chosen, slot));
                       }),
                 divisor);
    if (form.getDivideBy() == block::WeightSum::Floored)
      mean =
          code.select(code.less(real(form.getEpsValue()), sum), mean, real(0));
  }
  forEach(count, [&](Value slot) {
    Value own = byDivided(slot), share = read(chosen, slot);
    if (divisor) {
      own = code.div(code.sub(own, mean), divisor);
      share = code.div(share, divisor);
    }
    code.storeRaw(own, byWeights, slot);
    Value raw = code.load(gradient, getElementTypeOrSelf(op.getGradient()),
                          place(row, slot), 1);
    code.storeRaw(code.mul(code.scale(raw, form.getWeightScaleValue()), share),
                  shares, place(row, slot));
  });
}

/// Turns gradients by scores into those by logits.
void RouteGradBuilder::passScores() {
  Value dot;
  if (form.getScore() == block::RouterScore::Softmax)
    dot = sumOf(experts, [&](Value e) {
      return code.mul(read(byLogits, e), read(scores, e));
    });
  forEach(experts, [&](Value e) {
    Value own = read(byLogits, e), score = read(scores, e);
    switch (form.getScore()) {
    case block::RouterScore::Softmax:
      own = code.mul(score, code.sub(own, dot));
      break;
    case block::RouterScore::Sigmoid:
      own = code.mul(own, code.mul(score, code.sub(real(1), score)));
      break;
    case block::RouterScore::RootSoftplus: {
      Value slope =
          code.div(code.activate(block::Activation::Sigmoid, read(scaled, e)),
                   code.scale(score, 2));
      Value isZero = arith::CmpFOp::create(
          code.builder, code.loc, arith::CmpFPredicate::OEQ, own, real(0));
      own = code.select(isZero, real(0), code.mul(own, slope));
      break;
    }
    case block::RouterScore::Logit:
      break;
    }
    code.storeRaw(own, byLogits, e);
  });
}

void RouteGradBuilder::writeByLogits(Value row) {
  int64_t count = form.getChosen();
  code.fillZeros(byLogits, experts);
  bool isSoftmax = form.getWeight() == block::RouterWeight::Softmax;
  Value dot;
  if (isSoftmax)
    dot = sumOf(count, [&](Value slot) {
      return code.mul(read(byWeights, slot), read(chosen, slot));
    });
  forEach(count, [&](Value slot) {
    Value own = read(byWeights, slot), weight = read(chosen, slot);
    if (isSoftmax)
      own = code.mul(weight, code.sub(own, dot));
    if (form.getWeight() == block::RouterWeight::Sigmoid)
      own = code.mul(own, code.mul(weight, code.sub(real(1), weight)));
    addTo(expertOf(row, slot), own);
  });
  if (form.getWeight() == block::RouterWeight::Score)
    passScores();
  Type type = getElementTypeOrSelf(op.getLogits());
  forEach(experts, [&](Value e) {
    code.store(code.scale(read(byLogits, e), form.getLogitScaleValue()), result,
               type, code.addI(code.mulI(row, experts), e));
  });
}

KernelCode RouteGradBuilder::build() {
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value row) {
    writeScores(logits, getElementTypeOrSelf(op.getLogits()), row);
    forEach(form.getChosen(),
            [&](Value slot) { writeChosen(slot, expertOf(row, slot)); });
    writeByWeights(row);
    writeByLogits(row);
  });
  return frame.finish();
}

KernelCode cpugen::buildRouteGradKernel(Frame &frame, block::RouteGradOp op) {
  return RouteGradBuilder(frame, op).build();
}

KernelCode cpugen::buildScaleSumsKernel(Frame &frame, int64_t experts,
                                        int64_t slots) {
  Code &code = frame.getCode();
  Value indices = frame.getTensor(0), shares = frame.getTensor(1),
        sums = frame.getTensor(2), fault = frame.getTensor(3);
  code.fillZeros(sums, experts);
  Value count = code.mulI(code.mulI(frame.getDim(0), frame.getDim(1)), slots);
  Value none = code.index(-1), zero = code.index(0);
  auto addShare = [&](Value slot, ValueRange wrong) -> Values {
    Value expert = code.loadI64(indices, slot);
    Value exists =
        arith::AndIOp::create(code.builder, code.loc, code.lessI(none, expert),
                              code.lessI(expert, code.index(experts)));
    code.ifThen(exists, [&] {
      Value known = code.loadRaw(sums, code.f32Type(1), expert);
      code.storeRaw(
          code.add(known, code.loadRaw(shares, code.f32Type(1), slot)), sums,
          expert);
    });
    Value isFirst = code.equalI(wrong[0], none);
    return {
        code.select(exists, wrong[0], code.select(isFirst, slot, wrong[0]))};
  };
  Value wrong = code.loop(zero, count, 1, none, addShare)[0];
  writeIndexFault(code, cpu::Fault::IndexWithoutLogit, indices, wrong, slots,
                  experts, fault);
  return frame.finish();
}
