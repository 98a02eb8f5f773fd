//===- MatchSdpa.cpp - matches attention between heads --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Recognise.h"
#include "SdpaMatcher.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <cmath>

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// Returns the weights before dropout if `term` is their dropout.
Term SdpaMatcher::skipDropout(const Term &term) {
  dropped = term.node->op == Kind::Dropout ? term : Term();
  if (!dropped)
    return term;
  const Term &softmax = term.node->operands[0];
  std::optional<Layout> layout = compose(term.layout, softmax.layout);
  return layout ? Term(softmax.node, *layout) : term;
}

bool SdpaMatcher::findOperands() {
  std::optional<TwoFactors> split = splitInTwo(graph, node->operands[0]);
  if (!split)
    return graph.wanted("a sum of products of two values", node->operands[0]);
  factor = split->coefficient;
  const Term *sides[] = {&split->a, &split->b};
  for (unsigned k : {0, 1}) {
    weights = skipDropout(stripRounding(graph, *sides[k]));
    value = *sides[1 - k];
    if (value.node->source == Source::Data &&
        (weights.node->op == Kind::Softmax || splitWeights(weights)))
      return true;
    mix.clear();
  }
  return graph.wanted("a softmax times values", node->operands[0]);
}

/// Writes each digit of `layout` in rows of `width`: what it adds to the row,
/// and to the place in it.
static void splitDigits(const Layout &layout, int64_t width,
                        SmallVectorImpl<Digit> &ofRows,
                        SmallVectorImpl<Digit> &inRows) {
  for (Digit digit : layout.getDigits()) {
    bool isOfRows = digit.stride % width == 0;
    ofRows.push_back({digit.extent, isOfRows ? digit.stride / width : 0});
    inRows.push_back({digit.extent, isOfRows ? 0 : digit.stride});
  }
}

/// A softmax over keys and one logit more, the first or the last, that no value
/// is multiplied with, becomes one over the keys with a sink.
void SdpaMatcher::separateSink() {
  const Node *softmax = weights.node;
  const Term &scores = softmax->operands[0];
  int64_t width = softmax->width, keyWidth = width - 1;
  int64_t rows = softmax->size / width;
  int64_t offset = weights.layout.getOffset(), first = offset % width;
  SmallVector<Digit> ofRows, inRows, digits;
  splitDigits(weights.layout, width, ofRows, inRows);
  int64_t reach = 0;
  for (auto [row, place] : llvm::zip_equal(ofRows, inRows)) {
    reach += (place.extent - 1) * place.stride;
    digits.push_back({row.extent, row.stride * keyWidth + place.stride});
  }
  if (softmax->getRole("sink") || keyWidth < 1 || reach + 1 != keyWidth ||
      first > 1)
    return;
  Term logit =
      graph.read(scores, Layout({{rows, width}}, first == 0 ? keyWidth : 0));
  Term own = graph.read(scores, Layout({{rows, width}, {keyWidth, 1}}, first));
  if (!logit || !own || logit.node->source == Source::Data)
    return;
  graph.found("a logit beside those of the keys");
  graph.attend(softmax);
  Node keysAlone = *softmax;
  keysAlone.size = rows * keyWidth;
  keysAlone.width = keyWidth;
  keysAlone.operands = {own};
  keysAlone.addRole("sink", logit);
  weights = {graph.make(keysAlone).node,
             Layout(digits, offset / width * keyWidth)};
}

//===----------------------------------------------------------------------===//
// Terms added to the softmax
//===----------------------------------------------------------------------===//

/// Matches alpha I + beta softmax - gamma C, with one factor for each head: I
/// keeps a query's own value, C is the mean over allowed keys.
bool SdpaMatcher::splitWeights(const Term &mixed) {
  if (mixed.node->op != Kind::Add && mixed.node->op != Kind::Mul)
    return false;
  mix.clear();
  Term softmax;
  Sum sum = getSum(graph, mixed);
  if (sum.constant != 0)
    return false;
  for (const Addend &addend : sum.addends) {
    Product product = getProduct(graph, addend.term);
    double sign = product.coefficient * addend.coefficient;
    Mixed part;
    bool isSoftmax = false;
    for (const Factor &each : product.factors) {
      if (each.term.node->op == Kind::Softmax && each.exponent == 1 &&
          !isSoftmax) {
        softmax = each.term;
        isSoftmax = true;
      } else if (each.term.node->source == Source::Weight &&
                 each.exponent == 1 && !part.gain)
        part.gain = each.term;
      else if (each.term.node->source == Source::Constant)
        part.tables.push_back(each);
      else
        return false;
    }
    // Over one key, tables are ones, which leave products.
    if (isSoftmax && !part.tables.empty())
      return false;
    if (!part.gain) {
      if (!isSoftmax || sign != 1)
        return false;
      continue;
    }
    if (isSoftmax ? sign != 1 : std::fabs(sign) != 1)
      return false;
    part.role = isSoftmax ? "beta" : sign == 1 ? "alpha" : "gamma";
    mix.push_back(part);
  }
  if (!softmax)
    return false;
  weights = softmax;
  return true;
}

