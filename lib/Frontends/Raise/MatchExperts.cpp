//===- MatchExperts.cpp - experts computed on all rows or on their own ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Experts of a row are MLPs whose matrices are slices of stacks. Tools compute
// all of them and multiply by weights that are 0 where an expert is not chosen,
// or read the matrices of the chosen ones, or write one sum for each. Each is a
// sum of products of
//
//   weights        [rows, slots]
//   a comparison   of the choice [rows, slots] with the number of an expert
//   hidden values  [rows, experts or slots, depth], of an activation
//   down           [experts, columns, depth], or rows of it by the choice
//
// over slots, experts and depth, in any order.
//
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "Contraction.h"
#include "Group.h"
#include "Importer.h"
#include "ReadExperts.h"
#include "ReadRoute.h"
#include "Recognise.h"
#include "mlir/IR/Builders.h"
#include "parablock/Dialect/Block/BlockAttrs.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

namespace {
/// Matrices in the order that the op has for them.
class StackWriter {
public:
  StackWriter(Graph &graph, const Experts &read, bool isTransposed)
      : graph(graph), read(read), isTransposed(isTransposed) {}
  /// A stack of `[out, in]`, or of `[in, out]` where those are.
  Term turn(const Term &stack, int64_t out, int64_t in) {
    if (!isTransposed)
      return stack;
    return graph.read(stack,
                      getTransposition({read.experts, out, in}, {0, 2, 1}));
  }
  /// Two stacks, the columns of one in front of those of the other, or between
  /// them where that is how one stack has both.
  Term join(const Term &gate, const Term &up) {
    int64_t depth = read.depth, in = getInputWidth();
    int64_t outer = isTransposed ? read.experts * in : read.experts;
    int64_t inner = isTransposed ? 1 : in;
    Term apart = graph.concat({gate, up}, outer, {depth, depth}, inner);
    Term paired = graph.concat({gate, up}, outer * depth, {1, 1}, inner);
    isInterleaved =
        paired.node == gate.node &&
        (apart.node != gate.node ||
         paired.layout.getDigits().size() < apart.layout.getDigits().size());
    return isInterleaved ? paired : apart;
  }
  /// Biases of both halves, of which one may have none.
  Term joinBiases() {
    if (!read.gate.bias && !read.up.bias)
      return {};
    int64_t size = read.experts * read.depth;
    auto fill = [&](const Term &bias) {
      return bias ? bias : graph.splat(0, size);
    };
    SmallVector<Term, 2> parts = {fill(read.gate.bias), fill(read.up.bias)};
    return isInterleaved
               ? graph.concat(parts, size, {1, 1}, 1)
               : graph.concat(parts, read.experts, {read.depth, read.depth}, 1);
  }
  block::ExpertLayout getLayout() const {
    return !read.gate.stack ? block::ExpertLayout::Up
           : isInterleaved  ? block::ExpertLayout::Interleaved
                            : block::ExpertLayout::GateUp;
  }
  int64_t getInputWidth() const {
    return read.up.stack.getSize() / (read.experts * read.depth);
  }

private:
  Graph &graph;
  const Experts &read;
  bool isTransposed, isInterleaved = false;
};
} // namespace

/// Makes the piece; its weights and choice are a route where that is known.
static Term makeExperts(Graph &graph, Experts read) {
  // The weight of one expert a row may be behind its result.
  if (!getSplat(read.shares))
    foldRoute(graph, read.choice, read.shares);
  ArrayRef<Digit> digits = read.down.layout.getDigits();
  bool isTransposed = !digits.empty() && digits.back().stride != 1;
  bool hasGate = bool(read.gate.stack);
  StackWriter stacks(graph, read, isTransposed);
  int64_t in = stacks.getInputWidth();
  int64_t columns = hasGate ? 2 * read.depth : read.depth;
  Term up = stacks.turn(read.up.stack, read.depth, in);
  if (hasGate && up) {
    Term gate = stacks.turn(read.gate.stack, read.depth, in);
    up = gate ? stacks.join(gate, up) : Term();
  }
  Term down = stacks.turn(read.down, read.width, read.depth);
  if (!up || !down)
    return graph.wanted("stacks that can be read by experts", read.down);
  Node node;
  node.op = Kind::Experts;
  node.size = read.rows * read.width;
  node.width = read.width;
  node.operands = {read.input, read.choice, read.shares, up, down};
  if (Term bias = hasGate ? stacks.joinBiases() : read.up.bias)
    node.addRole("up_bias", bias);
  if (read.downBias)
    node.addRole("down_bias", read.downBias);
  node.extents = {in, read.experts};
  auto addMatrix = [&](int64_t out, int64_t depth) {
    node.extents.push_back(isTransposed ? depth : out);
    node.extents.push_back(isTransposed ? out : depth);
  };
  addMatrix(columns, in);
  addMatrix(read.width, read.depth);
  mlir::Builder builder(graph.context);
  auto number = [&](double given) {
    return given == 0 ? mlir::FloatAttr()
                      : builder.getF64FloatAttr(shorten(graph, given));
  };
  node.form = block::ExpertsAttr::get(
      graph.context, cast<block::ActivationAttr>(read.activation).getValue(),
      stacks.getLayout(), isTransposed,
      read.weighsInput ? block::Weigh::Input : block::Weigh::Output,
      number(read.limit), number(read.upOffset));
  return graph.read(graph.make(node), read.back);
}

