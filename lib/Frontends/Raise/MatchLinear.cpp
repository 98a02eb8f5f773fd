//===- MatchLinear.cpp - matches products with weights --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Algebra.h"
#include "Recognise.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace parablock::raise;

/// Returns how many elements are read.
static int64_t countRead(const Layout &layout) {
  int64_t count = 1;
  for (Digit digit : layout.getDigits())
    count *= digit.stride == 0 ? 1 : digit.extent;
  return count;
}

/// Returns whether all elements of `layout` have one index of a leading
/// dimension.
static bool isWithinRow(const Layout &layout, int64_t row) {
  int64_t first = layout.getOffset(), last = first;
  for (Digit digit : layout.getDigits())
    last += (digit.extent - 1) * digit.stride;
  return first / row == last / row;
}

/// Returns how certainly a factor is the projected input: not at all, perhaps,
/// or certainly. An argument that is only guessed to have a batch would share
/// that dimension with other data; if it is read whole and does not, it is a
/// weight, as is an argument for several layers that is read at one index and
/// has no tokens.
static int getCertainty(const Graph &graph, const Term &term) {
  if (term.node->source != Source::Data)
    return 0;
  const Node *node = term.node;
  if (!node->isGuessed || graph.batch == 1)
    return 2;
  auto type = cast<mlir::RankedTensorType>(node->given.getType());
  bool isGuess = countRead(term.layout) == node->size ||
                 (type.getDimSize(1) != graph.tokens &&
                  isWithinRow(term.layout, node->size / graph.batch));
  return isGuess ? 1 : 2;
}

/// True where only some parts of a concatenation are an attention's heads.
static bool joinsAttention(Graph &graph, const Node *concat) {
  auto isAttention = [&](const Term &part) {
    return stripRounding(graph, part).node->op == Kind::Sdpa;
  };
  return llvm::any_of(concat->operands, isAttention) &&
         !llvm::all_of(concat->operands, isAttention);
}

/// Splits an attention's projection that is joined with another operand in one
/// product into a sum of a product for each.
static Term splitProduct(Graph &graph, const Node &linear) {
  const Term &x = linear.operands[0], &weight = linear.operands[1];
  const Node *concat = x.node;
  int64_t depth = weight.getSize() / linear.width, total = 0;
  if (concat->op != Kind::Concat)
    return {};
  for (int64_t extent : concat->extents)
    total += extent;
  if (!x.layout.isIdentity() || total * concat->width != depth ||
      !joinsAttention(graph, concat))
    return {};
  Term sum;
  int64_t first = 0, rows = linear.size / linear.width;
  for (int64_t extent : concat->extents) {
    int64_t size = extent * concat->width;
    auto cut = [&](const Term &whole, int64_t count) {
      return graph.read(whole, Layout({{count, depth}, {size, 1}}, first));
    };
    Node part = linear;
    part.operands = {cut(x, rows), cut(weight, linear.width)};
    if (!part.operands[0] || !part.operands[1])
      return {};
    Term made = graph.make(part);
    sum = sum ? graph.add(sum, made) : made;
    first += size;
  }
  return sum;
}

/// A sum of products of data and weights is a projection, for any
/// order of dimensions, if every dimension that both have is summed
/// over.
Term parablock::raise::matchLinear(Graph &graph, const Node *node) {
  Term product = stripRounding(graph, node->operands[0]);
  if (product.node->op != Kind::Mul)
    return graph.wanted("a sum of products", product);
  Term x = graph.getOperand(product, 0), weight = graph.getOperand(product, 1);
  if (!x || !weight)
    return graph.wanted("two factors that can be read", product);
  if (getCertainty(graph, x) < getCertainty(graph, weight))
    std::swap(x, weight);
  int certainty = getCertainty(graph, x);
  if (certainty == 0 || getCertainty(graph, weight) > certainty - 1)
    return graph.wanted("data times a weight", weight);
  graph.found("a sum of products of data and a weight");
  // The third layout only marks where the sums begin.
  Layout sums({{node->size, 1}, {node->width, 0}});
  std::optional<Aligned> aligned = align({x.layout, weight.layout, sums});
  if (!aligned)
    return graph.wanted("factors that are read along the sums", weight);
  SmallVector<unsigned> rows, columns, depth;
  for (unsigned d = 0; d < aligned->getNumDigits(); ++d) {
    bool inX = aligned->strides[0][d] != 0;
    bool inWeight = aligned->strides[1][d] != 0;
    if (aligned->strides[2][d] == 0) {
      if (!inX || !inWeight)
        return graph.wanted("dimensions of both that are summed over", product);
      depth.push_back(d);
    } else if (inX == inWeight) {
      return graph.wanted("rows of the one and columns of the other", product);
    } else {
      (inX ? rows : columns).push_back(d);
    }
  }
  aligned->sortByStride(rows, 0);
  aligned->sortByStride(columns, 1);
  aligned->sortByStride(depth, 0);
  Node linear;
  linear.op = Kind::Linear;
  linear.size = node->size;
  linear.width = aligned->getSize(columns);
  linear.operands = {
      {x.node, aligned->select(0, join({rows, depth}), x.layout.getOffset())},
      {weight.node,
       aligned->select(1, join({columns, depth}), weight.layout.getOffset())}};
  linear.type = node->type;
  Term joined = splitProduct(graph, linear);
  return graph.read(
      joined ? joined : graph.make(linear),
      aligned->locate(aligned->getVarying(2), join({rows, columns})));
}

/// A projection and a vector that is added to each of its rows.
Term parablock::raise::matchLinearBias(Graph &graph, const Node *node) {
  Term whole{node, Layout::identity(node->size)};
  for (unsigned k : {0, 1}) {
    Term linear = stripRounding(graph, graph.getOperand(whole, k));
    Term bias = graph.getOperand(whole, 1 - k);
    if (linear.node->op != Kind::Linear)
      continue;
    graph.found("a projection");
    if (linear.node->getRole("bias") || bias.node->source == Source::Data ||
        linear.getSize() != linear.node->size) {
      graph.wanted("a first bias of weights for all of it", bias);
      continue;
    }
    std::optional<Layout> ordered = inOrderOf(bias.layout, linear.layout);
    std::optional<Layout> part =
        ordered ? getRowPart(*ordered, linear.node->width) : std::nullopt;
    if (!part) {
      graph.wanted("one bias for each column", bias);
      continue;
    }
    Node biased = *linear.node;
    biased.type = {};
    biased.addRole("bias", {bias.node, *part});
    return graph.read(graph.make(biased), linear.layout);
  }
  return graph.wanted("a projection and its bias");
}
