//===- NearActivation.cpp - compares functions with activations -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "NearActivation.h"

#include "parablock/Dialect/Block/ElementCode.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;
using block::Activation;

/// Activations that numbers can identify; those with other powers of x are
/// excluded.
static constexpr Activation kActivations[] = {
    Activation::GeluErf,   Activation::GeluTanh, Activation::Silu,
    Activation::QuickGelu, Activation::Relu,     Activation::HardSwish,
    Activation::Mish,      Activation::Softplus};

/// Here all of them are their argument.
static constexpr double kFar = 64;

/// Calls `visit` with points of both signs, dense about 0 and at kinks of
/// activations, until it returns false.
static bool visitPoints(function_ref<bool(double)> visit) {
  auto visitBoth = [&](double x) { return visit(x) && visit(-x); };
  // Four points that distinguish most functions come first.
  for (double x : {1.0, 3.0, 0.125, 0.0})
    if (!visitBoth(x))
      return false;
  for (double x = 1.0 / 128; x < 12; x += 1.0 / 128)
    if (!visitBoth(x))
      return false;
  for (double x = 1e30; x > 1e-30; x *= x < 100 && x > 1e-7 ? 0.93 : 0.5)
    if (!visitBoth(x))
      return false;
  return true;
}

/// Also visits points on both sides of each critical point, and between
/// them.
static bool visitBreaks(const ElementFunction &f,
                        function_ref<bool(double)> visit) {
  std::optional<std::vector<double>> breaks = f.getCriticalPoints();
  if (!breaks)
    return false;
  constexpr int kParts = 8;
  for (auto [k, point] : llvm::enumerate(*breaks)) {
    for (double step : {0.0, 1e-7, -1e-7, 1e-5, -1e-5, 1e-3, -1e-3})
      if (!visit(point + step * std::max(std::fabs(point), 1e-6)))
        return false;
    double next = k + 1 < breaks->size() ? (*breaks)[k + 1] : point;
    for (int part = 1; part < kParts; ++part)
      if (!visit(point + (next - point) * part / kParts))
        return false;
  }
  return true;
}

/// From 1 to the next number of the type that `f` is rounded to.
static double getStep(const ElementFunction &f) {
  mlir::Type type = f.getType();
  return std::ldexp(1, !type ? -23 : type.isBF16() ? -7 : -10);
}

/// The number of the same sign for both, or none where `f` has no such limit.
static std::optional<double> getFactor(const ElementFunction &f) {
  double factor = f(kFar) / kFar;
  if (!std::isfinite(factor) || factor == 0)
    return std::nullopt;
  bool isOne =
      f.getType() ? std::fabs(factor - 1) < getStep(f) / 2 : isClose(factor, 1);
  return isOne ? 1 : factor;
}

namespace {
/// Distance of a function from an activation at a point, without its 16-bit
/// roundings and with them.
struct Distance {
  double exact, rounded;
};
} // namespace

/// The distance is 0 where exponentials overflow: their quotient is then still
/// the activation's value.
static Distance getDistance(const ElementFunction &f, double factor,
                            Activation kind, double x) {
  if (f.getType())
    x = roundNumber(x, f.getType());
  // No argument is as large.
  if (!std::isfinite(x))
    return {0, 0};
  auto measure = [&](double y) {
    return !std::isfinite(y) && f.overflows(x)
               ? 0
               : std::fabs(y / factor - activate(kind, x));
  };
  double exact = measure(f(x));
  return {exact, f.getType() ? measure(f.getRounded(x)) : exact};
}

/// Returns the larger of argument and result: only softplus exceeds its
/// argument.
static double getSize(Activation kind, double x) {
  return std::max(std::fabs(x), std::fabs(activate(kind, x)));
}

/// The tolerance is one step of the type at the argument or result; without
/// roundings a quarter of it, the error of 16-bit constants.
static bool isWithinStep(const ElementFunction &f, Activation kind, double x,
                         Distance distance) {
  double step = getStep(f) * getSize(kind, x);
  // Below the least number with all its digits, steps are as there.
  if (f.getType() && f.getType().isF16())
    step = std::max(step, 0x1p-24);
  double exact = f.getType() ? step / 4 : step;
  // No constant of relu is rounded.
  if (kind == Activation::Relu)
    exact = std::ldexp(std::fabs(x), -23);
  return distance.exact <= exact && distance.rounded <= step;
}

std::optional<Activation>
parablock::raise::findActivation(const ElementFunction &f, double &factor) {
  std::optional<double> found = getFactor(f);
  if (!found)
    return std::nullopt;
  factor = *found;
  // 16-bit numbers may fit two activations: the nearer one is used.
  std::optional<Activation> nearest;
  double least = std::numeric_limits<double>::infinity();
  for (Activation kind : kActivations) {
    double most = 0;
    auto isSame = [&](double x) {
      Distance distance = getDistance(f, factor, kind, x);
      if (double size = getSize(kind, x))
        most = std::max(most, distance.exact / size);
      return isWithinStep(f, kind, x, distance);
    };
    if (!visitPoints(isSame) || !visitBreaks(f, isSame) || most >= least)
      continue;
    nearest = kind;
    least = most;
  }
  return nearest;
}

std::optional<NearActivation>
parablock::raise::findNearActivation(const ElementFunction &f) {
  std::optional<double> factor = getFactor(f);
  if (!factor)
    return std::nullopt;
  std::optional<NearActivation> nearest;
  for (Activation kind : kActivations) {
    NearActivation own = {kind, *factor, 0, 0};
    bool isNumber = visitPoints([&](double x) {
      Distance both = getDistance(f, *factor, kind, x);
      double difference = std::max(both.exact, both.rounded);
      if (difference > own.distance && std::fabs(x) <= kFar) {
        own.distance = difference;
        own.at = x;
      }
      return std::isfinite(difference) || std::fabs(x) > kFar;
    });
    if (isNumber && (!nearest || own.distance < nearest->distance))
      nearest = own;
  }
  return nearest;
}