bool SdpaMatcher::countsHeads(unsigned digit) const {
  return llvm::is_contained(groups, digit) ||
         llvm::is_contained(repeats, digit);
}

/// Returns the digits that elements of a piece depend on.
SmallVector<unsigned> SdpaMatcher::listVarying(unsigned piece) const {
  SmallVector<unsigned> varying;
  for (unsigned d = 0; d < aligned.getNumDigits(); ++d)
    if (aligned.strides[piece][d] != 0)
      varying.push_back(d);
  return varying;
}

/// Returns whether a piece is the same for all rows and keys of a head.
bool SdpaMatcher::isOfHeads(unsigned piece) const {
  return llvm::all_of(listVarying(piece),
                      [&](unsigned d) { return countsHeads(d); });
}

/// Returns whether the elements of a piece differ between heads.
bool SdpaMatcher::isPerHead(unsigned piece) const {
  return llvm::any_of(listVarying(piece),
                      [&](unsigned d) { return countsHeads(d); });
}

/// Checks that the tables added to the softmax are the identity and the mean.
bool SdpaMatcher::checkMix() {
  for (auto [part, piece] : llvm::zip(mix, mixPieces)) {
    if (part.role == "beta")
      continue;
    std::vector<double> numbers(hidden.numbers.size(), 1);
    for (auto [k, factor] : llvm::enumerate(part.tables)) {
      std::optional<ScoreTable> table =
          readTable(piece + k, factor.term.node, factor.term.layout.getOffset(),
                    /*perHead=*/false);
      if (!table)
        return false;
      for (auto [number, each] : llvm::zip(numbers, table->numbers))
        number *= std::pow(each, factor.exponent);
    }
    for (int64_t i = 0; i < hidden.queries; ++i) {
      double seen = 0;
      for (int64_t j = 0; j < hidden.keys; ++j)
        seen += hidden.at(0, i, j) == 0;
      for (int64_t j = 0; j < hidden.keys; ++j) {
        double expected = part.role == "alpha"      ? i == j
                          : hidden.at(0, i, j) != 0 ? 0
                                                    : 1 / seen;
        if (!isClose(numbers[i * hidden.keys + j], expected))
          return false;
      }
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The digits of the space
//===----------------------------------------------------------------------===//

/// Returns `layout` over a space with `inner` positions for each of its own.
static Layout widen(const Layout &layout, int64_t inner, int64_t innerStride,
                    int64_t factor = 1) {
  SmallVector<Digit> digits;
  for (Digit digit : layout.getDigits())
    digits.push_back({digit.extent, digit.stride * factor});
  digits.push_back({inner, innerStride});
  return Layout(digits, layout.getOffset() * factor);
}

bool SdpaMatcher::alignAll() {
  headSize = chain.product.node->width;
  mixPieces.clear();
  // Positions of the space among scores, and among scores and head elements.
  Layout toScores = widen(weights.layout, headSize, 0);
  Layout toProducts = widen(weights.layout, headSize, 1, headSize);
  std::optional<Layout> inProduct =
      compose(toProducts, widen(chain.product.layout, headSize, 1, headSize));
  if (!inProduct)
    return false;
  std::optional<Layout> query = compose(*inProduct, chain.query.layout);
  std::optional<Layout> key = compose(*inProduct, chain.key.layout);
  if (!query || !key)
    return false;
  int64_t terms = node->width;
  layouts = {toScores, widen(value.layout, headSize, 0), *query, *key,
             Layout({{node->size, 1}, {terms * headSize, 0}})};
  auto addPiece = [&](const Term &piece) {
    std::optional<Layout> layout = compose(toScores, piece.layout);
    if (layout)
      layouts.push_back(*layout);
    return layout.has_value();
  };
  for (const ScoreMask &mask : chain.masks)
    if (!addPiece(mask.condition) || !addPiece(mask.fill))
      return false;
  for (const ScoreBias &bias : chain.biases)
    if (!addPiece(bias.term))
      return false;
  // Tables and gains added to the softmax, as read in the space.
  for (const Mixed &part : mix) {
    mixPieces.push_back(layouts.size());
    for (const Factor &factor : part.tables)
      layouts.push_back(widen(factor.term.layout, headSize, 0));
    layouts.push_back(widen(part.gain.layout, headSize, 0));
  }
  if (Term logit = weights.node->getRole("sink")) {
    int64_t width = weights.node->width;
    SmallVector<Digit> ofRows, inRows;
    splitDigits(weights.layout, width, ofRows, inRows);
    std::optional<Layout> layout = compose(
        Layout(ofRows, weights.layout.getOffset() / width), logit.layout);
    if (!layout)
      return false;
    sink = {logit.node, *layout};
    sinkPiece = layouts.size();
    layouts.push_back(widen(sink.layout, headSize, 0));
  }
  if (dropped)
    layouts.push_back(widen(dropped.layout, headSize, 0));
  // The boundaries between result, keys and head elements.
  SmallVector<Layout> all = layouts;
  all.push_back(Layout({{node->size * terms, 1}, {headSize, 0}}));
  std::optional<Aligned> result = align(all);
  if (!result)
    return false;
  aligned = *result;
  return true;
}

/// Splits off the batch: if inputs have a dimension of heads after the batch,
/// only the size of the batch separates the two.
bool SdpaMatcher::cutBatch(ArrayRef<unsigned> shared) {
  int64_t rest = graph.batch;
  for (unsigned d : shared) {
    int64_t extent = aligned.extents[d];
    if (extent > rest && rest > 1 && extent % rest == 0) {
      aligned.split(d, extent / rest);
      return true;
    }
    if (rest % extent != 0)
      return false;
    rest /= extent;
  }
  return false;
}

/// Returns the `digits` that any of the first `count` masks and biases depend
/// on.
SmallVector<unsigned> SdpaMatcher::findMasked(ArrayRef<unsigned> digits,
                                              unsigned count) const {
  SmallVector<unsigned> masked;
  for (unsigned d : digits)
    if (llvm::any_of(
            llvm::seq<unsigned>(Pieces, Pieces + count),
            [&](unsigned piece) { return aligned.strides[piece][d] != 0; }))
      masked.push_back(d);
  return masked;
}

/// Returns the node that `node` is projected from, before norms and rotations.
static const Node *findProjected(const Node *node) {
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

/// Returns whether queries and keys are of the same tokens. Arguments are taken
/// for such if there are as many.
bool SdpaMatcher::isOfOneStream() const {
  const Node *query = findProjected(chain.query.node);
  const Node *key = findProjected(chain.key.node);
  return aligned.getSize(queries) == aligned.getSize(keys) &&
         (query == key || (chain.query.node->op == Kind::Leaf &&
                           chain.key.node->op == Kind::Leaf));
}

bool SdpaMatcher::sortDigits() {
  auto classify = [&](int query, int key) {
    for (auto *list : {&batch, &groups, &queries, &repeats, &keys, &elements,
                       &valueElements})
      list->clear();
    SmallVector<unsigned> shared, queryOnly;
    for (unsigned d = 0; d < aligned.getNumDigits(); ++d) {
      bool w = aligned.strides[W][d], v = aligned.strides[V][d];
      bool q = aligned.strides[query][d], k = aligned.strides[key][d];
      bool out = aligned.strides[Out][d];
      if (w && v && q && k && out)
        shared.push_back(d);
      else if (w && !v && q && !k && out)
        queryOnly.push_back(d);
      else if (w && v && !q && k && !out)
        keys.push_back(d);
      else if (!w && !v && q && k && !out)
        elements.push_back(d);
      else if (!w && v && !q && !k && out)
        valueElements.push_back(d);
      else
        return Sorted::No;
    }
    aligned.sortByStride(shared, query);
    if (cutBatch(shared))
      return Sorted::Cut;
    aligned.sortByStride(queryOnly, query);
    aligned.sortByStride(keys, key);
    aligned.sortByStride(elements, query);
    aligned.sortByStride(valueElements, V);
    // The batch comes first among digits of all operands, tokens first among
    // digits of queries alone, if their number matches.
    auto take = [&](SmallVector<unsigned> &from, int64_t size,
                    SmallVector<unsigned> &into) {
      int64_t taken = 1;
      while (taken < size && !from.empty()) {
        into.push_back(from.front());
        taken *= aligned.extents[from.front()];
        from.erase(from.begin());
      }
      return taken == size;
    };
    if (!take(shared, graph.batch, batch))
      return Sorted::No;
    groups = shared;
    int64_t keyCount = aligned.getSize(keys);
    int64_t tokens = graph.isOfImages ? keyCount : graph.tokens;
    SmallVector<unsigned> rest = queryOnly, taken;
    auto takeTokens = [&](int64_t count) {
      rest = queryOnly;
      taken.clear();
      return take(rest, count, taken);
    };
    // Masks differ between queries, not heads; each has a condition and a fill.
    SmallVector<unsigned> masked =
        findMasked(queryOnly, 2 * chain.masks.size());
    bool isTold = takeTokens(tokens) || takeTokens(keyCount);
    if (!isTold || (findMasked(taken, 2 * chain.masks.size()).empty() &&
                    !masked.empty())) {
      if (masked.empty())
        masked = findMasked(queryOnly, layouts.size() - Pieces);
      taken = masked.empty() ? queryOnly : masked;
      rest.clear();
      for (unsigned d : queryOnly)
        if (!llvm::is_contained(taken, d))
          rest.push_back(d);
    }
    queries = taken;
    repeats = rest;
    return Sorted::Yes;
  };
  auto sort = [&](int query, int key) {
    Sorted sorted = classify(query, key);
    return (sorted == Sorted::Cut ? classify(query, key) : sorted) ==
           Sorted::Yes;
  };
  auto swapFactors = [&] {
    std::swap(chain.query, chain.key);
    std::swap(layouts[Q], layouts[K]);
    std::swap(aligned.strides[Q], aligned.strides[K]);
  };
  // Keys may come first in the product. With one query, one key and as many
  // heads, sizes do not distinguish them: keys share the source of the values.
  bool isTold = sort(Q, K);
  bool isEven = isTold && keys.empty() && queries.empty() && repeats.empty();
  const Node *source = findProjected(value.node);
  if (isTold && (!isEven || findProjected(chain.key.node) == source ||
                 findProjected(chain.query.node) != source))
    return true;
  swapFactors();
  return sort(Q, K);
}

bool SdpaMatcher::sumsOverSoftmax() const {
  int64_t width = weights.node->width, reach = 0;
  for (unsigned d = 0; d < aligned.getNumDigits(); ++d) {
    int64_t stride = aligned.strides[W][d];
    if (llvm::is_contained(keys, d))
      reach += (aligned.extents[d] - 1) * stride;
    else if (stride % width != 0)
      return false;
  }
  return reach == width - 1 && aligned.getSize(keys) == width &&
         layouts[W].getOffset() % width == 0;
}

/// Returns whether elements are drawn for heads of batch rows, queries and keys
/// in this order.
bool SdpaMatcher::dropsInOrder() {
  if (!dropped)
    return true;
  int64_t below = 1;
  for (unsigned d :
       llvm::reverse(join({batch, groups, repeats, queries, keys}))) {
    if (aligned.extents[d] != 1 &&
        aligned.strides[layouts.size() - 1][d] != below)
      return false;
    below *= aligned.extents[d];
  }
  return below == dropped.node->size &&
         dropped.node->width == aligned.getSize(keys) &&
         dropped.layout.getOffset() == 0;
}

Term SdpaMatcher::makeSdpa() {
  SmallVector<unsigned> heads = join({groups, repeats});
  Node sdpa;
  sdpa.op = Kind::Sdpa;
  sdpa.size = node->size;
  int64_t headCount = aligned.getSize(heads);
  int64_t valueSize = aligned.getSize(valueElements);
  sdpa.width = headCount * valueSize;
  sdpa.extents = {headCount, aligned.getSize(groups), headSize, valueSize};
  sdpa.form = scores;
  sdpa.type = node->type;
  sdpa.operands = {
      {chain.query.node,
       aligned.select(Q, join({batch, queries, groups, repeats, elements}),
                      layouts[Q].getOffset())},
      {chain.key.node, aligned.select(K, join({batch, keys, groups, elements}),
                                      layouts[K].getOffset())},
      {value.node, aligned.select(V, join({batch, keys, groups, valueElements}),
                                  layouts[V].getOffset())}};
  if (pastLengths)
    sdpa.addRole("past_lengths", pastLengths);
  if (pastKey) {
    sdpa.operands[1] = newKey;
    sdpa.operands[2] = newValue;
    sdpa.addRole("past_key", pastKey);
    sdpa.addRole("past_value", pastValue);
  }
  if (relative) {
    sdpa.addRole("relative", relative->table);
    sdpa.addRole("buckets", graph.splat(relative->maxDistance, 1));
    sdpa.value = relative->bidirectional;
  }
  if (scoreBias) {
    sdpa.addRole("score_bias", scoreBias);
    sdpa.extents.append(scoreBiasShape);
  }
  if (lengths)
    sdpa.addRole("lengths", lengths);
  if (bounds)
    sdpa.addRole("cu_seqlens", bounds);
  if (dropped) {
    sdpa.addRole("seed", dropped.node->getRole("seed"));
    sdpa.dropout = dropped.node->dropout;
  }
  for (auto [part, piece] : llvm::zip(mix, mixPieces)) {
    Layout perHead = aligned.select(piece + part.tables.size(), heads,
                                    part.gain.layout.getOffset());
    if (perHead.isBroadcast())
      perHead = Layout({}, perHead.getOffset());
    sdpa.addRole(part.role, {part.gain.node, perHead});
  }
  if (sink) {
    Layout perHead = aligned.select(sinkPiece, heads, sink.layout.getOffset());
    if (perHead.isBroadcast())
      perHead = Layout({}, perHead.getOffset());
    sdpa.addRole("sinks", {sink.node, perHead});
  }
  // Positions of the elements of the sums in rows of all heads.
  SmallVector<unsigned> order =
      join({batch, queries, groups, repeats, valueElements});
  SmallVector<int64_t> place(aligned.getNumDigits(), 0);
  int64_t below = 1;
  for (unsigned d : llvm::reverse(order)) {
    place[d] = below;
    below *= aligned.extents[d];
  }
  SmallVector<Digit> back;
  for (unsigned d = 0; d < aligned.getNumDigits(); ++d)
    if (aligned.strides[Out][d] != 0)
      back.push_back({aligned.extents[d], place[d]});
  Term made = graph.make(sdpa);
  SmallVector<Digit> rows;
  for (unsigned d : order)
    rows.push_back(
        {aligned.extents[d], aligned.strides[W][d] / weights.node->width});
  graph.noteWeights(
      made.node, {weights.node,
                  Layout(rows, layouts[W].getOffset() / weights.node->width)});
  Term result = graph.read(made, Layout(back));
  return result ? graph.scale(result, factor) : Term();
}

/// True where values are weighted by more than a softmax.
bool SdpaMatcher::isWeighted() const {
  Product product = getProduct(graph, node->operands[0]);
  return product.factors.size() > 2 && product.find([](const Factor &factor) {
    return factor.term.node->op == Kind::Softmax;
  }) >= 0;
}

/// The way from the softmax to a product of queries and keys ends at `end`.
Term SdpaMatcher::missScores(const Term &end) {
  if (end.node->op == Kind::Route)
    return graph.wanted("scores, not the logits of experts", end);
  mlir::Operation *op =
      end.node->op == Kind::Leaf ? end.node->given.getDefiningOp() : nullptr;
  if (!op)
    return miss(Reason::UnknownScores,
                "no product of queries and keys was found", end);
  llvm::SaveAndRestore at(graph.location, mlir::Location(op->getLoc()));
  return miss(Reason::UnknownScores,
              "'" + op->getName().getStringRef() +
                  "' before the softmax is not understood",
              end);
}

Term SdpaMatcher::match() {
  if (!findOperands())
    return isWeighted()
               ? miss(Reason::UnknownScores,
                      "something else than values is multiplied with the "
                      "softmax")
               : Term();
  graph.found("values weighted by a softmax");
  separateSink();
  Term end;
  std::optional<ScoreChain> followed =
      followScores(graph, weights.node->operands[0], end);
  if (!followed)
    return missScores(end);
  chain = *followed;
  graph.found("a product of queries and keys");
  if (!alignAll() || !sortDigits())
    return miss(Reason::UnknownHeads,
                "heads cannot be told from tokens and elements");
  if (!sumsOverSoftmax())
    return miss(Reason::UnknownHeads,
                "values are summed over another dimension than the softmax");
  graph.found("heads, queries and keys");
  if (!separatePadding())
    return {};
  if (!readScores())
    return {};
  graph.found("masks and biases");
  if (!dropsInOrder())
    return miss(Reason::UnknownHeads,
                "weights are dropped in another order than heads, queries and "
                "keys",
                dropped);
  if (sink && !isOfHeads(sinkPiece))
    return miss(Reason::UnknownScores,
                "a logit beside those of the keys is not one of its head",
                sink);
  if (!checkMix())
    return miss(Reason::UnknownScoreBias,
                "a table beside the softmax is neither identity nor mean");
  graph.attend(weights.node);
  return makeSdpa();
}

Term parablock::raise::matchSdpa(Graph &graph, const Node *node) {
  return SdpaMatcher(graph, node).match();
}
