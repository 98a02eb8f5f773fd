//===- SortedRows.cpp - puts sorted rows back in front of a sort ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Grouped products need rows sorted by their group. A value that is computed
// row by row, and then put back, does not depend on the order: element `r` of
// the sorted value is replaced by `inverse[s]`, so that `order[r]` becomes `s`.
// This file follows such a value through its operands.
//
//===----------------------------------------------------------------------===//

#include "SortedRows.h"
#include "Contraction.h"
#include "Group.h"
#include "ReadRoute.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

const Node *parablock::raise::getOrder(const Term &term) {
  const Node *node = term.node ? getWhole(term) : nullptr;
  return node && node->op == Kind::Order ? node : nullptr;
}

Term parablock::raise::makeOrder(Graph &graph, const Term &keys) {
  Node node;
  node.op = Kind::Order;
  node.size = keys.getSize();
  node.operands = {keys};
  return graph.make(node);
}

Term parablock::raise::invertOrder(Graph &graph, const Node *order) {
  // The order of a permutation is its inverse.
  if (getOrder(order->operands[0]))
    return order->operands[0];
  return makeOrder(graph, {order, Layout::identity(order->size)});
}

bool parablock::raise::isSorted(const Term &term) {
  return term.node->op == Kind::Gather && term.node->width == 1 &&
         term.node->operands[1].node->op == Kind::Order;
}

const Node *parablock::raise::findOrder(const Term &term, int64_t size) {
  constexpr size_t kMostNodes = 64;
  SmallVector<const Node *> work = {term.node};
  DenseSet<const Node *> seen;
  while (!work.empty() && seen.size() < kMostNodes) {
    const Node *node = work.pop_back_val();
    if (!seen.insert(node).second || node->source != Source::Data)
      continue;
    if (node->op == Kind::Order && node->size == size)
      return node;
    if (node->op == Kind::Gather)
      work.push_back(node->operands[1].node);
    else if (node->isElementwise() || node->op == Kind::ReduceSum)
      for (const Term &operand : node->operands)
        work.push_back(operand.node);
  }
  return nullptr;
}

namespace {
/// Follows one value.
class Unsorter {
public:
  Unsorter(Graph &graph, const Node *order) : graph(graph), order(order) {}
  Term unsort(const Term &term, const Layout &rows);

private:
  /// Elements of a node: `inner` of them for each row, `outer` times all rows.
  Layout getRows(int64_t outer, int64_t inner) const {
    return Layout({{outer, 0}, {order->size, 1}, {inner, 0}});
  }
  Term unsortNode(const Node *node, int64_t inner);
  Term unsortGather(const Node *node, int64_t inner);
  Term unsortElements(const Node *node, const Layout &rows);

  Graph &graph;
  const Node *order;
  DenseMap<std::pair<const Node *, int64_t>, Term> known;
};
} // namespace

/// A quotient of positions; constants of many elements are not evaluated.
static Term divideNumbering(Graph &graph, const Term &a, const Term &b) {
  std::optional<double> by = getSplat(b);
  if (a.node->op != Kind::Iota || !by || *by < 1)
    return {};
  ArrayRef<Digit> digits = a.layout.getDigits();
  auto step = static_cast<int64_t>(*by);
  SmallVector<Digit> divided;
  for (Digit digit : digits) {
    if (digit.stride == 0 || digit.stride % step == 0)
      divided.push_back({digit.extent, digit.stride / step});
    else if (digit.stride == 1 && digit.extent % step == 0)
      divided.append({{digit.extent / step, 1}, {step, 0}});
    else
      return {};
  }
  return a.layout.getOffset() == 0 ? graph.iota(Layout(divided)) : Term();
}

Term Unsorter::unsortElements(const Node *node, const Layout &rows) {
  SmallVector<Term> operands;
  for (const Term &operand : node->operands) {
    operands.push_back(unsort(operand, rows));
    if (!operands.back())
      return {};
  }
  if (node->op == Kind::DivInt)
    if (Term divided = divideNumbering(graph, operands[0], operands[1]))
      return divided;
  if (node->op == Kind::Round)
    return graph.round(operands[0], node->type);
  return graph.elementwise(node->op, operands, node->value);
}

