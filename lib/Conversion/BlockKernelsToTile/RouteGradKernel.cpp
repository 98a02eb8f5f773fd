//===- RouteGradKernel.cpp - gradients by logits of routers ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A warp computes one row: scores again, the gradients by the weights of its
// slots, and from these those by its logits. Gradients by scales of experts are
// sums of the shares of slots, in two stages.
//
//===----------------------------------------------------------------------===//

#include "GradientKernels.h"
#include "RouterRow.h"

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock;
using Source = LaunchSequence::Source;

namespace {
class RouteGradRow : RouterRow {
public:
  RouteGradRow(KernelShell &shell, block::RouteGradOp op)
      : RouterRow(op.getForm(), block::getDim(op.getLogits(), -1)),
        gradient(shell.getInput(0)), logits(shell.getInput(1)),
        indices(shell.getInput(2)),
        expertScale(op.getExpertScale() ? shell.getInput(3) : Value()),
        result(shell.getOutput(0)), shares(shell.getOutput(1)) {}

  void emit(TileCode code, Value row);

private:
  /// Runs of numbers of the row: by experts, then by slots.
  int64_t scaled() const { return 0; }
  int64_t scores() const { return experts; }
  int64_t byScores() const { return 2 * experts; }
  int64_t chosen() const { return 3 * experts; }
  int64_t byWeights() const { return chosen() + slots; }
  int64_t getSize() const { return byWeights() + slots; }

  /// The expert of a slot. One out of range, which the forward pass reports,
  /// reads nothing else here.
  Value loadExpert(TileCode code, Value row, Value slot);
  void fillByWeights(TileCode code, Value row);
  /// Gives the experts that are chosen the gradients by their weights.
  void fillByScores(TileCode code, Value row);
  Value passScore(TileCode code, Value expert, Value dot);
  Value dotOfWeights(TileCode code, int64_t weights, int64_t gradients,
                     int64_t count);

  Value gradient, logits, indices, expertScale, result, shares;
};
} // namespace

Value RouteGradRow::loadExpert(TileCode code, Value row, Value slot) {
  Value index =
      tile::LoadOp::create(code.builder, code.loc, code.builder.getI64Type(),
                           indices, ValueRange{row, slot});
  Value last = arith::ConstantIntOp::create(code.builder, code.loc,
                                            index.getType(), experts - 1);
  return code.toIndex(
      arith::MinUIOp::create(code.builder, code.loc, index, last));
}

Value RouteGradRow::dotOfWeights(TileCode code, int64_t weights,
                                 int64_t gradients, int64_t count) {
  return reduce(
      code, tile::Reduction::Add, count, [&](TileCode each, Value at) {
        return each.mul(load(each, weights, at), load(each, gradients, at));
      });
}

/// Also writes shares of gradients by scales.
void RouteGradRow::fillByWeights(TileCode code, Value row) {
  fill(code, chosen(), slots, [&](TileCode each, Value slot) {
    return createWeight(each, scaled(), scores(), loadExpert(each, row, slot));
  });
  Value sum, divisor;
  std::tie(sum, divisor) = finishWeights(code, chosen());
  // By what step 5 gives, which is divided already.
  fill(code, byWeights(), slots, [&](TileCode each, Value slot) {
    Value own =
        each.scale(each.load(gradient, row, slot), form.getWeightScaleValue());
    if (!expertScale)
      return own;
    return each.mul(own, each.load(expertScale, each.index(0),
                                   loadExpert(each, row, slot)));
  });
  Value mean;
  if (divisor) {
    mean = code.div(dotOfWeights(code, chosen(), byWeights(), slots), divisor);
    if (form.getDivideBy() == block::WeightSum::Floored)
      mean = code.select(code.less(code.f32(form.getEpsValue()), sum), mean,
                         code.f32(0));
  }
  fill(code, byWeights(), slots, [&](TileCode each, Value slot) {
    Value own = load(each, byWeights(), slot),
          share = load(each, chosen(), slot);
    if (divisor) {
      own = each.div(each.sub(own, mean), divisor);
      share = each.div(share, divisor);
    }
    Value raw =
        each.scale(each.load(gradient, row, slot), form.getWeightScaleValue());
    each.store(each.mul(raw, share), shares, row, slot);
    return own;
  });
}

void RouteGradRow::fillByScores(TileCode code, Value row) {
  block::RouterWeight kind = form.getWeight();
  Value dot;
  if (kind == block::RouterWeight::Softmax)
    dot = dotOfWeights(code, chosen(), byWeights(), slots);
  fill(code, byWeights(), slots, [&](TileCode each, Value slot) {
    Value own = load(each, byWeights(), slot),
          weight = load(each, chosen(), slot);
    if (kind == block::RouterWeight::Softmax)
      return each.mul(weight, each.sub(own, dot));
    if (kind == block::RouterWeight::Sigmoid)
      return each.mul(own, each.mul(weight, each.sub(each.f32(1), weight)));
    return own;
  });
  fill(code, byScores(), experts, [&](TileCode each, Value expert) {
    return each.accumulate(
        each.index(0), each.index(slots), each.f32(0),
        [&](TileCode inner, Value slot,
            ValueRange known) -> SmallVector<Value> {
          Value isOwn = inner.equalIndex(loadExpert(inner, row, slot), expert);
          Value own = load(inner, byWeights(), slot);
          return {inner.add(known[0], inner.select(isOwn, own, inner.f32(0)))};
        })[0];
  });
}

