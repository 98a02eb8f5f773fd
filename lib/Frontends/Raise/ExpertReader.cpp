//===- ExpertReader.cpp - experts as sums of products ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This file reads a contraction as experts: it finds what each factor is, and
// which of the digits of its positions are rows, columns, slots, experts and
// hidden values. A digit that a factor must not depend on ends the reading.
//
//===----------------------------------------------------------------------===//

#include "ExpertReader.h"
#include "Algebra.h"
#include "ReadRoute.h"
#include "SortedRows.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

static bool isMask(const Node *node) { return node->op == Kind::Equal; }
static bool isHidden(const Node *node) { return node->op == Kind::Activation; }

/// Finds the comparison, the matrices and the hidden values.
bool ExpertReader::sortFactors() {
  for (const Contraction::Factor &factor : sum.factors) {
    const Term &term = factor.term;
    if (isMask(term.node)) {
      std::optional<ChosenNumber> read = readChosenNumber(graph, term);
      if (factor.isBiased || hasMask || !read)
        return false;
      hasMask = true;
      number = *read;
      choice = read->choice;
    } else if (auto rows = readChosenRows(graph, term)) {
      if (down || choice)
        return false;
      choice = rows->choice;
      down = rows->columns;
      result.isGathered = true;
    } else if (term.node->source != Source::Data) {
      if (down)
        return false;
      down = term;
    } else {
      data.push_back(factor);
    }
  }
  if (sum.bias)
    chosenBias = readChosenRows(graph, sum.bias);
  bool hasHidden = llvm::any_of(data, [](const Contraction::Factor &factor) {
    return isHidden(factor.term.node);
  });
  // A factor may be of what the bias is added to alone.
  if (sum.bias && sum.coefficient != 1)
    return false;
  return down && hasHidden && !(hasMask && result.isGathered) &&
         (!sum.bias || chosenBias.has_value() == result.isGathered);
}

/// Replaces dense shares by the choice and its weights. Where results are those
/// of a choice already, rows may still have weights.
void ExpertReader::addDenseShares() {
  std::optional<DenseShares> dense;
  Term given;
  for (unsigned k = 0; k < data.size() && !dense; ++k) {
    const Term term = data[k].term;
    if (!isHidden(term.node)) {
      if (choice || data[k].isBiased ||
          !(dense = readDenseShares(graph, term.node)))
        continue;
      given = term;
      data.erase(data.begin() + k);
    } else if (Term first = graph.getOperand(term, 0)) {
      for (bool isOfBothSigns : {false, true})
        takeLimit(graph, first, isOfBothSigns);
      given = first ? findDenseShares(graph, first) : Term();
      dense = given ? readDenseShares(graph, given.node) : std::nullopt;
      rowShares = dense ? given.node : nullptr;
    }
  }
  if (!dense)
    return;
  if (rowShares)
    ofRows = *dense;
  if (choice)
    return;
  auto readPlaces = [&](ArrayRef<Digit> digits) {
    std::optional<Layout> own = compose(given.layout, dense->place);
    return own ? compose(*own, Layout(digits)) : std::nullopt;
  };
  std::optional<Layout> row =
      readPlaces({{dense->rows, dense->slots}, {dense->experts, 0}});
  std::optional<Layout> own =
      dense->number ? Layout::broadcast(given.getSize(), *dense->number)
                    : readPlaces({{dense->rows, 0}, {dense->experts, 1}});
  if (!row || !own)
    return;
  bool isSingle = dense->number || (dense->experts > 1 && own->isBroadcast());
  // Everything is read once for each slot.
  auto repeat = [&](Layout &layout) {
    layout = appendDigit(layout, 1, {dense->slots, 0});
  };
  repeat(sum.sums);
  repeat(down.layout);
  if (sum.bias)
    repeat(sum.bias.layout);
  for (Contraction::Factor &factor : data)
    repeat(factor.term.layout);
  choice = {dense->choice.node, appendDigit(*row, 1, {dense->slots, 1})};
  repeat(*own);
  number = {choice, *own, isSingle};
  isOfAllRows = true;
  hasMask = true;
  if (!rowShares)
    data.push_back({graph.read(dense->values, choice.layout), false});
}

bool ExpertReader::alignAll() {
  Layout none = Layout::broadcast(sum.sums.getSize());
  SmallVector<Layout> layouts(kData, none);
  layouts[kSums] = sum.sums;
  layouts[kDown] = down.layout;
  if (choice)
    layouts[kChoice] = choice.layout;
  if (hasMask)
    layouts[kNumber] = number.number;
  if (sum.bias) {
    layouts[kBias] = chosenBias ? chosenBias->columns.layout : sum.bias.layout;
    if (chosenBias)
      layouts[kBiasChoice] = chosenBias->choice.layout;
  }
  for (const Contraction::Factor &factor : data)
    layouts.push_back(factor.term.layout);
  std::optional<Aligned> found = align(layouts);
  if (found)
    aligned = std::move(*found);
  return found.has_value();
}

