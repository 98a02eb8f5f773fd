//===- SdpaBias.cpp - masks and biases that are known at run time ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What an input says about keys, padding for example, becomes one tensor that
// is added to the scores. Where a whole row is hidden, the numbers that hide it
// decide, so everything that hides by a finite number is a part of that tensor,
// in the order in which the function applies it.
//
//===----------------------------------------------------------------------===//

#include "NumberRange.h"
#include "SdpaMatcher.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <limits>

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// Added in f32, a number as low as this leaves nothing of a usual score.
static constexpr double kSwallows = -1e10;
/// Scores this high are still far below what hides them.
static constexpr double kUsual = 100;

namespace {
/// What the pieces up to here hide scores by.
struct Hiding {
  /// By numbers that are added, as they may be so low.
  bool byNumbers = false;
  /// By a mask, the highest of their fills.
  std::optional<double> byFill;

  void add(Graph &graph, const ScoreBias &bias);
  /// True where adding `bias` may bring scores back.
  bool mayEnd(Graph &graph, const ScoreBias &bias) const;
};
} // namespace

/// True where a constant `bias` leaves scores hidden that other numbers hide.
static bool leavesHidden(Graph &graph, const ScoreBias &bias) {
  if (bias.term.node->source != Source::Constant)
    return true;
  auto range = getRange(graph, bias.term);
  return range && std::max(range->first * bias.factor,
                           range->second * bias.factor) <= kUsual;
}

/// True for a bias that is given: numbers of an argument do not make up for
/// those that hide, as what is computed from scores may.
static bool isGiven(const ScoreBias &bias) {
  const Node *node = bias.term.node;
  return node->source == Source::Weight ||
         (node->op == Kind::Leaf && isa<mlir::BlockArgument>(node->given));
}

/// True where adding `bias` cannot bring back what another piece hides.
static bool onlyLowers(Graph &graph, const ScoreBias &bias) {
  auto range = getRange(graph, bias.term);
  return range && range->first * bias.factor <= 0 &&
         range->second * bias.factor <= 0;
}

void Hiding::add(Graph &graph, const ScoreBias &bias) {
  auto range = getRange(graph, bias.term);
  byNumbers |=
      !range || std::max(std::fabs(range->first * bias.factor),
                         std::fabs(range->second * bias.factor)) > -kAbsorbed;
}

bool Hiding::mayEnd(Graph &graph, const ScoreBias &bias) const {
  if (onlyLowers(graph, bias))
    return false;
  if (byNumbers && !isGiven(bias))
    return true;
  if (!byFill)
    return false;
  // Next to the fill, in f32 the rest is nothing.
  auto range = getRange(graph, bias.term);
  return !range ||
         std::max(range->first * bias.factor, range->second * bias.factor) >
             std::ldexp(-*byFill, -26);
}

Term SdpaMatcher::readPiece(const Term &term, unsigned at,
                            ArrayRef<unsigned> digits) {
  return {term.node, aligned.select(at, digits, layouts[at].getOffset())};
}

/// The number that stands for a fill, so that adding it is replacing by it.
std::optional<double> SdpaMatcher::getFill(const ScoreMask &mask) {
  std::optional<double> fill = getSplat(mask.fill);
  if (!fill) {
    miss(Reason::UnknownMask, "masked scores are not all one number");
    return std::nullopt;
  }
  double number = *fill * mask.factor;
  if (number > kAbsorbed || (number > kSwallows && runtime.size() > 1)) {
    miss(Reason::MaskDoesNotAbsorb,
         "masked scores are " + formatv("{0:e}", number).str());
    return std::nullopt;
  }
  if (number > kSwallows)
    return std::numeric_limits<float>::lowest();
  return number;
}

bool SdpaMatcher::buildScoreBias() {
  SmallVector<unsigned> lists[] = {batch, join({groups, repeats}), queries,
                                   keys};
  auto moves = [&](ArrayRef<unsigned> digits) {
    return llvm::any_of(runtime, [&](const RuntimePiece &piece) {
      return llvm::any_of(digits, [&](unsigned d) {
        return aligned.strides[piece.layout][d] != 0;
      });
    });
  };
  if (moves(elements) || moves(valueElements)) {
    miss(Reason::UnknownScoreBias, "a bias differs between elements of heads");
    return false;
  }
  SmallVector<unsigned> digits;
  for (ArrayRef<unsigned> list : lists) {
    bool isCarried = moves(list);
    scoreBiasShape.push_back(isCarried ? aligned.getSize(list) : 1);
    if (isCarried)
      digits.append(list.begin(), list.end());
  }
  int64_t size = aligned.getSize(digits);
  // From the product outwards.
  llvm::sort(runtime, [](const RuntimePiece &a, const RuntimePiece &b) {
    return a.step > b.step;
  });
  Hiding sofar;
  for (const RuntimePiece &piece : runtime) {
    if (piece.bias) {
      if (llvm::is_contained(hidden.numbers, 1) &&
          !leavesHidden(graph, *piece.bias)) {
        miss(Reason::UnknownScoreBias,
             "a table of numbers may bring hidden scores back");
        return false;
      }
      bool mayReveal = scoreBias && sofar.mayEnd(graph, *piece.bias);
      sofar.add(graph, *piece.bias);
      if (piece.bias->insideCap || mayReveal) {
        miss(Reason::DataDependentMask,
             piece.bias->insideCap
                 ? "what an input says is capped"
                 : "what is added may bring hidden scores back");
        return false;
      }
      Term term = graph.scale(readPiece(piece.bias->term, piece.layout, digits),
                              piece.bias->factor);
      scoreBias = scoreBias ? graph.add(scoreBias, term) : term;
      continue;
    }
    std::optional<double> fill = getFill(*piece.mask);
    if (!fill)
      return false;
    sofar.byFill = std::max(*fill, sofar.byFill.value_or(*fill));
    Term shown = scoreBias ? scoreBias : graph.splat(0, size);
    Term masked = graph.splat(*fill, size);
    if (piece.mask->hidesWhere)
      std::swap(shown, masked);
    scoreBias = graph.elementwise(
        Kind::Select, {readPiece(piece.mask->condition, piece.layout, digits),
                       shown, masked});
  }
  return true;
}
