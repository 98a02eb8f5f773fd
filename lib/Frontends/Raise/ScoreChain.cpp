//===- ScoreChain.cpp - follows scores to masks and biases ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ScoreChain.h"

#include "NumberRange.h"
#include "TermMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include <array>
#include <cmath>
#include <limits>

using namespace llvm;
using namespace parablock::raise;

/// True for a sum of products of two values that are both data.
static bool isProductOfData(const Node *node) {
  if (node->op != Kind::ReduceSum || node->source != Source::Data)
    return false;
  const Node *product = node->operands[0].node;
  while (product->op == Kind::Round)
    product = product->operands[0].node;
  return product->op == Kind::Mul &&
         llvm::all_of(product->operands, [](const Term &operand) {
           return operand.node->source == Source::Data;
         });
}

/// Returns whether `node` depends on a product of queries and keys, through a
/// few elementwise steps.
static bool leadsToProduct(const Node *node) {
  constexpr int kMostSteps = 12;
  SetVector<const Node *> seen;
  seen.insert(node);
  size_t first = 0;
  for (int step = 0; step <= kMostSteps; ++step)
    // Nodes one step further are appended.
    for (size_t end = seen.size(); first < end; ++first) {
      const Node *at = seen[first];
      if (isProductOfData(at))
        return true;
      if (at->isElementwise())
        for (const Term &operand : at->operands)
          seen.insert(operand.node);
    }
  return false;
}

/// True for constants that are nothing but 0 and 1.
static bool isOfTruth(const Term &term) {
  if (term.node->source != Source::Constant)
    return false;
  return forEachNumber(
      term, [](double number) { return number == 0 || number == 1; });
}

/// Adding a number this low replaces the other addend, in any type.
static constexpr double kReplaces = -1e30;

/// If `added` is such a number at some scores, by a select, returns these as a
/// mask, and sets `added` to the value at the others.
static std::optional<ScoreMask> splitMask(Graph &graph, Term &added,
                                          double factor) {
  Term select = stripRounding(graph, added);
  if (select.node->op != Kind::Select || select.node->source != Source::Data)
    return std::nullopt;
  for (unsigned k : {1, 2}) {
    Term fill = graph.getOperand(select, k);
    Term other = graph.getOperand(select, 3 - k);
    std::optional<double> number = getSplat(fill);
    // Of two numbers, both are read at once, by whether the score is hidden.
    double fillOrZero = number ? *number * factor : 0;
    bool isPlain = getSplat(other) == 0.0 && std::isinf(fillOrZero);
    if (fillOrZero > kReplaces || (getSplat(other) && !isPlain))
      continue;
    added = other;
    return ScoreMask{graph.getOperand(select, 0), /*hidesWhere=*/k == 1, fill,
                     factor, 0};
  }
  return std::nullopt;
}

/// Adds a mask, split into conditions that hide independently:
/// -inf hides regardless of others. Skips conditions in
/// `seen`.
static void addMask(Graph &graph, ScoreChain &chain, ScoreMask mask,
                    std::array<TermSet, 2> &seen) {
  if (!seen[mask.hidesWhere].insert(mask.condition))
    return;
  const Node *node = mask.condition.node;
  std::optional<double> fill = getSplat(mask.fill);
  bool isHidden =
      fill && *fill * mask.factor == -std::numeric_limits<double>::infinity();
  bool isOfData = node->source == Source::Data;
  if (isHidden && isOfData && node->op == Kind::Xor)
    for (unsigned k : {0, 1})
      if (getSplat(node->operands[k]) == 1.0) {
        mask.condition = graph.getOperand(mask.condition, 1 - k);
        mask.hidesWhere = !mask.hidesWhere;
        return addMask(graph, chain, mask, seen);
      }
  if (isHidden && isOfData &&
      node->op == (mask.hidesWhere ? Kind::Or : Kind::And)) {
    Term whole = mask.condition;
    for (unsigned k : {0, 1}) {
      mask.condition = graph.getOperand(whole, k);
      addMask(graph, chain, mask, seen);
    }
    return;
  }
  mask.step = chain.getNumSteps();
  chain.masks.push_back(mask);
}

