//===- LaunchParts.cpp - rows that launches need together -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LaunchParts.h"

#include "mlir/IR/TypeUtilities.h"
#include "parablock/Conversion/Rows/InPlace.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Returns whether an attention, or its gradient, has operands that depend on
/// several sequences.
static bool readsOtherSequences(block::AttentionOpInterface op) {
  return op.getLengths() || op.getPastKey() || op.getScoreBias() ||
         op.getCuSeqlens() || op.getSeed() || op.getPastLengths() ||
         op.getStarts() || op.getPages();
}

/// Tells whether one row, or where that is said one sequence, is enough for a
/// step of a kernel; nothing where neither is.
static std::optional<bool> needsSequence(Operation &op) {
  if (auto attention = dyn_cast<block::AttentionOpInterface>(op)) {
    if (readsOtherSequences(attention))
      return std::nullopt;
    return true;
  }
  // Dropped elements and looked-up rows depend on the number of the row.
  if (isa<block::EmbeddingOp, block::PatchEmbeddingOp, block::DropoutOp>(op) ||
      !isa<block::StepOpInterface>(op))
    return std::nullopt;
  return isa<block::RopeOp, block::RotateOp>(op);
}

namespace {
/// Looks at the tensors of a launch.
class Parts {
public:
  Parts(const PlanWriter &plan, const Launch &launch, bool bySequence)
      : plan(plan), launch(launch) {
    found.bySequence = bySequence;
  }

  /// Fails for a tensor of which it is not known what a row has of it.
  LogicalResult add(plan::TensorOp tensor, int64_t place, bool isResult);
  LogicalResult addAll();

  LaunchParts found;

private:
  const PlanWriter &plan;
  const Launch &launch;
};
} // namespace

LogicalResult Parts::add(plan::TensorOp tensor, int64_t place, bool isResult) {
  Shape shape = plan.getShape(tensor);
  // Panels of weights may have any sizes, those of rows among them.
  bool isOfRun = tensor.getKind() == plan::TensorKind::Input ||
                 tensor.getKind() == plan::TensorKind::Temporary;
  bool hasSequences =
      isOfRun && shape.size() >= 3 && shape[0] == launch.dims[0];
  if (found.bySequence
          ? hasSequences || isResult
          : hasSequences && shape.size() == 3 && shape[1] == launch.dims[1]) {
    found.rows.push_back(place);
    return success(shape.size() >= 2 && shape[0] == launch.dims[0]);
  }
  // Weights, or a table of all sequences. Integers say something of rows.
  bool isTable = found.bySequence && shape.size() == 3 &&
                 isConstantIntValue(shape.front(), 1);
  bool isWhole = tensor.getKind() == plan::TensorKind::Packed ||
                 ((shape.size() < 3 || isTable) &&
                  isa<FloatType>(tensor.getElementType()));
  return success(isWhole && !isResult);
}

LogicalResult Parts::addAll() {
  if (launch.dims.size() < 2)
    return failure();
  int64_t place = 0;
  for (plan::TensorOp input : launch.inputs)
    if (failed(add(input, place++, /*isResult=*/false)))
      return failure();
  for (plan::TensorOp output : launch.outputs)
    if (failed(add(output, place++, /*isResult=*/true)))
      return failure();
  return success();
}

LaunchParts cpugen::partKernel(const PlanWriter &plan, block::KernelOp kernel,
                               const Launch &launch) {
  bool bySequence = false;
  Block &body = kernel.getBody().front();
  for (Operation &op : body.without_terminator()) {
    std::optional<bool> needs = needsSequence(op);
    if (!needs)
      return {};
    bySequence |= *needs;
  }
  Parts parts(plan, launch, bySequence);
  if (failed(parts.addAll()))
    return {};
  auto hasRows = [&](int64_t place) {
    return llvm::is_contained(parts.found.rows, place);
  };
  auto inputs = static_cast<int64_t>(launch.inputs.size());
  for (OpOperand &output : body.getTerminator()->getOpOperands())
    for (BlockArgument input : body.getArguments()) {
      int64_t place = inputs + output.getOperandNumber();
      if (hasRows(place) && hasRows(input.getArgNumber()) &&
          mayOverwrite(output.get(), input))
        parts.found.inPlace.append({place, input.getArgNumber()});
    }
  return parts.found;
}

LaunchParts cpugen::partAttention(const PlanWriter &plan, block::SdpaGradOp op,
                                  const Launch &launch) {
  Parts parts(plan, launch, /*bySequence=*/true);
  if (readsOtherSequences(op) || failed(parts.addAll()))
    return {};
  return parts.found;
}

LaunchParts cpugen::partSums(const PlanWriter &plan, const Launch &launch,
                             Type type) {
  Parts parts(plan, launch, /*bySequence=*/false);
  if (!type.isF32() || failed(parts.addAll()) ||
      parts.found.rows.size() != launch.inputs.size())
    return {};
  return parts.found;
}
