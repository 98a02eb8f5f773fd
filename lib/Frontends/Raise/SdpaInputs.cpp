//===- SdpaInputs.cpp - masks and biases that are known at run time -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The number of real keys of each batch row, and the beginnings of sequences
// that share a row, are operands of attention: no table of scores is built for
// them.
//
// Other masks from inputs become one tensor that is added to the scores. If a
// whole row is hidden, the values of the hiding numbers matter, so everything
// that hides by a finite number is a part of that tensor, in the order in which
// the function applies it.
//
//===----------------------------------------------------------------------===//

#include "NumberRange.h"
#include "Padding.h"
#include "SdpaCaches.h"
#include "SdpaMatcher.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <limits>

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

//===----------------------------------------------------------------------===//
// Masks that attention has names for
//===----------------------------------------------------------------------===//

/// True where `term`, rows of `width`, has the number of each row.
static bool isRow(const Term &term, int64_t width) {
  int64_t rows = term.getSize() / width;
  std::optional<Layout> first = compose(Layout({{rows, width}}), term.layout);
  if (!first || term.node->source != Source::Constant)
    return false;
  SmallVector<Digit> repeated(first->getDigits());
  repeated.push_back({width, 0});
  if (Layout(repeated, first->getOffset()) != term.layout)
    return false;
  for (int64_t i = 0; i < rows; ++i)
    if (evaluateAt({term.node, *first}, i) != static_cast<double>(i))
      return false;
  return true;
}

/// Returns the beginnings of sequences from a table that marks the sequences
/// begun at each row, or a null term.
static Term getBeginnings(Graph &graph, const Term &begun, int64_t rows) {
  int64_t count = begun.getSize() / rows;
  if (begun.node->op != Kind::LessEqual)
    return {};
  Term beginnings = graph.getOperand(begun, 0);
  if (!isGivenNumbers(beginnings.node, count) || count < 2 ||
      beginnings.layout != Layout({{rows, 0}, {count, 1}}) ||
      !isRow(graph.getOperand(begun, 1), count))
    return {};
  return {beginnings.node, Layout::identity(count)};
}

/// Operand `k` of a mask's condition over batch rows, queries and keys.
Term SdpaMatcher::readCondition(const ScoreMask &mask, unsigned at,
                                unsigned k) {
  Layout order =
      space.select(at, join({space.batch, space.queries, space.keys}));
  const Term &operand = mask.condition.node->operands[k];
  std::optional<Layout> layout = compose(order, operand.layout);
  return layout ? Term{operand.node, *layout} : Term();
}

/// `j < lengths[b]`, or hidden where `lengths[b] <= j`.
Term SdpaMatcher::matchLengths(const ScoreMask &mask, unsigned at) {
  if (mask.condition.node->op !=
      (mask.hidesWhere ? Kind::LessEqual : Kind::Less))
    return {};
  Term key = readCondition(mask, at, 0), counts = readCondition(mask, at, 1);
  if (mask.hidesWhere)
    std::swap(key, counts);
  int64_t rows = space.getSize(space.batch);
  int64_t scores = hidden.queries * hidden.keys;
  bool isLength = key && counts && isGivenNumbers(counts.node, rows) &&
                  counts.layout == Layout({{rows, 1}, {scores, 0}}) &&
                  isColumn(key, hidden.keys);
  return isLength ? Term{counts.node, Layout::identity(rows)} : Term();
}

/// As many sequences have begun at the key as at the query: which ones have.
Term SdpaMatcher::matchOwnSequence(const ScoreMask &mask, unsigned at) {
  if (mask.hidesWhere || mask.condition.node->op != Kind::Equal)
    return {};
  Term a = readCondition(mask, at, 0), b = readCondition(mask, at, 1);
  Layout ofQuery({{hidden.queries, 1}, {hidden.keys, 0}});
  Layout ofKey({{hidden.queries, 0}, {hidden.keys, 1}});
  bool isSame = a && b && a.node == b.node && a.node->op == Kind::ReduceSum &&
                a.node->size == hidden.queries &&
                ((a.layout == ofQuery && b.layout == ofKey) ||
                 (a.layout == ofKey && b.layout == ofQuery));
  return isSame ? a.node->operands[0] : Term();
}

/// All sequences have begun, and thus ended, at the query: which ones have.
Term SdpaMatcher::matchBeyond(const ScoreMask &mask, unsigned at) {
  const Node *node = mask.condition.node;
  Layout order =
      space.select(at, join({space.batch, space.queries, space.keys}));
  bool isAll = mask.hidesWhere && node->op == Kind::ReduceAnd &&
               node->size == hidden.queries &&
               order == Layout({{hidden.queries, 1}, {hidden.keys, 0}});
  return isAll ? node->operands[0] : Term();
}

/// Returns whether the masked scores have no weight, whatever is added to them.
static bool hidesForGood(const ScoreMask &mask) {
  std::optional<double> fill = getSplat(mask.fill);
  return fill &&
         *fill * mask.factor == -std::numeric_limits<double>::infinity();
}

