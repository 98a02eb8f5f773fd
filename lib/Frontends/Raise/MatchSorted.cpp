//===- MatchSorted.cpp - sorts, groups of sorted rows, and their inverse --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Upstream dialects have no sort. The positions of sorted numbers are written
// as two reductions, and so are the groups of sorted rows:
//
//   rank[i]   = sum over j of (keys[j] < keys[i] or equal, and j < i)
//   order[r]  = maximum over i of (rank[i] == r ? i : none)
//   ends[e]   = sum over e' <= e, i of (ids[i] == e')
//   group[r]  = sum over e of (ends[e] <= r)
//   in[e, r]  = ends[e - 1] <= r and r < ends[e]
//
// `group` is `ids` in their order, whatever the rows are sorted by. A matcher
// builds the form that it knows of the operands that it has found, and compares
// it with what the function has.
//
// These forms come from two importers, which must change along with the
// matchers: lib/Frontends/StableHLO/ConvertSorted.cpp and
// python/parablock/frontend/sorting.py.
//
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "ChosenRows.h"
#include "Contraction.h"
#include "Group.h"
#include "ReadRoute.h"
#include "Recognise.h"
#include "SortedRows.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// The rows and the columns of a square matrix.
static Layout getOuter(int64_t outer, int64_t inner) {
  return Layout({{outer, 1}, {inner, 0}});
}
static Layout getInner(int64_t outer, int64_t inner) {
  return Layout({{outer, 0}, {inner, 1}});
}

/// How many numbers are in front of each, if they are sorted.
Term parablock::raise::matchRank(Graph &graph, const Node *node) {
  int64_t count = node->size;
  const Node *either = getWhole(node->operands[0]);
  if (!either || either->op != Kind::Or || node->width != count)
    return {};
  for (const Term &operand : either->operands) {
    if (operand.node->op != Kind::Less)
      continue;
    Term spread = graph.getOperand(operand, 0);
    Term keys = spread ? graph.read(spread, Layout({{count, 1}})) : Term();
    if (!keys || keys.node->source != Source::Data)
      continue;
    Term ofRow = graph.read(keys, getOuter(count, count));
    Term ofColumn = graph.read(keys, getInner(count, count));
    Term isFirst =
        graph.elementwise(Kind::Less, {graph.iota(getInner(count, count)),
                                       graph.iota(getOuter(count, count))});
    Term isTie = graph.elementwise(
        Kind::And,
        {graph.elementwise(Kind::Equal, {ofColumn, ofRow}), isFirst});
    Term wanted = graph.elementwise(
        Kind::Or, {graph.elementwise(Kind::Less, {ofColumn, ofRow}), isTie});
    if (wanted == node->operands[0])
      return invertOrder(graph, getOrder(makeOrder(graph, keys)));
  }
  return graph.wanted("numbers that are smaller, or equal and in front");
}

/// The positions that a permutation has the numbers 0, 1, .. at.
Term parablock::raise::matchInverseOrder(Graph &graph, const Node *node) {
  int64_t count = node->size;
  const Node *picked = getWhole(node->operands[0]);
  if (!picked || picked->op != Kind::Select || node->width != count)
    return {};
  std::optional<double> none = getSplat(picked->operands[2]);
  const Node *test = picked->operands[0].node;
  if (!none || *none >= 0 || test->op != Kind::Equal)
    return {};
  for (const Term &operand : test->operands) {
    const Node *order = operand.node;
    if (order->op != Kind::Order || order->size != count)
      continue;
    Term places{order, getInner(count, count)};
    Term isPlace = graph.elementwise(
        Kind::Equal, {places, graph.iota(getOuter(count, count))});
    Term wanted = graph.elementwise(
        Kind::Select, {isPlace, graph.iota(getInner(count, count)),
                       graph.splat(*none, count * count)});
    if (wanted == node->operands[0])
      return invertOrder(graph, order);
  }
  return graph.wanted("the place of each number in an order");
}

/// A condition as a number, or the condition itself.
static Term stripNumber(Graph &graph, const Term &term) {
  if (term.node->op == Kind::Select &&
      getSplat(term.node->operands[1]) == 1.0 &&
      getSplat(term.node->operands[2]) == 0.0)
    return graph.getOperand(term, 0);
  return term;
}

