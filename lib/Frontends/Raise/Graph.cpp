//===- Graph.cpp - creates, rewrites and reads nodes ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Graph.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace llvm;
using namespace parablock::raise;

Term Node::getRole(StringRef role) const {
  for (auto &[name, index] : roles)
    if (name == role)
      return operands[index];
  return {};
}

void Node::addRole(StringRef role, Term term) {
  roles.emplace_back(role, operands.size());
  operands.push_back(std::move(term));
}

NoMatch Graph::miss(StringRef kind, Reason reason, const Twine &detail,
                    const Term &got) {
  explanations.missed.push_back({kind, reason, detail.str(), location});
  return explanations.giveUp(Twine(getReasonName(reason)) + ": " + detail,
                             got.node, /*isCandidate=*/true);
}

std::vector<const Node *> Graph::getNodes() const {
  std::vector<const Node *> result;
  for (const std::unique_ptr<const Node> &node : nodes)
    result.push_back(node.get());
  return result;
}

//===----------------------------------------------------------------------===//
// Making nodes once
//===----------------------------------------------------------------------===//

static std::vector<int64_t> makeKey(const Node &node) {
  std::vector<int64_t> key = {
      static_cast<int64_t>(node.op),
      node.size,
      node.width,
      bit_cast<int64_t>(node.value),
      bit_cast<int64_t>(node.type.getAsOpaquePointer()),
      bit_cast<int64_t>(node.form.getAsOpaquePointer()),
      bit_cast<int64_t>(node.dropout.getAsOpaquePointer())};
  auto addLayout = [&](const Layout &layout) {
    key.push_back(layout.getOffset());
    key.push_back(layout.getDigits().size());
    for (Digit digit : layout.getDigits()) {
      key.push_back(digit.extent);
      key.push_back(digit.stride);
    }
  };
  addLayout(node.positions);
  key.push_back(node.extents.size());
  key.insert(key.end(), node.extents.begin(), node.extents.end());
  for (const Term &operand : node.operands) {
    key.push_back(operand.node->id);
    addLayout(operand.layout);
  }
  for (auto &[role, index] : node.roles) {
    key.push_back(static_cast<int64_t>(hash_value(role)));
    key.push_back(index);
  }
  return key;
}

const Node *Graph::keep(Node node) {
  node.id = nodes.size();
  // A copy of a node has other numbers.
  node.numbers = nullptr;
  nodes.push_back(std::make_unique<const Node>(std::move(node)));
  return nodes.back().get();
}

Term Graph::make(Node node) {
  node.source = Source::Constant;
  for (const Term &operand : node.operands)
    node.source = std::max(node.source, operand.node->source);
  node.origin = nullptr;
  node.location = location;
  Term &entry = known[makeKey(node)];
  if (entry)
    return entry;
  Layout whole = Layout::identity(node.size);
  const Node *made = keep(std::move(node));
  // Matchers may make the same node again.
  entry = {made, whole};
  if (Term piece = rules.recognise(*this, made))
    entry = piece;
  return entry;
}

Term Graph::splat(double value, int64_t size) {
  Node node;
  node.op = Kind::Splat;
  node.size = 1;
  node.value = value;
  return {make(node).node, Layout::broadcast(size)};
}

/// A node that the function gives as `value`.
static Node describeGiven(Kind op, mlir::Value value, Source source,
                          mlir::Location location) {
  auto type = cast<mlir::ShapedType>(value.getType());
  Node node;
  node.op = op;
  node.size = type.getNumElements();
  node.source = source;
  mlir::Type element = type.getElementType();
  if (element.isF16() || element.isBF16())
    node.type = element;
  node.width = type.getRank() == 0 ? 1 : type.getShape().back();
  node.given = value;
  node.location = location;
  return node;
}

Term Graph::leaf(mlir::Value value, Source source, bool isGuessed) {
  Node node = describeGiven(Kind::Leaf, value, source, location);
  node.isGuessed = isGuessed;
  const Node *made = keep(std::move(node));
  Layout whole = Layout::identity(made->size);
  setHome(made, value, whole);
  return {made, whole};
}

