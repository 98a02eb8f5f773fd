//===- MatchRope.cpp - rotations of pairs by their position ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// In any spelling, a rotation computes two halves of its result, `a cos - b
// sin` and `b cos + a sin`: both halves are matched separately, as sums of
// products of parts of one value with tables. Tables of constants are compared
// with cosines and sines; others are operands of the rotation.
//
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "Recognise.h"
#include "RopeDigits.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// Returns the factor that is rotated: preferably one that differs between
/// heads, and one that was computed.
static int findValue(const Product &product) {
  int found = -1, best = -1;
  for (auto [k, factor] : llvm::enumerate(product.factors)) {
    const Node *node = factor.term.node;
    if (node->source != Source::Data || factor.exponent != 1)
      continue;
    int likely =
        2 * factor.term.layout.isInjective() + (node->op != Kind::Leaf);
    if (likely > best) {
      found = k;
      best = likely;
    }
  }
  return found;
}

/// The two products of data and tables that `half` is the sum of.
static bool matchTurns(Graph &graph, const Term &half,
                       std::vector<Turn> &turns) {
  Sum sum = getSum(graph, half);
  if (sum.constant != 0 || sum.addends.size() != 2)
    return graph.wanted("a sum of two products in each half", half);
  for (const Addend &addend : sum.addends) {
    Product product = getProduct(graph, addend.term);
    product.coefficient *= addend.coefficient;
    int value = findValue(product);
    if (value < 0)
      return graph.wanted("a part of a value times a table", addend.term);
    turns.push_back({product.factors[value].term, product.without(value)});
  }
  return true;
}

/// Returns the number that all products share, which is not part of the tables.
static double takeCommonFactor(std::vector<Turn> (&turns)[2]) {
  double factor = std::fabs(turns[0][0].table.coefficient);
  for (const std::vector<Turn> &half : turns)
    for (const Turn &turn : half)
      if (!isClose(std::fabs(turn.table.coefficient), factor) || factor == 0)
        return 1;
  for (std::vector<Turn> &half : turns)
    for (Turn &turn : half)
      turn.table.coefficient = std::copysign(1, turn.table.coefficient);
  return factor;
}

namespace {

/// Tables that are operands, as rows of one position each.
struct TableBuilder {
  Graph &graph;
  const Aligned &aligned;
  ArrayRef<unsigned> order;
  int64_t positions, pairs;
  block::RopeStyle style;

  /// Returns `sign` times the product whose factors have the layouts from
  /// `layout` on.
  Term build(const Product &product, unsigned layout, double sign) const;
  /// The table of all elements, or of pairs where both halves have the same.
  Term join(const Term &first, const Term &second) const;
};

} // namespace

Term TableBuilder::build(const Product &product, unsigned layout,
                         double sign) const {
  Product own;
  own.coefficient = sign * product.coefficient;
  for (const Factor &factor : product.factors) {
    int64_t offset = factor.term.layout.getOffset();
    own.factors.push_back(
        {{factor.term.node, aligned.select(layout++, order, offset)},
         factor.exponent});
  }
  return raise::build(graph, own, positions * pairs);
}

Term TableBuilder::join(const Term &first, const Term &second) const {
  if (first == second)
    return first;
  bool isHalf = style == block::RopeStyle::Half;
  // Two halves of one existing table.
  int64_t distance = second.layout.getOffset() - first.layout.getOffset();
  bool isWhole = first.node == second.node && distance == (isHalf ? pairs : 1);
  int64_t row = 2 * pairs;
  Layout own = isHalf ? Layout({{positions, row}, {pairs, 1}})
                      : Layout({{positions * pairs, 2}});
  auto isOwn = [&](const Term &term) {
    return Layout(term.layout.getDigits()) == own;
  };
  if (isWhole && isOwn(first) && isOwn(second))
    return graph.read({first.node, Layout::identity(first.node->size)},
                      Layout({{positions * row, 1}}, first.layout.getOffset()));
  return isHalf ? graph.concat({first, second}, positions, {pairs, pairs}, 1)
                : graph.concat({first, second}, positions * pairs, {1, 1}, 1);
}

/// Finds two equal adjacent parts in the operands of `root`.
static std::optional<Term> findHalves(Graph &graph, const Node *node) {
  auto isPair = [](const Node *candidate) {
    return candidate->op == Kind::Concat && candidate->extents.size() == 2 &&
           candidate->extents[0] == candidate->extents[1];
  };
  Term root{node, Layout::identity(node->size)};
  if (isPair(node))
    return root;
  if (node->op != Kind::Add)
    return std::nullopt;
  for (unsigned k : {0, 1})
    for (const Factor &factor :
         getProduct(graph, graph.getOperand(root, k)).factors)
      if (isPair(factor.term.node) &&
          factor.term.layout.isPermutation(node->size) &&
          factor.term.node->source == Source::Data)
        return factor.term;
  return std::nullopt;
}

