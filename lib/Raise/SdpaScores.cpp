//===- SdpaScores.cpp - what happens to the scores of attention -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaMatcher.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// Scores at most this low have no weight.
static constexpr double kAbsorbed = -1000;

/// alpha I + beta softmax - gamma C, with one factor for each head: I keeps a
/// query's own value, C is the mean over allowed keys.
bool SdpaMatcher::splitWeights(const Term &mixed) {
  if (mixed.node->op != Kind::Add && mixed.node->op != Kind::Mul)
    return false;
  mix.clear();
  Term softmax;
  Sum sum = getSum(graph, mixed);
  if (sum.constant != 0)
    return false;
  for (const Addend &addend : sum.addends) {
    Product product = getProduct(graph, addend.term);
    double sign = product.coefficient * addend.coefficient;
    Mixed part;
    for (const Factor &each : product.factors) {
      if (each.term.node->op == Kind::Softmax && each.exponent == 1)
        softmax = each.term;
      else if (each.term.node->source == Source::Weight && each.exponent == 1 &&
               !part.gain)
        part.gain = each.term;
      else if (each.term.node->source == Source::Constant)
        part.tables.push_back(each);
      else
        return false;
    }
    bool isSoftmax = part.tables.empty();
    if (!part.gain) {
      if (!isSoftmax || sign != 1)
        return false;
      continue;
    }
    if (isSoftmax ? sign != 1 : std::fabs(sign) != 1)
      return false;
    part.role = isSoftmax ? "beta" : sign == 1 ? "alpha" : "gamma";
    mix.push_back(part);
  }
  if (!softmax)
    return false;
  weights = softmax;
  return true;
}

/// The tables beside the softmax are the identity and the mean.
bool SdpaMatcher::checkMix() {
  for (auto [part, piece] : llvm::zip(mix, mixPieces)) {
    if (part.role == "beta")
      continue;
    std::vector<double> numbers(hidden.numbers.size(), 1);
    for (auto [k, factor] : llvm::enumerate(part.tables)) {
      std::optional<ScoreTable> table =
          readTable(piece + k, factor.term.node, factor.term.layout.getOffset(),
                    /*perHead=*/false);
      if (!table)
        return false;
      for (auto [number, each] : llvm::zip(numbers, table->numbers))
        number *= std::pow(each, factor.exponent);
    }
    for (int64_t i = 0; i < hidden.queries; ++i) {
      double seen = 0;
      for (int64_t j = 0; j < hidden.keys; ++j)
        seen += hidden.at(0, i, j) == 0;
      for (int64_t j = 0; j < hidden.keys; ++j) {
        double expected = part.role == "alpha"      ? i == j
                          : hidden.at(0, i, j) != 0 ? 0
                                                    : 1 / seen;
        if (!isClose(numbers[i * hidden.keys + j], expected))
          return false;
      }
    }
  }
  return true;
}

std::optional<ScoreTable> SdpaMatcher::readTable(unsigned layout,
                                                 const Node *source,
                                                 int64_t offset, bool perHead) {
  auto moves = [&](ArrayRef<unsigned> digits) {
    return llvm::any_of(
        digits, [&](unsigned d) { return aligned.strides[layout][d] != 0; });
  };
  SmallVector<unsigned> heads = join({groups, repeats});
  if (moves(batch) || moves(elements) || moves(valueElements) ||
      (!perHead && moves(heads)))
    return std::nullopt;
  ScoreTable table;
  table.heads = moves(heads) ? aligned.getSize(heads) : 1;
  table.queries = aligned.getSize(queries);
  table.keys = aligned.getSize(keys);
  SmallVector<unsigned> digits =
      table.heads > 1 ? join({heads, queries, keys}) : join({queries, keys});
  Layout order = aligned.select(layout, digits, offset);
  Term term{const_cast<Node *>(source), order};
  int64_t size = table.heads * table.queries * table.keys;
  table.numbers.reserve(size);
  for (int64_t i = 0; i < size; ++i) {
    std::optional<double> number = evaluateAt(term, i);
    if (!number)
      return std::nullopt;
    table.numbers.push_back(*number);
  }
  return table;
}