/// Returns whether each number is one of an expert; else, a sum over experts
/// that are compared leaves out what an op reports as an error.
static bool isOfAll(Graph &graph, const Experts &read, int64_t count) {
  if (countExperts(read.choice) == count)
    return true;
  graph.miss("experts", Reason::UnknownChoice,
             "experts are compared with numbers that may be none of theirs",
             read.choice);
  return false;
}

Term parablock::raise::matchExperts(Graph &graph, const Node *node) {
  Term root{node, Layout::identity(node->size)};
  std::optional<Experts> read = readExperts(graph, root);
  if (!read)
    return {};
  // One of several is a part of a sum.
  if (read->number)
    return graph.wanted("all experts", root);
  if (!read->isGathered && !isOfAll(graph, *read, read->experts))
    return {};
  return makeExperts(graph, std::move(*read));
}

/// The result of one expert a row, times its weight.
Term parablock::raise::matchExpertWeight(Graph &graph, const Node *node) {
  Term whole{node, Layout::identity(node->size)};
  for (unsigned k : {0, 1}) {
    const Node *experts =
        getWhole(stripRounding(graph, graph.getOperand(whole, k)));
    if (!experts || experts->op != Kind::Experts)
      continue;
    int64_t width = experts->width, rows = experts->size / width;
    const Term &shares = experts->operands[2];
    Term weight = graph.getOperand(whole, 1 - k);
    std::optional<Layout> own = compose(Layout({{rows, width}}), weight.layout);
    if (shares.getSize() != rows || !getSplat(shares) || !own ||
        weight.node->source != Source::Data ||
        compose(Layout({{rows, 1}, {width, 0}}), *own) != weight.layout)
      return graph.wanted("a weight of one expert for each row", weight);
    Node weighed = *experts;
    weighed.type = {};
    weighed.operands[2] = graph.multiply({weight.node, *own}, shares);
    foldRoute(graph, weighed.operands[1], weighed.operands[2]);
    return graph.make(weighed);
  }
  return graph.wanted("the result of experts");
}

/// Joins the matrices of single experts, in order.
static Term stack(Graph &graph, ArrayRef<Experts> parts,
                  function_ref<Term(const Experts &)> get) {
  SmallVector<Term> terms = map_to_vector(parts, get);
  bool isNone =
      llvm::none_of(terms, [](const Term &term) { return bool(term); });
  if (isNone || parts.size() == 1)
    return terms.front();
  int64_t size = 0;
  for (const Term &term : terms)
    size = term ? term.getSize() : size;
  for (Term &term : terms)
    term = term ? term : graph.splat(0, size);
  return graph.concat(terms, 1, SmallVector<int64_t>(terms.size(), 1), size);
}

/// True for experts of the same rows, chosen and weighed by the same.
static bool areAlike(const Experts &a, const Experts &b) {
  return a.input == b.input && a.choice == b.choice && a.shares == b.shares &&
         a.weighsInput == b.weighsInput && a.activation == b.activation &&
         a.limit == b.limit && a.upOffset == b.upOffset && a.depth == b.depth &&
         a.width == b.width && a.back == b.back &&
         !a.gate.stack == !b.gate.stack && !a.isGathered && !b.isGathered;
}

/// A sum with an addend for each expert.
Term parablock::raise::matchExpertSum(Graph &graph, const Node *node) {
  Sum sum = getSum(graph, {node, Layout::identity(node->size)});
  SmallVector<Experts, 0> parts;
  Sum rest;
  rest.constant = sum.constant;
  for (const Addend &addend : sum.addends) {
    std::optional<Experts> part = addend.coefficient == 1
                                      ? readExperts(graph, addend.term)
                                      : std::nullopt;
    if (!part || !part->number ||
        (!parts.empty() && !areAlike(parts.front(), *part))) {
      rest.addends.push_back(addend);
      continue;
    }
    // Sums of fewer experts are read once only.
    if (parts.empty() &&
        countExperts(part->choice) > static_cast<int64_t>(sum.addends.size()))
      return graph.wanted("an addend for each expert", addend.term);
    parts.push_back(std::move(*part));
  }
  if (parts.empty())
    return graph.wanted("an addend for each expert");
  graph.found("addends of single experts");
  llvm::sort(parts, [](const Experts &a, const Experts &b) {
    return *a.number < *b.number;
  });
  int64_t count = parts.size();
  for (auto [k, part] : llvm::enumerate(parts))
    if (*part.number != static_cast<int64_t>(k))
      return graph.wanted("each expert once", part.down);
  if (countExperts(parts.front().choice) != count)
    return graph.wanted("an addend for each expert", parts.front().choice);
  Experts all = parts.front();
  all.experts = count;
  all.number.reset();
  all.up.stack =
      stack(graph, parts, [](const Experts &e) { return e.up.stack; });
  all.up.bias = stack(graph, parts, [](const Experts &e) { return e.up.bias; });
  all.gate.stack =
      stack(graph, parts, [](const Experts &e) { return e.gate.stack; });
  all.gate.bias =
      stack(graph, parts, [](const Experts &e) { return e.gate.bias; });
  all.down = stack(graph, parts, [](const Experts &e) { return e.down; });
  all.downBias =
      stack(graph, parts, [](const Experts &e) { return e.downBias; });
  Term experts = makeExperts(graph, std::move(all));
  if (!experts || (rest.addends.empty() && rest.constant == 0))
    return experts;
  return graph.add(experts, build(graph, rest, experts.getSize()));
}
