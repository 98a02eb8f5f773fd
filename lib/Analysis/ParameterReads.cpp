//===- ParameterReads.cpp - roles of parameters as operands of steps ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ParameterParts.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

/// Returns the parameter role of an operand role.
static ParameterRole getParameterRole(OperandRole role) {
  switch (role) {
  case OperandRole::Bias:
    return ParameterRole::Bias;
  case OperandRole::Gain:
  case OperandRole::NormGain:
    return ParameterRole::Gain;
  case OperandRole::Position:
    return ParameterRole::Position;
  default:
    return ParameterRole::Matrix;
  }
}

namespace {
/// One use of a weight, while it is classified.
struct Read {
  OpOperand &use;
  uint64_t elements;
  int64_t first, count;

  Operation *getOp() const { return use.getOwner(); }

  ParameterReads all(ModelPart part, ParameterRole role) const {
    return {{elements, part, role, getOp()->getParentOfType<LayerOp>()}};
  }

  /// Shares the elements among the columns that their rows give.
  ParameterReads bySegments(ArrayRef<Segment> segments,
                            ParameterRole role) const {
    if (segments.size() == 1 || count == 0)
      return all(segments.front().part, role);
    ParameterReads parts;
    int64_t begin = 0;
    for (const Segment &segment : segments) {
      int64_t end = begin + segment.width;
      int64_t from = std::max(begin, first) - first;
      int64_t to = std::min(end, first + count) - first;
      // Zeros may stand between rows, so that these need not divide elements.
      if (from < to)
        parts.push_back({elements * to / count - elements * from / count,
                         segment.part, role,
                         getOp()->getParentOfType<LayerOp>()});
      begin = end;
    }
    return parts;
  }
};
} // namespace

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

/// Returns the source whose bias `bias` was before projections were merged: the
/// IR does not record it, but a checkpoint gives both similar names. Otherwise
/// the first source.
static unsigned findSourceOfBias(ArrayRef<Value> weights, Value bias) {
  StringRef name = findParameterName(bias);
  unsigned best = 0;
  size_t longest = 0;
  for (auto [source, weight] : llvm::enumerate(weights)) {
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

/// Returns the roles of the columns of the product for which `read` is a
/// weight, a bias or the input.
static SmallVector<Segment, 2> findSegments(StepOpInterface product,
                                            OperandRole role, Value value) {
  SmallVector<Value, 2> inputs = product.getOperandsOf(OperandRole::Rows);
  SmallVector<Value, 2> alike = product.getOperandsOf(role);
  size_t source =
      role == OperandRole::Bias
          ? findSourceOfBias(product.getOperandsOf(OperandRole::Weight), value)
          : llvm::find(alike, value) - alike.begin();
  return getSegments(product->getResult(0), inputs[source]);
}

/// A summand of the bias of merged projections.
static ParameterReads readOfBiasSum(BiasSumOp op, const Read &read) {
  ParameterReads parts;
  forEachUse(op.getResult(), [&](OpOperand &use) {
    if (!isProduct(use.getOwner()) || !parts.empty())
      return;
    auto product = cast<StepOpInterface>(use.getOwner());
    ModelPart part =
        findSegments(product, OperandRole::Bias, read.use.get()).front().part;
    parts = {{read.elements, part, ParameterRole::Bias,
              product->getParentOfType<LayerOp>()}};
  });
  return parts;
}

/// Returns whether `role` is of data that a step passes through, which does not
/// describe a weight used as such.
static bool isHandedOn(OperandRole role) {
  return role == OperandRole::Columns || role == OperandRole::Stream ||
         role == OperandRole::Statistic;
}

ParameterReads parablock::readParts(OpOperand &use, uint64_t elements,
                                    int64_t first, int64_t count) {
  Read read{use, elements, first, count};
  Operation *op = use.getOwner();
  if (auto sum = dyn_cast<BiasSumOp>(op))
    return readOfBiasSum(sum, read);
  auto step = dyn_cast<StepOpInterface>(op);
  if (!step || step.getStepKind() == StepKind::Weights)
    return {};
  OperandRole role = step.getOperandRole(use);
  ModelPart part = step.getPart();
  if (role == OperandRole::NormGain || part == ModelPart::Norm)
    return read.all(ModelPart::Norm, ParameterRole::Gain);
  if (isHandedOn(role))
    return {};
  if (part != ModelPart::Other)
    return read.all(part, getParameterRole(role));
  if (isProduct(op))
    return read.bySegments(findSegments(step, role, use.get()),
                           getParameterRole(role));
  if (role == OperandRole::Bias)
    return read.bySegments(getSegments(op->getResult(0), op->getOperand(0)),
                           ParameterRole::Bias);
  if (role != OperandRole::Gain)
    return {};
  Operation *source = findSource(op->getOperand(0));
  return read.all(source ? getPart(source) : ModelPart::Other,
                  ParameterRole::Gain);
}
