//===- EmitNorm.cpp - emits statistics and normalisation ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitSteps.h"

using namespace mlir;
using namespace parablock;

/// Returns `[B, T, C]` with each row in its groups; unchanged for one group.
static Value asGroups(Value input, int64_t groups, TensorEmitter &emit) {
  int64_t width = TensorEmitter::getType(input).getDimSize(2);
  if (groups == 1)
    return input;
  return emit.split(input, 2, {groups, width / groups});
}

/// Returns `[B, T, groups]` with a shape that broadcasts with `asGroups`.
static Value asGroupColumn(Value statistics, int64_t groups,
                           TensorEmitter &emit) {
  return groups == 1 ? statistics : emit.split(statistics, 2, {groups, 1});
}

static Value buildMean(Value x, TensorEmitter &emit) {
  unsigned last = TensorEmitter::getRank(x) - 1;
  double size = static_cast<double>(TensorEmitter::getType(x).getDimSize(last));
  return emit.binary(Binary::Divide, emit.reduce(Reduction::Sum, x, last),
                     size);
}

Values parablock::emitNormStats(block::NormStatsOp op, TensorEmitter &emit) {
  int64_t groups = op.getGroups();
  Value x = asGroups(emit.toF32(op.getInput()), groups, emit);
  auto withoutColumn = [&](Value statistics) {
    return groups == 1 ? statistics : emit.merge(statistics, 2, 2);
  };
  Values results;
  if (op.getCentered()) {
    Value mean = buildMean(x, emit);
    results.push_back(withoutColumn(mean));
    x = emit.subtract(x, mean);
  }
  results.push_back(withoutColumn(buildMean(emit.multiply(x, x), emit)));
  return results;
}

/// `r` of `#block.norm`, from the mean of squares of groups of `size`.
static Value buildFactor(block::NormAttr form, Value moment, int64_t size,
                         TensorEmitter &emit) {
  double eps = form.getEpsValue();
  if (form.getKind() == block::NormKind::L2)
    moment = emit.scale(moment, static_cast<double>(size));
  auto reciprocal = [&](Value x) {
    Value one = emit.constant(
        SmallVector<int64_t>(TensorEmitter::getRank(x), 1), {1.0});
    return emit.binary(Binary::Divide, one, x);
  };
  switch (form.getEpsForm()) {
  case block::EpsForm::InsideRoot:
    return emit.unary(Unary::Rsqrt, emit.binary(Binary::Add, moment, eps));
  case block::EpsForm::OutsideRoot:
    return reciprocal(
        emit.binary(Binary::Add, emit.unary(Unary::Sqrt, moment), eps));
  case block::EpsForm::Clamp:
    return reciprocal(
        emit.binary(Binary::Maximum, emit.unary(Unary::Sqrt, moment), eps));
  }
  llvm_unreachable("every form of epsilon has its case");
}

/// Returns a gain or bias that broadcasts with `x`: one element per channel of
/// a group or of the row.
static Value asChannels(Value vector, int64_t groups, Value x,
                        TensorEmitter &emit) {
  vector = emit.toF32(vector);
  if (groups == 1 || TensorEmitter::getType(vector).getDimSize(0) ==
                         TensorEmitter::getType(x).getShape().back())
    return emit.asRow(vector, TensorEmitter::getRank(x));
  int64_t size = TensorEmitter::getType(x).getShape().back();
  return emit.split(vector, 0, {1, 1, groups, size});
}

Values parablock::emitNormalize(block::NormalizeOp op, TensorEmitter &emit) {
  block::NormAttr form = op.getForm();
  int64_t groups = op.getGroups();
  Value x = asGroups(emit.toF32(op.getInput()), groups, emit);
  if (Value mean = op.getMean())
    x = emit.subtract(x, asGroupColumn(mean, groups, emit));
  int64_t size = TensorEmitter::getType(x).getShape().back();
  x = emit.multiply(x, buildFactor(form,
                                   asGroupColumn(op.getMoment(), groups, emit),
                                   size, emit));
  if (form.getRounding() == block::NormRounding::BeforeGain)
    x = emit.toF32(emit.cast(x, getElement(op)));
  if (Value gamma = op.getGamma()) {
    gamma = asChannels(gamma, groups, x, emit);
    if (form.getGammaForm() == block::GammaForm::OnePlus)
      gamma = emit.binary(Binary::Add, gamma, 1);
    x = emit.multiply(x, gamma);
  }
  if (Value beta = op.getBeta())
    x = emit.add(x, asChannels(beta, groups, x, emit));
  x = emit.cast(x, getElement(op));
  return {groups == 1 ? x : emit.merge(x, 2, 2)};
}

Values parablock::emitDeferredNorm(block::DeferredNormOp op,
                                   TensorEmitter &emit) {
  Value x = emit.toF32(op.getInput());
  if (Value mean = op.getMean())
    x = emit.subtract(
        x, emit.multiply(mean, emit.asRow(emit.toF32(op.getSums()), 3)));
  x = emit.multiply(x, buildFactor(op.getForm(), op.getMoment(),
                                   static_cast<int64_t>(op.getWidth()), emit));
  if (Value bias = op.getBias())
    x = emit.add(x, emit.asRow(emit.toF32(bias), 3));
  return {emit.cast(x, getElement(op))};
}
