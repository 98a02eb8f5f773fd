//===- MatchPadding.cpp - lengths behind computed masks of padding --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A mask of padding is `j < lengths[b]`, and models compute many things from
// it: other types, fills of finite numbers, joins with causal masks, positions
// of ALiBi as running sums. This file replaces all of that by the operand
// `lengths` and the masks and biases of rows without padding. That is exact
// under three conditions:
//
// - Scores of key j depend on the mask of key j and of keys before it alone. A
//   real key has real keys before it, so its scores are those without padding.
// - Keys that the mask hides have no weight.
// - A finite number hides them only beside a key that is not hidden. Lengths
//   that are 1 and more make the first key such a key. A window may hide it
//   from rows of padding if it shows each row its own token; then rows of
//   padding differ, and no result may have anything of them in real rows.
//
//===----------------------------------------------------------------------===//

#include "NumberRange.h"
#include "Padding.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>

using namespace llvm;
using namespace parablock::raise;

/// Appends the addends of `term`, which is read as `inSpace` as well.
static void listAddends(Graph &graph, const Term &term, const Term &inSpace,
                        SmallVectorImpl<std::pair<Term, Term>> &parts) {
  const Node *node = term.node;
  bool isSum = node->op == Kind::Add || node->op == Kind::Round;
  if (!isSum || node->source != Source::Data)
    return parts.emplace_back(term, inSpace), void();
  for (unsigned k = 0, e = node->operands.size(); k < e; ++k)
    listAddends(graph, graph.getOperand(term, k), graph.getOperand(inSpace, k),
                parts);
}

/// Returns whether `accepts` holds for all numbers of a constant.
static bool areAll(const Term &term, function_ref<bool(double)> accepts) {
  return term && term.node->source == Source::Constant &&
         forEachNumber(term, accepts);
}

namespace {
/// Facts on the scores of padding, and on those of the first keys.
struct PaddedScores {
  /// The step of the last piece that hides padding; none if no piece does.
  std::optional<unsigned> hiding;
  /// The last step that shows scores again which earlier ones hid.
  std::optional<unsigned> showing;
  /// The highest score of hidden keys, and the highest sum of biases there.
  double highest = -kInfinity, added = 0;
  /// A lower bound of the biases of keys that are not hidden, at most 0.
  double lowest = 0;
  /// All that hides is -inf; the first key of each query has a weight; so has
  /// the key of the query's own token.
  bool isInfinite = true, showsFirst = true, showsOwn = true;

  void hide(unsigned step) { hiding = std::min(step, hiding.value_or(step)); }
  void show(unsigned step) { showing = std::min(step, showing.value_or(step)); }
  bool isHidden() const {
    return hiding && (!showing || *hiding < *showing) &&
           (highest == -kInfinity || highest + added - lowest <= kAbsorbed);
  }
};

/// Reads the masks and biases of a chain as they are without padding.
class PaddingMatcher {
public:
  PaddingMatcher(Graph &graph, const ScoreSpace &space)
      : graph(graph), space(space), reader(graph, space.rows, space.keys) {}
  /// Each fails where scores of real keys may be others; `inSpace` is the
  /// condition, or the bias, over the space.
  bool readMask(ScoreMask mask, Term inSpace);
  bool readBias(const ScoreBias &given, const Term &whole);
  std::optional<UnpaddedScores> match(const ScoreChain &chain);

private:
  /// The elements of the first key of each query.
  Layout getFirstKeys(const Term &term) const {
    return Layout({{term.getSize() / space.keys, space.keys}});
  }
  /// The elements of the key of each query's own token.
  Layout getOwnKeys(const Term &term) const {
    int64_t table = space.keys * space.keys;
    return Layout(
        {{term.getSize() / table, table}, {space.keys, space.keys + 1}});
  }
  /// Notes which keys all queries see where all tokens are real.
  void noteShown(const Term &inSpace, function_ref<bool(double)> shows) {
    auto areShown = [&](const Layout &keys) {
      return areAll(graph.read(inSpace, keys), shows);
    };
    scores.showsFirst &= areShown(getFirstKeys(inSpace));
    scores.showsOwn =
        scores.showsOwn && space.isOfOneStream && areShown(getOwnKeys(inSpace));
  }

  Graph &graph;
  const ScoreSpace &space;
  PaddingReader reader;
  PaddedScores scores;
  SmallVector<ScoreMask> masks;
  SmallVector<ScoreBias> biases;
};
} // namespace

/// An upper bound of the numbers of a term; infinity if none is known.
static double getHighest(Graph &graph, const Term &term) {
  std::optional<Range> range = getRange(graph, term);
  return range ? range->second : kInfinity;
}