Term Graph::dense(mlir::Value value, mlir::ElementsAttr elements) {
  Node node = describeGiven(Kind::Dense, value, Source::Constant, location);
  node.form = elements;
  const Node *made = keep(std::move(node));
  Layout whole = Layout::identity(made->size);
  setHome(made, value, whole);
  return {made, whole};
}

Term Graph::iota(const Layout &positions) {
  Node node;
  node.op = Kind::Iota;
  node.size = std::numeric_limits<int64_t>::max();
  return {make(node).node, positions};
}

//===----------------------------------------------------------------------===//
// Additional facts about nodes
//===----------------------------------------------------------------------===//

void Graph::setHome(const Node *node, mlir::Value value, const Layout &layout) {
  homes.try_emplace(getOrigin(node), Home{value, layout});
}

const Home *Graph::getHome(const Node *node) const {
  auto found = homes.find(getOrigin(node));
  return found == homes.end() ? nullptr : &found->second;
}

const Node *Graph::supersede(const Node *node, Node piece) {
  assert(piece.size == node->size && "a piece has the elements of its node");
  piece.origin = getOrigin(node);
  piece.location = node->location;
  return successors[node] = keep(std::move(piece));
}

const Node *Graph::addVariant(const Node *node, Node piece) {
  piece.origin = nullptr;
  piece.location = node->location;
  return keep(std::move(piece));
}

const Node *Graph::getCurrent(const Node *node) const {
  while (const Node *next = successors.lookup(node))
    node = next;
  return node;
}

//===----------------------------------------------------------------------===//
// Reading through layouts
//===----------------------------------------------------------------------===//

Term Graph::read(const Term &term, const Layout &layout) {
  std::optional<Layout> composed = compose(layout, term.layout);
  if (!composed)
    return {};
  const Node *node = term.node;
  if (node->op != Kind::Concat)
    return {node, *composed};
  // If only one part is read, the concatenation is not needed.
  int64_t inner = node->width, total = 0;
  for (int64_t extent : node->extents)
    total += extent;
  int64_t shape[] = {node->size / (inner * total), total, inner};
  std::optional<Coordinates> split = splitAlong(*composed, shape);
  if (!split)
    return {node, *composed};
  int64_t first = split->offsets[1], last = first;
  for (auto [extent, strides] : llvm::zip(split->extents, split->strides))
    last += (extent - 1) * strides[1];
  int64_t begin = 0;
  for (auto [part, extent] : llvm::zip(node->operands, node->extents)) {
    if (first >= begin && last < begin + extent) {
      SmallVector<Digit> digits;
      for (auto [size, strides] : llvm::zip(split->extents, split->strides))
        digits.push_back({size, strides[0] * extent * inner +
                                    strides[1] * inner + strides[2]});
      int64_t offset = split->offsets[0] * extent * inner +
                       (first - begin) * inner + split->offsets[2];
      return read(part, Layout(digits, offset));
    }
    begin += extent;
  }
  return {node, *composed};
}

Term Graph::getOperand(const Term &term, unsigned k) {
  return read(term.node->operands[k], term.layout);
}

//===----------------------------------------------------------------------===//
// Elementwise nodes
//===----------------------------------------------------------------------===//

std::optional<double> parablock::raise::getSplat(const Term &term) {
  if (term.node && term.node->op == Kind::Splat)
    return term.node->value;
  if (term.node && term.node->op == Kind::Iota && term.layout.isBroadcast())
    return static_cast<double>(term.layout.getOffset());
  return std::nullopt;
}

bool parablock::raise::canEmit(const Graph &graph, ArrayRef<double> numbers) {
  return !graph.exactNumbers || llvm::all_of(numbers, [](double number) {
    return static_cast<float>(number) == number || std::isnan(number);
  });
}

