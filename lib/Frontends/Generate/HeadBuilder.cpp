//===- HeadBuilder.cpp - builds heads as IR -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ActivationMoments.h"
#include "StackBuilder.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include <cmath>

using namespace mlir;

namespace parablock::generate {

/// The extra layer of masked language models: linear, activation, norm.
static Stream buildTransform(OpBuilder &builder, FunctionArguments &arguments,
                             const HeadTransformSpec &transform, Stream input) {
  Location loc = input.value.getLoc();
  auto type = cast<RankedTensorType>(input.value.getType());
  int64_t width = type.getShape().back();
  double deviation = 1 / (input.rms * std::sqrt(double(width)));
  Value weight =
      arguments.getParameter(transform.linear + ".weight", {width, width},
                             {Distribution::Normal, 0, deviation});
  Value bias = arguments.getParameter(transform.linear + ".bias", {width},
                                      {Distribution::Uniform, 0, 0.2});
  Value x =
      block::LinearOp::create(builder, loc, type, input.value, weight, bias);
  x = block::ActivationOp::create(
      builder, loc, type, x,
      block::ActivationAttr::get(builder.getContext(), transform.activation));
  WeightReader weights(builder, arguments);
  return buildNorm(builder, weights, transform.norm,
                   {x, getActivationRms(transform.activation, 1)});
}

/// Row 0 of the sequence, [batch, 1, width].
static Value takeFirstToken(OpBuilder &builder, Value hidden) {
  Location loc = hidden.getLoc();
  SmallVector<OpFoldResult> offsets(3, builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(3, builder.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, hidden);
  sizes[1] = builder.getIndexAttr(1);
  return tensor::ExtractSliceOp::create(builder, loc, hidden, offsets, sizes,
                                        strides);
}

Value buildHead(OpBuilder &builder, FunctionArguments &arguments,
                const HeadSpec &head, Stream input,
                const LossInputs &lossInputs) {
  if (head.transform)
    input = buildTransform(builder, arguments, *head.transform, input);
  if (head.firstTokenOnly)
    input.value = takeFirstToken(builder, input.value);

  Location loc = input.value.getLoc();
  auto type = cast<RankedTensorType>(input.value.getType());
  int64_t width = type.getShape().back();
  WeightReader weights(builder, arguments);
  double scale = std::fabs(head.scale);
  // More than one standard deviation of logits, and more if they are capped.
  double wanted = head.softcap ? 0.4 * *head.softcap : 3;
  double deviation = wanted / (input.rms * scale * std::sqrt(double(width)));
  Value weight = weights.readTensor(head.weight, {head.vocab, width},
                                    {Distribution::Normal, 0, deviation});
  Value bias = weights.readVector(head.bias, head.vocab,
                                  {Distribution::Uniform, 0.1, 0.3 / scale});
  auto scaling = builder.getF64FloatAttr(head.scale);
  auto softcap =
      head.softcap ? builder.getF64FloatAttr(*head.softcap) : FloatAttr();
  if (lossInputs.targets)
    return block::CrossEntropyOp::create(
        builder, loc, RankedTensorType::get({}, builder.getF32Type()),
        input.value, weight, lossInputs.targets, bias, lossInputs.divisor,
        scaling, softcap, builder.getI64IntegerAttr(-100));
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = head.vocab;
  auto resultType = type.clone(shape);
  Value logits = block::HeadOp::create(builder, loc, resultType, input.value,
                                       weight, bias, scaling, softcap);
  if (!head.firstTokenOnly)
    return logits;
  SmallVector<ReassociationIndices> groups = {{0, 1}, {2}};
  return tensor::CollapseShapeOp::create(
      builder, loc, resultType.clone({shape[0], shape[2]}), logits, groups);
}

} // namespace parablock::generate
