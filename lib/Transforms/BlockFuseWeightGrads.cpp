//===- BlockFuseWeightGrads.cpp - patterns that merge weight gradients ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExactPattern.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/RewriteHelpers.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKFUSEWEIGHTGRADS
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kFuseWeightGrads = "block-fuse-weight-grads";

/// Returns the products that share all their inputs, or all their gradients,
/// with `product`, in the order of their basic block.
SmallVector<WeightGradOp> collectGroup(WeightGradOp product, bool byInputs) {
  auto getShared = [&](WeightGradOp op) {
    return byInputs ? op.getInputs() : op.getGradients();
  };
  llvm::SmallSetVector<WeightGradOp, 4> group;
  for (Operation *user : getShared(product).front().getUsers())
    if (auto other = dyn_cast<WeightGradOp>(user);
        other && other->getBlock() == product->getBlock() &&
        getShared(other) == getShared(product))
      group.insert(other);
  SmallVector<WeightGradOp> sorted = group.takeVector();
  llvm::sort(sorted, [](WeightGradOp a, WeightGradOp b) {
    return a->isBeforeInBlock(b);
  });
  return sorted;
}

/// Returns whether an op of the group depends on another one.
bool dependOnEachOther(ArrayRef<WeightGradOp> group) {
  llvm::SetVector<Operation *> before;
  BackwardSliceOptions options;
  options.filter = [&](Operation *op) {
    return op->getBlock() == group.front()->getBlock();
  };
  for (WeightGradOp product : group)
    (void)getBackwardSlice(product.getOperation(), &before, options);
  return llvm::any_of(
      group, [&](WeightGradOp product) { return before.contains(product); });
}

/// Merges products that share an operand, of which the first is the
/// root.
struct FuseWeightGrads final : public ExactPattern<WeightGradOp> {
  using ExactPattern::ExactPattern;

  LogicalResult rewrite(WeightGradOp first,
                        PatternRewriter &rewriter) const final {
    for (bool byInputs : {true, false}) {
      SmallVector<WeightGradOp> group = collectGroup(first, byInputs);
      if (group.size() < 2 || group.front() != first ||
          dependOnEachOther(group))
        continue;
      for (WeightGradOp product : group)
        if (getElementTypeOrSelf(product.getType()) !=
            getElementTypeOrSelf(first.getType()))
          return refuse(rewriter, product, kFuseWeightGrads,
                        Reason::ElementTypes,
                        "another gradient of the same operand has another "
                        "element type");
      fuse(group, byInputs, rewriter);
      return success();
    }
    return failure();
  }

private:
  static void fuse(ArrayRef<WeightGradOp> group, bool byInputs,
                   PatternRewriter &rewriter) {
    WeightGradOp first = group.front();
    unsigned dim = byInputs ? 0 : 1;
    SmallVector<Location> locations;
    SmallVector<Value> merged;
    int64_t size = 0;
    for (WeightGradOp product : group) {
      locations.push_back(product.getLoc());
      llvm::append_range(merged, byInputs ? product.getGradients()
                                          : product.getInputs());
      size += getDim(product.getResult(), static_cast<int>(dim));
    }
    Location loc = rewriter.getFusedLoc(locations);
    auto whole = WeightGradOp::create(
        rewriter, loc, resized(first.getResult(), dim, size),
        byInputs ? ValueRange(merged) : ValueRange(first.getGradients()),
        byInputs ? ValueRange(first.getInputs()) : ValueRange(merged));
    recordPassed(whole, kFuseWeightGrads, "gradients by weights merged",
                 {{"gradients", static_cast<double>(group.size())},
                  {byInputs ? "rows" : "columns", static_cast<double>(size)}});
    Block &basicBlock = *first->getBlock();
    SmallVector<OpFoldResult> offsets(2, rewriter.getIndexAttr(0)),
        strides(2, rewriter.getIndexAttr(1));
    int64_t offset = 0;
    for (WeightGradOp product : group) {
      offsets[dim] = rewriter.getIndexAttr(offset);
      offset += getDim(product.getResult(), static_cast<int>(dim));
      SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(
          rewriter.getContext(), product.getType().getShape());
      rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
          product, whole, offsets, sizes, strides);
    }
    restoreDominance(basicBlock);
  }
};

struct BlockFuseWeightGradsPass
    : public block::impl::BlockFuseWeightGradsBase<BlockFuseWeightGradsPass> {
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    populateFuseWeightGradsPatterns(patterns);
    applyOnce(getOperation(), std::move(patterns), kFuseWeightGrads,
              "value that several gradients by weights are of", numDone,
              numRefused);
  }
};
} // namespace

void block::populateFuseWeightGradsPatterns(RewritePatternSet &patterns) {
  patterns.add<FuseWeightGrads>(patterns.getContext());
}
