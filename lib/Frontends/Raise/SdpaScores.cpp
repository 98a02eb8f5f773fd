//===- SdpaScores.cpp - reads masks and biases as forms -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "NumberRange.h"
#include "SdpaMatcher.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// Cuts `numbers` to the first of `count` equal parts; returns false if they
/// differ.
static bool cutToFirst(std::vector<double> &numbers, int64_t count) {
  int64_t size = numbers.size() / count;
  for (int64_t part = 1; part < count; ++part)
    if (!std::equal(numbers.begin(), numbers.begin() + size,
                    numbers.begin() + part * size))
      return false;
  numbers.resize(size);
  return true;
}

std::optional<ScoreTable> SdpaMatcher::readTable(unsigned layout,
                                                 const Node *source,
                                                 int64_t offset, bool perHead) {
  auto moves = [&](ArrayRef<unsigned> digits) {
    return llvm::any_of(digits,
                        [&](unsigned d) { return space.varies(layout, d); });
  };
  if (moves(space.elements) || moves(space.valueElements))
    return std::nullopt;
  SmallVector<unsigned> heads = join({space.groups, space.repeats}), digits;
  if (moves(space.batch))
    digits = join({space.batch});
  if (moves(heads))
    llvm::append_range(digits, heads);
  llvm::append_range(digits, join({space.queries, space.keys}));
  ScoreTable table;
  table.heads = moves(heads) ? space.getSize(heads) : 1;
  table.queries = space.getSize(space.queries);
  table.keys = space.getSize(space.keys);
  Term term{source, space.aligned.select(layout, digits, offset)};
  if (!readNumbers(term, table.numbers))
    return std::nullopt;
  // Other tools write out what is one table for all rows and heads.
  if (moves(space.batch) &&
      !cutToFirst(table.numbers, space.getSize(space.batch)))
    return std::nullopt;
  if (!perHead && !cutToFirst(table.numbers, std::exchange(table.heads, 1)))
    return std::nullopt;
  return table;
}

/// Returns whether a later step may replace a score of -inf by a finite number
/// where data say so.
bool SdpaMatcher::isReplacedByData(unsigned step) {
  return llvm::any_of(chain.masks, [&](const ScoreMask &mask) {
    return mask.step < step &&
           mask.condition.node->source != Source::Constant &&
           getSplat(mask.fill).value_or(0) * mask.factor != -kInfinity;
  });
}

bool SdpaMatcher::readMask(const ScoreMask &mask, unsigned at) {
  std::optional<double> fill = getSplat(mask.fill);
  bool isConstant = mask.condition.node->source == Source::Constant;
  // A key that is hidden by -inf stays hidden, unless it is replaced.
  bool staysTable = !hasRuntime || (isConstant && fill == -kInfinity &&
                                    !isReplacedByData(mask.step));
  if (tensors == Tensors::All || !staysTable) {
    runtime.push_back({mask.step, at, &mask, nullptr});
    return true;
  }
  std::optional<ScoreTable> table =
      readTable(at, mask.condition.node, mask.condition.layout.getOffset(),
                /*perHead=*/false);
  if (!table || !fill) {
    miss(Reason::UnknownMask, "a mask differs between heads or batch rows");
    return false;
  }
  bool absorbs = *fill * mask.factor <= kAbsorbed;
  OpenMask open = {mask.step, *fill * mask.factor, {}};
  open.isMasked.resize(hidden.numbers.size());
  for (auto [sofar, masked, number] :
       llvm::zip(hidden.numbers, open.isMasked, table->numbers))
    if ((number != 0) == mask.hidesWhere) {
      if (absorbs)
        sofar = 1;
      else
        masked = 1;
    }
  // An outer addend may still hide these scores.
  if (!absorbs)
    openMasks.push_back(std::move(open));
  return true;
}