/// Whole numbers are what they are cut to.
static Term stripCut(Graph &graph, Term term) {
  while (term && term.node->op == Kind::ToInt)
    term = graph.getOperand(term, 0);
  return term;
}

/// Returns the `rows` numbers of which `counts` has how many equal 0, 1, ...
static Term readCounted(Graph &graph, const Term &counts, int64_t rows) {
  int64_t groups = counts.getSize();
  const Node *sum = getWhole(counts);
  Term test = counts;
  if (rows > 1) {
    if (!sum || sum->op != Kind::ReduceSum || sum->width != rows)
      return {};
    test = sum->operands[0];
  }
  test = stripNumber(graph, test);
  if (!test || test.node->op != Kind::Equal)
    return {};
  for (unsigned k : {0, 1}) {
    Term ids = graph.getOperand(test, k),
         number = graph.getOperand(test, 1 - k);
    if (!ids || !number || ids.node->source != Source::Data ||
        number.node->source != Source::Constant ||
        getNumbering(number) != getOuter(groups, rows))
      continue;
    Term counted = graph.read(ids, Layout({{rows, 1}}));
    if (!counted || !(graph.read(counted, getInner(groups, rows)) == ids))
      continue;
    // As many are equal in any order.
    const Node *sorted = counted.node;
    if (getWhole(counted) && isSorted(counted) &&
        getOrder(sorted->operands[1]) && sorted->operands[0].getSize() == rows)
      return sorted->operands[0];
    return counted;
  }
  return {};
}

static Term readRowGroup(Graph &graph, const Term &ofGroups, int64_t rows);

/// The group of each row, as numbers of groups that end in front of it.
Term parablock::raise::matchRowGroup(Graph &graph, const Node *node) {
  int64_t rows = node->size, groups = node->width;
  Term test = stripNumber(graph, node->operands[0]);
  if (!test || test.node->op != Kind::LessEqual)
    return {};
  Term ends = graph.getOperand(test, 0), row = graph.getOperand(test, 1);
  Term ofGroups = ends ? graph.read(ends, Layout({{groups, 1}})) : Term();
  if (!ofGroups || !row || ends.node->source != Source::Data ||
      row.node->source != Source::Constant ||
      !(graph.read(ofGroups, getInner(rows, groups)) == ends) ||
      getNumbering(row) != getOuter(rows, groups))
    return {};
  graph.found("rows behind the ends of groups");
  return readRowGroup(graph, ofGroups, rows);
}

/// Returns the group of each of `rows` rows, of the ends of all groups.
static Term readRowGroup(Graph &graph, const Term &ofGroups, int64_t rows) {
  int64_t groups = ofGroups.getSize();
  const Node *sum = getWhole(stripCut(graph, ofGroups));
  if (!sum || sum->op != Kind::ReduceSum || sum->width != groups ||
      sum->operands[0].node->op != Kind::Select)
    return graph.wanted("cumulative sums", ofGroups);
  Term spread = graph.getOperand(sum->operands[0], 1);
  Term counts = spread ? graph.read(spread, Layout({{groups, 1}})) : Term();
  if (!counts)
    return {};
  Term isBefore = graph.elementwise(Kind::LessEqual,
                                    {graph.iota(getInner(groups, groups)),
                                     graph.iota(getOuter(groups, groups))});
  Term summed = graph.elementwise(
      Kind::Select, {isBefore, graph.read(counts, getInner(groups, groups)),
                     graph.splat(0, groups * groups)});
  if (!(summed == sum->operands[0]))
    return graph.wanted("cumulative sums", ofGroups);
  Term ids = readCounted(graph, stripCut(graph, counts), rows);
  if (!ids || countExperts(ids) != groups)
    return graph.wanted("the numbers of rows that chose each group", counts);
  if (rows == 1)
    return ids;
  return graph.gather(ids, makeOrder(graph, ids), 1);
}

