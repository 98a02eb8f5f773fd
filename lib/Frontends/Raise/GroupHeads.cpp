//===- GroupHeads.cpp - heads that are put together from parts ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Heads without separate projections, as in latent attention: each concatenates
// a rotated part with one that is not, from one source or two, and values are
// columns of a projection with other columns, too. If elements of queries and
// of keys have the same order, any order gives the same scores: rotated ones
// come first here, as in other partial rotations. A part of the columns is a
// projection by a part of the weight, and parts of two sources are a sum of
// projections, each padded with zeros.
//
//===----------------------------------------------------------------------===//

#include "Group.h"
#include "Recognise.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

namespace {
/// A part of each head: its input, and its matrix and bias.
struct HeadPart {
  Term input, weight, bias;
  int64_t depth = 0;
  mlir::Type type;
};

/// Heads of so many elements, in rows.
class HeadsBuilder {
public:
  HeadsBuilder(Graph &graph, int64_t heads, ArrayRef<int64_t> sizes)
      : graph(graph), heads(heads), sizes(sizes),
        width(heads * llvm::sum_of(sizes)) {}
  /// Returns rows of the concatenated parts, or a null term.
  Term build(ArrayRef<Term> parts);

private:
  std::optional<HeadPart> project(const Term &part);
  std::optional<HeadPart> select(const Term &part);
  Term skipRotation(const Term &part, int64_t size);
  Term makeLinear(ArrayRef<const HeadPart *> parts);
  Term rotate(const Node *rotation, const Term &rows);

  Graph &graph;
  int64_t heads;
  ArrayRef<int64_t> sizes;
  int64_t width;
};
} // namespace

/// Returns columns of a projection as a separate projection.
static Term makeOwn(Graph &graph, const Term &columns) {
  std::optional<Projection> own = getProjection(graph, columns);
  if (!own)
    return {};
  Node linear = *columns.node;
  linear.size = columns.getSize();
  linear.width = own->width;
  linear.operands = {own->input, own->weight};
  linear.roles.clear();
  if (own->bias)
    linear.addRole("bias", own->bias);
  return graph.make(linear);
}

/// Returns `term`, with it or its operands replaced if they are columns of a
/// projection.
static Term withOwnColumns(Graph &graph, const Term &term) {
  const Node *node = getWhole(term);
  if (!node)
    return makeOwn(graph, term);
  if (node->op != Kind::Norm && node->op != Kind::Rope)
    return term;
  if (node->operands[0].node->op != Kind::Linear || getWhole(node->operands[0]))
    return term;
  Node own = *node;
  own.operands[0] = makeOwn(graph, own.operands[0]);
  if (!own.operands[0])
    return {};
  // Attention has queries, keys and values of one type.
  if (!own.type)
    own.type = own.operands[0].node->type;
  return graph.make(own);
}

std::optional<HeadPart> HeadsBuilder::project(const Term &part) {
  std::optional<Projection> own = getProjection(graph, part);
  if (!own)
    return std::nullopt;
  return HeadPart{own->input, own->weight, own->bias, own->depth,
                  part.node->type};
}

/// A part that is there already, in rows that are not much wider.
std::optional<HeadPart> HeadsBuilder::select(const Term &part) {
  const Node *node = part.node;
  int64_t depth = getTokenWidth(node), own = depth ? node->size / depth : 0;
  if (!node->isRecognised() || own == 0 || part.getSize() % own != 0 ||
      depth > 2 * llvm::sum_of(sizes))
    return std::nullopt;
  int64_t count = part.getSize() / own;
  std::optional<Layout> columns = compose(Layout::identity(count), part.layout);
  if (!columns)
    return std::nullopt;
  SmallVector<Digit> rows = {{own, depth}}, places;
  for (Digit digit : columns->getDigits()) {
    rows.push_back(digit);
    places.push_back(digit);
  }
  if (Layout(rows, columns->getOffset()) != part.layout)
    return std::nullopt;
  places.push_back({depth, 0});
  Term isOwn = graph.elementwise(
      Kind::Equal, {graph.iota(Layout(places, columns->getOffset())),
                    graph.iota(Layout({{count, 0}, {depth, 1}}))});
  Term matrix =
      graph.elementwise(Kind::Select, {isOwn, graph.splat(1, count * depth),
                                       graph.splat(0, count * depth)});
  return HeadPart{
      {node, Layout::identity(node->size)}, matrix, {}, depth, node->type};
}