bool SdpaMatcher::readRelative(const ScoreBias &added, unsigned at) {
  if (added.term.node->source == Source::Constant || relative)
    return false;
  std::optional<RelativeTable> found = matchRelativeTable(
      added.term,
      space.aligned.select(
          at, join({space.groups, space.repeats, space.queries, space.keys}),
          added.term.layout.getOffset()),
      space.getNumHeads(), hidden.queries, hidden.keys, graph.hasOpenSizes);
  if (!found || (added.factor != 1 && added.factor != chain.scale))
    return false;
  relative = found;
  relative->beforeScale = added.factor != 1;
  (added.insideCap ? biasOutsideCap : biasInsideCap) = false;
  return true;
}

/// Returns true for numbers that are not finite or so large that scores vanish
/// beside them, and for data that alone hides the only key.
bool SdpaMatcher::mayHideRows(const ScoreBias &added, unsigned at) {
  auto swallows = [&](double number) {
    return !(std::abs(number * added.factor) < -kAbsorbed);
  };
  if (added.term.node->source != Source::Constant) {
    if (added.term.node->source != Source::Data)
      return false;
    std::optional<Range> range = getRange(graph, added.term);
    return space.getSize(space.keys) == 1 ||
           (range && (swallows(range->first) || swallows(range->second)));
  }
  std::optional<ScoreTable> table =
      readTable(at, added.term.node, added.term.layout.getOffset(),
                /*perHead=*/true);
  return !table || llvm::any_of(table->numbers, swallows);
}

bool SdpaMatcher::readBias(const ScoreBias &added, unsigned at) {
  // The same number for all keys of a row has no effect, unless it hides
  // them.
  if (!space.isPerKey(at) && !added.insideCap && !mayHideRows(added, at))
    return true;
  if (added.term.node->source != Source::Constant ||
      tensors != Tensors::OfInputs) {
    runtime.push_back({added.step, at, nullptr, &added});
    return true;
  }
  std::optional<ScoreTable> table =
      readTable(at, added.term.node, added.term.layout.getOffset(),
                /*perHead=*/true);
  if (!table) {
    miss(Reason::UnknownScoreBias, "a bias differs between batch rows");
    return false;
  }
  for (double &number : table->numbers)
    number *= added.factor;
  if (hasRuntime && llvm::any_of(table->numbers, [&](double number) {
        return number <= kAbsorbed &&
               (number != -kInfinity || isReplacedByData(added.step));
      })) {
    runtime.push_back({added.step, at, nullptr, &added});
    return true;
  }
  if (bias.numbers.empty() || table->heads > bias.heads) {
    std::vector<double> wide(table->heads * bias.queries * bias.keys, 0);
    if (!bias.numbers.empty())
      for (size_t i = 0; i < wide.size(); ++i)
        wide[i] = bias.numbers[i % bias.numbers.size()];
    bias.numbers = wide;
    bias.heads = table->heads;
  }
  int64_t perHead = static_cast<int64_t>(hidden.numbers.size());
  for (int64_t i = 0, n = bias.numbers.size(); i < n; ++i) {
    double number = table->numbers[i % table->numbers.size()];
    if (number <= kAbsorbed) {
      if (added.insideCap) {
        miss(Reason::MaskDoesNotAbsorb, "masked scores are capped");
        return false;
      }
      for (int64_t head = 0; head < table->heads; ++head)
        if (!(table->numbers[head * perHead + i % perHead] <= kAbsorbed)) {
          miss(Reason::UnknownMask, "a mask differs between heads");
          return false;
        }
      hidden.numbers[i % perHead] = 1;
      for (OpenMask &open : openMasks)
        if (open.step > added.step)
          open.isMasked[i % perHead] = 0;
    } else {
      bias.numbers[i] += number;
      if (number != 0)
        (added.insideCap ? biasOutsideCap : biasInsideCap) = false;
    }
  }
  return true;
}

void SdpaMatcher::forgetPieces() {
  hidden.queries = bias.queries = space.getSize(space.queries);
  hidden.keys = bias.keys = space.getSize(space.keys);
  hidden.numbers.assign(hidden.queries * hidden.keys, 0);
  bias.heads = 1;
  bias.numbers.clear();
  biasInsideCap = biasOutsideCap = true;
  relative.reset();
  runtime.clear();
  openMasks.clear();
  scoreBias = {};
  scoreBiasShape.clear();
}

