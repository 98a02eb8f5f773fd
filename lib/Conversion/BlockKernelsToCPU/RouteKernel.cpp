//===- RouteKernel.cpp - chooses experts and weighs them ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This file implements block.route, row by row in f32, by the steps that
// #block.routing numbers. A row has few columns, so its arithmetic is scalar.
//
//===----------------------------------------------------------------------===//

#include "RouteKernel.h"

#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Engines/CPU/Runtime/Program.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

//===----------------------------------------------------------------------===//
// Steps that gradients have, too
//===----------------------------------------------------------------------===//

RouterCode::RouterCode(Frame &frame, block::RoutingAttr form, int64_t experts)
    : frame(frame), code(frame.getCode()), form(form), experts(experts),
      scaled(allocate(experts)), scores(allocate(experts)),
      chosen(allocate(form.getChosen())) {}

Value RouterCode::allocate(int64_t count) {
  return frame.allocate(count * static_cast<int64_t>(sizeof(float)));
}

Value RouterCode::fold(Value from, Value to, double initial,
                       llvm::function_ref<Value(Value, Value)> body) {
  return code.loop(from, to, 1, real(initial),
                   [&](Value i, ValueRange before) -> Values {
                     return {body(i, before[0])};
                   })[0];
}

Value RouterCode::sumOf(int64_t count, llvm::function_ref<Value(Value)> body) {
  return fold(code.index(0), code.index(count), 0,
              [&](Value i, Value known) { return code.add(known, body(i)); });
}

void RouterCode::writeSoftmax(Value memory, int64_t count) {
  Value most =
      fold(code.index(0), code.index(count),
           -std::numeric_limits<double>::infinity(), [&](Value i, Value known) {
             return code.max(known, read(memory, i));
           });
  Value sum = sumOf(count, [&](Value i) {
    Value power = code.exp(code.sub(read(memory, i), most));
    code.storeRaw(power, memory, i);
    return power;
  });
  forEach(count, [&](Value i) {
    code.storeRaw(code.div(read(memory, i), sum), memory, i);
  });
}

void RouterCode::writeScores(Value logits, Type type, Value row) {
  Value first = code.mulI(row, experts);
  forEach(experts, [&](Value e) {
    Value x = code.scale(code.load(logits, type, code.addI(first, e), 1),
                         form.getLogitScaleValue());
    code.storeRaw(x, scaled, e);
    Value score = x;
    if (form.getScore() == block::RouterScore::Sigmoid)
      score = code.activate(block::Activation::Sigmoid, x);
    if (form.getScore() == block::RouterScore::RootSoftplus)
      score = code.sqrt(code.activate(block::Activation::Softplus, x));
    code.storeRaw(score, scores, e);
  });
  if (form.getScore() == block::RouterScore::Softmax)
    writeSoftmax(scores, experts);
}

void RouterCode::writeChosen(Value slot, Value expert) {
  bool isScore = form.getWeight() == block::RouterWeight::Score;
  Value weight = read(isScore ? scores : scaled, expert);
  if (form.getWeight() == block::RouterWeight::Sigmoid)
    weight = code.activate(block::Activation::Sigmoid, weight);
  code.storeRaw(weight, chosen, slot);
}