/// Replaces masks of padding by lengths, and reads the digits again; fails
/// where these cannot be sorted.
bool SdpaMatcher::separatePadding() {
  // A mean over keys would be one over real keys, and a cache has no lengths.
  if (!sum.mix.empty() || chain.key.node->op == Kind::Update ||
      sum.value.node->op == Kind::Update)
    return true;
  SmallVector<unsigned> digits = join(
      {space.batch, space.groups, space.repeats, space.queries, space.keys});
  ScoreSpace scoreSpace = {space.getSize(space.batch),
                           space.getSize(space.keys),
                           isOfOneStream(),
                           {},
                           {}};
  for (auto [k, mask] : llvm::enumerate(chain.masks))
    scoreSpace.conditions.push_back(
        readPiece(mask.condition, SdpaSpace::Pieces + 2 * k, digits));
  unsigned firstBias = SdpaSpace::Pieces + 2 * chain.masks.size();
  for (auto [k, bias] : llvm::enumerate(chain.biases))
    scoreSpace.biases.push_back(readPiece(bias.term, firstBias + k, digits));
  std::optional<UnpaddedScores> found = readPadding(graph, chain, scoreSpace);
  if (!found)
    return true;
  ScoreChain given = chain;
  chain = found->chain;
  lengths = found->lengths;
  if (findSpace())
    return true;
  chain = given;
  lengths = {};
  return findSpace();
}

void SdpaMatcher::nameMasks() {
  // A row without keys is 0 here; next to another fill, it would not be.
  bool isZero = llvm::all_of(chain.masks, hidesForGood);
  hidden.queries = space.getSize(space.queries);
  hidden.keys = space.getSize(space.keys);
  bool isPacked =
      space.getSize(space.batch) == 1 && hidden.queries == hidden.keys;
  const ScoreMask *own = nullptr, *beyond = nullptr;
  Term begun, ended;
  for (auto [k, mask] : llvm::enumerate(chain.masks)) {
    unsigned at = SdpaSpace::Pieces + 2 * k;
    if (space.isPerHead(at))
      continue;
    if (Term counts = lengths ? Term() : matchLengths(mask, at)) {
      if (!isZero)
        continue;
      lengths = counts;
      named.insert(&mask);
    } else if (Term which = isPacked ? matchOwnSequence(mask, at) : Term()) {
      own = &mask;
      begun = which;
    } else if (Term which = isPacked ? matchBeyond(mask, at) : Term()) {
      beyond = &mask;
      ended = which;
    }
  }
  if (!isZero || !own || !beyond || lengths || !(begun == ended))
    return nameCache();
  bounds = getBeginnings(graph, begun, hidden.queries);
  if (bounds)
    named.insert({own, beyond});
}

//===----------------------------------------------------------------------===//
// Keys and values of earlier calls
//===----------------------------------------------------------------------===//

/// Returns whether keys of `layout` are the rows of an update, in order, and
/// heads are within these.
bool SdpaMatcher::isOfRows(unsigned layout, const Node *update) {
  int64_t rows = hidden.keys, width = update->width;
  Layout places = space.select(layout, join({space.batch, space.keys}));
  Layout own({{space.getSize(space.batch), rows * width}, {rows, width}},
             space.layouts[layout].getOffset());
  return places == own && space.layouts[layout].getOffset() < width &&
         update->extents[0] == space.getSize(space.batch) &&
         update->extents[0] == graph.batch && update->extents[1] == rows;
}

void SdpaMatcher::nameCache() {
  const Node *keyRows = chain.key.node, *valueRows = sum.value.node;
  if (keyRows->op != Kind::Update || valueRows->op != Kind::Update)
    return;
  auto leave = [&](const Twine &why) {
    pastLengths = {};
    graph.miss("cache", Reason::UnknownMask, why);
  };
  const Term &count = keyRows->operands[2];
  if (!isCount(count) || !(count == valueRows->operands[2]))
    return leave("keys and values are written from other rows on, or from one "
                 "that no argument gives");
  if (!isOfRows(SdpaSpace::K, keyRows) || !isOfRows(SdpaSpace::V, valueRows))
    return leave("keys are no rows of what is written into");
  if (keyRows->extents[2] != hidden.queries ||
      valueRows->extents[2] != hidden.queries)
    return leave("as many keys as queries are written, or it is no cache");
  if (!sum.mix.empty() || sum.dropped)
    return leave("more than a softmax weighs values of a cache");
  pastLengths = count;
  auto hides = [&](const Term &condition, bool hidesWhere) {
    return hidesUnwritten(graph, condition, hidesWhere, count.node,
                          hidden.queries, hidden.keys);
  };
  SmallVector<unsigned> scores = join({space.batch, space.queries, space.keys});
  for (auto [k, mask] : llvm::enumerate(chain.masks)) {
    unsigned at = SdpaSpace::Pieces + 2 * k;
    std::optional<double> fill = getSplat(mask.fill);
    if (space.isPerHead(at) || !fill || !(*fill * mask.factor <= kAbsorbed) ||
        !hides(readPiece(mask.condition, at, scores), mask.hidesWhere))
      return leave("a mask hides other rows than those behind a query's own");
  }
  unsigned firstBias = SdpaSpace::Pieces + 2 * chain.masks.size();
  for (auto [k, added] : llvm::enumerate(chain.biases)) {
    unsigned at = firstBias + k;
    Term select = stripRounding(graph, readPiece(added.term, at, scores));
    bool isRead = false;
    if (select.node->op == Kind::Select && !added.insideCap &&
        !space.isPerHead(at))
      for (unsigned way : {1, 2}) {
        std::optional<double> fill = getSplat(select.node->operands[way]);
        isRead |= fill && *fill * added.factor <= kAbsorbed &&
                  getSplat(select.node->operands[3 - way]) == 0.0 &&
                  hides(graph.getOperand(select, 0), way == 1);
      }
    if (!isRead)
      return leave("what is added to scores of a cache is not known to hide "
                   "the rows behind a query's own alone");
  }
  if (chain.masks.empty() && chain.biases.empty())
    return leave("no mask hides the rows behind a query's own");
  for (const ScoreMask &mask : chain.masks)
    named.insert(&mask);
  for (const ScoreBias &added : chain.biases)
    namedBiases.insert(&added);
}

