//===- BlockFolders.cpp - folders and canonical forms ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Only folds that are exact in every float format: a factor of 1, an identity,
// an empty sum. A branch of scale 0 is kept: it may contain an infinity.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock::block;

double ResidualOp::getBranchScale(unsigned k) {
  ArrayAttr scales = getBranchScales();
  return scales.empty() ? 1.0 : cast<FloatAttr>(scales[k]).getValueAsDouble();
}

static bool areOnes(ArrayRef<double> factors) {
  return llvm::all_of(factors, [](double factor) { return factor == 1.0; });
}

void ResidualOp::setBranchFactors(ArrayRef<double> factors) {
  Builder builder(getContext());
  setBranchScalesAttr(
      builder.getF64ArrayAttr(areOnes(factors) ? ArrayRef<double>() : factors));
}

OpFoldResult ResidualOp::fold(FoldAdaptor) {
  if (getBranches().empty() && getInputScale().convertToDouble() == 1.0)
    return getInput();
  return {};
}

namespace {
/// Removes a list of branch scales that are all 1.
struct DropUnitBranchScales : public OpRewritePattern<ResidualOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ResidualOp op,
                                PatternRewriter &rewriter) const final {
    SmallVector<double> factors;
    for (unsigned k = 0; k < op.getBranchScales().size(); ++k)
      factors.push_back(op.getBranchScale(k));
    if (factors.empty() || !areOnes(factors))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.setBranchFactors(factors); });
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
