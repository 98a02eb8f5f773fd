//===- BlockExpandWeights.cpp - pass block-expand-weights -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ExpandWeightOps.h"
#include "parablock/Transforms/Passes.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKEXPANDWEIGHTS
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;

static constexpr llvm::StringLiteral kExpandWeights = "block-expand-weights";

namespace {
struct BlockExpandWeightsPass
    : public block::impl::BlockExpandWeightsBase<BlockExpandWeightsPass> {
  void runOnOperation() final {
    int64_t before = countOps();
    if (before == 0)
      return recordNoMatch(getOperation(), kExpandWeights,
                           "op that computes a weight");
    RewritePatternSet patterns(&getContext());
    block::populateExpandWeightOpsPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    int64_t left = countOps();
    if (left > 0)
      remarkAnalysis(getOperation(), kExpandWeights, "stays",
                     "no upstream op reads ui8",
                     {{"ops", static_cast<double>(left)}});
    if (before > left)
      remarkPassed(getOperation(), kExpandWeights, "became upstream ops",
                   {{"ops", static_cast<double>(before - left)}});
  }

private:
  int64_t countOps() {
    int64_t count = 0;
    getOperation()->walk([&](block::WeightOpInterface) { ++count; });
    return count;
  }
};
} // namespace