/// Reorders the elements by the operand that is read once at each of them, so
/// that transpositions move to the readers of the result.
Term Graph::canonical(Kind op, ArrayRef<Term> operands, double value) {
  Node node;
  node.op = op;
  node.value = value;
  node.size = operands.front().getSize();
  node.operands.assign(operands.begin(), operands.end());
  const Term *primary = nullptr;
  for (const Term &operand : operands)
    if (operand.layout.isInjective() &&
        (!primary || operand.node->source > primary->node->source))
      primary = &operand;
  SmallVector<Layout> layouts =
      map_to_vector(operands, [](const Term &term) { return term.layout; });
  std::optional<Aligned> aligned = align(layouts);
  if (!aligned)
    return make(node);
  // Digits that no operand carries are repetitions of the result.
  SmallVector<unsigned> order;
  for (unsigned d = 0; d < aligned->getNumDigits(); ++d)
    if (llvm::any_of(aligned->strides,
                     [&](ArrayRef<int64_t> own) { return own[d] != 0; }))
      order.push_back(d);
  bool isWhole = order.size() == aligned->getNumDigits();
  if (primary)
    aligned->sortByStride(order, primary - operands.begin());
  if (isWhole && llvm::is_sorted(order))
    return make(node);
  for (auto [k, operand] : llvm::enumerate(node.operands))
    operand.layout = aligned->select(k, order, operand.layout.getOffset());
  SmallVector<Digit> back(aligned->getNumDigits());
  for (auto [digit, extent] : llvm::zip(back, aligned->extents))
    digit = {extent, 0};
  node.size = 1;
  for (unsigned d : llvm::reverse(order)) {
    back[d].stride = node.size;
    node.size *= aligned->extents[d];
  }
  return read(make(node), Layout(back));
}

Term Graph::elementwise(Kind op, ArrayRef<Term> given, double value) {
  SmallVector<Term> operands(given);
  bool commutes =
      is_contained({Kind::Add, Kind::Mul, Kind::Max, Kind::Min, Kind::Equal,
                    Kind::NotEqual, Kind::And, Kind::Or, Kind::Xor},
                   op);
  if (commutes && operands[0].node->id > operands[1].node->id)
    std::swap(operands[0], operands[1]);
  if (Term folded = rules.simplify(*this, op, operands, value))
    return folded;
  return canonical(op, operands, value);
}

Term Graph::add(const Term &a, const Term &b) {
  return elementwise(Kind::Add, {a, b});
}
Term Graph::multiply(const Term &a, const Term &b) {
  return elementwise(Kind::Mul, {a, b});
}
Term Graph::scale(const Term &a, double factor) {
  return multiply(a, splat(factor, a.getSize()));
}
Term Graph::power(const Term &a, double exponent) {
  return elementwise(Kind::Power, {a}, exponent);
}

Term Graph::ceil(const Term &a) {
  return scale(elementwise(Kind::Floor, {scale(a, -1)}), -1);
}

Term Graph::round(const Term &a, mlir::Type type) {
  if (!type.isF16() && !type.isBF16())
    return a;
  const Node *node = a.node;
  if (node->op == Kind::Iota ||
      (node->op != Kind::Splat && hasType(node, type)))
    return a;
  if (node->op == Kind::Splat)
    return splat(roundNumber(node->value, type), a.getSize());
  if (node->op == Kind::Concat) {
    // Parts are moved as they are: each is rounded by itself.
    Node parts = *node;
    for (Term &part : parts.operands)
      part = round(part, type);
    return read(make(parts), a.layout);
  }
  Node rounded;
  SmallVector<Digit> moving;
  copy_if(a.layout.getDigits(), std::back_inserter(moving),
          [](Digit digit) { return digit.stride != 0; });
  if (node->isRecognised() && !node->type && Layout(moving).isInjective()) {
    // A piece is rounded where its result is, be that repeated or not.
    rounded = *node;
    rounded.type = type;
    return read(make(rounded), a.layout);
  }
  rounded.op = Kind::Round;
  rounded.size = node->size;
  rounded.operands = {{node, Layout::identity(node->size)}};
  rounded.type = type;
  return read(make(rounded), a.layout);
}

//===----------------------------------------------------------------------===//
// Other nodes
//===----------------------------------------------------------------------===//

/// Returns true for a product with weights of a softmax: dropped or not, alone
/// or in a sum.
static bool isWeighted(const Term &term) {
  constexpr size_t kMostNodes = 32;
  const Node *product = term.node;
  while (product->op == Kind::Round)
    product = product->operands[0].node;
  if (product->op != Kind::Mul)
    return false;
  SetVector<const Node *> seen;
  seen.insert(product);
  for (size_t i = 0; i < seen.size() && seen.size() < kMostNodes; ++i) {
    const Node *node = seen[i];
    if (node->op == Kind::Softmax)
      return true;
    if (node->op == Kind::Dropout)
      seen.insert(node->operands[0].node);
    if (node->op == Kind::Round || node->op == Kind::Add ||
        node->op == Kind::Mul)
      for (const Term &operand : node->operands)
        seen.insert(operand.node);
  }
  return false;
}

