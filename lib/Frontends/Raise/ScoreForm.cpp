//===- ScoreForm.cpp - masks and biases read from their numbers -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A constant mask is identified by the scores it hides, not by its computation:
// iotas, comparisons, triangles and literal tables give the same numbers.
//
//===----------------------------------------------------------------------===//

#include "ScoreChain.h"
#include "mlir/IR/BuiltinTypes.h"
#include "parablock/Analysis/ScoreTables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// Returns whether the form hides exactly the scores of the table.
static bool hides(const ScoreForm &form, const ScoreTable &hidden) {
  for (int64_t i = 0; i < hidden.queries; ++i)
    for (int64_t j = 0; j < hidden.keys; ++j) {
      int64_t own = i + hidden.past;
      bool isHidden = form.causal && j > own;
      if (form.window)
        isHidden |= j <= own - *form.window ||
                    (!form.causal && j >= own + *form.window);
      if (isHidden != (hidden.at(0, i, j) != 0))
        return false;
    }
  return true;
}

static bool readMask(const ScoreTable &hidden, ScoreForm &form) {
  bool any = llvm::any_of(hidden.numbers, [](double n) { return n != 0; });
  if (!any)
    return true;
  // One key is all there is: a causal mask hides nothing either way.
  for (bool causal : {true, false}) {
    form.causal = causal;
    form.window.reset();
    if (hides(form, hidden))
      return true;
    // The last query reads as many keys as the window has.
    int64_t seen = 0;
    int64_t last = hidden.queries - 1 + hidden.past;
    for (int64_t j = 0; j <= last && j < hidden.keys; ++j)
      seen += hidden.at(0, hidden.queries - 1, j) == 0;
    form.window = seen;
    if (seen > 0 && hides(form, hidden))
      return true;
  }
  return false;
}

/// Returns whether `bias / factor` is ALiBi up to a number for each row, which
/// cancels in the softmax.
static bool isAlibi(const ScoreTable &hidden, const ScoreTable &bias,
                    int64_t heads, double most, double factor,
                    mlir::Type type) {
  SmallVector<double> slopes = computeAlibiSlopes(heads, most);
  for (int64_t h = 0; h < heads; ++h) {
    double slope = roundAlibi(slopes[h], type);
    for (int64_t i = 0; i < bias.queries; ++i) {
      std::optional<double> shift;
      for (int64_t j = 0; j < bias.keys; ++j) {
        if (hidden.at(h, i, j) != 0)
          continue;
        double expected = type
                              ? computeRoundedAlibi(slope, j, type)
                              : -slope * std::fabs(double(i + hidden.past - j));
        double given = bias.at(h, i, j) / factor;
        double difference = given - expected;
        if (!shift)
          shift = difference;
        // Rounded where it was far from zero; not a number fails as well.
        if (!(std::fabs(difference - *shift) <= 1e-6 * (1 + std::fabs(given))))
          return false;
      }
    }
  }
  return true;
}

static bool readAlibi(const ScoreTable &hidden, const ScoreTable &bias,
                      int64_t heads, double scale, mlir::MLIRContext *context,
                      ScoreForm &form) {
  // The slope of the first head, between the first two keys of the last query.
  int64_t last = bias.queries - 1;
  if (bias.keys < 2 || hidden.at(0, last, 0) != 0 || hidden.at(0, last, 1) != 0)
    return false;
  int64_t power = PowerOf2Ceil(heads), first = power == heads ? 1 : 2;
  for (double factor : {1.0, scale}) {
    double slope = (bias.at(0, last, last > 0) - bias.at(0, last, 0)) / factor;
    if (last == 0)
      slope = -slope;
    if (slope <= 0)
      continue;
    double exact = -std::log2(slope) * static_cast<double>(power) / first;
    double most = std::round(exact * 64) / 64;
    if (most <= 0)
      continue;
    mlir::Type types[] = {mlir::Type(), mlir::BFloat16Type::get(context),
                          mlir::Float16Type::get(context)};
    for (mlir::Type type : types)
      if (isAlibi(hidden, bias, heads, most, factor, type) &&
          (!type || form.causal)) {
        form.alibi = most;
        form.alibiBeforeScale = factor != 1.0;
        form.alibiType = type;
        return true;
      }
  }
  return false;
}

std::optional<ScoreForm> parablock::raise::readScoreForm(
    const ScoreTable &hidden, const ScoreTable &bias, int64_t heads,
    double scale, mlir::MLIRContext *context, Reason &reason) {
  ScoreForm form;
  for (int64_t i = 0; i < hidden.queries; ++i) {
    bool any = false;
    for (int64_t j = 0; j < hidden.keys; ++j)
      any |= hidden.at(0, i, j) == 0;
    if (!any) {
      reason = Reason::RowWithoutKeys;
      return std::nullopt;
    }
  }
  if (!readMask(hidden, form)) {
    reason = Reason::UnknownMask;
    return std::nullopt;
  }
  bool hasBias = false;
  for (int64_t h = 0; h < bias.heads && !bias.numbers.empty(); ++h)
    for (int64_t i = 0; i < bias.queries; ++i)
      for (int64_t j = 0; j < bias.keys; ++j)
        hasBias |= hidden.at(h, i, j) == 0 && bias.at(h, i, j) != 0;
  if (hasBias && !readAlibi(hidden, bias, heads, scale, context, form)) {
    reason = Reason::UnknownScoreBias;
    return std::nullopt;
  }
  return form;
}
