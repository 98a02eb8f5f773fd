//===- Recognise.cpp - expressions that are steps of a block --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Recognise.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace parablock::raise;

Term parablock::raise::recognise(Graph &graph, Node *node) {
  // What is made of weights alone is left to whoever loads them.
  if (node->source != Source::Data)
    return {};
  using Matcher = Term (*)(Graph &, Node *);
  SmallVector<Matcher> matchers;
  switch (node->op) {
  case Kind::ReduceSum:
    matchers = {matchLinear, matchSdpa};
    break;
  case Kind::Add:
    matchers = {matchLinearBias, matchNormBias, matchFactoredNorm, matchRope,
                matchActivation};
    break;
  case Kind::Mul:
    matchers = {matchNorm, matchNormLength, matchNormGain, matchSoftmax,
                matchActivation};
    break;
  case Kind::Concat:
    matchers = {matchRope, matchPartialRope};
    break;
  case Kind::Select:
    matchers = {matchSafeSoftmax, matchActivation};
    break;
  case Kind::Power:
  case Kind::Max:
  case Kind::Min:
    matchers = {matchActivation};
    break;
  default:
    break;
  }
  for (Matcher matcher : matchers)
    if (Term piece = matcher(graph, node))
      return piece;
  return {};
}

std::optional<Layout> parablock::raise::getRowPart(const Layout &layout,
                                                   int64_t width) {
  int64_t size = layout.getSize();
  if (size % width != 0)
    return std::nullopt;
  std::optional<Layout> part = compose(Layout::identity(width), layout);
  if (!part)
    return std::nullopt;
  SmallVector<Digit> digits = {{size / width, 0}};
  digits.append(part->getDigits().begin(), part->getDigits().end());
  if (Layout(digits, part->getOffset()) != layout)
    return std::nullopt;
  return part;
}

std::optional<Layout> parablock::raise::inOrderOf(const Layout &layout,
                                                  const Layout &order) {
  std::optional<Layout> back = invert(order);
  return back ? compose(*back, layout) : std::nullopt;
}

/// Digits without their order, joined where they are one run.
static SmallVector<std::pair<int64_t, int64_t>>
sortRuns(SmallVector<Digit> digits) {
  llvm::sort(digits, [](Digit a, Digit b) { return a.stride > b.stride; });
  SmallVector<std::pair<int64_t, int64_t>> runs;
  Layout joined(digits);
  for (Digit digit : joined.getDigits())
    runs.emplace_back(digit.extent, digit.stride);
  return runs;
}

bool parablock::raise::isRowOfReduction(const Layout &value, const Layout &row,
                                        const Layout &inner, int64_t width) {
  std::optional<Aligned> aligned = align({value, row});
  if (!aligned)
    return false;
  SmallVector<Digit> channels;
  for (unsigned d = 0; d < aligned->getNumDigits(); ++d) {
    int64_t extent = aligned->extents[d];
    int64_t own = aligned->strides[0][d], rows = aligned->strides[1][d];
    if (rows == 0) {
      channels.push_back({extent, own});
      continue;
    }
    std::optional<Layout> step =
        compose(Layout({{extent, rows * width}}), inner);
    if (!step || Layout(step->getDigits()) != Layout({{extent, own}}))
      return false;
  }
  std::optional<Layout> across =
      compose(Layout({{width, 1}}, row.getOffset() * width), inner);
  return across && across->getOffset() == value.getOffset() &&
         sortRuns(channels) ==
             sortRuns(SmallVector<Digit>(across->getDigits()));
}
