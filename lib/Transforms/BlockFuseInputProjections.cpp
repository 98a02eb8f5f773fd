//===- BlockFuseInputProjections.cpp - projections of one value merge -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "llvm/ADT/MapVector.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKFUSEINPUTPROJECTIONS
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kPass = "block-fuse-input-projections";

/// The biases side by side, zeros where a projection has none; null if none
/// has.
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

struct BlockFuseInputProjectionsPass
    : public block::impl::BlockFuseInputProjectionsBase<
          BlockFuseInputProjectionsPass> {
  void runOnOperation() final {
    bool found = false;
    getOperation()->walk([&](Block *basicBlock) {
      if (!isa<KernelOp>(basicBlock->getParentOp()))
        found |= fuseWithin(*basicBlock);
    });
    if (!found)
      recordNoMatch(getOperation(), kPass,
                    "value that several projections read");
  }

  static bool fuseWithin(Block &basicBlock) {
    llvm::MapVector<Value, SmallVector<LinearOp>> readers;
    for (auto linear : basicBlock.getOps<LinearOp>())
      readers[linear.getInput()].push_back(linear);
    bool found = false;
    for (auto &[input, group] : readers) {
      if (group.size() < 2)
        continue;
      found = true;
      if (isFusable(group))
        fuse(group);
    }
    if (found)
      restoreDominance(basicBlock);
    return found;
  }

  /// All of them write one element type and read weights of one.
  static bool isFusable(ArrayRef<LinearOp> group) {
    auto types = [](LinearOp linear) {
      return std::pair(getElementTypeOrSelf(linear.getResult().getType()),
                       getElementTypeOrSelf(linear.getWeight().getType()));
    };
    for (LinearOp linear : group)
      if (types(linear) != types(group.front())) {
        recordMissed(
            linear, kPass, Reason::ElementTypes,
            "another projection of the same value has other element types");
        return false;
      }
    return true;
  }

  static void fuse(ArrayRef<LinearOp> group) {
    LinearOp first = group.front();
    OpBuilder builder(first);
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
    Location loc = FusedLoc::get(builder.getContext(), locations);
    Value weight = tensor::ConcatOp::create(builder, loc, 0, weights);
    Value bias = concatenateBiases(builder, loc, group);
    Type element = getElementTypeOrSelf(first.getResult().getType());
    Value product = LinearOp::create(
        builder, loc, withWidth(first.getInput(), width, element),
        first.getInput(), weight, bias);
    auto split = SplitOp::create(builder, loc, segments, product);
    recordPassed(split, kPass, "projections of one value merged",
                 {{"projections", static_cast<double>(group.size())},
                  {"width", static_cast<double>(width)}});
    for (auto [linear, segment] : llvm::zip_equal(group, split.getSegments())) {
      Operation *old = linear;
      old->replaceAllUsesWith(ValueRange{segment});
      old->erase();
    }
  }
};
} // namespace