static void addMask(Graph &graph, ScoreChain &chain, const ScoreMask &mask) {
  std::array<TermSet, 2> seen;
  addMask(graph, chain, mask, seen);
}

/// Adds a bias; one with the same numbers, without a mask in between, becomes a
/// multiple of those.
static void addBias(Graph &graph, ScoreChain &chain, ScoreBias bias) {
  const Node *node = bias.term.node;
  bool isProduct = node->op == Kind::Mul && node->source == Source::Data;
  for (unsigned k : {0, 1})
    if (std::optional<double> number =
            isProduct ? getSplat(node->operands[k]) : std::nullopt) {
      bias.factor *= *number;
      bias.term = graph.getOperand(bias.term, 1 - k);
      break;
    }
  for (ScoreBias &other : chain.biases) {
    bool isBetween = llvm::any_of(chain.masks, [&](const ScoreMask &mask) {
      return mask.step > other.step;
    });
    // With opposite signs, one could undo the masking of the other.
    if (other.term == bias.term && other.insideCap == bias.insideCap &&
        other.factor * bias.factor > 0 && !isBetween) {
      other.factor += bias.factor;
      return;
    }
  }
  chain.biases.push_back(bias);
}

/// Appends the numbers of `term`, times a factor, that hide scores; fails if
/// they are not known.
static bool listHiding(Graph &graph, const Term &term, double factor,
                       SmallVectorImpl<double> &levels) {
  auto add = [&](double number) {
    if (number * factor <= kAbsorbed && !is_contained(levels, number * factor))
      levels.push_back(number * factor);
    return levels.size() <= 1;
  };
  Term bare = stripRounding(graph, term);
  if (bare.node->source == Source::Constant)
    return forEachNumber(bare, add);
  if (bare.node->op == Kind::Select)
    return listHiding(graph, graph.getOperand(bare, 1), factor, levels) &&
           listHiding(graph, graph.getOperand(bare, 2), factor, levels);
  auto range = getRange(graph, bare);
  return range &&
         std::min(range->first * factor, range->second * factor) > kAbsorbed;
}

/// Returns whether a row that is hidden as a whole has one number in all keys,
/// with and without the bound: no number that hides is added to another one.
static bool hidesByOneNumber(Graph &graph, const ScoreChain &chain) {
  SmallVector<double> levels;
  std::optional<unsigned> innermost;
  for (const ScoreMask &mask : chain.masks) {
    if (!listHiding(graph, mask.fill, mask.factor, levels))
      return false;
    innermost = std::max(mask.step, innermost.value_or(0));
  }
  unsigned hiding = 0;
  for (const ScoreBias &bias : chain.biases) {
    if (bias.term.node->source == Source::Weight)
      continue;
    SmallVector<double> own;
    if (!listHiding(graph, bias.term, bias.factor, own))
      return false;
    if (own.empty())
      continue;
    // A mask behind this bias replaces it; one before it would be added to.
    if (++hiding > 1 || (innermost && *innermost > bias.step) ||
        (!levels.empty() && levels != own))
      return false;
    levels = own;
  }
  return true;
}

/// Returns whether all that hides scores is a finite number. A lower bound of
/// -inf would be seen in rows that are hidden as a whole.
static bool hidesByNumbers(Graph &graph, const ScoreChain &chain) {
  auto isFinite = [&](const Term &term, double factor) {
    auto range = getRange(graph, term);
    return range && std::isfinite(range->first * factor) &&
           std::isfinite(range->second * factor);
  };
  return llvm::all_of(chain.masks,
                      [&](const ScoreMask &mask) {
                        return isFinite(mask.fill, mask.factor);
                      }) &&
         llvm::all_of(chain.biases, [&](const ScoreBias &bias) {
           return bias.term.node->source == Source::Weight ||
                  isFinite(bias.term, bias.factor);
         });
}

namespace {
/// Follows scores from a softmax back to the product of queries and keys. A
/// step returns false if the scores are none of an attention.
class ScoreFollower {
public:
  ScoreFollower(Graph &graph, const Term &scores)
      : term(scores), graph(graph) {}