std::pair<Value, Value> RouterCode::buildDivisor() {
  int64_t count = form.getChosen();
  if (form.getWeight() == block::RouterWeight::Softmax)
    writeSoftmax(chosen, count);
  if (form.getDivideBy() == block::WeightSum::One)
    return {};
  Value sum = sumOf(count, [&](Value slot) { return read(chosen, slot); });
  Value eps = real(form.getEpsValue());
  return {sum, form.getDivideBy() == block::WeightSum::Added
                   ? code.add(sum, eps)
                   : code.max(sum, eps)};
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

namespace {
class RouteBuilder : public RouterCode {
public:
  RouteBuilder(Frame &frame, block::RouteOp op)
      : RouterCode(frame, op.getForm(), block::getDim(op.getLogits(), -1)),
        op(op), choice(allocate(experts)), groups(allocate(form.getGroups())) {
    unsigned next = 0;
    logits = frame.getTensor(next++);
    if (op.getCorrection())
      correction = frame.getTensor(next++);
    if (op.getExpertScale())
      expertScale = frame.getTensor(next++);
    indices = frame.getTensor(next++);
    weights = frame.getTensor(next++);
  }

  KernelCode build();

private:
  void writeChoiceScores(Value row);
  void hideGroups();
  /// Returns the place of the largest number, of equal ones the first, among
  /// those that are not NaN; -1 without one.
  Value findLargest(Value memory, int64_t count);
  Value sumTwoLargest(Value from, Value to);
  void writeChoice(Value row);
  void writeWeights(Value row);
  void refuse(Value row);

  block::RouteOp op;
  Value logits, correction, expertScale, indices, weights;
  /// Numbers of one row: choice scores, and scores of groups.
  Value choice, groups;
};
} // namespace

/// Steps 1 and 2.
void RouteBuilder::writeChoiceScores(Value row) {
  writeScores(logits, getElementTypeOrSelf(op.getLogits()), row);
  forEach(experts, [&](Value e) {
    Value own = read(scores, e);
    if (correction)
      own = code.add(own,
                     code.load(correction,
                               getElementTypeOrSelf(op.getCorrection()), e, 1));
    code.storeRaw(own, choice, e);
  });
}

Value RouteBuilder::findLargest(Value memory, int64_t count) {
  Value none = code.index(-1);
  return code.loop(
      code.index(0), code.index(count), 1,
      ValueRange{real(-std::numeric_limits<double>::infinity()), none},
      [&](Value i, ValueRange best) -> Values {
        Value own = read(memory, i);
        Value isNumber = arith::CmpFOp::create(
            code.builder, code.loc, arith::CmpFPredicate::ORD, own, own);
        Value isBetter = either(both(code.equalI(best[1], none), isNumber),
                                code.less(best[0], own));
        return {code.select(isBetter, own, best[0]),
                code.select(isBetter, i, best[1])};
      })[1];
}

/// The sum of the two largest choice scores of a group.
Value RouteBuilder::sumTwoLargest(Value from, Value to) {
  Value least = real(-std::numeric_limits<double>::infinity());
  Values two = code.loop(from, to, 1, ValueRange{least, least},
                         [&](Value e, ValueRange known) -> Values {
                           Value own = read(choice, e);
                           return {code.max(known[0], own),
                                   code.max(known[1], code.min(known[0], own))};
                         });
  return code.add(two[0], two[1]);
}

/// Step 3.
void RouteBuilder::hideGroups() {
  int64_t count = form.getGroups(), size = experts / count;
  forEach(count, [&](Value group) {
    Value from = code.mulI(group, size), to = code.addI(from, size);
    Value score = form.getGroupScore() == block::GroupScore::BestTwo
                      ? sumTwoLargest(from, to)
                      : fold(from, to, -std::numeric_limits<double>::infinity(),
                             [&](Value e, Value known) {
                               return code.max(known, read(choice, e));
                             });
    code.storeRaw(score, groups, group);
  });
  // A group that is kept is marked by NaN, which is no largest number.
  Value mark = real(std::numeric_limits<double>::quiet_NaN());
  forEach(form.getKept(), [&](Value) {
    code.storeRaw(mark, groups, findLargest(groups, count));
  });
  double hidden = form.getHidden() == block::HiddenGroups::Zero
                      ? 0
                      : -std::numeric_limits<double>::infinity();
  forEach(experts, [&](Value e) {
    Value isKept = isNaN(read(groups, code.divI(e, size)));
    code.storeRaw(code.select(isKept, read(choice, e), real(hidden)), choice,
                  e);
  });
}

/// Step 4.
void RouteBuilder::writeChoice(Value row) {
  Value first = code.mulI(row, form.getChosen());
  Value mark = real(std::numeric_limits<double>::quiet_NaN());
  forEach(form.getChosen(), [&](Value slot) {
    Value best = findLargest(choice, experts);
    code.storeRaw(best, indices, code.addI(first, slot));
    writeChosen(slot, best);
    code.storeRaw(mark, choice, best);
  });
}

/// Steps 5 and 6.
void RouteBuilder::writeWeights(Value row) {
  int64_t count = form.getChosen();
  Value divisor = buildDivisor().second;
  Type type = getElementTypeOrSelf(op.getWeights());
  Value first = code.mulI(row, count);
  forEach(count, [&](Value slot) {
    Value place = code.addI(first, slot), weight = read(chosen, slot);
    if (divisor)
      weight = code.div(weight, divisor);
    weight = code.scale(weight, form.getWeightScaleValue());
    if (expertScale)
      weight =
          code.mul(weight, code.load(expertScale,
                                     getElementTypeOrSelf(op.getExpertScale()),
                                     code.loadI64(indices, place), 1));
    code.store(weight, weights, type, place);
  });
}

/// Marks a row whose scores include NaN.
void RouteBuilder::refuse(Value row) {
  Value first = code.mulI(row, form.getChosen());
  // -1 - expert, of the first NaN among the logits; without one, as of an
  // expert that is not there.
  Value nothing = code.index(experts);
  Value wrong = code.loop(code.index(0), nothing, 1, nothing,
                          [&](Value e, ValueRange known) -> Values {
                            Value isFirst = both(code.equalI(known[0], nothing),
                                                 isNaN(read(scaled, e)));
                            return {code.select(isFirst, e, known[0])};
                          })[0];
  Value mark = code.subI(code.index(-1), wrong);
  forEach(form.getChosen(), [&](Value slot) {
    Value place = code.addI(first, slot);
    code.storeRaw(mark, indices, place);
    code.store(real(std::numeric_limits<double>::quiet_NaN()), weights,
               getElementTypeOrSelf(op.getWeights()), place);
  });
}

KernelCode RouteBuilder::build() {
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value row) {
    writeChoiceScores(row);
    Values isBad =
        code.loop(code.index(0), code.index(experts), 1,
                  code.integer(code.builder.getI1Type(), 0),
                  [&](Value e, ValueRange before) -> Values {
                    return {either(before[0], isNaN(read(choice, e)))};
                  });
    auto mark = [&]() -> Values {
      refuse(row);
      return {};
    };
    code.ifElse(isBad[0], {}, mark, [&]() -> Values {
      if (form.getGroups() > 1)
        hideGroups();
      writeChoice(row);
      writeWeights(row);
      return {};
    });
  });
  return frame.finish();
}

