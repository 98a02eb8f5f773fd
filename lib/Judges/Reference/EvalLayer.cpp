//===- EvalLayer.cpp - evaluates layers and residuals ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Support/RandomRounding.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

static FailureOr<Tensors> evalLayer(block::LayerOp op, Evaluation &at) {
  return at.frame.runBlock(op.getBody().front());
}

static FailureOr<Tensor> evalResidual(block::ResidualOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  double inputScale = op.getInputScale().convertToDouble();
  std::vector<double> result(input.data());
  for (double &x : result)
    x *= inputScale;
  for (auto [k, value] : llvm::enumerate(op.getBranches())) {
    const Tensor &branch = at.get(value);
    if (failed(at.checkSameShape("branch", branch, "input", input)))
      return failure();
    double scale = op.getBranchScale(k);
    for (size_t i = 0; i < result.size(); ++i)
      result[i] += scale * branch.data()[i];
  }
  return at.round(std::move(result), input.shape, at.getResultType());
}

static FailureOr<Tensor> evalScale(block::ScaleOp op, Evaluation &at) {
  const Tensor &input = at.get(op.getInput());
  const Tensor *gain = at.getOptional(op.getGain());
  if (gain && gain->shape[0] != 1 && gain->shape[0] != input.shape.back())
    return at.error()
           << "expected gain to have one element, or one per channel, "
           << input.shape.back() << ", got " << gain->shape[0];
  double factor = op.getFactor().convertToDouble();
  std::vector<double> result(input.data());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] *= gain ? factor * gain->data()[i % gain->shape[0]] : factor;
  return at.round(std::move(result), input.shape, at.getResultType());
}

/// The number of a stream in fixed point that is NaN.
static constexpr double kStreamNan = std::numeric_limits<int32_t>::min();

static FailureOr<Tensor> evalStreamAdd(block::StreamAddOp op, Evaluation &at) {
  const Tensor &branch = at.get(op.getBranch());
  const Tensor *stream = at.getOptional(op.getStream());
  if (stream && failed(at.checkSameShape("stream", *stream, "branch", branch)))
    return failure();
  bool isExact = at.frame.options.exactArithmetic;
  std::optional<uint64_t> seed = at.frame.options.roundingSeed;
  std::vector<double> result(branch.data());
  for (auto [i, x] : llvm::enumerate(result)) {
    x *= op.getSubtract() ? -65536 : 65536;
    if (!isExact) // An integer 0 has no sign.
      x = (seed ? roundToIntegerAtRandom(x, *seed) : std::nearbyint(x)) + 0.0;
    bool isNan = stream && stream->data()[i] == kStreamNan;
    if (stream)
      x += stream->data()[i];
    if (isNan || !(std::abs(x) < -kStreamNan))
      x = kStreamNan;
  }
  return Evaluation::wrap(std::move(result), branch.shape, at.getResultType());
}

static FailureOr<Tensor> evalStreamValue(block::StreamValueOp op,
                                         Evaluation &at) {
  const Tensor &stream = at.get(op.getStream());
  std::vector<double> result(stream.data());
  for (double &x : result) {
    x = x == kStreamNan ? std::numeric_limits<double>::quiet_NaN() : x / 65536;
    if (!at.frame.options.exactArithmetic)
      x = roundToF32(x);
  }
  return at.round(std::move(result), stream.shape, at.getResultType());
}

void reference::addLayerEvaluators(Registry &registry) {
  registry.add<block::LayerOp>(evalLayer);
  registry.add<block::ResidualOp>(evalResidual);
  registry.add<block::ScaleOp>(evalScale);
  registry.add<block::StreamAddOp>(evalStreamAdd);
  registry.add<block::StreamValueOp>(evalStreamValue);
}
