//===- BlockFoldNormGrad.cpp - gradients of norms behind products ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// With projections y_i = N(x) W_i^T + b_i of a norm of row mean m, row scale r,
// gain g and bias e, gradients v_i = r dy_i of them, and n columns:
//
//   dx   = g z - s / n + (2 / k) (r' / r^2) t (x - m),
//   z    = sum_i v_i W_i
//   s    = sum_i v_i c_i,          c_i = (W_i diag(g)) 1
//   t    = sum_i v_i (y_i - b_i - W_i e)
//   dW_i = D_i diag(g) + db_i e^T,  D_i = dy_i^T (r (x - m))
//   dg   = sum_i columns of W_i * D_i,  de = sum_i W_i^T db_i
//
// N(x) is not needed, and s and t are known before the product z. The
// identities hold for any dy_i.
//
//===----------------------------------------------------------------------===//

#include "NormFolding.h"
#include "NormGradSite.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Analysis/HeadNorm.h"
#include "parablock/Dialect/Block/EraseDead.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/RewriteHelpers.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKFOLDNORMGRAD
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

static constexpr StringLiteral kFoldNormGrad = "block-fold-norm-grad";

/// `value` where ops behind its layer can read it.
static Value takeOutside(PatternRewriter &rewriter, Value value, Block *where) {
  auto layer = value.getDefiningOp()
                   ? dyn_cast<LayerOp>(value.getDefiningOp()->getParentOp())
                   : LayerOp();
  if (!layer || value.getParentBlock() == where)
    return value;
  Operation *yield = layer.getBody().front().getTerminator();
  for (OpOperand &yielded : yield->getOpOperands())
    if (yielded.get() == value)
      return layer->getResult(yielded.getOperandNumber());
  return growLayer(rewriter, layer, value)->getResults().back();
}

/// Repeats work on weights of another layer.
static Value repeatWork(PatternRewriter &rewriter, IRMapping &done, Value value,
                        Block *where) {
  if (Value known = done.lookupOrNull(value))
    return known;
  Operation *maker = value.getDefiningOp();
  auto layer = maker ? dyn_cast<LayerOp>(maker->getParentOp()) : LayerOp();
  if (!layer || maker->getBlock() == where)
    return value;
  for (Value operand : maker->getOperands())
    repeatWork(rewriter, done, operand, where);
  rewriter.clone(*maker, done);
  return done.lookup(value);
}

static Value repeatWork(PatternRewriter &rewriter, Value value, Block *where) {
  IRMapping done;
  return value ? repeatWork(rewriter, done, value, where) : value;
}

//===----------------------------------------------------------------------===//
// Rewriting it
//===----------------------------------------------------------------------===//

namespace {
class SiteWriter {
public:
  SiteWriter(NormGradOp grad, NormGradSite &site, PatternRewriter &rewriter)
      : grad(grad), site(site), rewriter(rewriter), loc(grad.getLoc()),
        where(grad->getBlock()) {}

  void write() {
    NormalizeOp norm = site.getNorm();
    beta = repeatWork(rewriter, norm.getBeta(), where);
    gamma = repeatWork(rewriter, grad.getGamma(), where);
    for (NormGradTerm term : site.terms)
      addSums(term);
    Value result = DeferredNormGradOp::create(
        rewriter, loc, grad.getResult().getType(), grad.getInput(),
        buildProduct(), grad.getMean(), grad.getMoment(), sums, dots, gamma,
        grad.getForm());
    for (NormWeightGrad &own : site.byWeights)
      writeByWeight(own);
    for (ColumnSumsOp sums : site.byGain)
      rewriter.replaceOp(sums, buildByGain(sums.getType()));
    for (ColumnSumsOp sums : site.byBias)
      rewriter.replaceOp(sums, buildByBias(sums.getType()));
    for (NormWeightGrad &own : site.byWeights)
      rewriter.replaceOp(own.product, byWeight.at(own.product));
    Operation *product = grad.getGradient().getDefiningOp();
    rewriter.replaceOp(grad, result);
    rewriter.eraseOp(product);
    restoreDominance(*where);
  }

private:
  /// Returns `r` times a gradient, computed once.
  Value scaleRows(Value gradient) {
    Value &known = scaled[gradient];
    if (!known)
      known = DeferredNormOp::create(
          rewriter, loc, gradient.getType(), gradient, /*mean=*/Value(),
          grad.getMoment(), /*sums=*/Value(), /*bias=*/Value(),
          withoutMean(grad.getForm()),
          rewriter.getI64IntegerAttr(getDim(grad.getInput(), -1)));
    return known;
  }