Term Graph::reduce(Kind op, const Term &operand, int64_t width) {
  // A sum over one position is created if it may complete attention over one
  // key. No other reduction over one position is a node.
  bool isSingle = width == 1;
  if (isSingle && !(op == Kind::ReduceSum && isWeighted(operand)))
    return operand;
  int64_t size = operand.getSize() / width;
  if (std::optional<double> number = getSplat(operand))
    return splat(op == Kind::ReduceSum ? *number * width : *number, size);
  // A factor of all addends, unless they are products: those are kept whole.
  if (op == Kind::ReduceSum && operand.node->op == Kind::Mul)
    for (unsigned k : {0, 1})
      if (std::optional<double> factor = getSplat(operand.node->operands[k]))
        if (Term rest = getOperand(operand, 1 - k);
            rest && rest.node->op != Kind::Mul)
          return scale(reduce(op, rest, width), *factor);
  Node node;
  node.op = op;
  node.size = size;
  node.width = width;
  node.operands = {operand};
  Term made = make(node);
  return isSingle && made.node->op == op ? operand : made;
}

/// Parts at equal distances in one value are a view of it: copies of one part,
/// or parts that were split before. `row` is the size of a part within one of
/// `outer`.
Term Graph::joinParts(ArrayRef<Term> parts, int64_t outer, int64_t row) {
  const Term &first = parts.front();
  int64_t start = first.layout.getOffset(), count = parts.size();
  int64_t step = parts[1].layout.getOffset() - start;
  for (auto [k, part] : llvm::enumerate(parts))
    if (part.node != first.node || step < 0 ||
        Layout(part.layout.getDigits()) != Layout(first.layout.getDigits()) ||
        part.layout.getOffset() != start + static_cast<int64_t>(k) * step)
      return {};
  std::optional<Aligned> aligned =
      align({first.layout, Layout({{outer, 1}, {row, 0}})});
  if (!aligned)
    return {};
  SmallVector<Digit> digits, inner;
  for (unsigned d = 0; d < aligned->getNumDigits(); ++d)
    (aligned->strides[1][d] != 0 ? digits : inner)
        .push_back({aligned->extents[d], aligned->strides[0][d]});
  digits.push_back({count, step});
  digits.append(inner);
  return read({first.node, Layout::identity(first.node->size)},
              Layout(digits, start));
}

/// Adjacent parts of different sizes within rows of one value are those
/// rows.
Term Graph::joinRuns(ArrayRef<Term> parts, int64_t outer,
                     ArrayRef<int64_t> sizes, int64_t inner) {
  const Term &first = parts.front();
  int64_t total = 0;
  SmallVector<Digit> rows;
  for (auto [part, size] : llvm::zip_equal(parts, sizes)) {
    int64_t run = size * inner;
    std::optional<Aligned> aligned =
        align({part.layout, Layout({{outer, 1}, {run, 0}})});
    if (part.node != first.node || !aligned ||
        part.layout.getOffset() != first.layout.getOffset() + total)
      return {};
    SmallVector<Digit> own;
    SmallVector<unsigned> within;
    for (unsigned d = 0; d < aligned->getNumDigits(); ++d)
      if (aligned->strides[1][d] != 0)
        own.push_back({aligned->extents[d], aligned->strides[0][d]});
      else
        within.push_back(d);
    bool isFirst = total == 0;
    if (aligned->select(0, within) != Layout::identity(run) ||
        (!isFirst && Layout(own) != Layout(rows)))
      return {};
    rows = own;
    total += run;
  }
  rows.push_back({total, 1});
  return read({first.node, Layout::identity(first.node->size)},
              Layout(rows, first.layout.getOffset()));
}

