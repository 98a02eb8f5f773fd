//===- ExpandExperts.cpp - block.moe as the steps it is -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExpandSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
/// Builds the steps of one mixture, numbered as in the op's description.
class MoeExpansion {
public:
  MoeExpansion(OpBuilder &builder, MoeOp op)
      : builder(builder), op(op), loc(op.getLoc()), input(op.getInput()),
        element(getElementTypeOrSelf(input)) {}

  Operation *build();

private:
  RouteOp buildRoute();
  Value buildShared();

  Value project(Value source, Value weight, Type type, Value bias = {}) {
    return buildLinear(builder, loc, source, weight, bias, type)->getResult(0);
  }

  OpBuilder &builder;
  MoeOp op;
  Location loc;
  Value input;
  /// The element type of intermediate results, but for those of the router.
  Type element;
};
} // namespace

/// Steps 1 and 2.
RouteOp MoeExpansion::buildRoute() {
  Type router = getElementTypeOrSelf(op.getRouterWeight());
  Type scores = router.isF32() ? router : element;
  Value logits = project(castElements(builder, loc, input, scores),
                         op.getRouterWeight(), scores, op.getRouterBias());
  int64_t chosen = op.getRouting().getChosen();
  Type weights = op.getRoundWeights() ? element : builder.getF32Type();
  return RouteOp::create(
      builder, loc, withWidth(logits, chosen, builder.getI64Type()),
      withWidth(logits, chosen, weights), logits, op.getCorrection(),
      op.getExpertScale(), op.getRouting());
}

/// Step 4.
Value MoeExpansion::buildShared() {
  ActivationAttr kind =
      ActivationAttr::get(builder.getContext(), op.getForm().getActivation());
  Value hidden = project(input, op.getSharedUp(), element);
  if (Value weight = op.getSharedGate())
    hidden = GateOp::create(builder, loc, hidden.getType(),
                            project(input, weight, element), hidden, kind);
  else
    hidden = ActivationOp::create(builder, loc, hidden.getType(), hidden, kind);
  Value shared = project(hidden, op.getSharedDown(), element);
  if (!op.getSharedRouter())
    return shared;
  // A product by ones repeats the gate in every column, without rounding it.
  auto type = RankedTensorType::get(
      {cast<RankedTensorType>(shared.getType()).getDimSize(2), 1}, element);
  Value ones = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(type, builder.getFloatAttr(element, 1.0)));
  Value openness =
      project(project(input, op.getSharedRouter(), element), ones, element);
  return GateOp::create(
      builder, loc, shared.getType(), openness, shared,
      ActivationAttr::get(builder.getContext(), Activation::Sigmoid));
}

Operation *MoeExpansion::build() {
  RouteOp route = buildRoute();
  Operation *routed = ExpertsOp::create(
      builder, loc, op.getType(), input, route.getIndices(), route.getWeights(),
      op.getUpWeight(), op.getDownWeight(), op.getUpBias(), op.getDownBias(),
      op.getForm());
  double scale = op.getScale().convertToDouble();
  if (!op.getSharedUp() && scale == 1)
    return routed;
  SmallVector<Value, 1> branches;
  if (op.getSharedUp())
    branches.push_back(buildShared());
  SmallVector<double> scales(branches.size(), scale);
  auto sum = ResidualOp::create(
      builder, loc, op.getType(), routed->getResult(0), branches,
      builder.getF64FloatAttr(scale), builder.getF64ArrayAttr(scales));
  sum.setBranchFactors(scales);
  return sum;
}

Operation *block::expandMoe(OpBuilder &builder, MoeOp op) {
  return MoeExpansion(builder, op).build();
}