/// Returns the operand of a rotation of whole heads by equal positions for each
/// token's heads; a null term for anything else.
Term HeadsBuilder::skipRotation(const Term &part, int64_t size) {
  const Node *node = part.node;
  if (node->op != Kind::Rope || node->width != size)
    return {};
  std::optional<Layout> positions = compose(part.layout, node->positions);
  std::optional<Aligned> aligned =
      align({part.layout, Layout({{part.getSize() / size, 1}, {size, 0}})});
  if (!positions || !aligned || part.layout.getOffset() != 0)
    return {};
  SmallVector<unsigned> inner;
  for (unsigned d = 0; d < aligned->getNumDigits(); ++d)
    if (aligned->strides[1][d] == 0)
      inner.push_back(d);
    else if (aligned->strides[0][d] % size != 0)
      return {};
  Node row = *node;
  row.size = part.getSize();
  row.positions = *positions;
  bool isOrdered = aligned->select(0, inner) == Layout::identity(size);
  return isOrdered && getTableRows(graph, &row, heads * size) != 0
             ? graph.getOperand(part, 0)
             : Term();
}

/// A projection with the parts that are not null, and zeros for the others.
Term HeadsBuilder::makeLinear(ArrayRef<const HeadPart *> parts) {
  const HeadPart &first = **llvm::find_if(
      parts, [](const HeadPart *part) { return part != nullptr; });
  bool isBiased = llvm::any_of(
      parts, [](const HeadPart *part) { return part && part->bias; });
  SmallVector<Term> weights, biases;
  for (auto [part, size] : llvm::zip_equal(parts, sizes)) {
    weights.push_back(part ? part->weight
                           : graph.splat(0, heads * size * first.depth));
    biases.push_back(part && part->bias ? part->bias
                                        : graph.splat(0, heads * size));
  }
  Node linear;
  linear.op = Kind::Linear;
  linear.width = width;
  linear.size = first.input.getSize() / first.depth * width;
  linear.type = first.type;
  Term input = withOwnColumns(graph, first.input);
  if (!input)
    return {};
  if (!linear.type)
    linear.type = input.node->type;
  linear.operands = {input, graph.concat(weights, heads, sizes, first.depth)};
  if (isBiased)
    linear.addRole("bias", graph.concat(biases, heads, sizes, 1));
  return graph.make(linear);
}

Term HeadsBuilder::rotate(const Node *rotation, const Term &rows) {
  Node rope = *rotation;
  rope.size = rows.getSize();
  rope.width = width / heads;
  rope.operands[0] = rows;
  rope.type = rows.node->type;
  int64_t tokens = rows.getSize() / (graph.batch * width);
  rope.positions = getTableRows(graph, rotation, getTokenWidth(rotation)) ==
                           graph.batch * tokens
                       ? Layout({{graph.batch * tokens, 1}, {width, 0}})
                       : Layout({{graph.batch, 0}, {tokens, 1}, {width, 0}});
  return graph.make(rope);
}

Term HeadsBuilder::build(ArrayRef<Term> given) {
  if (given.size() == 1 && getWhole(given[0]))
    return withOwnColumns(graph, given[0]);
  // With one source, everything is projected at once, and a part rotated then.
  SmallVector<HeadPart, 2> parts;
  SmallVector<Term> sources(given);
  Term unrotated = skipRotation(given[0], sizes[0]);
  if (unrotated)
    sources[0] = unrotated;
  for (const Term &source : sources)
    if (std::optional<HeadPart> part = project(source))
      parts.push_back(*part);
  bool isOfOne = parts.size() == given.size() &&
                 llvm::all_of(parts, [&](const HeadPart &part) {
                   return part.input == parts[0].input;
                 });
  if (isOfOne) {
    Term rows = makeLinear(
        llvm::map_to_vector(parts, [](const HeadPart &part) { return &part; }));
    return rows && unrotated ? rotate(given[0].node, rows) : rows;
  }
  // Else there is a projection for each.
  parts.clear();
  for (const Term &term : given) {
    std::optional<HeadPart> part = project(term);
    if (!part)
      part = select(term);
    if (!part)
      return graph.wanted("parts of heads that are columns of a projection",
                          term);
    parts.push_back(*part);
  }
  Node sum;
  sum.op = Kind::Residual;
  sum.width = width;
  for (unsigned k = 0; k < parts.size(); ++k) {
    SmallVector<const HeadPart *> alone(parts.size(), nullptr);
    alone[k] = &parts[k];
    Term rows = makeLinear(alone);
    if (!rows)
      return {};
    sum.size = rows.getSize();
    sum.operands.push_back(rows);
  }
  sum.type = sum.operands[0].node->type;
  sum.form = mlir::Builder(graph.context)
                 .getF64ArrayAttr(SmallVector<double>(parts.size(), 1));
  return graph.make(sum);
}