void ExpertReader::sortDigits() {
  for (unsigned d = 0; d < aligned.getNumDigits(); ++d) {
    bool isOut = aligned.strides[kSums][d] != 0;
    bool isOfDown = aligned.strides[kDown][d] != 0;
    bool isNumber = aligned.strides[kNumber][d] != 0;
    if (isOut)
      (isOfDown ? columns : rows).push_back(d);
    else if (isOfDown)
      (isNumber ? experts : depth).push_back(d);
    else
      slots.push_back(d);
  }
  aligned.sortByStride(rows, kSums);
  aligned.sortByStride(columns, kSums);
  aligned.sortByStride(experts, kNumber);
  aligned.sortByStride(depth, kDown);
  aligned.sortByStride(slots, kChoice);
}

/// Each factor depends on its own digits alone.
bool ExpertReader::checkDigits() {
  Digits ofChoice = join({rows, slots});
  Digits ofHidden = join({rows, result.isGathered ? slots : experts, depth});
  if (!choice) {
    // Weights of experts that nothing chooses depend on a part of the sum.
    for (unsigned k = 0; k < data.size(); ++k)
      if (!isHidden(data[k].term.node) && reads(kData + k, depth) &&
          !readsAll(kData + k, depth))
        return graph.miss("experts", Reason::UnknownChoice,
                          "the weights of experts are not known to be those of "
                          "chosen ones",
                          data[k].term);
    return graph.wanted("a choice among experts", down);
  }
  graph.found("hidden values, a matrix and a choice");
  if (!readsOnly(kChoice, ofChoice) || !readsAll(kChoice, slots))
    return graph.wanted("a choice for each row and slot", choice);
  if (!readsOnly(kNumber, experts))
    return graph.wanted("numbers of the experts whose matrices are read", down);
  // Numbers count the matrices, from the first.
  Layout counted = aligned.select(kNumber, experts, number.number.getOffset());
  if (hasMask && !number.isSingle &&
      counted != Layout::identity(aligned.getSize(experts)))
    return graph.wanted("experts in the order of their numbers", choice);
  if (!readsOnly(kBias, join({columns, experts})) ||
      !readsOnly(kBiasChoice, ofChoice))
    return graph.wanted("a bias for each expert and column", sum.bias);
  for (unsigned k = 0; k < data.size(); ++k) {
    const Contraction::Factor &factor = data[k];
    bool isOfHidden = reads(kData + k, depth) || isHidden(factor.term.node);
    if (isOfHidden && (!readsOnly(kData + k, ofHidden) ||
                       (isHidden(factor.term.node) &&
                        !readsAll(kData + k, join({experts, depth})))))
      return graph.wanted("hidden values of each expert", factor.term);
    if (!isOfHidden && (factor.isBiased || !readsOnly(kData + k, ofChoice)))
      return graph.wanted("a weight for each row and slot", factor.term);
  }
  return !depth.empty();
}

/// Reads all but the hidden values.
void ExpertReader::readOuter() {
  Digits ofChoice = join({rows, slots});
  result.rows = aligned.getSize(rows);
  result.width = aligned.getSize(columns);
  result.depth = aligned.getSize(depth);
  result.choice = select(choice, kChoice, ofChoice);
  if (result.isGathered) {
    Term own = select(down, kDown, join({columns, depth}));
    result.experts = countRows(down);
    result.down = readTable(graph, down, own.layout, result.experts);
  } else {
    result.down = select(down, kDown, join({experts, columns, depth}));
    result.experts = aligned.getSize(experts);
  }
  if (number.isSingle)
    result.number = number.number.getOffset();
  Term shares = graph.splat(sum.coefficient, aligned.getSize(ofChoice));
  for (unsigned k = 0; k < data.size(); ++k)
    if (!reads(kData + k, depth) && !isHidden(data[k].term.node))
      shares =
          graph.multiply(select(data[k].term, kData + k, ofChoice), shares);
  result.shares = shares;
  Digits stored = join({rows, columns}), out = stored;
  aligned.sortByStride(out, kSums);
  result.back = aligned.locate(out, stored);
}

bool ExpertReader::readDownBias() {
  if (!sum.bias)
    return true;
  if (!chosenBias) {
    result.downBias = select(sum.bias, kBias, join({experts, columns}));
    return true;
  }
  Term own = select(chosenBias->columns, kBias, columns);
  Term ids = select(chosenBias->choice, kBiasChoice, join({rows, slots}));
  result.downBias =
      readTable(graph, chosenBias->columns, own.layout, result.experts);
  if (!(ids == result.choice))
    return graph.wanted("biases of the chosen experts", ids);
  return bool(result.downBias);
}

