//===- SdpaSpace.cpp - heads, queries and keys of an attention ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaSpace.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace parablock::raise;

bool SdpaSpace::countsHeads(unsigned digit) const {
  return llvm::is_contained(groups, digit) ||
         llvm::is_contained(repeats, digit);
}

/// Returns whether a piece is the same for all rows and keys of a head.
bool SdpaSpace::isOfHeads(unsigned piece) const {
  return llvm::all_of(aligned.getVarying(piece),
                      [&](unsigned d) { return countsHeads(d); });
}

/// Returns whether the elements of a piece differ between heads.
bool SdpaSpace::isPerHead(unsigned piece) const {
  return llvm::any_of(aligned.getVarying(piece),
                      [&](unsigned d) { return countsHeads(d); });
}

SmallVector<unsigned> SdpaSpace::findMasked(ArrayRef<unsigned> digits,
                                            unsigned count) const {
  SmallVector<unsigned> masked;
  for (unsigned d : digits)
    if (llvm::any_of(llvm::seq<unsigned>(Pieces, Pieces + count),
                     [&](unsigned piece) { return varies(piece, d); }))
      masked.push_back(d);
  return masked;
}

const Node *parablock::raise::findProjected(const Node *node) {
  while (llvm::is_contained(
      {Kind::Norm, Kind::Rope, Kind::Clamp, Kind::Round, Kind::Linear},
      node->op)) {
    bool isProjection = node->op == Kind::Linear;
    node = node->operands[0].node;
    if (isProjection)
      break;
  }
  return node;
}

namespace {
/// Finds the space of an attention.
class SpaceFinder {
public:
  SpaceFinder(const Graph &graph, const Node *node, const WeightedSum &sum,
              ScoreChain &chain, SdpaSpace &space)
      : graph(graph), node(node), sum(sum), chain(chain), space(space) {}
  bool align();
  bool sort();

private:
  /// States of digits: separated, or cut and to be visited again.
  enum class Sorted { No, Cut, Yes };

  bool addFactors();
  bool addPieces();
  void addMix();
  bool addSink();
  bool sortBy(int query, int key);
  Sorted classify(int query, int key);
  bool cutBatch(ArrayRef<unsigned> shared);
  bool take(SmallVector<unsigned> &from, int64_t size,
            SmallVector<unsigned> &into) const;
  void findQueries(ArrayRef<unsigned> queryOnly);
  void swapFactors();

  const Graph &graph;
  const Node *node;
  const WeightedSum &sum;
  ScoreChain &chain;
  SdpaSpace &space;
};
} // namespace

/// Returns `layout` over a space with `inner` positions for each of its own.
static Layout widen(const Layout &layout, int64_t inner, int64_t innerStride,
                    int64_t factor = 1) {
  SmallVector<Digit> digits;
  for (Digit digit : layout.getDigits())
    digits.push_back({digit.extent, digit.stride * factor});
  digits.push_back({inner, innerStride});
  return Layout(digits, layout.getOffset() * factor);
}

bool SpaceFinder::addFactors() {
  int64_t size = space.headSize;
  // Positions of the space among scores and head elements.
  std::optional<Layout> inProduct =
      compose(widen(sum.weights.layout, size, 1, size),
              widen(chain.product.layout, size, 1, size));
  if (!inProduct)
    return false;
  std::optional<Layout> query = compose(*inProduct, chain.query.layout);
  std::optional<Layout> key = compose(*inProduct, chain.key.layout);
  if (!query || !key)
    return false;
  space.layouts = {widen(sum.weights.layout, size, 0),
                   widen(sum.value.layout, size, 0), *query, *key,
                   Layout({{node->size, 1}, {node->width * size, 0}})};
  return true;
}

bool SpaceFinder::addPieces() {
  auto add = [&](const Term &piece) {
    std::optional<Layout> layout =
        compose(space.layouts[SdpaSpace::W], piece.layout);
    if (layout)
      space.layouts.push_back(*layout);
    return layout.has_value();
  };
  return llvm::all_of(chain.masks,
                      [&](const ScoreMask &mask) {
                        return add(mask.condition) && add(mask.fill);
                      }) &&
         llvm::all_of(chain.biases,
                      [&](const ScoreBias &bias) { return add(bias.term); });
}

/// Adds tables and gains beside the softmax, as read in the space.
void SpaceFinder::addMix() {
  auto add = [&](const Term &term) {
    space.layouts.push_back(widen(term.layout, space.headSize, 0));
  };
  for (const MixedPart &part : sum.mix) {
    space.mixPieces.push_back(space.layouts.size());
    for (const Factor &factor : part.tables)
      add(factor.term);
    add(part.gain);
  }
}

bool SpaceFinder::addSink() {
  Term logit = sum.weights.node->getRole("sink");
  if (!logit)
    return true;
  const Layout &weights = sum.weights.layout;
  int64_t width = sum.weights.node->width;
  SmallVector<Digit> ofRows, inRows;
  splitDigits(weights, width, ofRows, inRows);
  std::optional<Layout> layout =
      compose(Layout(ofRows, weights.getOffset() / width), logit.layout);
  if (!layout)
    return false;
  space.sink = {logit.node, *layout};
  space.sinkPiece = space.layouts.size();
  space.layouts.push_back(widen(*layout, space.headSize, 0));
  return true;
}

