//===- BlockExpandWeights.cpp - pass block-expand-weights -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "parablock/Dialect/Block/ExpandWeightOps.h"
#include "parablock/Transforms/Passes.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKEXPANDWEIGHTS
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;

namespace {
struct BlockExpandWeightsPass
    : public block::impl::BlockExpandWeightsBase<BlockExpandWeightsPass> {
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    block::populateExpandWeightOpsPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
