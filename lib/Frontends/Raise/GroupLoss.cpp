//===- GroupLoss.cpp - groups cross entropies of a projection -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This file recognises the sum over rows of log(sum_v exp(l_v)) - l_target,
// where rows without a target count 0. Two spellings of a row have the same
// value: the logarithm of all shares, of which the target's is picked, and
// softplus of what other classes have over the target.
//
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "Group.h"
#include "Recognise.h"
#include "mlir/IR/Builders.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// The kind of candidates in remarks.
static constexpr StringLiteral kKind = "cross entropy";

namespace {
/// The loss of each row, `width` columns of logits in row-major order.
struct RowLoss {
  Term logits, isOwn;
  int64_t width = 0;
};

/// log(sum_v exp(scores_v - shift)), which is read as it is, by rows.
struct LogSum {
  Term scores, shift;
  int64_t width = 0;
};

class LossReader {
public:
  explicit LossReader(Graph &graph) : graph(graph) {}
  std::optional<LogSum> readLogSum(const Term &logarithm);
  std::optional<RowLoss> readRows(const Term &loss);
  /// The targets, one for each row, that `isOwn` compares with each column.
  Term readTargets(const Term &isOwn, int64_t width);

private:
  std::optional<RowLoss> readMargin(const Term &margin);
  std::optional<RowLoss> readShares(const Sum &loss);
  /// The condition and the value of sum_v select(condition, value, 0).
  std::optional<std::pair<Term, Term>> readPicked(const Term &picked);
  bool isShift(const Term &ofColumns, const Term &ofRows, int64_t width);

  Graph &graph;
};
} // namespace

static bool isWholeTerm(const Term &term) {
  return term && term.layout.isIdentity() && term.getSize() == term.node->size;
}

/// Returns whether `ofColumns` is the number that `ofRows` has for each row.
bool LossReader::isShift(const Term &ofColumns, const Term &ofRows,
                         int64_t width) {
  int64_t rows = ofColumns.getSize() / width;
  std::optional<Layout> spread =
      compose(Layout({{rows, 1}, {width, 0}}), ofRows.layout);
  return ofColumns.node == ofRows.node && spread && *spread == ofColumns.layout;
}

std::optional<LogSum> LossReader::readLogSum(const Term &logarithm) {
  Term total = graph.getOperand(logarithm, 0);
  // A bound that keeps rows without another class from log(0).
  if (total && total.node->op == Kind::Max)
    for (unsigned k : {0, 1})
      if (std::optional<double> least = getSplat(total.node->operands[k]);
          least && *least <= 1) {
        total = graph.getOperand(total, 1 - k);
        break;
      }
  if (!isWholeTerm(total) || total.node->op != Kind::ReduceSum)
    return std::nullopt;
  Term power = total.node->operands[0];
  Term exponent =
      power.node->op == Kind::Exp ? graph.getOperand(power, 0) : Term();
  if (!exponent)
    return std::nullopt;
  LogSum result;
  result.width = total.node->width;
  Sum sum = getSum(graph, exponent);
  if (sum.addends.size() != 2 || sum.constant != 0)
    return std::nullopt;
  for (const Addend &addend : sum.addends) {
    Term &part = addend.coefficient == 1 ? result.scores : result.shift;
    if (part || std::abs(addend.coefficient) != 1)
      return std::nullopt;
    part = addend.term;
  }
  return result;
}

std::optional<std::pair<Term, Term>>
LossReader::readPicked(const Term &picked) {
  if (!isWholeTerm(picked) || picked.node->op != Kind::ReduceSum)
    return std::nullopt;
  const Term &chosen = picked.node->operands[0];
  if (chosen.node->op != Kind::Select)
    return std::nullopt;
  Term nothing = graph.getOperand(chosen, 2);
  Term value = graph.getOperand(chosen, 1);
  Term isOwn = graph.getOperand(chosen, 0);
  if (!nothing || !value || !isOwn || getSplat(nothing) != 0.0)
    return std::nullopt;
  return std::pair(isOwn, value);
}

