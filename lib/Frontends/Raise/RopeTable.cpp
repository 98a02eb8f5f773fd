//===- RopeTable.cpp - fits frequencies to tables -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RopeTable.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::raise;

std::optional<double> RopeTable::getUnturned() const {
  bool isUnturned = !cosines.empty() && llvm::all_equal(cosines) &&
                    llvm::all_of(sines, [](double sine) { return sine == 0; });
  return isUnturned ? std::optional(cosines.front()) : std::nullopt;
}

/// The angle at position 1 gives a frequency; each later position, with its
/// angle known up to whole turns, improves it.
std::vector<double> RopeTable::estimateFrequencies() const {
  std::vector<double> frequencies(pairs, 0);
  for (int64_t i = 0; i < pairs; ++i)
    for (int64_t t = 1; t < positions; ++t) {
      double angle = std::atan2(sines[t * pairs + i], cosines[t * pairs + i]);
      double turns = std::round((frequencies[i] * t - angle) / (2 * M_PI));
      frequencies[i] = (angle + 2 * M_PI * turns) / t;
    }
  return frequencies;
}

/// Tables are computed from f32 frequencies. Among the neighbours of each
/// estimate, selects the one whose rounded angles fit the last rows best, so
/// tables of two lengths have the same frequencies.
std::vector<double> RopeTable::roundFrequencies(ArrayRef<double> estimates,
                                                double scale) const {
  constexpr int64_t numRows = 64, numNeighbours = 16;
  std::vector<double> rounded;
  for (int64_t i = 0; i < pairs; ++i) {
    auto getError = [&](float frequency) {
      double error = 0;
      for (int64_t t = std::max<int64_t>(positions - numRows, 0); t < positions;
           ++t) {
        double angle = static_cast<float>(t) * frequency;
        error += std::pow(scale * std::cos(angle) - cosines[t * pairs + i], 2) +
                 std::pow(scale * std::sin(angle) - sines[t * pairs + i], 2);
      }
      return error;
    };
    float best = estimates[i], candidate = best;
    for (int64_t k = 0; k < numNeighbours; ++k)
      candidate = std::nextafter(candidate, -HUGE_VALF);
    double least = getError(best);
    for (int64_t k = 0; k < 2 * numNeighbours; ++k) {
      if (double error = getError(candidate); error < least) {
        least = error;
        best = candidate;
      }
      candidate = std::nextafter(candidate, HUGE_VALF);
    }
    rounded.push_back(best);
  }
  return rounded;
}

static double roundToType(double value, Type type) {
  if (!type)
    return value;
  APFloat number(value);
  bool loses;
  number.convert(cast<FloatType>(type).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

/// Returns the error bound of rounding `value` to `digits` binary digits.
static double getHalfStep(double value, int digits) {
  return value == 0 ? 0 : std::ldexp(1.0, std::ilogb(value) - digits);
}

/// Tables are computed in f32, exact ones in f64, so the error of an angle is
/// proportional to it.
bool RopeTable::holds(block::RopeAttr form, bool isExact) const {
  double scale = form.getTableScaleValue();
  Type type = form.getTableType();
  int digits = type ? cast<FloatType>(type).getFPMantissaWidth() : 0;
  for (int64_t t = 0; t < positions; ++t)
    for (int64_t i = 0; i < pairs; ++i) {
      double angle = t * form.getFrequency(i);
      double tolerance = scale * (isExact ? 4e-15 * (1 + std::fabs(angle))
                                          : 5e-7 + 3e-7 * std::fabs(angle));
      auto isOff = [&](double number, double exact) {
        double rounded = roundToType(exact, type);
        if (!type)
          return std::fabs(number - rounded) > tolerance;
        // A tie may fall to either side; everything else is the same number.
        return number != rounded && std::fabs(number - exact) >
                                        getHalfStep(exact, digits) + tolerance;
      };
      if (isOff(cosines[t * pairs + i], scale * std::cos(angle)) ||
          isOff(sines[t * pairs + i], scale * std::sin(angle)))
        return false;
    }
  return true;
}

block::RopeAttr RopeTable::fit(MLIRContext *context, block::RopeStyle style,
                               bool isExact) const {
  double scale = cosines.empty() ? 1 : cosines[0];
  if (scale <= 0)
    return {};
  FloatAttr tableScale = std::fabs(scale - 1) < (isExact ? 1e-15 : 1e-7)
                             ? FloatAttr()
                             : block::getReal(context, scale);
  std::vector<double> frequencies = estimateFrequencies();
  auto make = [&](FloatAttr base, ArrayRef<double> list, Type type) {
    return block::RopeAttr::get(context, style, 2 * pairs, base,
                                list.empty()
                                    ? DenseF64ArrayAttr()
                                    : DenseF64ArrayAttr::get(context, list),
                                tableScale, type);
  };
  Type types[] = {Type(), BFloat16Type::get(context),
                  Float16Type::get(context)};
  // Exact ones are not rounded.
  for (Type type : ArrayRef(types).take_front(isExact ? 1 : 3)) {
    block::RopeAttr usual = make({}, {}, type);
    if (holds(usual, isExact))
      return usual;
    // A base is a number of few digits.
    for (int64_t i = pairs - 1; i > 0; i = i / 2) {
      if (frequencies[i] <= 0)
        continue;
      double base = std::pow(frequencies[i], -static_cast<double>(pairs) / i);
      for (int digits = 1; digits <= 7; ++digits) {
        char text[32];
        snprintf(text, sizeof text, "%.*e", digits - 1, base);
        double candidate = strtod(text, nullptr);
        if (!(candidate > 0) || !std::isfinite(candidate))
          continue;
        block::RopeAttr form =
            make(block::getReal(context, candidate), {}, type);
        if (holds(form, isExact))
          return form;
      }
    }
  }
  // Frequencies of exact tables are known to more digits than f32 has.
  std::vector<double> rounded(frequencies.size());
  llvm::transform(frequencies, rounded.begin(),
                  [](double f) { return static_cast<float>(f); });
  if (!isExact)
    rounded = roundFrequencies(frequencies, scale);
  for (ArrayRef<double> list : {ArrayRef(rounded), ArrayRef(frequencies)})
    if (block::RopeAttr listed = make({}, list, {}); holds(listed, isExact))
      return listed;
  return {};
}