/// Rows from the start of a group up to its end: those whose group has its
/// number.
Term parablock::raise::matchGroupMask(Graph &graph, const Node *node) {
  Term whole{node, Layout::identity(node->size)};
  for (unsigned k : {0, 1}) {
    Term from = graph.getOperand(whole, k), to = graph.getOperand(whole, 1 - k);
    if (!from || !to || from.node->op != Kind::LessEqual ||
        to.node->op != Kind::Less)
      continue;
    Term starts = graph.getOperand(from, 0), row = graph.getOperand(from, 1);
    Term ends = graph.getOperand(to, 1);
    if (!starts || !row || !ends || !(row == graph.getOperand(to, 0)) ||
        row.node->source != Source::Constant ||
        ends.node->source != Source::Data)
      continue;
    std::optional<Layout> own = getNumbering(row);
    std::optional<Aligned> parts =
        own ? align({*own, ends.layout}) : std::nullopt;
    if (!parts)
      continue;
    SmallVector<unsigned> rows, groups;
    for (unsigned d = 0; d < parts->getNumDigits(); ++d)
      (parts->strides[0][d] != 0 ? rows : groups).push_back(d);
    int64_t count = parts->getSize(groups);
    Term ofGroups{ends.node, parts->select(1, groups, ends.layout.getOffset())};
    // The group that each position is compared with.
    Layout group = parts->locate(
        llvm::to_vector(llvm::seq(parts->getNumDigits())), groups);
    if (count < 2 || !(graph.read(ofGroups, group) == ends) ||
        parts->select(0, rows, own->getOffset()) !=
            Layout::identity(parts->getSize(rows)))
      continue;
    graph.found("rows between two ends of groups");
    Term before = graph.concat(
        {graph.splat(0, 1), graph.read(ofGroups, Layout({{count - 1, 1}}))}, 1,
        {1, count - 1}, 1);
    if (!(graph.read(before, group) == starts))
      return graph.wanted("groups that start where the last one ends", starts);
    Term ids = readRowGroup(graph, ofGroups, parts->getSize(rows));
    if (!ids)
      return {};
    return graph.elementwise(Kind::Equal,
                             {graph.read(ids, *own), graph.iota(group)});
  }
  return {};
}

/// Products of copies of all rows for each group, with 0 for those of others:
/// products by the matrix of each row's group.
Term parablock::raise::matchGroupedProduct(Graph &graph, const Node *node) {
  auto isTest = [](const Node *inner) { return inner->op == Kind::Equal; };
  const Node *product = node->operands[0].node;
  if (product->op != Kind::Mul || !leadsTo(node, isTest))
    return {};
  std::optional<Contraction> sum =
      getContraction(graph, {node, Layout::identity(node->size)},
                     [](const Node *) { return false; });
  if (!sum || sum->factors.size() != 3 || sum->bias || sum->coefficient != 1)
    return {};
  std::optional<ChosenNumber> group;
  Term x, weight;
  for (const Contraction::Factor &factor : sum->factors)
    if (isTest(factor.term.node))
      group = readChosenNumber(graph, factor.term);
    else
      (factor.term.node->source == Source::Data ? x : weight) = factor.term;
  if (!group || !x || !weight || !isSorted(group->choice))
    return {};
  enum : unsigned { kSums, kChoice, kNumber, kRows, kWeight };
  std::optional<Aligned> parts =
      align({sum->sums, group->choice.layout, group->number, x.layout,
             weight.layout});
  if (!parts)
    return {};
  SmallVector<unsigned> rows, groups, columns, depth;
  for (unsigned d = 0; d < parts->getNumDigits(); ++d) {
    bool isOut = parts->strides[kSums][d] != 0;
    bool isNumber = parts->strides[kNumber][d] != 0;
    bool inRows = parts->strides[kRows][d] != 0;
    bool inWeight = parts->strides[kWeight][d] != 0;
    bool isRow = parts->strides[kChoice][d] != 0;
    bool isRight = isNumber ? !isOut && !inRows && inWeight && !isRow
                   : isOut  ? isRow == inRows && isRow != inWeight
                            : inRows && inWeight && !isRow;
    if (!isRight)
      return graph.wanted("rows that are 0 in front of other groups", weight);
    (isNumber ? groups : !isOut ? depth : isRow ? rows : columns).push_back(d);
  }
  parts->sortByStride(groups, kNumber);
  int64_t count = parts->getSize(groups), width = parts->getSize(columns),
          inner = parts->getSize(depth), size = parts->getSize(rows);
  if (countExperts(group->choice) != count ||
      parts->select(kNumber, groups, group->number.getOffset()) !=
          Layout::identity(count))
    return graph.wanted("the matrices of all groups", weight);
  auto select = [&](const Term &term, unsigned which,
                    std::initializer_list<ArrayRef<unsigned>> lists) {
    return Term(term.node,
                parts->select(which, join(lists), term.layout.getOffset()));
  };
  Term matrices =
      graph.gather(select(weight, kWeight, {groups, depth, columns}),
                   select(group->choice, kChoice, {rows}), inner * width);
  Term own = graph.read(
      matrices, Layout({{size, inner * width}, {width, 1}, {inner, width}}));
  if (!own)
    return {};
  Term sums = graph.reduce(
      Kind::ReduceSum,
      graph.multiply(select(x, kRows, {rows, columns, depth}), own), inner);
  SmallVector<unsigned> out = parts->getVarying(kSums);
  parts->sortByStride(out, kSums);
  return graph.read(sums, parts->locate(out, join({rows, columns})));
}

