//===- DifferentiateFunction.cpp - reverses layers and regions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DifferentiateFunction.h"

#include "mlir/IR/IRMapping.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/EraseDead.h"
#include "parablock/Transforms/Differentiate/Adjoints.h"
#include "parablock/Transforms/Differentiate/VjpInterface.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

static SmallVector<Operation *> listOps(Block &block) {
  return llvm::map_to_vector(block.without_terminator(),
                             [](Operation &op) { return &op; });
}

//===----------------------------------------------------------------------===//
// Ops in reverse order
//===----------------------------------------------------------------------===//

static LogicalResult reverse(ArrayRef<Operation *> ops, Adjoints &adjoints);

/// Builds the layer that is the gradient of `layer`.
static LogicalResult reverseLayer(LayerOp layer, Adjoints &adjoints) {
  SmallVector<std::pair<Value, Value>> seeds;
  Block &body = layer.getBody().front();
  for (auto [result, yielded] :
       llvm::zip_equal(layer.getResults(), body.getTerminator()->getOperands()))
    if (Value adjoint = adjoints.take(result))
      seeds.emplace_back(yielded, adjoint);
  if (seeds.empty())
    return success();

  OpBuilder &builder = adjoints.builder;
  OpBuilder::InsertionGuard guard(builder);
  Region region;
  Block &backward = region.emplaceBlock();
  UnitAttr isBackward = builder.getUnitAttr();
  // Result types are known only at the end; this layer is a placeholder.
  auto open = LayerOp::create(builder, layer.getLoc(), TypeRange(),
                              layer.getLabelAttr(), layer.getIndexAttr(),
                              ApproxAttr(), ArrayAttr(), isBackward);
  open.getBody().takeBody(region);
  builder.setInsertionPointToStart(&backward);
  adjoints.openRegion();
  for (auto [value, adjoint] : seeds)
    adjoints.add(value, adjoint);
  if (failed(reverse(listOps(body), adjoints)))
    return failure();
  adjoints.loc = layer.getLoc();
  SmallVector<Value> values, sums;
  for (auto [value, sum] : adjoints.closeRegion()) {
    values.push_back(value);
    sums.push_back(sum);
  }
  YieldOp::create(builder, layer.getLoc(), sums);
  builder.setInsertionPoint(open);
  auto closed = LayerOp::create(
      builder, layer.getLoc(), TypeRange(ValueRange(sums)), open.getLabelAttr(),
      open.getIndexAttr(), ApproxAttr(), ArrayAttr(), isBackward);
  closed.getBody().takeBody(open.getBody());
  open.erase();
  for (auto [value, result] : llvm::zip_equal(values, closed.getResults()))
    adjoints.add(value, result);
  return success();
}

static LogicalResult reverse(ArrayRef<Operation *> ops, Adjoints &adjoints) {
  for (Operation *op : llvm::reverse(ops)) {
    if (llvm::none_of(op->getResults(),
                      [&](Value result) { return adjoints.isActive(result); }))
      continue;
    adjoints.loc = op->getLoc();
    if (auto layer = dyn_cast<LayerOp>(op)) {
      if (failed(reverseLayer(layer, adjoints)))
        return failure();
      continue;
    }
    auto vjp = dyn_cast<VjpOpInterface>(op);
    if (vjp ? failed(vjp.buildVjp(adjoints))
            : llvm::any_of(op->getResults(), [&](Value result) {
                return static_cast<bool>(adjoints.take(result));
              }))
      return vjp ? failure() : op->emitOpError("has no gradient");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Forward values that backward layers read
//===----------------------------------------------------------------------===//

namespace {
/// Makes values of layers readable after them: weight-only work and values that
/// are not tensors are recomputed at their readers; other values become
/// results.
class LayerEscapes {
public:
  explicit LayerEscapes(Block &body) : body(body) {}

  void run() {
    // Recomputed ops may read more values.
    while (repeatCheapWork())
      continue;
    for (LayerOp layer : llvm::to_vector(body.getOps<LayerOp>()))
      addResults(layer);
  }

private:
  /// Returns the layer that defines the value read by `operand`, if it is a
  /// different layer than the reader's.
  static LayerOp findSource(OpOperand &operand) {
    Operation *maker = operand.get().getDefiningOp();
    auto layer =
        maker ? dyn_cast_if_present<LayerOp>(maker->getParentOp()) : LayerOp();
    return layer && !layer->isAncestor(operand.getOwner()) ? layer : LayerOp();
  }

  bool repeatCheapWork() {
    SmallVector<OpOperand *> cheap;
    body.walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        if (findSource(operand) &&
            (!isa<RankedTensorType>(operand.get().getType()) ||
             isWeightOnly(operand.get())))
          cheap.push_back(&operand);
    });
    DenseMap<std::pair<Value, Block *>, Value> repeated;
    for (OpOperand *operand : cheap) {
      Value value = operand->get();
      Block *reader = operand->getOwner()->getBlock();
      Value &again = repeated[{value, reader}];
      if (!again) {
        OpBuilder builder(body.getParentOp()->getContext());
        builder.setInsertionPointToStart(reader);
        // The function's block contains the inputs of its layers.
        if (reader == &body)
          builder.setInsertionPoint(operand->getOwner());
        unsigned number = cast<OpResult>(value).getResultNumber();
        again = builder.clone(*value.getDefiningOp())->getResult(number);
      }
      operand->set(again);
    }
    return !cheap.empty();
  }

  void addResults(LayerOp layer) {
    llvm::MapVector<Value, SmallVector<OpOperand *>> escaping;
    for (Operation &op : layer.getBody().front())
      for (Value result : op.getResults())
        for (OpOperand &use : result.getUses())
          if (findSource(use))
            escaping[result].push_back(&use);
    if (escaping.empty())
      return;
    Operation *yield = layer.getBody().front().getTerminator();
    SmallVector<Value> added;
    for (auto &[value, uses] : escaping)
      if (!llvm::is_contained(yield->getOperands(), value))
        added.push_back(value);
    IRRewriter rewriter(layer->getContext());
    LayerOp grown = growLayer(rewriter, layer, added);
    for (auto &[value, uses] : escaping) {
      auto yielded = grown.getBody().front().getTerminator()->getOperands();
      size_t place = llvm::find(yielded, value) - yielded.begin();
      for (OpOperand *use : uses)
        use->set(grown->getResult(place));
    }
  }

  Block &body;
};
} // namespace

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>>
parablock::block::differentiate(FunctionOpInterface function,
                                ArrayRef<Seed> seeds, ArrayRef<unsigned> wrt) {
  Block &body = function.getFunctionBody().front();
  Operation *end = body.getTerminator();
  SmallVector<Operation *> ops = listOps(body);
  Adjoints adjoints{OpBuilder(end)};
  for (unsigned argument : wrt)
    adjoints.activate(body.getArgument(argument));
  adjoints.activateResults(ops);
  adjoints.loc = function.getLoc();
  for (auto [result, adjoint] : seeds)
    adjoints.add(end->getOperand(result), adjoint);
  if (failed(reverse(ops, adjoints)))
    return failure();
  SmallVector<Value> gradients;
  for (unsigned argument : wrt)
    gradients.push_back(adjoints.take(body.getArgument(argument)));
  return gradients;
}

void parablock::block::closeLayers(FunctionOpInterface function) {
  LayerEscapes(function.getFunctionBody().front()).run();
  eraseDeadOps(function->getRegions());
}