  std::optional<ScoreChain> run();

  Term term;

private:
  bool leads(unsigned operand) const {
    return leadsToProduct(term.node->operands[operand].node);
  }
  /// Returns the operand of two that leads to the product.
  unsigned findWay() const { return leads(0) ? 0 : 1; }
  bool follow(unsigned operand) {
    term = graph.getOperand(term, operand);
    return true;
  }
  bool followStep();
  bool followSelect();
  bool followSum();
  bool followProduct();
  bool followBound();
  bool followCap();
  bool finish();

  Graph &graph;
  ScoreChain chain;
  /// The factor of `term` in the final score, or in the capped one.
  double factor = 1;
  bool isBounded = false;
};
} // namespace

bool ScoreFollower::followSelect() {
  bool inTrue = leads(1);
  if (inTrue == leads(2) || leads(0))
    return false;
  addMask(graph, chain,
          {graph.getOperand(term, 0), !inTrue,
           graph.getOperand(term, inTrue ? 2 : 1), chain.cap ? 0 : factor,
           chain.getNumSteps()});
  return follow(inTrue ? 1 : 2);
}

bool ScoreFollower::followSum() {
  unsigned way = findWay();
  if (leads(1 - way))
    return false;
  Term added = graph.getOperand(term, 1 - way);
  if (std::optional<ScoreMask> mask = splitMask(graph, added, factor);
      mask && chain.cap == 0)
    addMask(graph, chain, *mask);
  if (getSplat(added) != 0.0)
    addBias(graph, chain, {added, factor, chain.cap != 0, chain.getNumSteps()});
  return follow(way);
}

bool ScoreFollower::followProduct() {
  unsigned way = findWay();
  if (std::optional<double> number = getSplat(term.node->operands[1 - way])) {
    factor *= *number;
    return follow(way);
  }
  // Scores times 0 or 1: a later addend hides the zeros.
  Term table = graph.getOperand(term, 1 - way);
  if (leads(1 - way) || !isOfTruth(table))
    return false;
  chain.masks.push_back({table, /*hidesWhere=*/false,
                         graph.splat(0, term.getSize()), factor,
                         chain.getNumSteps()});
  return follow(way);
}

/// Follows a bound that only hidden scores reach.
bool ScoreFollower::followBound() {
  unsigned way = findWay();
  std::optional<double> number = getSplat(term.node->operands[1 - way]);
  if (leads(1 - way) || !number || chain.cap != 0 ||
      !(*number * factor <= kReplaces))
    return false;
  isBounded = true;
  return follow(way);
}

/// Follows cap tanh(y): behind it the capped score is cap y.
bool ScoreFollower::followCap() {
  if (chain.cap != 0 || factor <= 0)
    return false;
  chain.cap = factor;
  return follow(0);
}

bool ScoreFollower::finish() {
  std::optional<TwoFactors> split = splitInTwo(graph, term.node->operands[0]);
  if (!split)
    return false;
  chain.product = term;
  chain.query = split->a;
  chain.key = split->b;
  chain.scale = factor * split->coefficient;
  return !isBounded ||
         (hidesByNumbers(graph, chain) && hidesByOneNumber(graph, chain));
}

bool ScoreFollower::followStep() {
  switch (term.node->op) {
  case Kind::Select:
    return followSelect();
  case Kind::Add:
    return followSum();
  case Kind::Mul:
    return followProduct();
  case Kind::Max:
    return followBound();
  case Kind::Tanh:
    return followCap();
  default:
    return false;
  }
}

std::optional<ScoreChain> ScoreFollower::run() {
  while (term) {
    term = stripRounding(graph, term);
    if (term.node->op == Kind::ReduceSum)
      return finish() ? std::optional(chain) : std::nullopt;
    if (!followStep())
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<ScoreChain>
parablock::raise::followScores(Graph &graph, const Term &scores, Term &term) {
  ScoreFollower follower(graph, scores);
  std::optional<ScoreChain> chain = follower.run();
  term = follower.term;
  return chain;
}
