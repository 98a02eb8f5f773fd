//===- NormGradSite.cpp - matches projections of a norm's gradient --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "NormGradSite.h"

#include "NormFolding.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Transforms/Patterns.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

//===----------------------------------------------------------------------===//
// Values across layers
//===----------------------------------------------------------------------===//

Value block::lookInside(Value value) {
  while (auto layer = value ? value.getDefiningOp<LayerOp>() : LayerOp())
    value = layer.getBody().front().getTerminator()->getOperand(
        cast<OpResult>(value).getResultNumber());
  return value;
}

static bool isSameInside(Value one, Value other) {
  return lookInside(one) == lookInside(other);
}

SmallVector<Operation *> block::collectReaders(Value value) {
  SmallVector<Operation *> readers;
  SetVector<Value> seen;
  seen.insert(value);
  for (size_t i = 0; i < seen.size(); ++i)
    for (OpOperand &use : seen[i].getUses()) {
      auto layer = dyn_cast<LayerOp>(use.getOwner()->getParentOp());
      if (layer && isa<YieldOp>(use.getOwner()))
        seen.insert(layer->getResult(use.getOperandNumber()));
      else
        readers.push_back(use.getOwner());
    }
  return readers;
}

//===----------------------------------------------------------------------===//
// Work on weights, which is repeated at each reader
//===----------------------------------------------------------------------===//

/// Returns whether two ops are equal, with operands that `isSame` considers
/// equal.
static bool doSame(Operation *left, Operation *right,
                   function_ref<bool(Value, Value)> isSame) {
  return left && right &&
         OperationEquivalence::isEquivalentTo(
             left, right, OperationEquivalence::ignoreValueEquivalence,
             /*markEquivalent=*/nullptr,
             OperationEquivalence::IgnoreLocations) &&
         llvm::all_of(
             llvm::zip_equal(left->getOperands(), right->getOperands()),
             [&](auto pair) {
               return isSame(std::get<0>(pair), std::get<1>(pair));
             });
}

/// Returns whether two values are identical, or equal work on the same values.
static bool isSameWork(Value one, Value other) {
  SetVector<std::pair<Value, Value>> pairs;
  pairs.insert({lookInside(one), lookInside(other)});
  // Operands of the pairs are compared later, each pair once.
  auto compareLater = [&](Value left, Value right) {
    pairs.insert({lookInside(left), lookInside(right)});
    return true;
  };
  for (size_t i = 0; i < pairs.size(); ++i) {
    auto [left, right] = pairs[i];
    bool areSame =
        left == right ||
        (left && right && isWeightOnly(left) && isWeightOnly(right) &&
         doSame(left.getDefiningOp(), right.getDefiningOp(), compareLater));
    if (!areSame)
      return false;
  }
  return true;
}

/// Returns whether one matrix is the other transposed.
static bool isTransposed(Value one, Value other) {
  auto isTranspositionOf = [](Value matrix, Value of) {
    auto op = matrix.getDefiningOp<linalg::TransposeOp>();
    return op && isSameWork(op.getInput(), of);
  };
  if (isTranspositionOf(one, other) || isTranspositionOf(other, one))
    return true;
  auto a = one.getDefiningOp<tensor::ExtractSliceOp>();
  auto b = other.getDefiningOp<tensor::ExtractSliceOp>();
  auto areFlipped = [](ArrayRef<int64_t> left, ArrayRef<int64_t> right) {
    return left.size() == 2 && right.size() == 2 && left[0] == right[1] &&
           left[1] == right[0];
  };
  return a && b && a.getOperands().size() == 1 && b.getOperands().size() == 1 &&
         areFlipped(a.getStaticOffsets(), b.getStaticOffsets()) &&
         areFlipped(a.getStaticSizes(), b.getStaticSizes()) &&
         areFlipped(a.getStaticStrides(), b.getStaticStrides()) &&
         isTransposed(a.getSource(), b.getSource());
}

//===----------------------------------------------------------------------===//
// Finding it
//===----------------------------------------------------------------------===//

namespace {
class SiteFinder {
public:
  SiteFinder(NormGradOp grad, StringRef pass, RewriterBase &rewriter)
      : grad(grad), product(grad.getGradient().getDefiningOp()), pass(pass),
        rewriter(rewriter) {}

  /// Fails with a refusal where the gradient has another form.
  FailureOr<NormGradSite> find() {
    findNorms();
    if (site.norms.empty())
      return fail(Reason::NoForward, "no norm of this row is there");
    if (!isa_and_nonnull<LinearOp, LinearSumOp>(product) ||
        product->getBlock() != grad->getBlock() || hasBias())
      return fail(Reason::NotALinear,
                  "the gradient by the norm is not of projections alone");
    if (failed(findReaders()) || failed(findGradientReaders()) ||
        failed(findTerms()))
      return failure();
    return site;
  }

private:
  LogicalResult fail(Reason reason, const Twine &detail) {
    return refuse(rewriter, grad, pass, reason, detail);
  }

  bool hasBias() {
    if (auto linear = dyn_cast<LinearOp>(product))
      return static_cast<bool>(linear.getBias());
    return static_cast<bool>(cast<LinearSumOp>(product).getBias());
  }