/// Turns the gradient by a score into that by its logit.
Value RouteGradRow::passScore(TileCode code, Value expert, Value dot) {
  Value own = load(code, byScores(), expert);
  Value score = load(code, scores(), expert);
  if (form.getWeight() != block::RouterWeight::Score)
    return own;
  switch (form.getScore()) {
  case block::RouterScore::Softmax:
    return code.mul(score, code.sub(own, dot));
  case block::RouterScore::Sigmoid:
    return code.mul(own, code.mul(score, code.sub(code.f32(1), score)));
  case block::RouterScore::RootSoftplus: {
    Value slope = code.div(
        code.activate(block::Activation::Sigmoid, load(code, scaled(), expert)),
        code.scale(score, 2));
    Value isZero = arith::CmpFOp::create(
        code.builder, code.loc, arith::CmpFPredicate::OEQ, own, code.f32(0));
    return code.select(isZero, code.f32(0), code.mul(own, slope));
  }
  case block::RouterScore::Logit:
    return own;
  }
  llvm_unreachable("unknown score");
}

void RouteGradRow::emit(TileCode code, Value row) {
  memory = code.scratch(getSize());
  fillScores(code, logits, row, scaled(), scores());
  fillByWeights(code, row);
  fillByScores(code, row);
  Value dot;
  if (form.getWeight() == block::RouterWeight::Score &&
      form.getScore() == block::RouterScore::Softmax)
    dot = dotOfWeights(code, scores(), byScores(), experts);
  code.columns(code.index(0), code.index(experts),
               [&](TileCode each, Value expert) {
                 each.store(each.scale(passScore(each, expert, dot),
                                       form.getLogitScaleValue()),
                            result, row, expert);
               });
}

//===----------------------------------------------------------------------===//
// The launches
//===----------------------------------------------------------------------===//

/// Gradients by logits, and shares of those by scales of experts.
static tile::KernelOp buildRows(const GradientSite &site,
                                block::RouteGradOp op) {
  Type f32 = Float32Type::get(op.getContext());
  auto likeGradient = cast<RankedTensorType>(op.getGradient().getType());
  auto likeLogits = cast<RankedTensorType>(op.getLogits().getType());
  Type byLogits = likeLogits;
  for (auto [name, type] : llvm::zip_equal(
           op.getWrt().getAsValueRange<StringAttr>(), op->getResultTypes()))
    if (name == "logits")
      byLogits = type;
  KernelShell shell = site.createRowsShell("_rows", getStaticRows(likeLogits),
                                           op->getOperandTypes(),
                                           {byLogits, likeGradient.clone(f32)});
  TileCode code{shell.builder, op.getLoc()};
  Value rows = createRowCount(code.builder, code.loc, shell.getInput(0));
  RouteGradRow own(shell, op);
  code.gridRows(rows, [&](TileCode inner, Value row) { own.emit(inner, row); });
  return shell.kernel;
}

/// Sums of shares by the expert of their slots. Inputs: indices, shares.
static tile::KernelOp buildScales(const GradientSite &site,
                                  block::RouteGradOp op, Type result) {
  Type f32 = Float32Type::get(op.getContext());
  int64_t experts = block::getDim(op.getLogits(), -1),
          slots = op.getForm().getChosen();
  auto shares = cast<RankedTensorType>(op.getGradient().getType()).clone(f32);
  KernelShell shell = site.createRowsShell(
      "_scales", experts, {op.getIndices().getType(), shares}, result);
  TileCode code{shell.builder, op.getLoc()};
  Value all =
      code.mulIndex(createRowCount(code.builder, code.loc, shell.getInput(0)),
                    code.index(slots));
  code.gridRows(code.index(experts), [&](TileCode inner, Value expert) {
    Value sum = inner.reduce(
        tile::Reduction::Add, inner.index(0), all,
        [&](TileCode each, Value slot) {
          Value row = each.divIndex(slot, each.index(slots)),
                column = each.remIndex(slot, each.index(slots));
          Value index = tile::LoadOp::create(
              each.builder, each.loc, each.builder.getI64Type(),
              shell.getInput(0), ValueRange{row, column});
          Value isOwn = each.equalIndex(each.toIndex(index), expert);
          return each.select(isOwn, each.load(shell.getInput(1), row, column),
                             each.f32(0));
        });
    inner.store(sum, shell.getOutput(0), inner.index(0), expert);
  });
  return shell.kernel;
}

FailureOr<LaunchSequence> parablock::buildRouteGrad(const GradientSite &site) {
  auto op = cast<block::RouteGradOp>(site.op);
  LaunchSequence sequence;
  SmallVector<Source> operands;
  for (unsigned number = 0; number < op->getNumOperands(); ++number)
    operands.push_back({number});
  unsigned rows = sequence.append(buildRows(site, op), operands);
  for (auto [name, type] : llvm::zip_equal(
           op.getWrt().getAsValueRange<StringAttr>(), op->getResultTypes())) {
    if (name == "logits")
      sequence.results.push_back({0, rows});
    else
      sequence.results.push_back(
          {0, sequence.append(buildScales(site, op, type), {{2}, {1, rows}})});
  }
  return std::move(sequence);
}
