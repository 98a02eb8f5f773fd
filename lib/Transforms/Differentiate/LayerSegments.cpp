//===- LayerSegments.cpp - copies layers before their gradients -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LayerSegments.h"

#include "mlir/IR/IRMapping.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "parablock/Transforms/StepHalves.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

/// The op of the function's own block that `use` is in.
static Operation *findOuter(OpOperand &use, Block *block) {
  return block->findAncestorOpInBlock(*use.getOwner());
}

/// Replaces uses of results of `layer` after `copy` by those of `copy`, unless
/// an op between them keeps the results of `layer` for other gradients.
static void replaceBehind(LayerOp layer, LayerOp copy,
                          const StepHalves &halves) {
  Block *block = layer->getBlock();
  for (auto [result, again] :
       llvm::zip_equal(layer.getResults(), copy.getResults())) {
    bool isKept = llvm::any_of(result.getUses(), [&](OpOperand &use) {
      Operation *user = findOuter(use, block);
      return !halves.forward.contains(user) && user->isBeforeInBlock(copy) &&
             user != block->getTerminator();
    });
    if (!isKept)
      result.replaceUsesWithIf(again, [&](OpOperand &use) {
        Operation *user = findOuter(use, block);
        return user != block->getTerminator() && copy->isBeforeInBlock(user);
      });
  }
}

void block::repeatSegments(FunctionOpInterface step, const CountedSizes &sizes,
                           unsigned size, const Chip &chip) {
  StepHalves halves = findHalves(step);
  SmallVector<std::pair<LayerOp, LayerOp>> layers;
  for (const LayerRecompute &layer : LayerRecompute::collect(step, sizes, chip))
    layers.emplace_back(layer.getForward(), layer.getBackward());
  SmallVector<LayerOp> forward, copies;
  for (size_t first = 0; first < layers.size(); first += size) {
    auto segment = ArrayRef(layers).drop_front(first).take_front(size);
    Operation *place = segment.front().second;
    for (auto [layer, gradient] : segment)
      if (gradient->isBeforeInBlock(place))
        place = gradient;
    OpBuilder builder(place);
    IRMapping again;
    for (auto [layer, gradient] : segment) {
      auto copy = cast<LayerOp>(builder.clone(*layer, again));
      copy.setBackward(true);
      copy.removeLogAttr();
      forward.push_back(layer);
      copies.push_back(copy);
    }
  }
  // In reverse, since gradients of later layers keep values of earlier ones.
  for (auto [layer, copy] : llvm::reverse(llvm::zip_equal(forward, copies)))
    replaceBehind(layer, copy, halves);
  IRRewriter rewriter(forward.front()->getContext());
  for (LayerOp copy : llvm::reverse(copies))
    dropUnreadResults(rewriter, copy);
  for (LayerOp layer : llvm::reverse(forward))
    dropUnreadResults(rewriter, layer);
}

void block::recordSegments(FunctionOpInterface step, const CountedSizes &sizes,
                           const Chip &chip) {
  llvm::MapVector<std::pair<StringAttr, uint64_t>, SmallVector<LayerOp>> layers;
  step->walk([&](LayerOp layer) {
    if (layer.getBackward())
      layers[{layer.getLabelAttr(), layer.getIndex()}].push_back(layer);
  });
  // The last one of a label is the gradient.
  for (auto &[label, copies] : layers)
    for (LayerOp copy : ArrayRef(copies).drop_back())
      recordRepeatedLayer(copy, sizes, chip);
}