namespace {

class RopeMatcher {
public:
  RopeMatcher(Graph &graph, const Node *node) : graph(graph), node(node) {}
  Term match();

private:
  bool splitHalves();
  bool pairTurns();
  bool alignTables();
  bool readConstants();
  void readOperands();
  Term makeRope();

  /// A digit of the whole: the distance of one step.
  struct Place {
    int64_t extent, value, root, position;
  };
  SmallVector<Place> sortPlaces() const;

  Graph &graph;
  const Node *node;
  /// The places of both halves in the root.
  Layout places[2];
  /// The products of each half; the first goes with the half's own part.
  std::vector<Turn> turns[2];
  /// Distance of the second part from the first one in the value.
  int64_t distance = 0;
  TableDigits digits;
  block::RopeStyle style = block::RopeStyle::Half;
  bool isConstant = false;
  block::RopeAttr form;
  Term cosines, sines;
  double factor = 1;
  /// The factor of a rotation of position 0 alone.
  std::optional<double> unturned;
};

} // namespace

bool RopeMatcher::splitHalves() {
  std::optional<Term> halves = findHalves(graph, node);
  if (!halves)
    return graph.wanted("two equal parts side by side");
  const Node *pair = halves->node;
  int64_t run = pair->extents[0] * pair->width;
  std::optional<Layout> order = invert(halves->layout);
  if (!order)
    return graph.wanted("halves that are read whole", *halves);
  Term root{node, Layout::identity(node->size)};
  for (int64_t k : {0, 1}) {
    std::optional<Layout> place = compose(
        Layout({{node->size / (2 * run), 2 * run}, {run, 1}}, k * run), *order);
    if (!place)
      return graph.wanted("halves of each row", *halves);
    places[k] = *place;
    Term half = graph.read(root, *place);
    if (!half)
      return graph.wanted("halves that can be read on their own", root);
    if (!matchTurns(graph, half, turns[k]))
      return false;
  }
  graph.found("two halves that are sums of products");
  return true;
}

/// Each half has its own part of the value and the other's.
bool RopeMatcher::pairTurns() {
  auto isOther = [](const Turn &turn, const Turn &own) {
    return turn.part == own.part;
  };
  if (!isOther(turns[1][1], turns[0][0]))
    std::swap(turns[1][0], turns[1][1]);
  if (!isOther(turns[1][1], turns[0][0]) || !isOther(turns[0][1], turns[1][0]))
    return graph.wanted("the same two parts of a value in both halves",
                        turns[0][0].part);
  distance =
      turns[1][0].part.layout.getOffset() - turns[0][0].part.layout.getOffset();
  if (distance < 0) {
    std::swap(turns[0][0], turns[0][1]);
    std::swap(turns[1][0], turns[1][1]);
    distance = -distance;
  }
  const Term &first = turns[0][0].part, &second = turns[1][0].part;
  if (first.node != second.node)
    return graph.wanted("two parts of one value", second);
  if (distance == 0 ||
      Layout(first.layout.getDigits()) != Layout(second.layout.getDigits()))
    return graph.wanted("two parts that are read alike", second);
  graph.found("the parts of a value that turn into each other");
  return true;
}

/// Finds the digits of positions and of pairs.
bool RopeMatcher::alignTables() {
  const Term &first = turns[0][0].part;
  SmallVector<Layout> layouts = {first.layout, places[0]};
  for (auto &half : turns)
    for (const Turn &turn : half)
      for (const Factor &table : turn.table.factors)
        layouts.push_back(table.term.layout);
  bool isInterleaved = distance == 1;
  if (isInterleaved)
    style = block::RopeStyle::Interleaved;
  isConstant = areConstant(turns);
  std::optional<TableDigits> found =
      findTableDigits(layouts, isInterleaved, layouts.size());
  if (found && isConstant && isInterleaved && found->getPositions() == 1)
    if (int64_t pairs = countPairs(turns, *found)) {
      // Only marks where positions end; with one head, they form a run with
      // pairs.
      int64_t count = layouts.size();
      layouts.push_back(Layout({{first.getSize() / pairs, 1}, {pairs, 0}}));
      found = findTableDigits(layouts, isInterleaved, count);
    }
  if (!found)
    return graph.wanted("tables that are read along the value", first);
  if (!isInterleaved && distance % found->pairs != 0)
    return graph.wanted("halves or neighbours of each head", first);
  digits = std::move(*found);
  graph.found("tables by position and pair");
  return true;
}