  /// Returns the rows without their mean times `r`, as `element`. If the
  /// product used the original rows, a large mean would leave only rounding
  /// errors.
  Value normaliseRows(Type element) {
    Value &known = normalised[element];
    if (known)
      return known;
    int64_t width = getDim(grad.getInput(), -1);
    auto vector = RankedTensorType::get({width}, rewriter.getF32Type());
    Value ones = arith::ConstantOp::create(
        rewriter, loc, DenseElementsAttr::get(vector, 1.0f));
    known = DeferredNormOp::create(
        rewriter, loc, withElementType(grad.getInput(), element),
        grad.getInput(), grad.getMean(), grad.getMoment(), /*sums=*/ones,
        /*bias=*/Value(), grad.getForm(), rewriter.getI64IntegerAttr(width));
    return known;
  }

  Value addDots(Value row, Value factor, Value vector, Value addend) {
    return RowDotsOp::create(rewriter, loc, grad.getMoment().getType(), row,
                             factor, vector, addend);
  }

  /// Adds the contribution of `term` to both sums over columns.
  void addSums(NormGradTerm term) {
    LinearOp forward = term.forward;
    Value weight = repeatWork(rewriter, forward.getWeight(), where);
    auto vector =
        RankedTensorType::get({getDim(weight, 0)}, rewriter.getF32Type());
    Value bias = repeatWork(rewriter, forward.getBias(), where);
    if (beta)
      bias = FoldBiasOp::create(rewriter, loc, vector, weight, beta, bias);
    if (bias)
      bias =
          FoldScaleOp::create(rewriter, loc, bias.getType(), bias,
                              /*gain=*/Value(), rewriter.getF64FloatAttr(-1));
    if (term.rotation) {
      Value turned = scaleRows(term.inverse.getInput());
      scaled[term.gradient] =
          RopeOp::create(rewriter, loc, turned.getType(), turned,
                         term.inverse.getOffset(), term.inverse.getHeadsAttr(),
                         term.inverse.getForm(), term.inverse.getInverseAttr());
      dots = addDots(turned,
                     takeOutside(rewriter, term.rotation.getResult(), where),
                     Value(), dots);
      if (bias)
        dots = addDots(scaleRows(term.gradient), Value(), bias, dots);
    } else {
      dots = addDots(scaleRows(term.gradient),
                     takeOutside(rewriter, forward.getResult(), where), bias,
                     dots);
    }
    if (!grad.getForm().isCentered())
      return;
    if (gamma)
      weight = FoldGainOp::create(rewriter, loc, weight.getType(), weight,
                                  gamma, grad.getForm());
    sums = addDots(scaleRows(term.gradient), Value(),
                   WeightSumsOp::create(rewriter, loc, vector, weight), sums);
  }

  /// Builds the gradient by the norm without its gain, times `r`, in the
  /// accumulator's type.
  Value buildProduct() {
    SmallVector<Value> rows, weights;
    for (const NormGradTerm &term : site.terms) {
      rows.push_back(scaleRows(term.gradient));
      weights.push_back(term.weight);
    }
    RankedTensorType type =
        withElementType(grad.getResult(), rewriter.getF32Type());
    if (rows.size() == 1)
      return LinearOp::create(rewriter, loc, type, rows.front(),
                              weights.front(), /*bias=*/Value());
    return LinearSumOp::create(rewriter, loc, type, rows, weights,
                               /*bias=*/Value());
  }

  /// Sums over all rows of each of `rows`, side by side.
  Value sumColumns(ValueRange rows) {
    SmallVector<Value> parts;
    for (Value row : rows)
      parts.push_back(ColumnSumsOp::create(
          rewriter, loc,
          RankedTensorType::get({getDim(row, -1)}, rewriter.getF32Type()), row,
          /*factor=*/Value()));
    if (parts.size() == 1)
      return parts.front();
    return tensor::ConcatOp::create(rewriter, loc, 0, parts);
  }

  /// Adds the product of `out` and `in`, columns of the weight's two sides.
  Value addOuter(const NormWeightGrad &own, Value matrix, Value out, Value in) {
    if (own.isTransposed)
      std::swap(out, in);
    return OuterUpdateOp::create(rewriter, loc, matrix.getType(), matrix, out,
                                 in, rewriter.getF64FloatAttr(1));
  }

  Value multiplyByGain(const NormWeightGrad &own, Value matrix) {
    if (!own.isTransposed)
      return FoldGainOp::create(rewriter, loc, matrix.getType(), matrix, gamma,
                                grad.getForm());
    Value scaled = FoldScaleOp::create(rewriter, loc, matrix.getType(), matrix,
                                       gamma, rewriter.getF64FloatAttr(1));
    if (grad.getForm().getGammaForm() == GammaForm::Direct)
      return scaled;
    return arith::AddFOp::create(rewriter, loc, matrix, scaled);
  }

