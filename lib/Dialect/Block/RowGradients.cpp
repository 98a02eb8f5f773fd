//===- RowGradients.cpp - row models of gradients -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowModels.h"
#include "parablock/Dialect/Block/ElementDerivative.h"

#include <cmath>

using namespace mlir;
using namespace parablock;

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

/// Emits 1 - tanh(log(1 + e^x))^2 and that tanh, from exponentials of
/// non-positive values only.
static std::pair<Value, Value> emitMish(const RowCode &code, Value x) {
  Value small = code.exp(code.min(x, code.f32(0)));
  Value rest = code.exp(code.neg(code.max(x, code.f32(0))));
  Value above = code.mul(small, code.add(small, code.scale(rest, 2)));
  Value gap = code.scale(code.mul(rest, rest), 2);
  Value below = code.add(above, gap);
  Value t = code.div(above, below);
  return {code.mul(code.div(gap, below), code.add(t, code.f32(1))), t};
}

Value parablock::emitDerivative(const RowCode &code, block::Activation kind,
                                Value x) {
  // s + factor x s (1 - s), of x s(factor x).
  auto ofShare = [&](Value share, Value factor) {
    Value rest = code.mul(share, code.sub(code.f32(1), share));
    return code.fma(code.mul(x, factor), rest, share);
  };
  Value zero = code.f32(0), one = code.f32(1);
  switch (kind) {
  case block::Activation::Identity:
    return one;
  case block::Activation::Relu:
    return code.select(code.less(zero, x), one, zero);
  case block::Activation::LeakyRelu:
    return code.select(code.less(x, zero), code.f32(0.01), one);
  case block::Activation::ReluSquared:
    return code.select(code.less(x, zero), zero, code.scale(x, 2));
  case block::Activation::GeluErf: {
    constexpr double peak = 0.39894228040143267794; // 1 / sqrt(2 pi)
    Value density = code.exp(code.scale(code.mul(x, x), -0.5));
    return code.fma(code.mul(x, density), code.f32(peak), code.normalShare(x));
  }
  case block::Activation::GeluTanh: {
    constexpr double root = 0.79788456080286535588; // sqrt(2 / pi)
    Value square = code.mul(x, x);
    Value inner = code.fma(square, code.f32(0.044715 * root), code.f32(root));
    Value slope =
        code.fma(square, code.f32(3 * 0.044715 * root), code.f32(root));
    return ofShare(code.tanhShare(code.mul(x, inner)), code.scale(slope, 2));
  }
  case block::Activation::QuickGelu:
    return ofShare(code.sigmoid(code.scale(x, 1.702)), code.f32(1.702));
  case block::Activation::Silu:
    return ofShare(code.sigmoid(x), one);
  case block::Activation::Sigmoid: {
    Value s = code.sigmoid(x);
    return code.mul(s, code.sub(one, s));
  }
  case block::Activation::Tanh: {
    Value t = code.tanh(x);
    return code.sub(one, code.mul(t, t));
  }
  case block::Activation::HardSwish: {
    Value middle = code.fma(x, code.f32(1.0 / 3), code.f32(0.5));
    Value low = code.select(code.less(x, code.f32(-3)), zero, middle);
    return code.select(code.less(code.f32(3), x), one, low);
  }
  case block::Activation::Softplus:
    return code.sigmoid(x);
  case block::Activation::Mish: {
    auto [rest, t] = emitMish(code, x);
    return code.fma(code.mul(x, rest), code.sigmoid(x), t);
  }
  }
  llvm_unreachable("every activation has its case");
}

namespace {
struct ActivationGradRows
    : RowModel<ActivationGradRows, block::ActivationGradOp> {
  Value emit(block::ActivationGradOp op, RowElements &rows,
             const Column &column) const {
    Value gradient = rows.element(op.getGradient(), column);
    return rows.code.mul(gradient,
                         emitDerivative(rows.code, op.getKind(),
                                        rows.element(op.getInput(), column)));
  }
};

struct GateGradRows
    : block::RowStepOpInterface::ExternalModel<GateGradRows,
                                               block::GateGradOp> {
  Value emitElement(Operation *op, RowElements &rows, unsigned result,
                    const Column &column) const {
    auto grad = cast<block::GateGradOp>(op);
    const RowCode &code = rows.code;
    Value gradient = rows.element(grad.getGradient(), column);
    Value gate = rows.element(grad.getGate(), column);
    if (result == 1)
      return code.mul(gradient, code.activate(grad.getKind(), gate));
    Value up = rows.element(grad.getUp(), column);
    return code.mul(code.mul(emitDerivative(code, grad.getKind(), gate), up),
                    gradient);
  }
};

struct ClampGradRows : RowModel<ClampGradRows, block::ClampGradOp> {
  /// Returns the smallest f32 beyond the limit: values within it compare below.
  static float getBorder(double limit) {
    auto border = static_cast<float>(limit);
    return border > limit ? border : std::nextafter(border, HUGE_VALF);
  }