/// Returns a lower bound of those numbers of a term that hide nothing, at most
/// 0; numbers of weights and of unknown range count as 0.
static double getLowestShown(Graph &graph, const Term &term) {
  double lowest = 0;
  if (areAll(term, [&](double number) {
        if (number > kAbsorbed)
          lowest = std::min(lowest, number);
        return true;
      }))
    return lowest;
  std::optional<Range> range = getRange(graph, term);
  return range && range->first > kAbsorbed ? std::min(range->first, 0.0) : 0.0;
}

bool PaddingMatcher::readMask(ScoreMask mask, Term inSpace) {
  double fill = getSplat(mask.fill).value_or(kInfinity) * mask.factor;
  auto hides = [&](double number) { return (number != 0) == mask.hidesWhere; };
  auto shows = [&](double number) { return !hides(number); };
  if (reader.isPadded(inSpace.node)) {
    if (!reader.looksBack(inSpace))
      return false;
    Term gone = reader.replace(inSpace, false);
    mask.condition = reader.replace(mask.condition, true);
    inSpace = reader.replace(inSpace, true);
    if (!gone || !mask.condition || !inSpace)
      return false;
    if (fill <= kAbsorbed && areAll(gone, hides))
      scores.hide(mask.step);
  }
  if (fill <= kAbsorbed)
    scores.highest = std::max(scores.highest, fill);
  else
    scores.show(mask.step);
  scores.isInfinite &= fill == -kInfinity;
  noteShown(inSpace, shows);
  if (!areAll(inSpace, shows))
    masks.push_back(mask);
  return !reader.isPadded(mask.fill.node);
}

bool PaddingMatcher::readBias(const ScoreBias &given, const Term &whole) {
  SmallVector<std::pair<Term, Term>, 2> parts;
  Term allReal = reader.replace(whole, true);
  if (allReal && allReal.node->source == Source::Data &&
      reader.isPadded(whole.node))
    listAddends(graph, given.term, whole, parts);
  else
    parts.emplace_back(given.term, whole);
  for (auto &[term, inSpace] : parts) {
    ScoreBias bias = given;
    auto shows = [&](double number) {
      return number * bias.factor > kAbsorbed;
    };
    if (!term || !inSpace)
      return false;
    if (reader.isPadded(inSpace.node)) {
      if (!reader.looksBack(inSpace))
        return false;
      Term gone = reader.replace(inSpace, false);
      term = reader.replace(term, true);
      inSpace = reader.replace(inSpace, true);
      if (!gone || !term || !inSpace)
        return false;
      std::optional<Range> range =
          getRange(graph, graph.scale(gone, bias.factor));
      double highest = range ? range->second : kInfinity;
      if (highest <= kAbsorbed && !bias.insideCap) {
        scores.hide(bias.step);
        scores.highest = std::max(scores.highest, highest);
      } else {
        scores.added += std::max(highest, 0.0);
      }
      scores.isInfinite &=
          (range && range->first > kAbsorbed) ||
          areAll(gone, [&](double number) {
            return shows(number) || number * bias.factor == -kInfinity;
          });
    } else if (inSpace.node->source != Source::Weight) {
      // A bias from data may raise hidden scores.
      scores.added +=
          std::max(getHighest(graph, graph.scale(inSpace, bias.factor)), 0.0);
    }
    scores.lowest += getLowestShown(graph, graph.scale(inSpace, bias.factor));
    bool isTable = inSpace.node->source == Source::Constant;
    scores.isInfinite &= !isTable || areAll(inSpace, shows);
    if (inSpace.node->source != Source::Weight)
      noteShown(inSpace, shows);
    bias.term = term;
    if (getSplat(term) != 0.0)
      biases.push_back(bias);
  }
  return true;
}

std::optional<UnpaddedScores> PaddingMatcher::match(const ScoreChain &chain) {
  for (auto [mask, condition] : llvm::zip_equal(chain.masks, space.conditions))
    if (!readMask(mask, condition))
      return std::nullopt;
  for (auto [bias, term] : llvm::zip_equal(chain.biases, space.biases))
    if (!readBias(bias, term))
      return std::nullopt;
  if (!scores.isHidden() || !(scores.isInfinite || isOfPadding(reader.lengths)))
    return std::nullopt;
  // Rows of padding without keys differ.
  if (!scores.isInfinite && !scores.showsFirst) {
    // Real rows must have a key of a real token, which is their own.
    if (!graph.changesPadding || !scores.showsOwn)
      return std::nullopt;
    graph.paddedBy.insert(reader.lengths);
  }
  UnpaddedScores found = {chain,
                          Term(reader.lengths, Layout::identity(space.rows))};
  found.chain.masks = masks;
  found.chain.biases = biases;
  return found;
}

std::optional<UnpaddedScores>
parablock::raise::readPadding(Graph &graph, const ScoreChain &chain,
                              const ScoreSpace &space) {
  return PaddingMatcher(graph, space).match(chain);
}
