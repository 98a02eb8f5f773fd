//===- Recognise.h - matchers of steps --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each matcher is called with a new node and returns the piece that it
// completes, read as the node's elements, or a null term. Pieces and operands:
//
//   Linear      x [rows, depth], weight [width, depth]; role bias [width]
//   Norm        x [rows, width]; roles gamma, beta; form a NormAttr
//   Activation  x; form an ActivationAttr
//   Clamp       x; value the limit
//   Softmax     scores [rows, width]; value 1 where hidden rows become 0; role
//               sink [rows], a logit beside those of a row
//   Rope        x [rows, width = one head]; roles cos, sin where they are no
//               constants; form a RopeAttr; positions: the table's row of each
//               element
//   Sdpa        query, key, value; form a ScoresAttr; extents {heads, kv_heads,
//               head size, value head size}; width all value heads; with a
//               role score_bias, its four sizes behind these extents; roles
//               lengths, cu_seqlens: masks of inputs; past_lengths: how many
//               rows keys and values had, which are updates; past_key,
//               past_value: those that come first
//   Cache       an update of keys or values: see Kind::Update
//
// Pieces that the function has as block ops, too:
//
//   Route       logits; roles correction, expert_scale; form a RoutingAttr;
//               extents {experts}: the weights of those that each row chooses
//   Choice      a Route: the numbers of these experts
//   Experts     input, Choice, weights, up, down; roles up_bias, down_bias;
//               form an ExpertsAttr; extents {width of the input, experts,
//               both sizes of a matrix of up, and of down}
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_RECOGNISE_H
#define PARABLOCK_LIB_RAISE_RECOGNISE_H

#include "Graph.h"

namespace parablock::raise {

/// Returns the rules of graphs: the simplifications of Fold.cpp, and all
/// matchers below.
Graph::Rules getRules();

/// Returns an equivalent of an elementwise node before it is created, or a null
/// term.
Term simplify(Graph &graph, Kind op, llvm::ArrayRef<Term> operands,
              double value);

Term matchLinear(Graph &graph, const Node *node);
Term matchLinearBias(Graph &graph, const Node *node);
Term matchNorm(Graph &graph, const Node *node);
Term matchNormLength(Graph &graph, const Node *node);
Term matchNormGain(Graph &graph, const Node *node);
Term matchNormBias(Graph &graph, const Node *node);
Term matchFactoredNorm(Graph &graph, const Node *node);
Term matchActivation(Graph &graph, const Node *node);
Term matchSoftmax(Graph &graph, const Node *node);
Term matchSafeSoftmax(Graph &graph, const Node *node);
Term matchSinkFactor(Graph &graph, const Node *node);
Term matchRope(Graph &graph, const Node *node);
Term matchPartialRope(Graph &graph, const Node *node);
Term matchSdpa(Graph &graph, const Node *node);
Term matchExperts(Graph &graph, const Node *node);
Term matchExpertWeight(Graph &graph, const Node *node);
Term matchExpertSum(Graph &graph, const Node *node);
Term matchRank(Graph &graph, const Node *node);
Term matchInverseOrder(Graph &graph, const Node *node);
Term matchRowGroup(Graph &graph, const Node *node);
Term matchGroupMask(Graph &graph, const Node *node);
Term matchGroupedProduct(Graph &graph, const Node *node);
Term matchScattered(Graph &graph, const Node *node);
Term matchUnsorted(Graph &graph, const Node *node);

/// Returns the shortest decimal number that is equal in f32; epsilon is written
/// so, unless numbers are exact.
double shorten(const Graph &graph, double value);

/// Returns `layout` over rows of `width` elements, if it does not depend on the
/// row, as the layout of one row.
std::optional<Layout> getRowPart(const Layout &layout, int64_t width);

/// Returns the layout by which positions of a permuted piece read `layout`, in
/// the order of the piece's own elements.
std::optional<Layout> inOrderOf(const Layout &layout, const Layout &order);

/// Returns whether `row` numbers the rows of a reduction over `width` elements
/// that `inner` reads, and `value` reads the same elements.
bool isRowOfReduction(const Layout &value, const Layout &row,
                      const Layout &inner, int64_t width);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_RECOGNISE_H
