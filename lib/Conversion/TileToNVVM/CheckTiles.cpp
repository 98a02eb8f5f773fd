//===- CheckTiles.cpp - what code for a chip can be made of ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AccumulatorLayout.h"
#include "TileToNVVM.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock::tile;

static LogicalResult checkAccumulator(Operation *op, AccumulatorType type,
                                      ScheduleAttr schedule) {
  if (AccumulatorLayout::get(type, schedule))
    return success();
  return op->emitError() << "expected an accumulator that "
                         << schedule.getWarps() << " warps can share with "
                         << stringifyMultiplyUnit(schedule.getMultiply())
                         << ", got " << type;
}

static LogicalResult checkOperands(MmaOp op, MultiplyUnit unit) {
  bool isF32 = unit == MultiplyUnit::Fma;
  int64_t depthStep = isF32 ? 4 : 16;
  for (BufferType type : {op.getLeft().getType(), op.getRight().getType()})
    if (type.getLayout() != BufferLayout::Swizzled ||
        type.getElementType().isF32() != isF32)
      return op.emitError()
             << stringifyMultiplyUnit(unit) << " expects swizzled buffers of "
             << (isF32 ? "f32" : "bf16 or f16") << ", got " << type;
  for (auto [type, isDepthFirst] :
       {std::pair(op.getLeft().getType(), op.getLeftDepthFirst()),
        std::pair(op.getRight().getType(), op.getRightDepthFirst())}) {
    if (!isDepthFirst && type.getPanels() > 1)
      return op.emitError() << "expected a depth of " << type.getPanelColumns()
                            << " where rows come first, got " << type;
    if (isDepthFirst && type.getRows() % depthStep != 0)
      return op.emitError() << "expected a depth of a multiple of " << depthStep
                            << ", got " << type;
  }
  return success();
}

static LogicalResult checkCopy(CopyOp op, CopyUnit unit) {
  constexpr int64_t maxBoxRows = 256, strideAlignment = 16;
  BufferType type = op.getBuffer().getType();
  if (type.getLayout() != BufferLayout::Swizzled)
    return op.emitError() << "expected a swizzled buffer, got " << type;
  if (unit != CopyUnit::Tma)
    return success();
  if (static_cast<int64_t>(op.getCount()) > maxBoxRows)
    return op.emitError() << "expected at most " << maxBoxRows
                          << " rows of a tensor map, got " << op.getCount();
  auto source = cast<MemRefType>(op.getSource().getType());
  int64_t width = source.getShape().back();
  if (!ShapedType::isDynamic(width) &&
      width * type.getElementBytes() % strideAlignment != 0)
    return op.emitError() << "expected rows of a multiple of "
                          << strideAlignment << " bytes for a tensor map, got "
                          << width * type.getElementBytes();
  return success();
}

static LogicalResult checkStage(StageOp op) {
  BufferType type = op.getBuffer().getType();
  if (type.getLayout() != BufferLayout::Swizzled)
    return success();
  return op.emitError() << "expected a buffer that is not swizzled, got "
                        << type;
}

static LogicalResult checkSchedule(KernelOp kernel, const ChipFacts &chip) {
  ScheduleAttr schedule = kernel.getSchedule();
  if (chip.isHopper || schedule.getCopies() != CopyUnit::Tma)
    return success();
  return kernel.emitError() << "no GPU code for chip " << chip.name
                            << ": the schedule copies by tma, which it has not";
}

LogicalResult parablock::tile::checkTiles(KernelOp kernel,
                                          const ChipFacts &chip) {
  if (failed(checkSchedule(kernel, chip)))
    return failure();
  ScheduleAttr schedule = kernel.getSchedule();
  // Accumulators begin as zeros: what holds for those holds for all.
  WalkResult result = kernel.walk([&](Operation *op) {
    LogicalResult checked =
        TypeSwitch<Operation *, LogicalResult>(op)
            .Case([&](ZeroOp zero) {
              return checkAccumulator(zero, zero.getType(), schedule);
            })
            .Case([&](MmaOp mma) {
              return checkOperands(mma, schedule.getMultiply());
            })
            .Case([&](CopyOp copy) {
              return checkCopy(copy, schedule.getCopies());
            })
            .Case([&](StageOp stage) { return checkStage(stage); })
            .Default(success());
    return failed(checked) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