  Value emit(block::ClampGradOp op, RowElements &rows,
             const Column &column) const {
    const RowCode &code = rows.code;
    Value x = rows.element(op.getInput(), column);
    Value border = code.f32(getBorder(op.getLimit().convertToDouble()));
    return code.select(code.less(code.max(x, code.neg(x)), border),
                       rows.element(op.getGradient(), column), code.f32(0));
  }
};

struct SoftcapGradRows : RowModel<SoftcapGradRows, block::SoftcapGradOp> {
  Value emit(block::SoftcapGradOp op, RowElements &rows,
             const Column &column) const {
    const RowCode &code = rows.code;
    Value share = code.scale(rows.element(op.getOutput(), column),
                             1 / op.getSoftcap().convertToDouble());
    Value slope = code.sub(code.f32(1), code.mul(share, share));
    Value gradient = code.scale(rows.element(op.getGradient(), column),
                                op.getScale().convertToDouble());
    return code.mul(gradient, slope);
  }
};

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

/// Emits minus twice the derivative of the factor by its input, divided by the
/// square of the factor, times `dot`. The derivative is about the cube of the
/// factor, which is subnormal for large rows.
Value emitPull(const RowCode &code, block::NormAttr form, Value s, Value factor,
               Value dot) {
  Value zero = code.f32(0);
  switch (form.getEpsForm()) {
  case block::EpsForm::InsideRoot:
    return code.mul(factor, dot);
  case block::EpsForm::OutsideRoot:
    return code.select(code.less(zero, s), code.div(dot, code.sqrt(s)), zero);
  case block::EpsForm::Clamp:
    return code.select(code.less(code.f32(form.getEpsValue()), code.sqrt(s)),
                       code.mul(factor, dot), zero);
  }
  llvm_unreachable("every form of epsilon has its case");
}

/// An element of a gain as a norm of this form multiplies with it.
Value emitGain(RowElements &rows, Value gamma, block::NormAttr form,
               const Column &column, int64_t width) {
  Value gain = rows.repeatedElement(gamma, column, width);
  return form.getGammaForm() == block::GammaForm::OnePlus
             ? rows.code.add(gain, rows.code.f32(1))
             : gain;
}

/// Emits an element of a row minus the mean, or the element itself if the norm
/// has no mean.
Value emitDistance(RowElements &rows, Value input, Value mean,
                   const Column &column) {
  Value x = rows.element(input, column);
  return mean ? rows.code.sub(x, rows.statistic(mean)) : x;
}

struct NormGradRows : RowModel<NormGradRows, block::NormGradOp> {
  /// Facts about a group. `Pull` is the factor of distances from the
  /// mean, `Shared` the mean of gradients times gains, if the norm is
  /// centred.
  enum Fact : unsigned { Factor, Pull, Shared };

  int64_t getGroupSize(Operation *op) const {
    return getSizeOfGroups(cast<block::NormGradOp>(op));
  }
  std::optional<int64_t> getColumnReach(Operation *op) const {
    int64_t size = getGroupSize(op);
    return size ? std::optional(size) : std::nullopt;
  }

  /// The gradient by the value that a gain is multiplied with.
  static Value emitGained(block::NormGradOp op, RowElements &rows,
                          const Column &column) {
    const RowCode &code = rows.code;
    Value gradient = rows.element(op.getGradient(), column);
    if (!op.getGamma())
      return gradient;
    return code.mul(gradient, emitGain(rows, op.getGamma(), op.getForm(),
                                       column, getRowWidth(op.getInput())));
  }

  void emitFacts(Operation *op, RowElements &rows, Value group) const {
    auto grad = cast<block::NormGradOp>(op);
    const RowCode &code = rows.code;
    block::NormAttr form = grad.getForm();
    int64_t size = getRowWidth(grad.getInput()) / grad.getGroups();
    bool isL2 = form.getKind() == block::NormKind::L2;
    if (grad.getMean())
      rows.getStatistic(grad.getMean(), group);
    Value moment = rows.getStatistic(grad.getMoment(), group);
    Value factor = emitFactor(code, form, moment, size);
    Value s = isL2 ? code.scale(moment, static_cast<double>(size)) : moment;
    Value length = code.index(size), from = code.mulIndex(group, length);
    ColumnRange range = {from, code.addIndex(from, length), size,
                         getGroupSize(op) != 0};
    Value dot =
        rows.sumColumns({grad.getGradient(), grad.getInput()}, range,
                        [&](const Column &column) {
                          return code.mul(emitGained(grad, rows, column),
                                          emitDistance(rows, grad.getInput(),
                                                       grad.getMean(), column));
                        });
    double count = isL2 ? 1 : static_cast<double>(size);
    dot = code.mul(factor, code.mul(factor, code.scale(dot, -1 / count)));
    rows.fact(op, Factor) = factor;
    rows.fact(op, Pull) = emitPull(code, form, s, factor, dot);
    if (form.isCentered()) {
      Value sum =
          rows.sumColumns(grad.getGradient(), range, [&](const Column &column) {
            return emitGained(grad, rows, column);
          });
      rows.fact(op, Shared) = code.scale(sum, 1 / static_cast<double>(size));
    }
  }

