//===- Recognise.cpp - calls matchers and simplifications -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Recognise.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace parablock::raise;

namespace {
/// A matcher and the name under which it explains itself.
struct Matcher {
  StringLiteral name;
  Term (*match)(Graph &, const Node *);
};
} // namespace

#define MATCHER(NAME) {#NAME, NAME}

/// Returns the matchers for a kind of node, in order.
static ArrayRef<Matcher> getMatchers(Kind op) {
  static constexpr Matcher ofSums[] = {
      MATCHER(matchRank),           MATCHER(matchRowGroup),
      MATCHER(matchGroupedProduct), MATCHER(matchScattered),
      MATCHER(matchLinear),         MATCHER(matchSdpa),
      MATCHER(matchExperts)};
  static constexpr Matcher ofAnd[] = {MATCHER(matchGroupMask)};
  static constexpr Matcher ofMaxima[] = {MATCHER(matchInverseOrder)};
  static constexpr Matcher ofGather[] = {MATCHER(matchUnsorted)};
  static constexpr Matcher ofLinear[] = {MATCHER(matchExperts)};
  static constexpr Matcher ofAdd[] = {
      MATCHER(matchLinearBias),   MATCHER(matchNormBias),
      MATCHER(matchFactoredNorm), MATCHER(matchRope),
      MATCHER(matchActivation),   MATCHER(matchExpertSum)};
  static constexpr Matcher ofMul[] = {
      MATCHER(matchNorm),        MATCHER(matchNormLength),
      MATCHER(matchNormGain),    MATCHER(matchSoftmax),
      MATCHER(matchSinkFactor),  MATCHER(matchActivation),
      MATCHER(matchExpertWeight)};
  static constexpr Matcher ofConcat[] = {MATCHER(matchRope),
                                         MATCHER(matchPartialRope)};
  static constexpr Matcher ofSelect[] = {MATCHER(matchSafeSoftmax),
                                         MATCHER(matchActivation)};
  static constexpr Matcher ofOne[] = {MATCHER(matchActivation)};
  switch (op) {
  case Kind::ReduceSum:
    return ofSums;
  case Kind::And:
    return ofAnd;
  case Kind::ReduceMax:
    return ofMaxima;
  case Kind::Gather:
    return ofGather;
  case Kind::Linear:
    return ofLinear;
  case Kind::Add:
    return ofAdd;
  case Kind::Mul:
    return ofMul;
  case Kind::Concat:
    return ofConcat;
  case Kind::Select:
    return ofSelect;
  case Kind::Power:
  case Kind::Log:
  case Kind::Max:
  case Kind::Min:
    return ofOne;
  default:
    return {};
  }
}

#undef MATCHER

static Term recognise(Graph &graph, const Node *node) {
  // Values from weights alone are left to weight loading.
  if (node->source != Source::Data)
    return {};
  for (const Matcher &matcher : getMatchers(node->op)) {
    Explanations::Attempt attempt(graph.explanations, matcher.name, node);
    if (Term piece = matcher.match(graph, node)) {
      attempt.succeed();
      return piece;
    }
  }
  return {};
}

Graph::Rules parablock::raise::getRules() { return {simplify, recognise}; }

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
