//===- RewriteHelpers.cpp - what several rewrites need --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/RewriteHelpers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/FindOperand.h"

using namespace mlir;

namespace parablock::block {

RankedTensorType withElementType(Value value, Type element) {
  return cast<RankedTensorType>(value.getType()).clone(element);
}

RankedTensorType withWidth(Value value, int64_t width, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = width;
  return RankedTensorType::get(shape, element);
}

Value castElements(OpBuilder &builder, Location loc, Value value,
                   Type element) {
  Type from = cast<RankedTensorType>(value.getType()).getElementType();
  if (from == element)
    return value;
  RankedTensorType type = withElementType(value, element);
  if (from.getIntOrFloatBitWidth() > element.getIntOrFloatBitWidth())
    return arith::TruncFOp::create(builder, loc, type, value);
  return arith::ExtFOp::create(builder, loc, type, value);
}

bool isWeightOnly(Value value) {
  WalkResult sources = walkSources(value, [](Value source) -> WalkResult {
    if (Operation *op = source.getDefiningOp()) {
      // The region of a transposition only says that elements are moved.
      bool isPlain = op->getNumRegions() == 0 || isa<linalg::TransposeOp>(op);
      return success(isPlain && isMemoryEffectFree(op));
    }
    auto argument = cast<BlockArgument>(source);
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return success(function &&
                   function.getArgAttr(argument.getArgNumber(), kParamAttr));
  });
  return !sources.wasInterrupted();
}

bool dropsElements(Operation *op) {
  return isa<DropoutOp>(op) || findOperand(op, AttentionOperand::Seed);
}

NormAttr withoutMean(NormAttr form) {
  if (!form.isCentered())
    return form;
  return NormAttr::get(form.getContext(), NormKind::Rms, form.getEps(),
                       form.getEpsForm(), form.getGammaForm(),
                       form.getRounding());
}

/// Puts a layer whose results are `yielded` in the place of `layer`, and takes
/// its region; `layer` is still to be replaced.
static LayerOp moveLayer(RewriterBase &rewriter, LayerOp layer,
                         ValueRange yielded) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(layer);
  Operation *yield = layer.getBody().front().getTerminator();
  rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(yielded); });
  OperationState state(layer.getLoc(), LayerOp::getOperationName(),
                       ValueRange(), TypeRange(yielded), layer->getAttrs());
  state.addRegion();
  auto moved = cast<LayerOp>(rewriter.create(state));
  rewriter.inlineRegionBefore(layer.getBody(), moved.getBody(),
                              moved.getBody().end());
  return moved;
}

LayerOp growLayer(RewriterBase &rewriter, LayerOp layer, ValueRange added) {
  SmallVector<Value> yielded(
      layer.getBody().front().getTerminator()->getOperands());
  llvm::append_range(yielded, added);
  LayerOp grown = moveLayer(rewriter, layer, yielded);
  rewriter.replaceOp(layer,
                     grown->getResults().take_front(layer->getNumResults()));
  return grown;
}

void dropUnreadResults(RewriterBase &rewriter, LayerOp layer) {
  Operation *yield = layer.getBody().front().getTerminator();
  SmallVector<Value> kept, read;
  for (auto [result, value] :
       llvm::zip_equal(layer.getResults(), yield->getOperands()))
    if (!result.use_empty()) {
      read.push_back(result);
      kept.push_back(value);
    }
  if (kept.empty())
    return rewriter.eraseOp(layer);
  LayerOp narrow = moveLayer(rewriter, layer, kept);
  for (auto [old, result] : llvm::zip_equal(read, narrow.getResults()))
    rewriter.replaceAllUsesWith(old, result);
  rewriter.eraseOp(layer);
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(narrow.getBody().front())))
    if (isOpTriviallyDead(&op))
      rewriter.eraseOp(&op);
}

/// Moves `op` behind those that are `placed`, after all ops of its block that
/// it reads, itself or within.
static void placeAfterOperands(Operation *op, Operation *end,
                               DenseSet<Operation *> &placed) {
  if (!placed.insert(op).second)
    return;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *maker = operand.getDefiningOp())
        if (Operation *own = op->getBlock()->findAncestorOpInBlock(*maker);
            own && own != op)
          placeAfterOperands(own, end, placed);
  });
  op->moveBefore(end);
}

void restoreDominance(mlir::Block &block) {
  Operation *end = block.getTerminator();
  DenseSet<Operation *> placed = {end};
  SmallVector<Operation *> ops =
      llvm::to_vector(llvm::make_pointer_range(block.without_terminator()));
  for (Operation *op : ops)
    placeAfterOperands(op, end, placed);
}

} // namespace parablock::block

Value parablock::block::transposeStack(OpBuilder &builder, Location loc,
                                       Value stack) {
  auto type = cast<RankedTensorType>(stack.getType());
  int64_t shape[] = {type.getDimSize(0), type.getDimSize(2),
                     type.getDimSize(1)};
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, stack, empty,
                                     ArrayRef<int64_t>{0, 2, 1})
      ->getResult(0);
}
