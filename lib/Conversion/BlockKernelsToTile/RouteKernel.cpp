//===- RouteKernel.cpp - chooses the experts of each row ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A warp computes one row by the steps that #block.routing numbers. Nothing is
// sorted: the rank of an expert is the number of experts that come before it,
// and the slot of that rank has it. A row with a NaN among its scores is
// reported, and gets weights that are NaN, of its first experts.
//
//===----------------------------------------------------------------------===//

#include "RouteKernel.h"

#include "KernelShell.h"
#include "RouterRow.h"
#include "RowKernels.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include <limits>

using namespace mlir;
using namespace parablock;

namespace {
class RouteEmitter : RouterRow {
public:
  RouteEmitter(KernelShell &shell, block::RouteOp op)
      : RouterRow(op.getForm(), block::getDim(op.getLogits(), -1)) {
    unsigned next = 0;
    logits = shell.getInput(next++);
    if (op.getCorrection())
      correction = shell.getInput(next++);
    if (op.getExpertScale())
      expertScale = shell.getInput(next++);
    indices = shell.getOutput(0);
    weights = shell.getOutput(1);
    word = shell.getWorkspace(0);
  }

  void emit(TileCode code, Value row);

private:
  /// Runs of numbers of the row in the warp's memory.
  enum Run { Scaled, Score, Choice };
  int64_t getFirst(Run run) const { return run * experts; }
  int64_t getFirstGroup() const { return 3 * experts; }
  int64_t getFirstChosen() const { return getFirstGroup() + form.getGroups(); }
  int64_t getSize() const { return getFirstChosen() + slots; }

  /// Counts the numbers that come before number `at`: larger ones, and of equal
  /// ones the first.
  Value createRank(TileCode code, int64_t first, int64_t count, Value at);
  void fillChoice(TileCode code, Value row);
  void hideGroups(TileCode code);
  void report(TileCode code, Value row);
  void choose(TileCode code, Value row, Value isBad);
  void weigh(TileCode code, Value row, Value poison);

  Value logits, correction, expertScale, indices, weights, word;
};
} // namespace

Value RouteEmitter::createRank(TileCode code, int64_t first, int64_t count,
                               Value at) {
  Value own = load(code, first, at), zero = code.index(0), one = code.index(1);
  return code.accumulate(
      zero, code.index(count), zero,
      [&](TileCode inner, Value other, ValueRange rank) -> SmallVector<Value> {
        Value theirs = load(inner, first, other);
        auto compare = [&](arith::CmpFPredicate predicate) -> Value {
          return arith::CmpFOp::create(inner.builder, inner.loc, predicate,
                                       theirs, own);
        };
        Value isFirst = inner.select(inner.lessIndex(other, at),
                                     compare(arith::CmpFPredicate::OEQ),
                                     inner.boolean(false));
        Value isBefore = inner.select(compare(arith::CmpFPredicate::OGT),
                                      inner.boolean(true), isFirst);
        return {inner.addIndex(rank[0], inner.select(isBefore, one, zero))};
      })[0];
}

/// Steps 1 and 2.
void RouteEmitter::fillChoice(TileCode code, Value row) {
  fillScores(code, logits, row, getFirst(Scaled), getFirst(Score));
  fill(code, getFirst(Choice), experts, [&](TileCode each, Value expert) {
    Value x = load(each, getFirst(Score), expert);
    return correction
               ? each.add(x, each.load(correction, each.index(0), expert))
               : x;
  });
}

/// Step 3.
void RouteEmitter::hideGroups(TileCode code) {
  int64_t size = experts / form.getGroups();
  Value least = code.f32(-std::numeric_limits<double>::infinity());
  fill(code, getFirstGroup(), form.getGroups(),
       [&](TileCode each, Value group) {
         Value from = each.mulIndex(group, each.index(size));
         SmallVector<Value> two = each.accumulate(
             from, each.addIndex(from, each.index(size)), {least, least},
             [&](TileCode inner, Value expert,
                 ValueRange known) -> SmallVector<Value> {
               Value own = load(inner, getFirst(Choice), expert);
               return {inner.max(known[0], own),
                       inner.max(known[1], inner.min(known[0], own))};
             });
         return form.getGroupScore() == block::GroupScore::BestTwo
                    ? each.add(two[0], two[1])
                    : two[0];
       });
  double hidden = form.getHidden() == block::HiddenGroups::Zero
                      ? 0
                      : -std::numeric_limits<double>::infinity();
  fill(code, getFirst(Choice), experts, [&](TileCode each, Value expert) {
    Value group = each.divIndex(expert, each.index(size));
    Value rank = createRank(each, getFirstGroup(), form.getGroups(), group);
    Value isKept = each.lessIndex(rank, each.index(form.getKept()));
    return each.select(isKept, load(each, getFirst(Choice), expert),
                       each.f32(hidden));
  });
}

