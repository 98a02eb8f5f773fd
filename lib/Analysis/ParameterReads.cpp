//===- ParameterReads.cpp - what a step reads a parameter as --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ParameterParts.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

static ParameterRole getRoleByRank(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank() == 1
             ? ParameterRole::Bias
             : ParameterRole::Matrix;
}

namespace {
/// One use of a weight, on its way to being described.
struct Read {
  OpOperand &use;
  uint64_t elements;
  int64_t first, count;

  Operation *getOp() const { return use.getOwner(); }
  bool isOperand(Value value) const { return use.get() == value; }

  ParameterParts all(ModelPart part, ParameterRole role) const {
    return {{elements, part, role, getOp()->getParentOfType<LayerOp>()}};
  }

  /// Shares the elements among the columns that their rows give.
  ParameterParts bySegments(ArrayRef<Segment> segments,
                            ParameterRole role) const {
    if (segments.size() == 1 || count == 0)
      return all(segments.front().part, role);
    ParameterParts parts;
    int64_t begin = 0;
    for (const Segment &segment : segments) {
      int64_t end = begin + segment.width;
      int64_t rows = std::min(end, first + count) - std::max(begin, first);
      if (rows > 0)
        parts.push_back({elements / count * rows, segment.part, role,
                         getOp()->getParentOfType<LayerOp>()});
      begin = end;
    }
    return parts;
  }
};
} // namespace

static ParameterParts readOfAttention(AttentionOp op, const Read &read) {
  for (Value gain :
       {op.getQGamma(), op.getQBeta(), op.getKGamma(), op.getKBeta()})
    if (gain && read.isOperand(gain))
      return read.all(ModelPart::Norm, ParameterRole::Gain);
  for (Value gain : {op.getAlpha(), op.getBeta(), op.getGamma()})
    if (gain && read.isOperand(gain))
      return read.all(ModelPart::Attention, ParameterRole::Gain);
  return read.all(ModelPart::Attention, getRoleByRank(read.use.get()));
}

static ParameterParts readOfEmbedding(EmbeddingOp op, const Read &read) {
  return read.all(ModelPart::Embedding,
                  op.getPositionTable() && read.isOperand(op.getPositionTable())
                      ? ParameterRole::Position
                      : ParameterRole::Matrix);
}

static ParameterParts readOfPatches(PatchEmbeddingOp op, const Read &read) {
  ParameterRole role = ParameterRole::Matrix;
  if (op.getPositionTable() && read.isOperand(op.getPositionTable()))
    role = ParameterRole::Position;
  else if (op.getBias() && read.isOperand(op.getBias()))
    role = ParameterRole::Bias;
  return read.all(ModelPart::Embedding, role);
}

/// The name of the parameter that `weight` is mostly made from, or nothing.
static StringRef findParameterName(Value weight) {
  weight = leaveKernel(weight);
  while (Operation *op = weight.getDefiningOp()) {
    if (op->getNumOperands() == 0)
      return "";
    weight = leaveKernel(op->getOperand(0));
  }
  auto argument = cast<BlockArgument>(weight);
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (!function)
    return "";
  auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                    kParamAttr);
  return name ? name.getValue() : "";
}

/// The source whose bias `bias` was before the projections merged: the IR does
/// not say, but a checkpoint names the two alike. The first if it does not.
static unsigned findSourceOfBias(LinearSumOp op, Value bias) {
  StringRef name = findParameterName(bias);
  unsigned best = 0;
  size_t longest = 0;
  for (auto [source, weight] : llvm::enumerate(op.getWeights())) {
    StringRef other = findParameterName(weight);
    size_t length = 0;
    while (length < std::min(name.size(), other.size()) &&
           name[length] == other[length])
      ++length;
    if (length > longest) {
      best = source;
      longest = length;
    }
  }
  return best;
}

static ParameterParts readOfLinearSum(LinearSumOp op, const Read &read) {
  unsigned number = read.use.getOperandNumber();
  unsigned begin = op.getInputs().size();
  unsigned end = begin + op.getWeights().size();
  unsigned source = number >= begin && number < end
                        ? number - begin
                        : findSourceOfBias(op, read.use.get());
  return read.bySegments(getSegments(op.getResult(), op.getInputs()[source]),
                         getRoleByRank(read.use.get()));
}

/// A summand of the bias of merged projections.
static ParameterParts readOfBiasSum(BiasSumOp op, const Read &read) {
  ParameterParts parts;
  forEachUse(op.getResult(), [&](OpOperand &use) {
    auto sum = dyn_cast<LinearSumOp>(use.getOwner());
    if (!sum || !parts.empty())
      return;
    unsigned source = findSourceOfBias(sum, read.use.get());
    ModelPart part =
        getSegments(sum.getResult(), sum.getInputs()[source]).front().part;
    parts = {{read.elements, part, ParameterRole::Bias,
              sum->getParentOfType<LayerOp>()}};
  });
  return parts;
}

ParameterParts parablock::readParts(OpOperand &use, uint64_t elements,
                                    int64_t first, int64_t count) {
  Read read{use, elements, first, count};
  using Parts = ParameterParts;
  return TypeSwitch<Operation *, Parts>(use.getOwner())
      .Case([&](AttentionOp op) { return readOfAttention(op, read); })
      .Case([&](SdpaOp op) {
        ParameterRole role = getRoleByRank(use.get());
        return read.all(ModelPart::Attention, role == ParameterRole::Bias
                                                  ? ParameterRole::Gain
                                                  : role);
      })
      .Case([&](MlpOp op) {
        return read.all(ModelPart::Mlp, getRoleByRank(use.get()));
      })
      .Case<NormOp, NormalizeOp>([&](Operation *) {
        return read.all(ModelPart::Norm, ParameterRole::Gain);
      })
      .Case([&](LinearOp op) {
        return read.bySegments(getSegments(op.getResult(), op.getInput()),
                               getRoleByRank(use.get()));
      })
      .Case([&](LinearSumOp op) { return readOfLinearSum(op, read); })
      .Case([&](BiasSumOp op) { return readOfBiasSum(op, read); })
      .Case<AddBiasOp, DeferredNormOp>([&](Operation *op) {
        return read.bySegments(getSegments(op->getResult(0), op->getOperand(0)),
                               ParameterRole::Bias);
      })
      .Case([&](EmbeddingOp op) { return readOfEmbedding(op, read); })
      .Case([&](PatchEmbeddingOp op) { return readOfPatches(op, read); })
      .Case([&](HeadOp op) {
        return read.all(ModelPart::Head, getRoleByRank(use.get()));
      })
      .Case([&](ScaleOp op) {
        Operation *source = findSource(op.getInput());
        return read.all(source ? getPart(source) : ModelPart::Other,
                        ParameterRole::Gain);
      })
      .Default([](Operation *) { return Parts(); });
}