KernelCode cpugen::buildRouteCheckKernel(Frame &frame, block::RouteOp op) {
  Code &code = frame.getCode();
  int64_t experts = block::getDim(op.getLogits(), -1);
  Value indices = frame.getTensor(0), fault = frame.getTensor(1);
  Value none = code.index(-1), zero = code.index(0);
  Value rows = code.mulI(frame.getDim(0), frame.getDim(1));
  Values found = code.loop(
      zero, rows, 1, ValueRange{none, zero},
      [&](Value row, ValueRange known) -> Values {
        Value index =
            code.loadI64(indices, code.mulI(row, op.getForm().getChosen()));
        Value isFirst = arith::AndIOp::create(code.builder, code.loc,
                                              code.equalI(known[0], none),
                                              code.lessI(index, zero));
        return {code.select(isFirst, row, known[0]),
                code.select(isFirst, code.subI(none, index), known[1])};
      });
  Value kind = code.select(code.equalI(found[1], code.index(experts)),
                           code.index(cpu::Fault::NanScore),
                           code.index(cpu::Fault::NanLogit));
  kind = code.select(code.equalI(found[0], none), code.index(cpu::Fault::None),
                     kind);
  for (auto [place, number] :
       llvm::enumerate(Values{kind, found[0], found[1], zero, zero}))
    code.storeRaw(number, fault, code.index(static_cast<int64_t>(place)));
  return frame.finish();
}

KernelCode cpugen::buildRouteKernel(Frame &frame, block::RouteOp op) {
  return RouteBuilder(frame, op).build();
}
