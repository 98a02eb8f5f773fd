//===- MatchPartialRope.cpp - matches partial rotations -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Recognise.h"

using namespace llvm;
using namespace parablock::raise;

/// Matches a rotated slice concatenated with the rest of the same heads.
Term parablock::raise::matchPartialRope(Graph &graph, const Node *node) {
  if (node->extents.size() < 2 || node->extents.size() > 3 || node->width != 1)
    return graph.wanted("two or three parts of each head");
  Term rotated = node->operands[0], kept = node->operands.back();
  int64_t dim = node->extents[0], rest = node->extents.back();
  if (node->extents.size() == 3) {
    // The halves may have been joined with the rest at once.
    int64_t half = dim, outer = node->operands[0].getSize() / half;
    if (node->extents[1] != half)
      return graph.wanted("two halves of one size before the rest", rotated);
    rotated = graph.concat({node->operands[0], node->operands[1]}, outer,
                           {half, half}, 1);
    dim = 2 * half;
    // A rotation of position 0 is the identity.
    if (rotated.node->op != Kind::Rope && rotated.node->op != Kind::Concat) {
      Term whole = graph.concat({rotated, kept}, outer, {dim, rest}, 1);
      if (whole.node->op != Kind::Concat)
        return whole;
    }
  }
  if (rotated.node->op != Kind::Rope || rotated.node->width != dim)
    return graph.wanted("a rotation of the first part", rotated);
  graph.found("a rotated part");
  Term source = graph.getOperand(rotated, 0);
  std::optional<Layout> positions =
      compose(rotated.layout, rotated.node->positions);
  if (!source || !positions || source.node != kept.node)
    return graph.wanted("the rest of the same value", kept);
  int64_t head = dim + rest;
  int64_t rows = node->size / head;
  // Rows and the elements of a head, separately.
  std::optional<Aligned> aligned =
      align({source.layout, *positions, Layout({{rows, 1}, {dim, 0}})});
  if (!aligned)
    return graph.wanted("rows of heads", source);
  SmallVector<Digit> value, position;
  SmallVector<unsigned> outer, inner;
  for (unsigned d = 0; d < aligned->getNumDigits(); ++d)
    (aligned->strides[2][d] != 0 ? outer : inner).push_back(d);
  if (aligned->select(0, inner) != Layout::identity(dim) ||
      !aligned->select(1, inner).isBroadcast())
    return graph.wanted("one position for each head's elements", rotated);
  for (unsigned d : outer)
    value.push_back({aligned->extents[d], aligned->strides[0][d]});
  SmallVector<Digit> expected = value;
  expected.push_back({rest, 1});
  if (Layout(expected, source.layout.getOffset() + dim) != kept.layout)
    return graph.wanted("the rest of the same heads", kept);
  SmallVector<unsigned> order = outer;
  aligned->sortByStride(order, 0);
  value.clear();
  for (unsigned d : order) {
    value.push_back({aligned->extents[d], aligned->strides[0][d]});
    position.push_back({aligned->extents[d], aligned->strides[1][d]});
  }
  value.push_back({head, 1});
  position.push_back({head, 0});
  SmallVector<Digit> places(aligned->locate(outer, order, head).getDigits());
  places.push_back({head, 1});
  Node rope = *rotated.node;
  rope.size = node->size;
  rope.width = head;
  rope.operands[0] = {source.node, Layout(value, source.layout.getOffset())};
  rope.positions = Layout(position);
  return graph.read(graph.make(rope), Layout(places));
}
