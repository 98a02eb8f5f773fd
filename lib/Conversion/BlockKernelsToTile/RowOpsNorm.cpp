//===- RowOpsNorm.cpp - norms from statistics, before and after products --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowEmitter.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock;

/// What a norm multiplies with, of the mean of `size` squares.
static Value createFactor(TileCode code, block::NormAttr form, Value moment,
                          int64_t size) {
  double eps = form.getEpsValue();
  Value s = form.getKind() == block::NormKind::L2
                ? code.scale(moment, static_cast<double>(size))
                : moment;
  auto root = [&]() -> Value {
    return math::SqrtOp::create(code.builder, code.loc, s);
  };
  switch (form.getEpsForm()) {
  case block::EpsForm::InsideRoot:
    return math::RsqrtOp::create(code.builder, code.loc,
                                 eps == 0 ? s : code.add(s, code.f32(eps)));
  case block::EpsForm::OutsideRoot:
    return code.div(code.f32(1), code.add(root(), code.f32(eps)));
  case block::EpsForm::Clamp:
    return code.div(code.f32(1), code.max(root(), code.f32(eps)));
  }
  llvm_unreachable("every form of epsilon has its case");
}

void RowEmitter::prepareFactor(TileCode code, Operation *op, Value mean,
                               Value moment, Value group, block::NormAttr form,
                               int64_t size) {
  if (mean)
    getStatistic(code, mean, group);
  factors[op] =
      createFactor(code, form, getStatistic(code, moment, group), size);
}

Value RowEmitter::evaluate(TileCode code, block::NormalizeOp op, Value column) {
  block::NormAttr form = op.getForm();
  Value x = element(code, op.getInput(), column);
  if (op.getMean())
    x = code.sub(x, statistics.lookup(op.getMean()));
  x = code.mul(x, factors.lookup(op));
  if (form.getRounding() == block::NormRounding::BeforeGain)
    x = code.round(x, getElementTypeOrSelf(op.getType()));

  // Gain and bias of a group's size repeat.
  auto channel = [&](Value vector) {
    int64_t size = getWidth(vector);
    return element(code, vector,
                   size == getWidth(op.getInput())
                       ? column
                       : code.remIndex(column, code.index(size)));
  };
  if (op.getGamma()) {
    Value gain = channel(op.getGamma());
    if (form.getGammaForm() == block::GammaForm::OnePlus)
      gain = code.add(code.f32(1), gain);
    x = code.mul(x, gain);
  }
  return op.getBeta() ? code.add(x, channel(op.getBeta())) : x;
}

Value RowEmitter::evaluate(TileCode code, block::DeferredNormOp op,
                           Value column) {
  Value x = element(code, op.getInput(), column);
  if (op.getMean())
    x = code.sub(x, code.mul(statistics.lookup(op.getMean()),
                             element(code, op.getSums(), column)));
  Value factor = factors.lookup(op);
  if (!op.getBias())
    return code.mul(x, factor);
  return code.fma(x, factor, element(code, op.getBias(), column));
}
