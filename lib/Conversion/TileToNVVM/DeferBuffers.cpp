//===- DeferBuffers.cpp - pass tile-defer-buffers -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelPass.h"
#include "parablock/Conversion/Passes.h"

namespace parablock {
#define GEN_PASS_DEF_TILEDEFERBUFFERS
#include "parablock/Conversion/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock::tile;

static bool isDeferredProduct(Operation *op) {
  auto product = dyn_cast<MmaOp>(op);
  return product && product.getDeferred();
}

/// Returns whether only deferred products read the buffer of this
/// number.
static bool isDeferred(PipelineOp pipeline, int64_t buffer) {
  BlockArgument argument = pipeline.getConsume().getArgument(buffer + 1);
  return !argument.use_empty() &&
         llvm::all_of(argument.getUsers(), isDeferredProduct);
}

/// Returns whether all deferred products can wait: no other op uses their
/// buffers, and every step fills them.
static bool canWait(PipelineOp pipeline, ArrayRef<int64_t> buffers) {
  auto has = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && llvm::is_contained(buffers, argument.getArgNumber() - 1);
  };
  for (MmaOp product : pipeline.getConsume().getOps<MmaOp>())
    if (product.getDeferred() &&
        (!has(product.getRight()) ||
         !isa<AccumulatorType>(product.getLeft().getType())))
      return false;
  return llvm::all_of(pipeline.getProduce().front().without_terminator(),
                      [&](Operation &op) { return op.getNumRegions() == 0; });
}

namespace {
struct TileDeferBuffers
    : public KernelPass<
          parablock::impl::TileDeferBuffersBase<TileDeferBuffers>> {
  using KernelPass::KernelPass;

  LogicalResult runOnKernel(KernelOp kernel) final {
    if (kernel.getSchedule().getMultiply() != MultiplyUnit::Wgmma)
      return success();
    kernel.walk([](PipelineOp pipeline) {
      SmallVector<int64_t> buffers;
      for (int64_t i = 0, e = pipeline.getBuffers().size(); i < e; ++i)
        if (isDeferred(pipeline, i))
          buffers.push_back(i);
      if (!buffers.empty() && canWait(pipeline, buffers))
        pipeline.setDeferred(buffers);
    });
    return success();
  }
};
} // namespace