  void writeByWeight(NormWeightGrad &own) {
    Value norm = own.isTransposed ? own.product.getGradients().front()
                                  : own.product.getInputs().front();
    Type element = getElementTypeOrSelf(norm.getType());
    SmallVector<Value> rows(own.getGradients());
    Value stream;
    if (grad.getMean()) {
      stream = normaliseRows(element);
    } else {
      for (Value &row : rows)
        row = scaleRows(row);
      stream = castElements(rewriter, loc, grad.getInput(), element);
    }
    Value matrix = WeightGradOp::create(
        rewriter, own.product.getLoc(), own.product.getType(),
        own.isTransposed ? ValueRange(stream) : ValueRange(rows),
        own.isTransposed ? ValueRange(rows) : ValueRange(stream));
    byFolded[own.product] = matrix;
    if (gamma)
      matrix = multiplyByGain(own, matrix);
    if (beta)
      matrix = addOuter(own, matrix, sumColumns(own.getGradients()), beta);
    byWeight[own.product] = matrix;
  }

  /// The part of the gradient by folded weights that belongs to `term`.
  Value takeByFolded(const NormGradTerm &term, NormWeightGrad &own) {
    Value whole = byFolded.at(own.product);
    if (own.getGradients().size() == 1)
      return whole;
    unsigned dim = own.isTransposed ? 1 : 0;
    SmallVector<int64_t> offsets(2, 0), strides(2, 1),
        sizes(cast<RankedTensorType>(whole.getType()).getShape());
    for (Value before : own.getGradients()) {
      if (before == term.gradient)
        break;
      offsets[dim] += getDim(before, -1);
    }
    sizes[dim] = getDim(term.gradient, -1);
    auto list = [&](ArrayRef<int64_t> numbers) {
      return getAsIndexOpFoldResult(rewriter.getContext(), numbers);
    };
    return tensor::ExtractSliceOp::create(rewriter, loc, whole, list(offsets),
                                          list(sizes), list(strides));
  }

  Value buildByGain(RankedTensorType type) {
    Value sum;
    for (NormGradTerm term : site.terms) {
      NormWeightGrad &own = *site.findByWeight(term);
      Value weight =
          own.isTransposed
              ? term.weight
              : repeatWork(rewriter, term.forward.getWeight(), where);
      Value next = MatrixDotsOp::create(
          rewriter, loc, type, weight, takeByFolded(term, own),
          own.isTransposed ? rewriter.getUnitAttr() : UnitAttr());
      sum = sum ? arith::AddFOp::create(rewriter, loc, sum, next) : next;
    }
    return sum;
  }

  Value buildByBias(RankedTensorType type) {
    Value sum;
    for (const NormGradTerm &term : site.terms)
      sum = FoldBiasOp::create(rewriter, loc, type, term.weight,
                               sumColumns(term.gradient), sum);
    return sum;
  }

  NormGradOp grad;
  NormGradSite &site;
  PatternRewriter &rewriter;
  Location loc;
  Block *where;
  Value gamma, beta;
  /// The sums over the columns of all terms.
  Value sums, dots;
  DenseMap<Value, Value> scaled;
  DenseMap<Type, Value> normalised;
  /// Gradients by the weights with the gain folded in, and by the weights.
  DenseMap<WeightGradOp, Value> byFolded, byWeight;
};

/// Removes the normalised value from the gradients by a norm's input and by its
/// projections, if the norm itself may fold.
struct FoldNormGrad final : public FoldingPattern<NormGradOp> {
  using FoldingPattern::FoldingPattern;

  LogicalResult rewrite(NormGradOp grad,
                        PatternRewriter &rewriter) const final {
    if (grad.getGroups() != 1)
      return failure();
    FailureOr<NormGradSite> site =
        findNormGradSite(grad, kFoldNormGrad, rewriter);
    if (failed(site) || isHeadNorm(site->getNorm()))
      return failure();
    if (failed(checkFoldedRounding(site->getNorm(), rows, grad, kFoldNormGrad,
                                   rewriter)))
      return failure();
    recordPassed(grad, kFoldNormGrad,
                 "sums over columns known before the product",
                 {{"projections", static_cast<double>(site->terms.size())}});
    SiteWriter(grad, *site, rewriter).write();
    llvm::SmallSetVector<Operation *, 2> layers;
    for (NormalizeOp own : site->norms)
      layers.insert(own->getParentOp());
    for (Operation *parent : layers)
      if (auto layer = dyn_cast<LayerOp>(parent))
        dropUnreadResults(rewriter, layer);
    return success();
  }
};

struct BlockFoldNormGradPass
    : public block::impl::BlockFoldNormGradBase<BlockFoldNormGradPass> {
  using BlockFoldNormGradBase::BlockFoldNormGradBase;

  void runOnOperation() final {
    if (failed(applyFolding(getOperation(), statistics, assumeMaxMeanOverStd,
                            populateFoldNormGradPatterns, kFoldNormGrad,
                            "gradient by the input of a norm", numDone,
                            numRefused)))
      return signalPassFailure();
    // The norm itself is not kept for it any more.
    eraseDeadOps(getOperation()->getRegions());
  }
};
} // namespace

void block::populateFoldNormGradPatterns(
    RewritePatternSet &patterns,
    std::function<double(NormalizeOp)> getMaxMeanOverStd) {
  patterns.add<FoldNormGrad>(patterns.getContext(),
                             std::move(getMaxMeanOverStd));
}
