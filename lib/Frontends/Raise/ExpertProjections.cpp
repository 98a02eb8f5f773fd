//===- ExpertProjections.cpp - products by the matrix of each expert ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This file reads the projections of experts, up and gate: the rows, the
// matrices and the biases of all experts, or of those that a choice gathers.
//
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "ExpertReader.h"
#include "SortedRows.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// The part 0 (rows), 1 (experts or slots) or 2 (depth) of hidden positions.
std::optional<Layout> ExpertReader::mark(unsigned part,
                                         const Layout &positions) const {
  SmallVector<Digit> digits;
  for (unsigned k = 0; k < 3; ++k)
    digits.push_back({sizes[k], k == part ? 1 : 0});
  return compose(positions, Layout(digits));
}

/// The bias of each expert's hidden values.
Term ExpertReader::readBias(const Term &bias) {
  std::optional<ChosenRows> chosen = readChosenRows(graph, bias);
  if (chosen.has_value() != result.isGathered)
    return {};
  Layout whole = Layout::identity(bias.getSize());
  SmallVector<Layout> layouts = {chosen ? chosen->columns.layout : bias.layout};
  for (unsigned part : {0, 1, 2})
    layouts.push_back(*mark(part, whole));
  layouts.push_back(chosen ? chosen->choice.layout
                           : Layout::broadcast(whole.getSize()));
  std::optional<Aligned> parts = align(layouts);
  if (!parts)
    return {};
  Digits ofRows, ofSlots, ofDepth;
  for (unsigned d = 0; d < parts->getNumDigits(); ++d) {
    bool isRow = parts->strides[1][d] != 0, isSlot = parts->strides[2][d] != 0;
    (isRow ? ofRows : isSlot ? ofSlots : ofDepth).push_back(d);
    if (parts->strides[0][d] != 0 && (isRow || (isSlot && chosen)))
      return {};
    if (parts->strides[4][d] != 0 && !isRow && !isSlot)
      return {};
  }
  if (!chosen)
    return {bias.node, parts->select(0, join({ofSlots, ofDepth}),
                                     bias.layout.getOffset())};
  Term ids = {chosen->choice.node,
              parts->select(4, join({ofRows, ofSlots}),
                            chosen->choice.layout.getOffset())};
  if (!(ids == result.choice))
    return {};
  return readTable(
      graph, chosen->columns,
      parts->select(0, ofDepth, chosen->columns.layout.getOffset()),
      result.experts);
}

Layout
ExpertReader::Factors::select(unsigned layout,
                              std::initializer_list<ArrayRef<unsigned>> digits,
                              const Term &term) const {
  return aligned.select(layout, join(digits), term.layout.getOffset());
}

/// Finds rows and matrices among the factors of `product`, and aligns them.
std::optional<ExpertReader::Factors>
ExpertReader::findFactors(const Contraction &product, const Term &term) {
  Factors found;
  for (const Contraction::Factor &factor : product.factors) {
    std::optional<ChosenRows> own = readChosenRows(graph, factor.term);
    if (own) {
      found.chosen = own;
      found.weight = own->columns;
    } else {
      (factor.term.node->source == Source::Data ? found.rows : found.weight) =
          factor.term;
    }
  }
  if (rowShares && found.rows && !removeShares(found.rows, product.sums))
    return graph.wanted("rows times their weights for each expert", term);
  if (result.isGathered && found.rows)
    found.shares = takeRowShares(graph, found.rows, mark(0, product.sums),
                                 mark(1, product.sums), result.choice);
  if (!found.rows || !found.weight ||
      found.chosen.has_value() != result.isGathered)
    return graph.wanted("rows times a matrix of each expert", term);
  SmallVector<Layout> layouts = {
      product.sums, found.rows.layout, found.weight.layout,
      found.chosen ? found.chosen->choice.layout
                   : Layout::broadcast(product.sums.getSize())};
  for (unsigned part : {0, 1, 2}) {
    std::optional<Layout> marked = mark(part, product.sums);
    if (!marked)
      return std::nullopt;
    layouts.push_back(*marked);
  }
  std::optional<Aligned> aligned = align(layouts);
  if (!aligned)
    return graph.wanted("a projection that is read by rows", term);
  found.aligned = *aligned;
  return found;
}

/// Sorts the digits into those of rows, of experts or slots, of hidden values
/// and of the sum. Returns false if a factor varies with others than its own.
bool ExpertReader::sortDigits(Factors &factors) {
  for (unsigned d = 0; d < factors.aligned.getNumDigits(); ++d) {
    auto varies = [&](unsigned layout) {
      return factors.aligned.strides[layout][d] != 0;
    };
    bool inRows = varies(Factors::kRows), inWeight = varies(Factors::kWeight);
    bool inChoice = varies(Factors::kChoice);
    int part = varies(Factors::kSums) ? -1 : 3;
    for (int k = 0; k < 3; ++k)
      if (part != 3 && varies(Factors::kParts + k))
        part = k;
    bool isRight = part == 0 ? !inWeight
                   : part == 1
                       ? !inRows && (factors.chosen ? !inWeight : !inChoice)
                   : part == 2 ? !inRows && !inChoice
                   : part == 3 ? inRows && inWeight && !inChoice
                               : false;
    if (!isRight)
      return graph.wanted("one matrix for each expert, of all rows",
                          factors.weight);
    (part == 3 ? factors.summed : factors.own[part]).push_back(d);
  }
  factors.aligned.sortByStride(factors.summed, Factors::kRows);
  return true;
}

/// Reads the matrices of all experts; null if another choice gathers them.
Term ExpertReader::readStack(const Factors &factors) {
  const Digits *own = factors.own;
  const Term &weight = factors.weight;
  if (!factors.chosen)
    return {weight.node,
            factors.select(Factors::kWeight, {own[1], own[2], factors.summed},
                           weight)};
  const Term &choice = factors.chosen->choice;
  Term ids = {choice.node,
              factors.select(Factors::kChoice, {own[0], own[1]}, choice)};
  if (!(ids == result.choice))
    return graph.wanted("matrices of one choice", ids);
  return readTable(
      graph, weight,
      factors.select(Factors::kWeight, {own[2], factors.summed}, weight),
      result.experts);
}

/// Reads a projection of the rows by the matrix of each expert.
std::optional<ExpertProjection> ExpertReader::readProjection(const Term &term) {
  BiasedTerm biased = splitBias(graph, term);
  std::optional<Contraction> product =
      biased.term ? getContraction(graph, biased.term,
                                   [](const Node *) { return false; })
                  : std::nullopt;
  if (!product || product->factors.size() != 2 || product->coefficient != 1)
    return graph.wanted("a projection of each expert", term);
  std::optional<Factors> factors = findFactors(*product, term);
  if (!factors || !sortDigits(*factors))
    return std::nullopt;
  Term input = {factors->rows.node,
                factors->select(Factors::kRows,
                                {factors->own[0], factors->summed},
                                factors->rows)};
  if (result.input && !(result.input == input && rowValues == factors->shares))
    return graph.wanted("gate and up of the same rows", input);
  result.input = input;
  rowValues = factors->shares;
  ExpertProjection projection;
  projection.stack = readStack(*factors);
  if (!projection.stack)
    return std::nullopt;
  if (biased.bias && !(projection.bias = readBias(biased.bias)))
    return graph.wanted("a bias of each expert", biased.bias);
  return projection;
}