/// Arguments that keys and values of the queries' own tokens are joined to.
void SdpaMatcher::findJoined() {
  hidden.past = hidden.keys - hidden.queries;
  int64_t rows = space.getSize(space.batch);
  auto find = [&](const Node *node, unsigned layout, ArrayRef<unsigned> heads,
                  Term &past, Term &fresh) {
    if (node->op != Kind::Concat || node->extents.size() != 2)
      return false;
    Term all{node,
             space.select(layout, join({space.batch, space.keys, heads}))};
    int64_t width = all.getSize() / (rows * hidden.keys);
    auto take = [&](int64_t first, int64_t count) {
      return graph.read(
          all, Layout({{rows, hidden.keys * width}, {count, width}, {width, 1}},
                      first * width));
    };
    past = take(0, hidden.past);
    fresh = take(hidden.past, hidden.queries);
    return past && fresh && past.node->op == Kind::Leaf &&
           past.node->source == Source::Data &&
           isa<mlir::BlockArgument>(past.node->given) && fresh.node != node;
  };
  bool isJoined =
      hidden.past > 0 && sum.mix.empty() && !sum.dropped && !pastLengths &&
      !lengths && rows == graph.batch &&
      find(chain.key.node, SdpaSpace::K, join({space.groups, space.elements}),
           pastKey, newKey) &&
      find(sum.value.node, SdpaSpace::V,
           join({space.groups, space.valueElements}), pastValue, newValue);
  if (!isJoined)
    forgetJoined();
}

//===----------------------------------------------------------------------===//
// A tensor of numbers
//===----------------------------------------------------------------------===//

/// Added in f32, a number as low as this leaves nothing of a usual score.
static constexpr double kSwallows = -1e10;
/// Scores this high are still far below the numbers that hide them.
static constexpr double kUsualBias = 100;

namespace {
/// The ways in which the pieces up to here hide scores.
struct Hiding {
  /// True where numbers are added, as they may be so low.
  bool byNumbers = false;
  /// The highest fill of a mask.
  std::optional<double> byFill;

  void add(Graph &graph, const ScoreBias &bias);
  /// Returns whether adding `bias` may undo masking.
  bool mayEnd(Graph &graph, const ScoreBias &bias) const;
};
} // namespace

/// True where a constant `bias` leaves scores hidden that other numbers hide.
static bool leavesHidden(Graph &graph, const ScoreBias &bias) {
  if (bias.term.node->source != Source::Constant)
    return true;
  auto range = getRange(graph, bias.term);
  return range && std::max(range->first * bias.factor,
                           range->second * bias.factor) <= kUsualBias;
}

/// Returns true for a bias from arguments: it cannot compensate the numbers
/// that hide, unlike values computed from scores.
static bool isGiven(const ScoreBias &bias) {
  const Node *node = bias.term.node;
  return node->source == Source::Weight ||
         (node->op == Kind::Leaf && isa<mlir::BlockArgument>(node->given));
}

/// Returns whether adding `bias` cannot undo masking by another piece.
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
  return {term.node, space.select(at, digits)};
}

/// Returns the number for a fill such that adding it is equivalent to replacing
/// by it.
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
  SmallVector<unsigned> lists[] = {space.batch,
                                   join({space.groups, space.repeats}),
                                   space.queries, space.keys};
  auto moves = [&](ArrayRef<unsigned> digits) {
    return llvm::any_of(runtime, [&](const RuntimePiece &piece) {
      return llvm::any_of(
          digits, [&](unsigned d) { return space.varies(piece.layout, d); });
    });
  };
  if (moves(space.elements) || moves(space.valueElements)) {
    miss(Reason::UnknownScoreBias, "a bias differs between elements of heads");
    return false;
  }
  SmallVector<unsigned> digits;
  for (ArrayRef<unsigned> list : lists) {
    bool isCarried = moves(list);
    scoreBiasShape.push_back(isCarried ? space.getSize(list) : 1);
    if (isCarried)
      digits.append(list.begin(), list.end());
  }
  int64_t size = space.getSize(digits);
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
