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

#include "SdpaMatcher.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// Added in f32, a number as low as this leaves nothing of a usual score.
static constexpr double kSwallows = -1e10;
/// Scores this high are still far below what hides them.
static constexpr double kUsual = 100;

/// The least and the largest number that elements can be, where that follows
/// from constants and truth values.
static std::optional<std::pair<double, double>> getRange(Graph &graph,
                                                         const Term &term) {
  Node *node = term.node;
  if (node->source == Source::Constant) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (int64_t i = 0, size = term.getSize(); i < size; ++i) {
      std::optional<double> number = evaluateAt(term, i);
      if (!number)
        return std::nullopt;
      low = std::min(low, *number);
      high = std::max(high, *number);
    }
    return std::pair(low, high);
  }
  auto ofOperand = [&](unsigned k) {
    return getRange(graph, graph.getOperand(term, k));
  };
  switch (node->op) {
  case Kind::Leaf:
    if (getElementTypeOrSelf(node->home).isInteger(1))
      return std::pair(0.0, 1.0);
    return std::nullopt;
  case Kind::Equal:
  case Kind::NotEqual:
  case Kind::Less:
  case Kind::LessEqual:
  case Kind::And:
  case Kind::Or:
  case Kind::Xor:
    return std::pair(0.0, 1.0);
  case Kind::Add:
  case Kind::Mul:
  case Kind::Select: {
    auto a = ofOperand(node->op == Kind::Select ? 1 : 0);
    auto b = ofOperand(node->op == Kind::Select ? 2 : 1);
    if (!a || !b)
      return std::nullopt;
    if (node->op == Kind::Add)
      return std::pair(a->first + b->first, a->second + b->second);
    if (node->op == Kind::Select)
      return std::pair(std::min(a->first, b->first),
                       std::max(a->second, b->second));
    auto corners = {a->first * b->first, a->first * b->second,
                    a->second * b->first, a->second * b->second};
    return std::pair(std::min(corners), std::max(corners));
  }
  case Kind::Round:
    return ofOperand(0);
  default:
    return std::nullopt;
  }
}

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
         (node->op == Kind::Leaf && isa<mlir::BlockArgument>(node->home));
}

/// True where adding `bias` cannot bring back what another piece hides.
static bool onlyLowers(Graph &graph, const ScoreBias &bias) {
  auto range = getRange(graph, bias.term);
  return range && range->first * bias.factor <= 0 &&
         range->second * bias.factor <= 0;
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
  // What a mask hides has no score of its own.
  bool isMasked = false;
  for (const RuntimePiece &piece : runtime) {
    if (piece.bias) {
      if (llvm::is_contained(hidden.numbers, 1) &&
          !leavesHidden(graph, *piece.bias)) {
        miss(Reason::UnknownScoreBias,
             "a table of numbers may bring hidden scores back");
        return false;
      }
      bool mayReveal = scoreBias && (isMasked || !isGiven(*piece.bias)) &&
                       !onlyLowers(graph, *piece.bias);
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
    isMasked = true;
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