static Value createIsNaN(TileCode code, Value x) {
  return arith::CmpFOp::create(code.builder, code.loc,
                               arith::CmpFPredicate::UNO, x, x);
}

/// Reports a row with a NaN, by its first logit that is one.
void RouteEmitter::report(TileCode code, Value row) {
  // The number of experts from that one on, which are no more than 2^24.
  Value left = reduce(
      code, tile::Reduction::Max, experts, [&](TileCode each, Value expert) {
        Value own = each.toF32(each.subIndex(each.index(experts), expert));
        return each.select(
            createIsNaN(each, load(each, getFirst(Scaled), expert)), own,
            each.f32(0));
      });
  Value number = code.subIndex(code.index(experts + 1), code.toWhole(left));
  Value isScore = code.equalIndex(number, code.index(experts + 1));
  Value detail = code.toI64(code.select(isScore, code.index(0), number));
  tile::ReportOp::create(code.builder, code.loc, row, detail, word);
}

/// Step 4, and what weights are made of.
void RouteEmitter::choose(TileCode code, Value row, Value isBad) {
  code.columns(
      code.index(0), code.index(experts), [&](TileCode each, Value expert) {
        Value rank = createRank(each, getFirst(Choice), experts, expert);
        rank = each.select(isBad, expert, rank);
        Value isChosen = each.lessIndex(rank, each.index(slots));
        each.when(isChosen, [&](TileCode inner) {
          store(inner,
                createWeight(inner, getFirst(Scaled), getFirst(Score), expert),
                getFirstChosen(), rank);
          inner.store(inner.toI64(expert), indices, row, rank);
          // Where the expert of a slot is read again.
          store(inner, inner.toBits(expert), getSize(), rank);
        });
      });
}

/// Steps 5 and 6.
void RouteEmitter::weigh(TileCode code, Value row, Value poison) {
  int64_t first = getFirstChosen();
  Value divisor = finishWeights(code, first).second;
  code.columns(
      code.index(0), code.index(slots), [&](TileCode each, Value slot) {
        Value weight = load(each, first, slot);
        if (divisor)
          weight = each.div(weight, divisor);
        weight = each.scale(weight, form.getWeightScaleValue());
        if (expertScale) {
          Value expert = each.fromBits(load(each, getSize(), slot));
          weight =
              each.mul(weight, each.load(expertScale, each.index(0), expert));
        }
        each.store(each.add(weight, poison), weights, row, slot);
      });
}

void RouteEmitter::emit(TileCode code, Value row) {
  memory = code.scratch(getSize() + slots);
  fillChoice(code, row);
  // NaN in a row with one.
  Value poison = reduce(
      code, tile::Reduction::Add, experts, [&](TileCode each, Value expert) {
        Value x = load(each, getFirst(Choice), expert);
        return each.select(createIsNaN(each, x), x, each.f32(0));
      });
  Value isBad = createIsNaN(code, poison);
  code.when(isBad, [&](TileCode inner) { report(inner, row); });
  if (form.getGroups() > 1)
    hideGroups(code);
  choose(code, row, isBad);
  weigh(code, row, poison);
}

tile::KernelOp parablock::buildRouteKernel(OpBuilder &atModule,
                                           block::RouteOp op, StringRef name,
                                           StringRef chip) {
  KernelShell shell = createKernelShell(
      atModule, op, name,
      getRowSchedule(op.getContext(), getStaticRows(op.getLogits().getType()),
                     chip),
      getReportWord(op.getContext()));
  shell.kernel.setReportsAttr(tile::ReportsAttr::get(
      op.getContext(), tile::Checked::Logits, /*experts=*/0, /*slots=*/0));
  TileCode code{shell.builder, op.getLoc()};
  Value rows = createRowCount(shell.builder, op.getLoc(), shell.getInput(0));
  RouteEmitter emitter(shell, op);
  code.gridRows(rows,
                [&](TileCode inner, Value row) { emitter.emit(inner, row); });
  return shell.kernel;
}