  void findNorms() {
    for (Operation *reader : collectReaders(lookInside(grad.getMoment()))) {
      auto norm = dyn_cast<NormalizeOp>(reader);
      if (!norm || norm.getForm() != grad.getForm() ||
          norm.getGroups() != grad.getGroups() ||
          !isSameInside(norm.getInput(), grad.getInput()) ||
          !isSameInside(norm.getMoment(), grad.getMoment()) ||
          !isSameInside(norm.getMean(), grad.getMean()))
        continue;
      if (isSameWork(norm.getGamma(), grad.getGamma()) &&
          (site.norms.empty() ||
           isSameWork(norm.getBeta(), site.getNorm().getBeta())))
        site.norms.push_back(norm);
      if (!norm.getGamma() && !norm.getBeta())
        site.bare.push_back(norm);
    }
  }

  LogicalResult findReaders() {
    for (NormalizeOp norm : site.norms)
      for (Operation *reader : collectReaders(norm.getResult())) {
        if (auto linear = dyn_cast<LinearOp>(reader)) {
          site.projections.push_back(linear);
          continue;
        }
        auto product = dyn_cast<WeightGradOp>(reader);
        if (product && product->getBlock() == grad->getBlock() &&
            addByWeight(product, norm.getResult()))
          continue;
        auto sums = dyn_cast<ColumnSumsOp>(reader);
        if (!sums || sums.getInput() != grad.getGradient())
          return fail(getReasonAgainst(reader),
                      "the norm is read by " +
                          reader->getName().getStringRef());
      }
    return success();
  }

  /// Returns whether only the norm is on one of the sides of `product`.
  bool addByWeight(WeightGradOp product, Value norm) {
    auto isNorm = [&](OperandRange side) {
      return side.size() == 1 && lookInside(side.front()) == norm;
    };
    bool isTransposed = isNorm(product.getGradients());
    if (isTransposed == isNorm(product.getInputs()))
      return false;
    site.byWeights.push_back({product, isTransposed});
    return true;
  }

  LogicalResult findGradientReaders() {
    for (Operation *reader : grad.getGradient().getUsers()) {
      if (reader == grad)
        continue;
      auto sums = dyn_cast<ColumnSumsOp>(reader);
      Value factor = sums ? sums.getFactor() : Value();
      auto normalised = factor ? lookInside(factor).getDefiningOp<NormalizeOp>()
                               : NormalizeOp();
      if (!sums || sums.getGroups() != 1 ||
          sums.getInput() != grad.getGradient() ||
          (factor && !llvm::is_contained(site.bare, normalised)))
        return fail(Reason::SecondUser, "the gradient by the norm is read by " +
                                            reader->getName().getStringRef());
      (factor ? site.byGain : site.byBias).push_back(sums);
    }
    return success();
  }

  LogicalResult findTerms() {
    SmallVector<std::pair<Value, Value>> products;
    if (auto linear = dyn_cast<LinearOp>(product))
      products.emplace_back(linear.getInput(), linear.getWeight());
    else
      for (auto pair : llvm::zip_equal(cast<LinearSumOp>(product).getInputs(),
                                       cast<LinearSumOp>(product).getWeights()))
        products.emplace_back(std::get<0>(pair), std::get<1>(pair));
    for (auto [gradient, weight] : products) {
      NormGradTerm term{gradient, weight, {}, {}, {}};
      for (LinearOp linear : site.projections)
        if (isTransposed(linear.getWeight(), weight) &&
            (!term.forward || linear->getBlock() == grad->getBlock()))
          term.forward = linear;
      if (!term.forward)
        return fail(Reason::NoForward, "the gradient has a product by a weight "
                                       "that the norm is not projected by");
      if (grad.getGamma() && isOfCodes(term.forward.getWeight()))
        return fail(Reason::WeightOfCodes,
                    "a projection's weight is of codes of few bits");
      if (!site.byGain.empty() && !site.findByWeight(term))
        return fail(Reason::FrozenWeight,
                    "a projection has no gradient by its weight, which that "
                    "by the gain would be made from");
      findRotation(term);
      site.terms.push_back(term);
    }
    return success();
  }

  /// Finds a rotation, which preserves products: rotating both rows leaves
  /// their product unchanged, so a kept rotated projection can be read
  /// instead.
  void findRotation(NormGradTerm &term) {
    auto inverse = term.gradient.getDefiningOp<RopeOp>();
    bool isKept =
        llvm::any_of(term.forward->getUsers(),
                     [&](Operation *reader) { return !isa<RopeOp>(reader); });
    if (isKept || !inverse || !inverse.getInverse() ||
        inverse.getForm().getTableScaleValue() != 1 ||
        inverse.getForm().getTableType())
      return;
    for (Operation *reader : term.forward->getUsers()) {
      auto rope = cast<RopeOp>(reader);
      if (!rope.getInverse() && rope.getForm() == inverse.getForm() &&
          rope.getHeads() == inverse.getHeads() &&
          isSameOffset(rope.getOffset(), inverse.getOffset()))
        term.rotation = rope, term.inverse = inverse;
    }
  }

  /// Returns whether two numbers, possibly computed in two layers, are equal.
  static bool isSameOffset(Value one, Value other) {
    Operation *left = one ? one.getDefiningOp() : nullptr;
    Operation *right = other ? other.getDefiningOp() : nullptr;
    return one == other ||
           (left && isPure(left) && doSame(left, right, isSameInside));
  }

  NormGradOp grad;
  Operation *product;
  StringRef pass;
  RewriterBase &rewriter;
  NormGradSite site;
};
} // namespace

FailureOr<NormGradSite> block::findNormGradSite(NormGradOp grad, StringRef pass,
                                                RewriterBase &rewriter) {
  return SiteFinder(grad, pass, rewriter).find();
}