bool RopeMatcher::readConstants() {
  RopeTable table;
  if (!readTable(turns, digits, table))
    return graph.wanted("the same cosines, and sines of other sign, in both "
                        "halves",
                        turns[0][0].table.factors.empty()
                            ? Term()
                            : turns[0][0].table.factors.front().term);
  // The table of position 0 does not distinguish frequencies or heads: it is
  // the identity.
  if ((unturned = table.getUnturned()))
    return true;
  form = table.fit(graph.context, style, graph.exactNumbers);
  // Rounded tables have no exact frequencies.
  if (!form && graph.exactNumbers)
    readOperands();
  if (!form)
    return graph.miss("rope", Reason::NotARotation,
                      "no frequencies give the tables of cosines and sines");
  return true;
}

/// Tables that are not known here are operands.
void RopeMatcher::readOperands() {
  factor = takeCommonFactor(turns);
  SmallVector<unsigned> order = digits.positions;
  if (digits.pairs > 1)
    order.push_back(digits.pairDigit);
  TableBuilder tables = {
      graph, digits.aligned, order, digits.getPositions(), digits.pairs, style};
  // Layouts of the factors follow those of the value and of the root.
  unsigned layout = 2;
  Term read[2][2];
  for (unsigned half : {0, 1})
    for (unsigned k : {0, 1}) {
      const Product &product = turns[half][k].table;
      // The second of a pair is subtracted from the first.
      read[half][k] = tables.build(product, layout, half < k ? -1 : 1);
      layout += product.factors.size();
    }
  cosines = tables.join(read[0][0], read[1][0]);
  sines = tables.join(read[0][1], read[1][1]);
  form = block::RopeAttr::get(graph.context, style, 2 * digits.pairs, {}, {},
                              {}, {});
}

/// Both halves in the order of the value.
SmallVector<RopeMatcher::Place> RopeMatcher::sortPlaces() const {
  const Aligned &aligned = digits.aligned;
  SmallVector<Place> sorted;
  int64_t below = digits.getPositions();
  for (unsigned d : digits.all) {
    Place place{aligned.extents[d], aligned.strides[0][d],
                aligned.strides[1][d], 0};
    if (llvm::is_contained(digits.positions, d)) {
      below /= aligned.extents[d];
      place.position = below;
    }
    sorted.push_back(place);
  }
  sorted.push_back(
      {2, distance, places[1].getOffset() - places[0].getOffset(), 0});
  llvm::stable_sort(
      sorted, [](const Place &a, const Place &b) { return a.value > b.value; });
  return sorted;
}

Term RopeMatcher::makeRope() {
  SmallVector<Place> sorted = sortPlaces();
  Node rope;
  rope.op = Kind::Rope;
  rope.size = node->size;
  rope.width = 2 * digits.pairs;
  rope.form = form;
  SmallVector<Digit> value, position;
  for (const Place &digit : sorted) {
    value.push_back({digit.extent, digit.value});
    position.push_back({digit.extent, digit.position});
  }
  const Term &first = turns[0][0].part;
  rope.operands = {{first.node, Layout(value, first.layout.getOffset())}};
  if (cosines) {
    rope.addRole("cos", cosines);
    rope.addRole("sin", sines);
  }
  rope.positions = Layout(position);
  // Positions of each of them in the root.
  SmallVector<std::pair<int64_t, Digit>> back;
  int64_t place = 1;
  for (const Place &digit : llvm::reverse(sorted)) {
    back.push_back({digit.root, {digit.extent, place}});
    place *= digit.extent;
  }
  llvm::sort(back,
             [](const auto &a, const auto &b) { return a.first > b.first; });
  SmallVector<Digit> backDigits;
  for (auto &[stride, digit] : back)
    backDigits.push_back(digit);
  Term whole = unturned ? rope.operands[0] : graph.make(rope);
  Term result = graph.read(whole, Layout(backDigits));
  return result ? graph.scale(result, unturned.value_or(factor)) : Term();
}

Term RopeMatcher::match() {
  if (!splitHalves() || !pairTurns() || !alignTables())
    return {};
  if (!isConstant)
    readOperands();
  else if (!readConstants())
    return {};
  return makeRope();
}

Term parablock::raise::matchRope(Graph &graph, const Node *node) {
  return RopeMatcher(graph, node).match();
}
