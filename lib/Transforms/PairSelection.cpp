//===- PairSelection.cpp - which pairs an option names --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/PairSelection.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Analysis/SerialForm.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "parablock/Transforms/ShiftLayers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

static SmallVector<LayerOp> collectLayers(Operation *root) {
  SmallVector<LayerOp> layers;
  walkOutsideKernels<LayerOp>(root,
                              [&](LayerOp layer) { layers.push_back(layer); });
  return layers;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// Every layer as it stands.
static SmallVector<LayerPair> selectBlocks(ArrayRef<LayerOp> layers) {
  return llvm::map_to_vector(layers, getLayerPair);
}

/// The pair that begins with the MLP of each layer, the last one's among them.
static SmallVector<LayerPair> selectMlps(ArrayRef<LayerOp> layers) {
  SmallVector<LayerPair> pairs;
  for (LayerOp layer : layers)
    if (LayerPair pair{getLayerPair(layer).index, /*shifted=*/true};
        !llvm::is_contained(pairs, pair))
      pairs.push_back(pair);
  return pairs;
}

/// Every MLP with the attention behind it; with `onlyPossible`, where the two
/// can share a layer, and what is in no such pair as a block.
static SmallVector<LayerPair> selectShifted(ArrayRef<LayerOp> layers,
                                            bool onlyPossible) {
  SmallVector<LayerPair> pairs;
  bool attentionTaken = false;
  for (auto [i, layer] : llvm::enumerate(layers)) {
    LayerPair name = getLayerPair(layer);
    if (name.shifted) {
      pairs.push_back(name);
      continue;
    }
    bool hasNext = i + 1 < layers.size() &&
                   getLayerPair(layers[i + 1]) ==
                       LayerPair{name.index + 1, /*shifted=*/false};
    if (hasNext && onlyPossible)
      hasNext = !findShiftObstacle(layer, layers[i + 1]);
    if (hasNext)
      pairs.push_back({name.index, /*shifted=*/true});
    else if (onlyPossible && !attentionTaken)
      pairs.push_back(name);
    attentionTaken = hasNext;
  }
  return pairs;
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

LogicalResult block::checkPairsExist(Operation *root, ArrayRef<LayerPair> pairs,
                                     const Twine &where) {
  DenseSet<int64_t> known;
  for (LayerOp layer : collectLayers(root))
    known.insert(static_cast<int64_t>(layer.getIndex()));
  for (LayerPair pair : pairs)
    for (int64_t index = pair.index; index <= pair.index + pair.shifted;
         ++index)
      if (!known.contains(index))
        return root->emitError()
               << "no layer has index " << index
               << (pair.shifted ? ", which pair " + pair.getName() + " needs"
                                : std::string())
               << " (" << where << ")";
  return success();
}

/// One part of a list, a name or a range of names, or an error.
static llvm::Expected<std::pair<LayerPair, LayerPair>>
parseRange(StringRef part, StringRef text) {
  auto [from, to] = part.split('-');
  std::optional<LayerPair> first = LayerPair::parse(from), last = first;
  if (part.contains('-'))
    last = LayerPair::parse(to);
  if (!first || !last || first->shifted != last->shifted)
    return llvm::createStringError(
        "expected blocks to be all, none, @file, or indices and ranges such "
        "as 0,2-5 or 2+-5+, got '" +
        text + "'");
  if (last->index < first->index)
    return llvm::createStringError("expected a range that does not run "
                                   "backwards in blocks, got '" +
                                   part + "'");
  return std::pair(*first, *last);
}

static FailureOr<SmallVector<LayerPair>>
parseList(Operation *root, StringRef text, bool allShifted) {
  SmallVector<LayerPair> pairs;
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    llvm::Expected<std::pair<LayerPair, LayerPair>> range =
        parseRange(part, text);
    if (!range)
      return root->emitError() << llvm::toString(range.takeError());
    LayerPair ends[] = {range->first, range->second};
    // The ends first: a range need not be walked to find that it ends nowhere.
    for (LayerPair &end : ends)
      end.shifted |= allShifted;
    if (failed(checkPairsExist(root, ends, "blocks=" + text)))
      return failure();
    for (int64_t index = ends[0].index; index <= ends[1].index; ++index)
      if (LayerPair pair{index, ends[0].shifted};
          !llvm::is_contained(pairs, pair))
        pairs.push_back(pair);
  }
  llvm::sort(pairs);
  if (llvm::Error error = checkMatching(pairs))
    return root->emitError()
           << llvm::toString(std::move(error)) << " (blocks=" << text << ")";
  return pairs;
}

/// Checks that norms of chosen layers are on level 1, and that no attention
/// reads a cache. Latent attention is in steps on level 1, too.
static LogicalResult checkWhole(ArrayRef<LayerOp> layers,
                                ArrayRef<LayerPair> pairs) {
  for (LayerOp layer : layers) {
    auto index = static_cast<int64_t>(layer.getIndex());
    if (llvm::none_of(pairs, [&](LayerPair pair) {
          return pair.index == index ||
                 (pair.shifted && pair.index + 1 == index);
        }))
      continue;
    // A layer that is parallel already stays unchanged.
    Operation *yield = layer.getBody().front().getTerminator();
    auto sum = yield->getNumOperands()
                   ? yield->getOperand(0).getDefiningOp<ResidualOp>()
                   : ResidualOp();
    if (sum && sum.getBranches().size() > 1)
      continue;
    bool hasAttention = false, isExpanded = false;
    walkOutsideKernels<StepOpInterface>(layer, [&](Operation *op) {
      hasAttention |= isAttentionCore(op);
      isExpanded |= isa<NormStatsOp, NormalizeOp, CacheAppendOp>(op);
    });
    bool isInSteps = hasAttention && isExpanded;
    if (isInSteps)
      return layer.emitError()
             << "expected the attention of layer '" << layer.getLabel()
             << "' on level 1, got its steps: parallelize before block-expand "
                "and block-add-caches";
  }
  return success();
}

/// Checks that layers of these names exist: for a ladder no boundary moves.
static LogicalResult checkLadder(Operation *root, ArrayRef<LayerOp> layers,
                                 ArrayRef<LayerPair> pairs) {
  for (LayerPair pair : pairs)
    if (llvm::none_of(
            layers, [&](LayerOp layer) { return getLayerPair(layer) == pair; }))
      return root->emitError()
             << "expected blocks to name layers as they are under "
                "pairing=ladder, got '"
             << pair.getName() << "': block-shift forms such layers";
  return success();
}

/// Returns the number of layers of each function under `root`, or the error
/// that they differ.
static FailureOr<int64_t> countLayers(Operation *root) {
  DenseMap<Operation *, int64_t> counts;
  for (LayerOp layer : collectLayers(root)) {
    int64_t &count =
        counts[layer->getParentOfType<mlir::FunctionOpInterface>()];
    count = std::max(count, static_cast<int64_t>(layer.getIndex()) + 1);
  }
  int64_t common = 0;
  for (auto [function, count] : counts) {
    if (common != 0 && count != common)
      return root->emitError()
             << "option 'from=half' requires functions of as many layers, got "
             << std::min(common, count) << " and " << std::max(common, count)
             << ": name the layer, or the function";
    common = count;
  }
  return common;
}

FailureOr<int64_t> block::findFirstLayer(Operation *root, StringRef from) {
  if (from.empty())
    return 0;
  if (from == "half") {
    FailureOr<int64_t> count = countLayers(root);
    if (failed(count))
      return failure();
    return (*count + 1) / 2;
  }
  std::optional<LayerPair> first = LayerPair::parse(from);
  if (!first || first->shifted)
    return root->emitError()
           << "expected from to be half or the index of a layer, got '" << from
           << "'";
  if (failed(checkPairsExist(root, *first, "from=" + from)))
    return failure();
  return first->index;
}

FailureOr<SmallVector<LayerPair>>
block::selectPairs(Operation *root, StringRef blocks, Pairing pairing) {
  if (blocks == "none")
    return SmallVector<LayerPair>();
  SmallVector<LayerOp> layers = collectLayers(root);
  FailureOr<SmallVector<LayerPair>> pairs =
      blocks != "all" ? parseList(root, blocks,
                                  pairing == Pairing::Shifted ||
                                      pairing == Pairing::Shortcut)
      : pairing == Pairing::Block || pairing == Pairing::Ladder
          ? selectBlocks(layers)
      : pairing == Pairing::Shortcut
          ? selectMlps(layers)
          : selectShifted(layers, pairing == Pairing::Best);
  if (failed(pairs) ||
      (pairing == Pairing::Ladder &&
       failed(checkLadder(root, layers, *pairs))) ||
      failed(checkWhole(layers, *pairs)))
    return failure();
  return pairs;
}