/// Returns the sum of all sorted rows without the order, which does not change
/// it: rows added to a single result.
static Term sumAllRows(Graph &graph, const Node *node) {
  const Term &rows = node->operands[0];
  const Node *order = findOrder(rows, node->width);
  if (!order)
    return {};
  Term plain = unsort(graph, order, rows, getInner(node->size, node->width));
  // An order that is left could be taken out again and again.
  if (!plain || findOrder(plain, node->width))
    return graph.wanted("rows that are computed one by one", rows);
  return graph.reduce(Kind::ReduceSum, plain, node->width);
}

/// Sums of sorted rows of one number: those that are neighbours before sorting.
Term parablock::raise::matchScattered(Graph &graph, const Node *node) {
  int64_t count = node->width;
  const Term &whole = node->operands[0];
  if (whole.node->op != Kind::Select)
    return sumAllRows(graph, node);
  if (getSplat(whole.node->operands[2]) != 0.0)
    return {};
  Term test = graph.getOperand(whole, 0), rows = graph.getOperand(whole, 1);
  if (!test || !rows || test.node->op != Kind::Equal)
    return {};
  for (unsigned k : {0, 1}) {
    Term to = graph.getOperand(test, k), number = graph.getOperand(test, 1 - k);
    const Node *order = to ? findOrder(to, count) : nullptr;
    if (!order || !number || number.node->source != Source::Constant)
      continue;
    graph.found("rows that an order scatters");
    Layout place = getInner(node->size, count);
    Term back = unsort(graph, order, to, place);
    Term plain = unsort(graph, order, rows, place);
    std::optional<Layout> target = back && back.node->source == Source::Constant
                                       ? getNumbering(back)
                                       : std::nullopt;
    std::optional<Layout> own = getNumbering(number);
    if (!target || !plain || !own)
      return graph.wanted("rows that are computed one by one", rows);
    // The result [tokens, width], and the rows of each token.
    int64_t most = 0;
    for (Digit digit : own->getDigits())
      most += (digit.extent - 1) * digit.stride;
    int64_t tokens = most + 1, width = node->size / tokens;
    int64_t each = count / tokens;
    if (node->size % tokens != 0 || count % tokens != 0 ||
        *own != Layout({{tokens, 1}, {width * count, 0}}) ||
        *target != Layout({{tokens * width, 0}, {tokens, 1}, {each, 0}}))
      return graph.wanted("neighbouring rows of each result", to);
    Layout alone({{tokens, 0}, {width, count}, {count, 1}});
    Layout summed({{tokens, each}, {width, count}, {each, 1}});
    Term ofAny = graph.read(plain, alone);
    Term parts = ofAny && ofAny == plain ? graph.read(plain, summed) : Term();
    if (!parts)
      return graph.wanted("one row for all results", plain);
    return graph.reduce(Kind::ReduceSum, parts, each);
  }
  return {};
}

/// Rows in front of a sort, of what was computed from sorted ones.
Term parablock::raise::matchUnsorted(Graph &graph, const Node *node) {
  const Node *inverse = getOrder(node->operands[1]);
  if (!inverse)
    return {};
  const Term &table = node->operands[0];
  int64_t count = inverse->size;
  if (table.getSize() != count * node->width)
    return {};
  if (table.node->source != Source::Data)
    return node->width == 1 && table.node->source == Source::Constant &&
                   getNumbering(table) == Layout::identity(count)
               ? node->operands[1]
               : Term();
  const Node *order = getOrder(invertOrder(graph, inverse));
  if (Term plain =
          unsort(graph, order, table, Layout({{count, 1}, {node->width, 0}})))
    return plain;
  return graph.wanted("rows that are computed one by one from sorted ones",
                      table);
}
