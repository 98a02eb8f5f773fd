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

/// Checks that the tables added to the softmax are the identity and the mean.
bool SdpaMatcher::checkMix() {
  for (auto [part, piece] : llvm::zip(sum.mix, space.mixPieces)) {
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

/// Returns whether queries and keys are of the same tokens. Arguments are taken
/// for such if there are as many.
bool SdpaMatcher::isOfOneStream() const {
  const Node *query = findProjected(chain.query.node);
  const Node *key = findProjected(chain.key.node);
  return space.getSize(space.queries) == space.getSize(space.keys) &&
         (query == key || (chain.query.node->op == Kind::Leaf &&
                           chain.key.node->op == Kind::Leaf));
}

bool SdpaMatcher::sumsOverSoftmax() const {
  int64_t width = sum.weights.node->width, reach = 0;
  for (unsigned d = 0; d < space.aligned.getNumDigits(); ++d) {
    int64_t stride = space.aligned.strides[SdpaSpace::W][d];
    if (llvm::is_contained(space.keys, d))
      reach += (space.aligned.extents[d] - 1) * stride;
    else if (stride % width != 0)
      return false;
  }
  return reach == width - 1 && space.getSize(space.keys) == width &&
         space.layouts[SdpaSpace::W].getOffset() % width == 0;
}

/// Returns whether elements are drawn for heads of batch rows, queries and keys
/// in this order.
bool SdpaMatcher::dropsInOrder() {
  if (!sum.dropped)
    return true;
  int64_t below = 1;
  for (unsigned d :
       llvm::reverse(join({space.batch, space.groups, space.repeats,
                           space.queries, space.keys}))) {
    if (space.aligned.extents[d] != 1 &&
        space.aligned.strides[space.layouts.size() - 1][d] != below)
      return false;
    below *= space.aligned.extents[d];
  }
  return below == sum.dropped.node->size &&
         sum.dropped.node->width == space.getSize(space.keys) &&
         sum.dropped.layout.getOffset() == 0;
}

/// Adds operands that replace masks, biases and joined rows.
void SdpaMatcher::addInputs(Node &sdpa) {
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
  if (sum.dropped) {
    sdpa.addRole("seed", sum.dropped.node->getRole("seed"));
    sdpa.dropout = sum.dropped.node->dropout;
  }
}

/// Adds the factors of parts beside the softmax, and the sink.
void SdpaMatcher::addGains(Node &sdpa) {
  SmallVector<unsigned> heads = join({space.groups, space.repeats});
  auto add = [&](StringRef role, const Node *gain, unsigned piece) {
    Layout perHead = space.select(piece, heads);
    if (perHead.isBroadcast())
      perHead = Layout({}, perHead.getOffset());
    sdpa.addRole(role, {gain, perHead});
  };
  for (auto [part, piece] : llvm::zip(sum.mix, space.mixPieces))
    add(part.role, part.gain.node, piece + part.tables.size());
  if (space.sink)
    add("sinks", space.sink.node, space.sinkPiece);
}

/// Notes where the weights of `made` are, by batch row, query and head.
void SdpaMatcher::noteWeights(const Node *made, ArrayRef<unsigned> order) {
  const Node *weights = sum.weights.node;
  SmallVector<Digit> rows;
  for (unsigned d : order)
    rows.push_back({space.aligned.extents[d],
                    space.aligned.strides[SdpaSpace::W][d] / weights->width});
  int64_t offset = space.layouts[SdpaSpace::W].getOffset() / weights->width;
  graph.noteWeights(made, {weights, Layout(rows, offset)});
}

Term SdpaMatcher::makeSdpa() {
  int64_t headCount = space.getNumHeads();
  int64_t valueSize = space.getSize(space.valueElements);
  Node sdpa;
  sdpa.op = Kind::Sdpa;
  sdpa.size = node->size;
  sdpa.width = headCount * valueSize;
  sdpa.extents = {headCount, space.getSize(space.groups), space.headSize,
                  valueSize};
  sdpa.form = scores;
  sdpa.type = node->type;
  sdpa.operands = {
      {chain.query.node,
       space.select(SdpaSpace::Q,
                    join({space.batch, space.queries, space.groups,
                          space.repeats, space.elements}))},
      {chain.key.node,
       space.select(SdpaSpace::K, join({space.batch, space.keys, space.groups,
                                        space.elements}))},
      {sum.value.node,
       space.select(SdpaSpace::V, join({space.batch, space.keys, space.groups,
                                        space.valueElements}))}};
  addInputs(sdpa);
  addGains(sdpa);
  // Positions of the elements of the sums in rows of all heads.
  SmallVector<unsigned> order = join({space.batch, space.queries, space.groups,
                                      space.repeats, space.valueElements});
  Term made = graph.make(sdpa);
  noteWeights(made.node, order);
  Term result = graph.read(
      made,
      space.aligned.locate(space.aligned.getVarying(SdpaSpace::Out), order));
  return result ? graph.scale(result, sum.factor) : Term();
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
  if (!sum.find(graph, node))
    return isWeighted()
               ? miss(Reason::UnknownScores,
                      "something else than values is multiplied with the "
                      "softmax")
               : Term();
  graph.found("values weighted by a softmax");
  sum.separateSink(graph);
  Term end;
  std::optional<ScoreChain> followed =
      followScores(graph, sum.weights.node->operands[0], end);
  if (!followed)
    return missScores(end);
  chain = *followed;
  graph.found("a product of queries and keys");
  if (!findSpace())
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
                sum.dropped);
  if (space.sink && !space.isOfHeads(space.sinkPiece))
    return miss(Reason::UnknownScores,
                "a logit beside those of the keys is not one of its head",
                space.sink);
  if (!checkMix())
    return miss(Reason::UnknownScoreBias,
                "a table beside the softmax is neither identity nor mean");
  graph.attend(sum.weights.node);
  return makeSdpa();
}

Term parablock::raise::matchSdpa(Graph &graph, const Node *node) {
  return SdpaMatcher(graph, node).match();
}
