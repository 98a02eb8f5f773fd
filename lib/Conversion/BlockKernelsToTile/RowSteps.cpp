//===- RowSteps.cpp - which steps a row needs, and whether it can ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowEmitter.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;

int64_t parablock::getWidth(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape().back();
}

Steps RowEmitter::collectSteps(Value tensor) const {
  Steps seen;
  SmallVector<Value> open = {tensor};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (op && !program.loaders.contains(value) && seen.insert(op))
      open.append(op->operand_begin(), op->operand_end());
  }
  return sortSteps(seen);
}

Steps parablock::sortSteps(const Steps &steps) {
  SmallVector<Operation *> sorted(steps.begin(), steps.end());
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return Steps(sorted.begin(), sorted.end());
}

int64_t parablock::getGroupSize(Operation *op) {
  return TypeSwitch<Operation *, int64_t>(op)
      .Case<block::NormStatsOp, block::NormalizeOp>([](auto op) {
        int64_t groups = op.getGroups();
        return groups > 1 ? getWidth(op.getInput()) / groups : 0;
      })
      .Default([](Operation *) { return 0; });
}

int64_t parablock::getGroupSize(const Steps &steps) {
  for (Operation *op : steps)
    if (int64_t size = getGroupSize(op))
      return size;
  return 0;
}

static InFlightDiagnostic refuse(Operation *op) {
  return op->emitError() << "no GPU code for '" << op->getName() << "' ";
}

static bool canRoundTo(Type type) {
  return !type || type.isF32() || type.isBF16() || type.isF16();
}

/// What no single row says about the step.
static LogicalResult checkStep(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<arith::TruncFOp, arith::ExtFOp, block::SplitOp, block::AddBiasOp,
            block::ActivationOp, block::GateOp, block::ClampOp, block::ScaleOp,
            block::ResidualOp, block::NormStatsOp, block::NormalizeOp,
            block::DeferredNormOp, block::PartialStatsOp, block::MergeStatsOp,
            block::PatchEmbeddingOp>([](Operation *) { return success(); })
      .Case([](block::RopeOp op) -> LogicalResult {
        Type type = op.getForm().getTableType();
        if (canRoundTo(type))
          return success();
        return refuse(op) << "with a table of " << type
                          << ": expected f32, bf16 or f16";
      })
      .Case([](block::RotateOp op) -> LogicalResult {
        if (isa<BlockArgument>(op.getCosines()) &&
            isa<BlockArgument>(op.getSines()))
          return success();
        return refuse(op) << "with tables that its own kernel computes";
      })
      .Case([](arith::ConstantIndexOp) { return success(); })
      .Case([](block::EmbeddingOp op) -> LogicalResult {
        if (op.getFirstId() && !getConstantIntValue(op.getFirstId()))
          return refuse(op) << "with a first_id that is no constant";
        int64_t width = getWidth(op.getResult());
        if (!op.getSinusoid() || width % 2 == 0)
          return success();
        return refuse(op) << "with a sinusoid of odd width " << width;
      })
      .Default([](Operation *op) -> LogicalResult {
        return refuse(op) << "as a step on rows";
      });
}

/// How far from its column a step looks in its input: within parts of so many
/// columns, or 0 for anywhere. None for a step that stays in its column.
static std::optional<int64_t> getReach(Operation *op) {
  if (isa<block::SplitOp, block::PartialStatsOp>(op))
    return 0;
  if (isa<block::NormStatsOp, block::NormalizeOp>(op)) {
    int64_t size = getGroupSize(op);
    if (size || isa<block::NormStatsOp>(op))
      return size;
  }
  return TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case<block::RopeOp, block::RotateOp>([](auto op) {
        return getWidth(op.getInput()) / static_cast<int64_t>(op.getHeads());
      })
      .Default([](Operation *) { return std::nullopt; });
}

LogicalResult RowEmitter::checkSteps(const Steps &steps) const {
  int64_t groupSize = getGroupSize(steps);
  for (Operation *op : steps) {
    if (failed(checkStep(op)))
      return failure();
    int64_t size = getGroupSize(op);
    if (size && size != groupSize)
      return refuse(op) << "in groups of " << size << " columns next to groups "
                        << "of " << groupSize;
    // The facts of a group are known in its own columns only.
    std::optional<int64_t> reach = getReach(op);
    if (!reach)
      continue;
    int64_t before = getGroupSize(collectSteps(op->getOperand(0)));
    if (before && (*reach == 0 || before % *reach != 0))
      return refuse(op) << "after a norm in groups of " << before << " columns";
  }
  return success();
}