/// Returns which whole parts of another concatenation along the same dimension
/// `part` is.
static std::pair<unsigned, unsigned> findParts(const Term &part, int64_t outer,
                                               int64_t size, int64_t inner) {
  const Node *node = part.node;
  if (node->op != Kind::Concat || node->width != inner)
    return {0, 0};
  int64_t total = 0;
  for (int64_t extent : node->extents)
    total += extent;
  if (outer * total * inner != node->size)
    return {0, 0};
  int64_t begin = part.layout.getOffset() / inner, at = 0;
  if (part.layout !=
      Layout({{outer, total * inner}, {size * inner, 1}}, begin * inner))
    return {0, 0};
  unsigned first = 0;
  while (first < node->extents.size() && at < begin)
    at += node->extents[first++];
  unsigned last = first;
  int64_t end = at;
  while (last < node->extents.size() && end < begin + size)
    end += node->extents[last++];
  return at == begin && end == begin + size ? std::pair(first, last)
                                            : std::pair(0u, 0u);
}

/// Concatenates what all parts repeat along digits of `outer` once, as heads
/// that are repeated before halves of them are exchanged.
Term Graph::concatOnce(ArrayRef<Term> parts, int64_t outer,
                       ArrayRef<int64_t> sizes, int64_t inner) {
  SmallVector<Layout> starts;
  for (auto [part, size] : llvm::zip(parts, sizes)) {
    std::optional<Layout> start =
        compose(Layout({{outer, size * inner}}), part.layout);
    if (!start)
      return {};
    starts.push_back(*start);
  }
  std::optional<Aligned> aligned = align(starts);
  if (!aligned)
    return {};
  auto isRepeated = [&](unsigned d) {
    return aligned->extents[d] > 1 &&
           llvm::all_of(aligned->strides,
                        [&](ArrayRef<int64_t> own) { return own[d] == 0; });
  };
  int64_t kept = 1, total = 0, place = 1;
  for (int64_t size : sizes)
    total += size * inner;
  SmallVector<Digit> from(aligned->getNumDigits()), to;
  for (unsigned d = aligned->getNumDigits(); d-- > 0;) {
    int64_t extent = aligned->extents[d];
    from[d] = {extent, isRepeated(d) ? 0 : kept * total};
    if (!isRepeated(d)) {
      to.insert(to.begin(), {extent, place});
      kept *= extent;
    }
    place *= extent;
  }
  if (kept == outer)
    return {};
  SmallVector<Term> once;
  for (auto [part, size] : llvm::zip(parts, sizes)) {
    SmallVector<Digit> digits;
    for (Digit digit : to)
      digits.push_back({digit.extent, digit.stride * size * inner});
    digits.push_back({size * inner, 1});
    once.push_back(read(part, Layout(digits)));
    if (!once.back())
      return {};
  }
  from.push_back({total, 1});
  return read(concat(once, kept, sizes, inner), Layout(from));
}

Term Graph::concat(ArrayRef<Term> parts, int64_t outer, ArrayRef<int64_t> sizes,
                   int64_t inner) {
  bool isData = llvm::any_of(parts, [](const Term &part) {
    return part.node->source == Source::Data;
  });
  if (Term once = isData ? concatOnce(parts, outer, sizes, inner) : Term())
    return once;
  Node node;
  node.op = Kind::Concat;
  node.width = inner;
  for (auto [part, size] : llvm::zip(parts, sizes)) {
    if (size == 0)
      continue;
    // A tensor that is filled slice by slice is one concatenation.
    auto [first, last] = findParts(part, outer, size, inner);
    for (unsigned k = first; k < last; ++k) {
      node.operands.push_back(part.node->operands[k]);
      node.extents.push_back(part.node->extents[k]);
      node.size += outer * node.extents.back() * inner;
    }
    if (first < last)
      continue;
    node.operands.push_back(part);
    node.extents.push_back(size);
    node.size += outer * size * inner;
  }
  if (node.operands.size() == 1)
    return node.operands.front();
  if (llvm::all_equal(node.extents))
    if (Term joined =
            joinParts(node.operands, outer, node.extents.front() * inner))
      return joined;
  if (Term joined = joinRuns(node.operands, outer, node.extents, inner))
    return joined;
  return make(node);
}

Term Graph::gather(const Term &table, const Term &rows, int64_t width) {
  Node node;
  node.op = Kind::Gather;
  node.width = width;
  node.size = rows.getSize() * width;
  node.operands = {table, rows};
  return make(node);
}