/// Rows of a table, by numbers that may not depend on data any more.
Term Unsorter::unsortGather(const Node *node, int64_t inner) {
  int64_t width = node->width, outer = node->size / (order->size * inner);
  if (inner % width != 0)
    return {};
  Term numbers = unsort(node->operands[1], getRows(outer, inner / width));
  if (!numbers)
    return {};
  if (numbers.node->source != Source::Constant)
    return graph.gather(node->operands[0], numbers, width);
  std::optional<Layout> own = getNumbering(numbers);
  return own ? graph.read(node->operands[0],
                          appendDigit(*own, width, {width, 1}))
             : Term();
}

/// Pieces that compute each of their rows from the same row of an operand.
static bool isOfRows(const Node *node, int64_t inner) {
  switch (node->op) {
  case Kind::Activation:
  case Kind::Clamp:
    return true;
  case Kind::Softmax:
  case Kind::Norm:
    return inner % node->width == 0 &&
           llvm::all_of(ArrayRef(node->operands).drop_front(),
                        [](const Term &operand) {
                          return operand.node->source != Source::Data;
                        });
  default:
    return false;
  }
}

Term Unsorter::unsortNode(const Node *node, int64_t inner) {
  int64_t outer = node->size / (order->size * inner), width = node->width;
  Layout rows = getRows(outer, inner);
  if (node == order)
    return graph.iota(Layout::identity(order->size));
  if (node->isElementwise())
    return unsortElements(node, rows);
  auto copyWith = [&](const Layout &own) -> Term {
    Node copy = *node;
    copy.operands[0] = unsort(node->operands[0], own);
    return copy.operands[0] ? graph.make(copy) : Term();
  };
  if (isOfRows(node, inner))
    return copyWith(rows);
  switch (node->op) {
  case Kind::Gather:
    return unsortGather(node, inner);
  case Kind::ReduceSum:
  case Kind::ReduceMax:
  case Kind::ReduceAnd:
  case Kind::ReduceOr: {
    Term operand = unsort(node->operands[0], getRows(outer, inner * width));
    return operand ? graph.reduce(node->op, operand, width) : Term();
  }
  case Kind::Linear: {
    int64_t depth = node->operands[1].getSize() / width;
    return inner % width == 0 ? copyWith(getRows(outer, inner / width * depth))
                              : Term();
  }
  default:
    return {};
  }
}

/// Returns how many elements of a node follow one another in one row, if each
/// position of `layout` reads an element of the row that `rows` has for it.
static std::optional<int64_t> findInner(const Layout &layout,
                                        const Layout &rows, int64_t size,
                                        int64_t count) {
  std::optional<Aligned> aligned = align({layout, rows});
  if (!aligned)
    return std::nullopt;
  int64_t inner = 0;
  for (unsigned d = 0; d < aligned->getNumDigits(); ++d)
    if (int64_t step = aligned->strides[1][d]; step != 0) {
      if (aligned->strides[0][d] % step != 0)
        return std::nullopt;
      inner = aligned->strides[0][d] / step;
    }
  if (inner <= 0 || size % (inner * count) != 0)
    return std::nullopt;
  Layout own({{size / (inner * count), 0}, {count, 1}, {inner, 0}});
  std::optional<Layout> read = compose(layout, own);
  return read == rows ? std::optional(inner) : std::nullopt;
}

Term Unsorter::unsort(const Term &term, const Layout &rows) {
  const Node *node = term.node;
  std::optional<Aligned> aligned = align({term.layout, rows});
  if (!aligned)
    return {};
  bool isRead = false;
  for (unsigned d = 0; d < aligned->getNumDigits(); ++d)
    isRead |= aligned->strides[0][d] != 0 && aligned->strides[1][d] != 0;
  if (!isRead)
    return term;
  // Numbers of positions do not depend on what is sorted.
  if (node->source != Source::Data)
    return {};
  std::optional<int64_t> inner =
      findInner(term.layout, rows, node->size, order->size);
  if (!inner)
    return {};
  auto [place, isNew] = known.try_emplace({node, *inner});
  if (isNew) {
    Term made = unsortNode(node, *inner);
    place = known.find({node, *inner});
    place->second = made;
  }
  const Term &made = place->second;
  return made ? graph.read(made, term.layout) : Term();
}

Term parablock::raise::unsort(Graph &graph, const Node *order, const Term &term,
                              const Layout &rows) {
  return Unsorter(graph, order).unsort(term, rows);
}