bool SdpaMatcher::readPieces() {
  forgetPieces();
  // Masks have two layouts each, and come first.
  unsigned firstBias = SdpaSpace::Pieces + 2 * chain.masks.size();
  llvm::SmallPtrSet<const ScoreBias *, 4> understood;
  for (auto [k, added] : llvm::enumerate(chain.biases))
    if (namedBiases.contains(&added) || readRelative(added, firstBias + k))
      understood.insert(&added);
    else
      hasRuntime |= added.term.node->source != Source::Constant &&
                    space.isPerKey(firstBias + k);
  for (const ScoreMask &mask : chain.masks)
    hasRuntime |= !named.contains(&mask) &&
                  mask.condition.node->source != Source::Constant;
  for (auto [k, mask] : llvm::enumerate(chain.masks))
    if (!named.contains(&mask) && !readMask(mask, SdpaSpace::Pieces + 2 * k))
      return false;
  for (auto [k, added] : llvm::enumerate(chain.biases))
    if (!understood.contains(&added) && !readBias(added, firstBias + k))
      return false;
  for (const OpenMask &open : openMasks)
    if (llvm::is_contained(open.isMasked, 1)) {
      miss(Reason::MaskDoesNotAbsorb,
           "masked scores are " + formatv("{0:e}", open.fill).str());
      return false;
    }
  return (!hasRuntime && runtime.empty()) || buildScoreBias();
}

/// Reads masks and biases as named forms; otherwise uses a tensor of numbers
/// for the biases, and then for the masks as well.
std::optional<ScoreForm> SdpaMatcher::readForm() {
  for (Tensors each : {Tensors::OfInputs, Tensors::Biases, Tensors::All}) {
    tensors = each;
    if (!readPieces())
      return std::nullopt;
    Reason reason;
    if (std::optional<ScoreForm> form =
            readScoreForm(hidden, bias, space.getNumHeads(), chain.scale,
                          graph.context, reason))
      return form;
    bool isNamed =
        reason != Reason::UnknownMask && reason != Reason::UnknownScoreBias;
    if (isNamed || !sum.mix.empty()) {
      miss(reason,
           "queries " + Twine(hidden.queries) + ", keys " + Twine(hidden.keys));
      return std::nullopt;
    }
  }
  return std::nullopt;
}

bool SdpaMatcher::readScores() {
  nameMasks();
  findJoined();
  std::optional<ScoreForm> form = readForm();
  if (!form)
    return false;
  if (pastKey && (scoreBias || relative)) {
    // These are over all keys in a row.
    forgetJoined();
    if (!(form = readForm()))
      return false;
  }
  // The last of the joined tokens reads them all.
  if (pastKey && hidden.queries == 1 && !form->window)
    form->causal = true;
  if (!form->causal && !form->window && !form->alibi)
    forgetJoined();
  form->causal |= bool(pastLengths);
  bool beforeScale =
      form->alibiBeforeScale || (relative && relative->beforeScale);
  auto order = beforeScale ? block::ScoreOrder::BiasScaleCap
               : chain.cap != 0 && biasInsideCap && !biasOutsideCap
                   ? block::ScoreOrder::ScaleBiasCap
               : chain.cap != 0 ? block::ScoreOrder::ScaleCapBias
                                : block::ScoreOrder::ScaleBiasCap;
  if ((form->alibi && relative) || (beforeScale && chain.cap != 0)) {
    miss(Reason::UnknownScoreBias, "several biases in different places");
    return false;
  }
  scores = block::ScoresAttr::get(
      graph.context, block::getReal(graph.context, chain.scale), form->causal,
      form->window,
      chain.cap != 0 ? block::getReal(graph.context, chain.cap)
                     : mlir::FloatAttr(),
      form->alibi ? block::getReal(graph.context, *form->alibi)
                  : mlir::FloatAttr(),
      order, form->alibiType);
  return true;
}