/// shift + log(sum_v exp(select(own, -inf, l_v) - shift)) - l_target.
std::optional<RowLoss> LossReader::readMargin(const Term &margin) {
  Sum sum = getSum(graph, margin);
  if (sum.addends.size() != 3 || sum.constant != 0)
    return std::nullopt;
  std::optional<LogSum> others;
  std::optional<std::pair<Term, Term>> picked;
  Term shift;
  for (const Addend &addend : sum.addends)
    if (addend.coefficient == -1)
      picked = readPicked(addend.term);
    else if (addend.coefficient == 1 && addend.term.node->op == Kind::Log)
      others = readLogSum(addend.term);
    else if (addend.coefficient == 1)
      shift = addend.term;
  if (!others || !picked || !shift || others->scores.node->op != Kind::Select ||
      !isShift(others->shift, shift, others->width))
    return std::nullopt;
  auto [isOwn, logits] = *picked;
  Term hidden = graph.getOperand(others->scores, 1);
  if (!(graph.getOperand(others->scores, 0) == isOwn) || !hidden ||
      getSplat(hidden) != -INFINITY ||
      !(graph.getOperand(others->scores, 2) == logits))
    return std::nullopt;
  return RowLoss{logits, isOwn, others->width};
}

/// -sum_v select(own, l_v - shift - log(sum_v exp(l_v - shift)), 0).
std::optional<RowLoss> LossReader::readShares(const Sum &loss) {
  if (loss.addends.size() != 1 || loss.constant != 0 ||
      loss.addends[0].coefficient != -1)
    return std::nullopt;
  auto picked = readPicked(loss.addends[0].term);
  if (!picked)
    return std::nullopt;
  const auto &[isOwn, share] = *picked;
  int64_t width = loss.addends[0].term.node->width;
  Sum sum = getSum(graph, share);
  int at = sum.find([](const Addend &addend) {
    return addend.coefficient == -1 && addend.term.node->op == Kind::Log;
  });
  if (at < 0 || sum.addends.size() != 3 || sum.constant != 0)
    return std::nullopt;
  const Term &logarithm = sum.addends[at].term;
  std::optional<LogSum> all =
      readLogSum({logarithm.node, Layout::identity(logarithm.node->size)});
  if (!all || all->width != width ||
      !isShift(logarithm,
               {logarithm.node, Layout::identity(logarithm.node->size)}, width))
    return std::nullopt;
  for (const Addend &addend : sum.without(at).addends)
    if (!(addend.term == (addend.coefficient == 1 ? all->scores : all->shift)))
      return std::nullopt;
  return RowLoss{all->scores, isOwn, width};
}

std::optional<RowLoss> LossReader::readRows(const Term &loss) {
  auto form = loss.node->op == Kind::Activation
                  ? dyn_cast<block::ActivationAttr>(loss.node->form)
                  : block::ActivationAttr();
  if (form && form.getValue() == block::Activation::Softplus &&
      loss.node->value == 0)
    return readMargin(graph.getOperand(loss, 0));
  return readShares(getSum(graph, loss));
}

Term LossReader::readTargets(const Term &isOwn, int64_t width) {
  if (isOwn.node->op != Kind::Equal)
    return {};
  for (unsigned k : {0, 1}) {
    Term numbers = graph.getOperand(isOwn, k);
    Term targets = graph.getOperand(isOwn, 1 - k);
    if (!numbers || !targets || numbers.node->source != Source::Constant)
      continue;
    std::optional<Layout> row = getRowPart(numbers.layout, width);
    std::optional<Layout> first =
        compose(Layout({{isOwn.getSize() / width, width}}), targets.layout);
    if (!row || !first || !isShift(targets, {targets.node, *first}, width))
      continue;
    Term column{numbers.node, *row};
    int64_t number = 0;
    while (number < width && evaluateAt(column, number) == double(number))
      ++number;
    if (number == width)
      return {targets.node, *first};
  }
  return {};
}

/// Returns the number that rows without a target have in its place, if `test`
/// compares `targets` with it.
static std::optional<double> readIgnored(Graph &graph, const Term &test,
                                         const Term &targets) {
  if (test.node->op == Kind::Equal)
    for (unsigned k : {0, 1})
      if (graph.getOperand(test, k) == targets)
        return getSplat(graph.getOperand(test, 1 - k));
  return std::nullopt;
}

/// Reads rows of `term`, those of a node of `width` columns, from a value with
/// `depth` columns that has the same rows.
static Term readRowsOf(Graph &graph, const Term &term, int64_t width,
                       const Term &value, int64_t depth) {
  std::optional<Layout> first =
      compose(Layout({{term.getSize() / width, width}}), term.layout);
  if (!first || first->getOffset() % width != 0)
    return {};
  std::optional<Layout> whole = compose(
      Layout({{term.getSize() / width, width}, {width, 1}}), term.layout);
  SmallVector<Digit> digits, own;
  for (Digit digit : first->getDigits()) {
    if (digit.stride % width != 0)
      return {};
    digits.push_back({digit.extent, digit.stride / width * depth});
    own.push_back(digit);
  }
  digits.push_back({depth, 1});
  own.push_back({width, 1});
  if (!whole || *whole != Layout(own, first->getOffset()))
    return {};
  return graph.read(value, Layout(digits, first->getOffset() / width * depth));
}