bool SdpaMatcher::readScores() {
  ScoreTable bias;
  hidden.queries = bias.queries = aligned.getSize(queries);
  hidden.keys = bias.keys = aligned.getSize(keys);
  hidden.numbers.assign(hidden.queries * hidden.keys, 0);
  int64_t heads = aligned.getSize(groups) * aligned.getSize(repeats);
  bool biasInsideCap = true, biasOutsideCap = true;
  unsigned piece = Pieces;
  for (const ScoreMask &mask : chain.masks) {
    unsigned at = piece;
    piece += 2;
    if (mask.condition.node->source != Source::Constant) {
      miss(Reason::DataDependentMask,
           "the condition of a select on the scores is no constant");
      return false;
    }
    std::optional<ScoreTable> table =
        readTable(at, mask.condition.node, mask.condition.layout.getOffset(),
                  /*perHead=*/false);
    std::optional<double> fill = getSplat(mask.fill);
    if (!table || !fill) {
      miss(Reason::UnknownMask, "a mask differs between heads or batch rows");
      return false;
    }
    bool hidesAny = false;
    for (auto [sofar, number] : llvm::zip(hidden.numbers, table->numbers))
      if ((number != 0) == mask.hidesWhere) {
        sofar = 1;
        hidesAny = true;
      }
    if (hidesAny && !(*fill * mask.factor <= kAbsorbed)) {
      miss(Reason::MaskDoesNotAbsorb,
           "masked scores are " + formatv("{0:e}", *fill * mask.factor).str());
      return false;
    }
  }
  for (const ScoreBias &added : chain.biases) {
    unsigned at = piece++;
    if (added.term.node->source == Source::Weight && !relative) {
      relative = matchRelativeTable(
          graph, added.term,
          aligned.select(at, join({groups, repeats, queries, keys}),
                         added.term.layout.getOffset()),
          heads, hidden.queries, hidden.keys);
      if (relative && (added.factor == 1 || added.factor == chain.scale)) {
        relative->beforeScale = added.factor != 1;
        (added.insideCap ? biasOutsideCap : biasInsideCap) = false;
        continue;
      }
    }
    if (added.term.node->source != Source::Constant) {
      miss(added.term.node->source == Source::Data ? Reason::DataDependentMask
                                                   : Reason::UnknownScoreBias,
           "what is added to the scores is no constant");
      return false;
    }
    std::optional<ScoreTable> table =
        readTable(at, added.term.node, added.term.layout.getOffset(),
                  /*perHead=*/true);
    if (!table) {
      miss(Reason::UnknownScoreBias, "a bias differs between batch rows");
      return false;
    }
    if (bias.numbers.empty() || table->heads > bias.heads) {
      std::vector<double> wide(table->heads * bias.queries * bias.keys, 0);
      if (!bias.numbers.empty())
        for (size_t i = 0; i < wide.size(); ++i)
          wide[i] = bias.numbers[i % bias.numbers.size()];
      bias.numbers = wide;
      bias.heads = table->heads;
    }
    for (size_t i = 0; i < bias.numbers.size(); ++i) {
      double number = added.factor * table->numbers[i % table->numbers.size()];
      bool hides = number <= kAbsorbed;
      if (hides) {
        if (added.insideCap) {
          miss(Reason::MaskDoesNotAbsorb, "masked scores are capped");
          return false;
        }
        hidden.numbers[i % hidden.numbers.size()] = 1;
      } else {
        bias.numbers[i] += number;
        if (number != 0)
          (added.insideCap ? biasOutsideCap : biasInsideCap) = false;
      }
    }
  }
  Reason reason;
  std::optional<ScoreForm> form =
      readScoreForm(hidden, bias, heads, chain.scale, graph.context, reason);
  if (!form) {
    miss(reason,
         "queries " + Twine(hidden.queries) + ", keys " + Twine(hidden.keys));
    return false;
  }
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
