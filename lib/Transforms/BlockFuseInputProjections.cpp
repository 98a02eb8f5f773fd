//===- BlockFuseInputProjections.cpp - patterns that merge projections ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExactPattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/RewriteHelpers.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKFUSEINPUTPROJECTIONS
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kFuseInputProjections = "block-fuse-input-projections";

/// Returns the concatenated biases, zeros for projections without one; null if
/// none has one.
Value concatenateBiases(OpBuilder &builder, Location loc,
                        ArrayRef<LinearOp> group) {
  if (llvm::none_of(group, [](LinearOp linear) {
        return static_cast<bool>(linear.getBias());
      }))
    return {};
  Type element;
  for (LinearOp linear : group)
    if (linear.getBias())
      element = getElementTypeOrSelf(linear.getBias().getType());
  SmallVector<Value> biases;
  for (LinearOp linear : group) {
    if (linear.getBias()) {
      biases.push_back(castElements(builder, loc, linear.getBias(), element));
      continue;
    }
    auto type = RankedTensorType::get({getDim(linear.getWeight(), 0)}, element);
    biases.push_back(arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type, builder.getFloatAttr(element, 0.0))));
  }
  return tensor::ConcatOp::create(builder, loc, 0, biases);
}

/// Returns the projections with the same input as `linear`, in the order of
/// their basic block.
SmallVector<LinearOp> collectGroup(LinearOp linear) {
  SmallVector<LinearOp> group;
  for (OpOperand &use : linear.getInput().getUses())
    if (auto reader = dyn_cast<LinearOp>(use.getOwner());
        reader && reader->getBlock() == linear->getBlock() &&
        &use == &reader.getInputMutable())
      group.push_back(reader);
  llvm::sort(group,
             [](LinearOp a, LinearOp b) { return a->isBeforeInBlock(b); });
  return group;
}

/// Merges the projections of one value, of which the first is the root.
struct FuseInputs final : public ExactPattern<LinearOp> {
  using ExactPattern::ExactPattern;

  LogicalResult rewrite(LinearOp first, PatternRewriter &rewriter) const final {
    SmallVector<LinearOp> group = collectGroup(first);
    if (group.size() < 2 || group.front() != first)
      return failure();
    // All of them write one element type and read weights of one.
    auto types = [](LinearOp linear) {
      return std::pair(getElementTypeOrSelf(linear.getResult().getType()),
                       getElementTypeOrSelf(linear.getWeight().getType()));
    };
    for (LinearOp linear : group)
      if (types(linear) != types(first))
        return refuse(
            rewriter, linear, kFuseInputProjections, Reason::ElementTypes,
            "another projection of the same value has other element types");
    fuse(group, rewriter);
    return success();
  }

private:
  static void fuse(ArrayRef<LinearOp> group, PatternRewriter &rewriter) {
    LinearOp first = group.front();
    SmallVector<Location> locations;
    SmallVector<Value> weights;
    SmallVector<Type> segments;
    int64_t width = 0;
    for (LinearOp linear : group) {
      locations.push_back(linear.getLoc());
      weights.push_back(linear.getWeight());
      segments.push_back(linear.getResult().getType());
      width += getDim(linear.getWeight(), 0);
    }
    Location loc = rewriter.getFusedLoc(locations);
    Value weight = tensor::ConcatOp::create(rewriter, loc, 0, weights);
    Value bias = concatenateBiases(rewriter, loc, group);
    Type element = getElementTypeOrSelf(first.getResult().getType());
    Value product = LinearOp::create(
        rewriter, loc, withWidth(first.getInput(), width, element),
        first.getInput(), weight, bias);
    auto split = SplitOp::create(rewriter, loc, segments, product);
    recordPassed(split, kFuseInputProjections,
                 "projections of one value merged",
                 {{"projections", static_cast<double>(group.size())},
                  {"width", static_cast<double>(width)}});
    Block &basicBlock = *first->getBlock();
    for (auto [linear, segment] : llvm::zip_equal(group, split.getSegments()))
      rewriter.replaceOp(linear, segment);
    restoreDominance(basicBlock);
  }
};

struct BlockFuseInputProjectionsPass
    : public block::impl::BlockFuseInputProjectionsBase<
          BlockFuseInputProjectionsPass> {
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    populateFuseInputProjectionsPatterns(patterns);
    applyOnce(getOperation(), std::move(patterns), kFuseInputProjections,
              "value that several projections read", numDone, numRefused);
  }
};
} // namespace

void block::populateFuseInputProjectionsPatterns(RewritePatternSet &patterns) {
  patterns.add<FuseInputs>(patterns.getContext());
}