/// Returns `term` with both halves of a rotation joined into one part, if they
/// are two of more parts.
static Term joinHalves(Graph &graph, const Term &term) {
  const Node *node = term.node;
  if (node->op != Kind::Concat || node->operands.size() < 3)
    return term;
  Node joined = *node;
  for (unsigned k = 1; k < joined.operands.size(); ++k) {
    int64_t half = joined.extents[k];
    if (joined.extents[k - 1] != half)
      continue;
    Term both =
        graph.concat({joined.operands[k - 1], joined.operands[k]},
                     joined.operands[k].getSize() / (half * node->width),
                     {half, half}, node->width);
    if (both.node->op != Kind::Rope)
      continue;
    joined.operands[k - 1] = both;
    joined.extents[k - 1] = 2 * half;
    joined.operands.erase(joined.operands.begin() + k);
    joined.extents.erase(joined.extents.begin() + k);
  }
  return graph.read(graph.make(joined), term.layout);
}

/// Adds the offsets of parts of heads of `size` elements; returns false for
/// other parts.
static bool addCuts(const Term &term, int64_t size, SetVector<int64_t> &cuts) {
  const Node *node = term.node;
  if (node->op != Kind::Concat)
    return true;
  int64_t begin = 0;
  for (int64_t extent : node->extents) {
    cuts.insert(begin);
    begin += extent;
  }
  return node->width == 1 && begin == size;
}

/// Parts of queries and keys in the order of the queries' source.
static void sortElements(Graph &graph, Term &query, Term &key, int64_t size) {
  int64_t rows = query.getSize() / size;
  std::optional<Aligned> aligned =
      align({query.layout, Layout({{rows, 1}, {size, 0}})});
  if (!aligned)
    return;
  SmallVector<unsigned> inner;
  for (unsigned d = 0; d < aligned->getNumDigits(); ++d)
    if (aligned->strides[1][d] == 0)
      inner.push_back(d);
  SmallVector<unsigned> sorted = inner;
  aligned->sortByStride(sorted, 0);
  if (sorted == inner)
    return;
  Layout elements = aligned->locate(sorted, inner);
  auto read = [&](const Term &term) {
    SmallVector<Digit> digits = {{term.getSize() / size, size}};
    llvm::append_range(digits, elements.getDigits());
    return graph.read(term, Layout(digits));
  };
  Term ordered = read(query), same = read(key);
  if (ordered && same) {
    query = ordered;
    key = same;
  }
}

std::optional<Node> parablock::raise::groupHeads(Graph &graph,
                                                 const Node *sdpa) {
  int64_t heads = sdpa->extents[0], kvHeads = sdpa->extents[1];
  int64_t size = sdpa->extents[2], valueSize = sdpa->extents[3];
  Term query = joinHalves(graph, sdpa->operands[0]);
  Term key = joinHalves(graph, sdpa->operands[1]);
  SetVector<int64_t> found;
  found.insert(0);
  if (!query || !key || !addCuts(query, size, found) ||
      !addCuts(key, size, found))
    return graph.wanted("heads of parts side by side", sdpa->operands[0]);
  SmallVector<int64_t> cuts = found.takeVector();
  llvm::sort(cuts);
  struct Pair {
    Term query, key;
    int64_t size;
  };
  SmallVector<Pair, 2> pairs;
  for (auto [k, begin] : llvm::enumerate(cuts)) {
    int64_t own = (k + 1 < cuts.size() ? cuts[k + 1] : size) - begin;
    auto cut = [&, begin = begin](const Term &term) {
      return graph.read(
          term, Layout({{term.getSize() / size, size}, {own, 1}}, begin));
    };
    Pair pair{cut(query), cut(key), own};
    if (!pair.query || !pair.key)
      return graph.wanted("parts that can be read on their own",
                          sdpa->operands[0]);
    sortElements(graph, pair.query, pair.key, own);
    pairs.push_back(pair);
  }
  SmallVector<Term> queries, keys;
  SmallVector<int64_t> sizes;
  for (bool isRotated : {true, false})
    for (const Pair &pair : pairs)
      if ((pair.query.node->op == Kind::Rope) == isRotated) {
        queries.push_back(pair.query);
        keys.push_back(pair.key);
        sizes.push_back(pair.size);
      }
  graph.found("parts of heads");
  Node whole = *sdpa;
  whole.operands[0] = HeadsBuilder(graph, heads, sizes).build(queries);
  whole.operands[1] = HeadsBuilder(graph, kvHeads, sizes).build(keys);
  whole.operands[2] =
      HeadsBuilder(graph, kvHeads, valueSize).build(sdpa->operands[2]);
  bool isSame = llvm::equal(whole.operands, sdpa->operands);
  if (isSame || llvm::any_of(ArrayRef(whole.operands).take_front(3),
                             [](const Term &term) { return !term; }))
    return std::nullopt;
  return whole;
}