bool SpaceFinder::align() {
  space.headSize = chain.product.node->width;
  if (!addFactors() || !addPieces())
    return false;
  addMix();
  if (!addSink())
    return false;
  if (sum.dropped)
    space.layouts.push_back(widen(sum.dropped.layout, space.headSize, 0));
  // The boundaries between result, keys and head elements.
  SmallVector<Layout> all = space.layouts;
  all.push_back(Layout({{node->size * node->width, 1}, {space.headSize, 0}}));
  std::optional<Aligned> result = parablock::raise::align(all);
  if (!result)
    return false;
  space.aligned = *result;
  return true;
}

/// Splits off the batch: if inputs have a dimension of heads after the batch,
/// only the size of the batch separates the two.
bool SpaceFinder::cutBatch(ArrayRef<unsigned> shared) {
  int64_t rest = graph.batch;
  for (unsigned d : shared) {
    int64_t extent = space.aligned.extents[d];
    if (extent > rest && rest > 1 && extent % rest == 0) {
      space.aligned.split(d, extent / rest);
      return true;
    }
    if (rest % extent != 0)
      return false;
    rest /= extent;
  }
  return false;
}

/// Moves the first digits of `from` to `into` until these have `size`
/// positions.
bool SpaceFinder::take(SmallVector<unsigned> &from, int64_t size,
                       SmallVector<unsigned> &into) const {
  int64_t taken = 1;
  while (taken < size && !from.empty()) {
    into.push_back(from.front());
    taken *= space.aligned.extents[from.front()];
    from.erase(from.begin());
  }
  return taken == size;
}

/// Separates queries from heads. Tokens come first among digits of queries
/// alone, if their number matches. Masks differ between queries, not heads;
/// each mask has a condition and a fill.
void SpaceFinder::findQueries(ArrayRef<unsigned> queryOnly) {
  unsigned numMasks = 2 * chain.masks.size();
  int64_t keyCount = space.aligned.getSize(space.keys);
  SmallVector<unsigned> rest, taken;
  auto takeTokens = [&](int64_t count) {
    rest.assign(queryOnly.begin(), queryOnly.end());
    taken.clear();
    return take(rest, count, taken);
  };
  SmallVector<unsigned> masked = space.findMasked(queryOnly, numMasks);
  bool isTold = takeTokens(graph.isOfImages ? keyCount : graph.tokens) ||
                takeTokens(keyCount);
  if (!isTold ||
      (space.findMasked(taken, numMasks).empty() && !masked.empty())) {
    if (masked.empty())
      masked =
          space.findMasked(queryOnly, space.layouts.size() - SdpaSpace::Pieces);
    taken = masked.empty() ? SmallVector<unsigned>(queryOnly) : masked;
    rest.clear();
    for (unsigned d : queryOnly)
      if (!llvm::is_contained(taken, d))
        rest.push_back(d);
  }
  space.queries = taken;
  space.repeats = rest;
}

SpaceFinder::Sorted SpaceFinder::classify(int query, int key) {
  for (auto *list :
       {&space.batch, &space.groups, &space.queries, &space.repeats,
        &space.keys, &space.elements, &space.valueElements})
    list->clear();
  SmallVector<unsigned> shared, queryOnly;
  for (unsigned d = 0; d < space.aligned.getNumDigits(); ++d) {
    bool w = space.varies(SdpaSpace::W, d), v = space.varies(SdpaSpace::V, d);
    bool q = space.varies(query, d), k = space.varies(key, d);
    bool out = space.varies(SdpaSpace::Out, d);
    if (w && v && q && k && out)
      shared.push_back(d);
    else if (w && !v && q && !k && out)
      queryOnly.push_back(d);
    else if (w && v && !q && k && !out)
      space.keys.push_back(d);
    else if (!w && !v && q && k && !out)
      space.elements.push_back(d);
    else if (!w && v && !q && !k && out)
      space.valueElements.push_back(d);
    else
      return Sorted::No;
  }
  space.aligned.sortByStride(shared, query);
  if (cutBatch(shared))
    return Sorted::Cut;
  space.aligned.sortByStride(queryOnly, query);
  space.aligned.sortByStride(space.keys, key);
  space.aligned.sortByStride(space.elements, query);
  space.aligned.sortByStride(space.valueElements, SdpaSpace::V);
  // The batch comes first among digits of all operands.
  if (!take(shared, graph.batch, space.batch))
    return Sorted::No;
  space.groups = shared;
  findQueries(queryOnly);
  return Sorted::Yes;
}

bool SpaceFinder::sortBy(int query, int key) {
  Sorted sorted = classify(query, key);
  return (sorted == Sorted::Cut ? classify(query, key) : sorted) == Sorted::Yes;
}

void SpaceFinder::swapFactors() {
  std::swap(chain.query, chain.key);
  std::swap(space.layouts[SdpaSpace::Q], space.layouts[SdpaSpace::K]);
  std::swap(space.aligned.strides[SdpaSpace::Q],
            space.aligned.strides[SdpaSpace::K]);
}

bool SpaceFinder::sort() {
  // Keys may come first in the product. With one query, one key and as many
  // heads, sizes do not distinguish them: keys share the source of the values.
  bool isTold = sortBy(SdpaSpace::Q, SdpaSpace::K);
  bool isEven = isTold && space.keys.empty() && space.queries.empty() &&
                space.repeats.empty();
  const Node *source = findProjected(sum.value.node);
  if (isTold && (!isEven || findProjected(chain.key.node) == source ||
                 findProjected(chain.query.node) != source))
    return true;
  swapFactors();
  return sortBy(SdpaSpace::Q, SdpaSpace::K);
}

bool SdpaSpace::find(const Graph &graph, const Node *node,
                     const WeightedSum &sum, ScoreChain &chain) {
  *this = SdpaSpace();
  SpaceFinder finder(graph, node, sum, chain, *this);
  return finder.align() && finder.sort();
}