/// Returns whether a root reads `wanted` in another way than through `loss`.
static bool isReadElsewhere(ArrayRef<Term> roots, const Node *loss,
                            const Node *wanted) {
  DenseSet<const Node *> seen = {loss};
  SmallVector<const Node *> open;
  auto visit = [&](ArrayRef<Term> terms) {
    for (const Term &term : terms)
      if (seen.insert(term.node).second)
        open.push_back(term.node);
  };
  visit(roots);
  while (!open.empty()) {
    const Node *node = open.pop_back_val();
    if (node == wanted)
      return true;
    visit(node->operands);
  }
  return false;
}

std::optional<Node> parablock::raise::groupLoss(Graph &graph, const Node *node,
                                                ArrayRef<Term> roots) {
  Term rows = node->operands[0];
  if (node->size != 1 || rows.node->op != Kind::Select ||
      !rows.layout.isPermutation(rows.node->size))
    return graph.wanted("a sum over rows, 0 for those without a target", rows);
  rows.layout = Layout::identity(rows.node->size);
  Term nothing = graph.getOperand(rows, 1), loss = graph.getOperand(rows, 2);
  LossReader reader(graph);
  std::optional<RowLoss> parts = nothing && loss && getSplat(nothing) == 0.0
                                     ? reader.readRows(loss)
                                     : std::nullopt;
  if (!parts)
    return graph.wanted("log(sum(exp(l))) less the target's logit", rows);
  graph.found("the loss of each row");
  Term targets = reader.readTargets(parts->isOwn, parts->width);
  std::optional<double> ignored =
      targets ? readIgnored(graph, graph.getOperand(rows, 0), targets)
              : std::nullopt;
  if (!ignored)
    return graph.wanted("targets, and the number of rows without one",
                        parts->isOwn);
  Term logits = stripRounding(graph, parts->logits);
  std::optional<Node> head = groupHead(graph, logits.node);
  if (!head || head->width != parts->width)
    return graph.wanted("logits of one projection", logits);
  int64_t depth = head->operands[1].getSize() / head->width;
  Term input = readRowsOf(graph, logits, head->width, head->operands[0], depth);
  if (!input)
    return graph.wanted("whole rows of logits", logits);
  if (graph.hasOpenSizes)
    return graph.miss(kKind, Reason::DynamicShape,
                      "a cross entropy of an open number of rows has no code: "
                      "import the model at a known size");
  if (isReadElsewhere(roots, getOrigin(node), getOrigin(logits.node)))
    return graph.miss(kKind, Reason::SecondUser,
                      "logits that are a result, or are read in another way, "
                      "are whole in memory: return the loss alone");
  Node result = *node;
  result.op = Kind::CrossEntropy;
  result.width = head->width;
  result.operands = head->operands;
  result.operands[0] = input;
  result.roles = head->roles;
  result.addRole("targets", targets);
  result.value = head->value;
  result.form = head->form;
  result.extents = {static_cast<int64_t>(*ignored)};
  return result;
}

void parablock::raise::missLosses(Graph &graph, ArrayRef<Term> results) {
  auto isLoss = [](const Missed &miss) { return miss.kind == kKind; };
  if (llvm::any_of(graph.explanations.missed, isLoss))
    return;
  LossReader reader(graph);
  for (const Term &result : results) {
    SetVector<const Node *> seen;
    seen.insert(graph.getCurrent(result.node));
    for (size_t i = 0; i < seen.size(); ++i) {
      const Node *node = seen[i];
      for (const Term &operand : node->operands)
        seen.insert(operand.node);
      if (node->op != Kind::Log || result.node->size > node->size)
        continue;
      auto sum = reader.readLogSum({node, Layout::identity(node->size)});
      if (!sum)
        continue;
      Term logits = sum->scores.node->op == Kind::Select
                        ? graph.getOperand(sum->scores, 2)
                        : sum->scores;
      std::optional<Node> head =
          logits ? groupHead(graph, stripRounding(graph, logits).node)
                 : std::nullopt;
      if (!head || head->width != sum->width)
        continue;
      graph.miss(kKind, Reason::UnknownLoss,
                 "logits of all rows are in memory: weights of classes, label "
                 "smoothing, shares as targets and losses of single rows have "
                 "no block, sums of cross entropies of ids have one");
      return;
    }
  }
}
