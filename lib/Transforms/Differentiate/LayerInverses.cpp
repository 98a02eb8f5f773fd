//===- LayerInverses.cpp - inverts layers in backward ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LayerInverses.h"

#include "mlir/IR/IRMapping.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
/// Writes the inverse of one layer.
class Inverter {
public:
  /// `known` has streams behind `layer` that later inverses computed.
  Inverter(LayerOp layer, LayerOp gradient, const IRMapping &known)
      : layer(layer), gradient(gradient), body(&layer.getBody().front()),
        builder(gradient), known(known) {}

  LayerOp run() {
    Region region;
    builder.setInsertionPointToStart(&region.emplaceBlock());
    Operation *yield = body->getTerminator();
    for (OpOperand &operand : yield->getOpOperands())
      if (isKept(operand.get())) {
        Value behind = layer->getResult(operand.getOperandNumber());
        made.map(operand.get(), known.lookupOrDefault(behind));
      }
    // The last sum first: the branch of an earlier one reads its stream.
    for (Operation &op : llvm::reverse(body->without_terminator()))
      if (auto sum = dyn_cast<StreamAddOp>(op))
        undo(sum);
    for (OpOperand &operand : yield->getOpOperands())
      if (!isKept(operand.get()))
        add(layer->getResult(operand.getOperandNumber()),
            repeat(operand.get()));
    YieldOp::create(builder, layer.getLoc(), results);
    builder.setInsertionPoint(gradient);
    auto inverse =
        LayerOp::create(builder, layer.getLoc(), TypeRange(ValueRange(results)),
                        layer.getLabelAttr(), layer.getIndexAttr(),
                        ApproxAttr(), ArrayAttr(), builder.getUnitAttr());
    inverse.getBody().takeBody(region);
    return inverse;
  }

  /// The values of the function that results of the inverse stand for.
  ArrayRef<Value> getOriginals() const { return originals; }

private:
  /// Streams, and statistics: these are small, and given ones leave the kernels
  /// of the branches, and so their bits, as they are in forward.
  static bool isKept(Value value) {
    auto step = value.getDefiningOp<StepOpInterface>();
    return value.getDefiningOp<StreamAddOp>() ||
           (step && step.makesStatistics());
  }

  void add(Value original, Value result) {
    originals.push_back(original);
    results.push_back(result);
  }

  void undo(StreamAddOp sum) {
    Value branch = repeat(sum.getBranch()), behind = made.lookup(sum);
    auto before = StreamAddOp::create(builder, sum.getLoc(), sum.getType(),
                                      branch, behind, !sum.getSubtract());
    made.map(sum.getStream(), before.getResult());
    // Both streams begin as one.
    if (!llvm::is_contained(originals, sum.getStream()))
      add(sum.getStream(), before);
  }

  Value repeat(Value value) {
    if (Value again = made.lookupOrNull(value))
      return again;
    Operation *maker = value.getDefiningOp();
    if (!maker || maker->getBlock() != body)
      return value;
    for (Value read : findReads(maker))
      made.map(read, repeat(read));
    builder.clone(*maker, made);
    return made.lookup(value);
  }

  LayerOp layer, gradient;
  Block *body;
  OpBuilder builder;
  const IRMapping &known;
  IRMapping made;
  SmallVector<Value> originals, results;
};
} // namespace

/// Returns whether `layer` has streams, and each is a sum of one from outside
/// of it that is returned.
static bool isReversible(LayerOp layer) {
  bool found = false;
  for (auto sum : layer.getBody().front().getOps<StreamAddOp>()) {
    Value stream = sum.getStream();
    if (!stream || layer.getBody().isAncestor(stream.getParentRegion()) ||
        !llvm::any_of(sum->getUsers(), llvm::IsaPred<YieldOp>))
      return false;
    found = true;
  }
  return found;
}

unsigned block::invertLayers(FunctionOpInterface step,
                             const CountedSizes &sizes, const Chip &chip) {
  SmallVector<std::pair<LayerOp, LayerOp>> layers;
  for (const LayerRecompute &layer : LayerRecompute::collect(step, sizes, chip))
    if (isReversible(layer.getForward()))
      layers.emplace_back(layer.getForward(), layer.getBackward());
  IRMapping known;
  SmallVector<LayerOp> inverses;
  Block *block = &step.getFunctionBody().front();
  for (auto [layer, gradient] : llvm::reverse(layers)) {
    Inverter inverter(layer, gradient, known);
    LayerOp inverse = inverter.run();
    inverses.push_back(inverse);
    for (auto [original, result] :
         llvm::zip_equal(inverter.getOriginals(), inverse.getResults())) {
      known.map(original, result);
      Value(original).replaceUsesWithIf(result, [&](OpOperand &use) {
        Operation *user = block->findAncestorOpInBlock(*use.getOwner());
        return LayerOp(inverse)->isBeforeInBlock(user) &&
               user != block->getTerminator();
      });
    }
  }
  IRRewriter rewriter(step->getContext());
  for (LayerOp inverse : llvm::reverse(inverses))
    dropUnreadResults(rewriter, inverse);
  for (auto [layer, gradient] : llvm::reverse(layers))
    dropUnreadResults(rewriter, layer);
  return layers.size();
}