  Value emit(block::NormGradOp op, RowElements &rows,
             const Column &column) const {
    const RowCode &code = rows.code;
    auto getFact = [&](Fact fact) {
      return rows.fact(op.getOperation(), fact);
    };
    Value v = emitGained(op, rows, column);
    if (op.getForm().isCentered())
      v = code.sub(v, getFact(Shared));
    return code.fma(emitDistance(rows, op.getInput(), op.getMean(), column),
                    getFact(Pull), code.mul(v, getFact(Factor)));
  }
};

/// The sums are known: no column looks at another.
struct DeferredNormGradRows
    : RowModel<DeferredNormGradRows, block::DeferredNormGradOp> {
  /// Facts about a row: the factor of distances from the mean, and the value
  /// subtracted from all columns.
  enum Fact : unsigned { Pull, Shared };

  void emitFacts(Operation *op, RowElements &rows, Value group) const {
    auto grad = cast<block::DeferredNormGradOp>(op);
    const RowCode &code = rows.code;
    block::NormAttr form = grad.getForm();
    auto size = static_cast<double>(getRowWidth(grad.getInput()));
    bool isL2 = form.getKind() == block::NormKind::L2;
    if (grad.getMean())
      rows.getStatistic(grad.getMean(), group);
    Value moment = rows.getStatistic(grad.getMoment(), group);
    Value factor = emitFactor(code, form, moment, getRowWidth(grad.getInput()));
    rows.fact(op, Pull) =
        emitPull(code, form, isL2 ? code.scale(moment, size) : moment, factor,
                 code.scale(rows.getStatistic(grad.getDots(), group),
                            isL2 ? -1 : -1 / size));
    if (grad.getSums())
      rows.fact(op, Shared) =
          code.scale(rows.getStatistic(grad.getSums(), group), 1 / size);
  }

  Value emit(block::DeferredNormGradOp op, RowElements &rows,
             const Column &column) const {
    const RowCode &code = rows.code;
    Operation *step = op.getOperation();
    Value own =
        code.mul(emitDistance(rows, op.getInput(), op.getMean(), column),
                 rows.fact(step, Pull));
    if (op.getSums())
      own = code.sub(own, rows.fact(step, Shared));
    if (!op.getGradient())
      return own;
    Value gradient = rows.element(op.getGradient(), column);
    if (!op.getGamma())
      return code.add(gradient, own);
    return code.fma(gradient,
                    emitGain(rows, op.getGamma(), op.getForm(), column,
                             getRowWidth(op.getInput())),
                    own);
  }
};

struct RowDotsRows
    : block::RowStepOpInterface::ExternalModel<RowDotsRows, block::RowDotsOp> {
  bool yieldsStatistics(Operation *) const { return true; }
  int64_t getGroupSize(Operation *op) const {
    return getSizeOfGroups(cast<block::RowDotsOp>(op));
  }
  void emitFacts(Operation *op, RowElements &rows, Value group) const {
    auto dots = cast<block::RowDotsOp>(op);
    const RowCode &code = rows.code;
    int64_t size =
        getRowWidth(dots.getInput()) / static_cast<int64_t>(dots.getGroups());
    Value length = code.index(size), from = code.mulIndex(group, length);
    SmallVector<Value> read = {dots.getInput()};
    if (dots.getFactor())
      read.push_back(dots.getFactor());
    Value sum = rows.sumColumns(
        read, {from, code.addIndex(from, length), size, getGroupSize(op) != 0},
        [&](const Column &column) {
          Value factor;
          if (dots.getFactor())
            factor = rows.element(dots.getFactor(), column);
          if (dots.getVector()) {
            Value vector = rows.element(dots.getVector(), column);
            factor = factor ? code.add(factor, vector) : vector;
          }
          return code.mul(rows.element(dots.getInput(), column), factor);
        });
    if (dots.getAddend())
      sum = code.add(sum, rows.getStatistic(dots.getAddend(), group));
    rows.statistic(dots.getResult()) = sum;
  }
};
} // namespace

void parablock::attachGradientRows(MLIRContext &context) {
  block::ActivationGradOp::attachInterface<ActivationGradRows>(context);
  block::GateGradOp::attachInterface<GateGradRows>(context);
  block::ClampGradOp::attachInterface<ClampGradRows>(context);
  block::SoftcapGradOp::attachInterface<SoftcapGradRows>(context);
  block::NormGradOp::attachInterface<NormGradRows>(context);
  block::DeferredNormGradOp::attachInterface<DeferredNormGradRows>(context);
  block::RowDotsOp::attachInterface<RowDotsRows>(context);
}