/// Removes the dense shares from the rows that a projection reads.
bool ExpertReader::removeShares(Term &x, const Layout &sums) {
  Term shares = removeDenseShares(graph, x, rowShares);
  bool isSlice = result.number && !ofRows->number;
  if (!shares || !x || !(result.choice == ofRows->choice) ||
      (ofRows->number && result.number != ofRows->number) ||
      (!isSlice && ofRows->experts != sizes[1]))
    return false;
  std::optional<Layout> places = compose(
      sums, Layout({{sizes[0], ofRows->experts}, {sizes[1], 1}, {sizes[2], 0}},
                   isSlice ? *result.number : 0));
  return places && places == compose(shares.layout, ofRows->place);
}

/// True if experts give 0 for rows of 0: then weights of 0 leave them out.
bool ExpertReader::isZeroAtZero() const {
  auto kind = cast<block::ActivationAttr>(result.activation).getValue();
  bool isProduct = result.gate.stack && result.upOffset == 0;
  return !sum.bias && !result.up.bias && !result.gate.bias &&
         (isProduct || (kind != block::Activation::Sigmoid &&
                        kind != block::Activation::Softplus));
}

/// Reads an activation, and what it is multiplied with.
bool ExpertReader::readHidden() {
  ArrayRef<unsigned> middle = result.isGathered ? slots : experts;
  Digits order = join({rows, middle, depth});
  sizes[0] = aligned.getSize(rows);
  sizes[1] = aligned.getSize(middle);
  sizes[2] = aligned.getSize(depth);
  Term activated, other;
  for (unsigned k = 0; k < data.size(); ++k) {
    const Term &term = data[k].term;
    if (!isHidden(term.node) && !reads(kData + k, depth))
      continue;
    Term own = select(term, kData + k, order);
    Term &place = isHidden(term.node) ? activated : other;
    if (place)
      return graph.wanted("an activation times one value at most", own);
    place = own;
  }
  result.activation = activated.node->form;
  Term first = graph.getOperand(activated, 0);
  if (!first)
    return false;
  result.limit = takeLimit(graph, first, /*isOfBothSigns=*/!other);
  if (!first)
    return false;
  std::optional<ExpertProjection> gate = readProjection(first);
  if (!gate)
    return false;
  if (!other) {
    result.up = *gate;
    return true;
  }
  result.upOffset = takeOffset(graph, other);
  double bound = other ? takeLimit(graph, other, /*isOfBothSigns=*/true) : 0;
  if (!other)
    return false;
  if (bound != result.limit)
    return graph.wanted("gate and up with one bound, or with none", other);
  std::optional<ExpertProjection> up = readProjection(other);
  if (!up)
    return false;
  result.gate = *gate;
  result.up = *up;
  return true;
}

/// Makes the weights of the rows those of the experts.
bool ExpertReader::weighInput() {
  auto miss = [&](StringRef detail) {
    graph.miss("experts", Reason::UnknownChoice, detail, result.input);
    return false;
  };
  if (isOfAllRows && !isZeroAtZero())
    return miss("rows are multiplied by weights of 0, and experts that do not "
                "give 0 for them are added");
  if (getSplat(result.shares) != 1.0)
    return miss("weights multiply both the rows and the results of experts");
  result.weighsInput = true;
  result.shares = rowShares ? ofRows->values : rowValues;
  return true;
}

std::optional<Experts> ExpertReader::read() {
  if (!sortFactors())
    return graph.wanted("hidden values, a matrix and a choice");
  // Sorted rows are experts once they are put back.
  if (choice && isSorted(choice))
    return graph.wanted("rows in front of a sort", choice);
  if (!result.isGathered)
    addDenseShares();
  if (!alignAll())
    return graph.wanted("factors that are read along the sums", down);
  sortDigits();
  if (!checkDigits())
    return std::nullopt;
  readOuter();
  if (!result.down || !readDownBias() || !readHidden())
    return std::nullopt;
  if ((rowShares || rowValues) && !weighInput())
    return std::nullopt;
  // Slots are summed further out.
  if (!result.input.layout.isInjective())
    return graph.wanted("a sum over the slots of a row", result.input);
  return std::move(result);
}

std::optional<Experts> parablock::raise::readExperts(Graph &graph,
                                                     const Term &term) {
  Term root = stripRounding(graph, term);
  bool isKnown = root.node->op == Kind::ReduceSum ||
                 root.node->op == Kind::Linear || root.node->op == Kind::Mul ||
                 root.node->op == Kind::Select;
  if (!isKnown || root.node->getRole("bias") || !leadsTo(root.node, isHidden))
    return std::nullopt;
  std::optional<Contraction> sum =
      getContraction(graph, root, [](const Node *node) {
        // Rows in front of hidden values may have dense shares themselves.
        return leadsTo(node, isHidden) ||
               (leadsTo(node, isMask) && !sumsWeights(node));
      });
  if (!sum)
    return std::nullopt;
  return ExpertReader(graph, std::move(*sum)).read();
}
