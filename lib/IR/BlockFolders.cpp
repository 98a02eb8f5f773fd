//===- BlockFolders.cpp - folders and canonical forms ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Only what is exact in every float format: a factor of 1, an identity, an
// empty sum. A branch of scale 0 stays: it may hold an infinity.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "parablock/IR/BlockOps.h"

using namespace mlir;
using namespace parablock::block;

double ResidualOp::getBranchScale(unsigned k) {
  ArrayRef<double> scales = getBranchScales();
  return scales.empty() ? 1.0 : scales[k];
}

OpFoldResult ResidualOp::fold(FoldAdaptor) {
  if (getBranches().empty() && getInputScale().convertToDouble() == 1.0)
    return getInput();
  return {};
}

namespace {
/// A list of branch scales that are all 1 says nothing.
struct DropUnitBranchScales : public OpRewritePattern<ResidualOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ResidualOp op,
                                PatternRewriter &rewriter) const final {
    ArrayRef<double> scales = op.getBranchScales();
    if (scales.empty() ||
        !llvm::all_of(scales, [](double s) { return s == 1.0; }))
      return failure();
    rewriter.modifyOpInPlace(op,
                             [&] { op.setBranchScales(ArrayRef<double>()); });
    return success();
  }
};
} // namespace

void ResidualOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                             MLIRContext *context) {
  patterns.add<DropUnitBranchScales>(context);
}

OpFoldResult ScaleOp::fold(FoldAdaptor) {
  if (!getGain() && getFactor().convertToDouble() == 1.0)
    return getInput();
  return {};
}

OpFoldResult ActivationOp::fold(FoldAdaptor) {
  return getKind() == Activation::Identity ? getInput() : Value();
}
