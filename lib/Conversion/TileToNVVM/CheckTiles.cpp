//===- CheckTiles.cpp - pass tile-check-tiles and its checks --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AccumulatorLayout.h"
#include "CopyOut.h"
#include "KernelPass.h"
#include "parablock/Conversion/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace parablock {
#define GEN_PASS_DEF_TILECHECKTILES
#include "parablock/Conversion/Passes.h.inc"
} // namespace parablock

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
  SmallVector<BufferType> buffers = {op.getRight().getType()};
  if (auto left = dyn_cast<BufferType>(op.getLeft().getType()))
    buffers.push_back(left);
  for (BufferType type : buffers)
    if (type.getLayout() != BufferLayout::Swizzled ||
        type.getElementType().isF32() != isF32)
      return op.emitError()
             << stringifyMultiplyUnit(unit) << " expects swizzled buffers of "
             << (isF32 ? "f32" : "bf16 or f16") << ", got " << type;
  BufferType right = op.getRight().getType();
  int64_t whole =
      op.getRightDepthFirst() ? right.getRows() : right.getColumns();
  int64_t depth = op.getDepth().value_or(whole), step = isF32 ? 4 : 16;
  if (depth % step == 0)
    return success();
  return op.emitError() << "expected a depth of a multiple of " << step
                        << ", got " << depth;
}

static LogicalResult checkUnit(MmaCodesOp op, MultiplyUnit unit) {
  if (unit == MultiplyUnit::Mma || unit == MultiplyUnit::Wgmma)
    return success();
  return op.emitError() << "expected mma or wgmma for codes, got "
                        << stringifyMultiplyUnit(unit);
}

static LogicalResult checkScaled(MmaScaledOp op, ScheduleAttr schedule) {
  if (schedule.getMultiply() == MultiplyUnit::Wgmma)
    return success();
  return op.emitError() << "expected wgmma for numbers of 8 bits, got "
                        << stringifyMultiplyUnit(schedule.getMultiply());
}

static LogicalResult checkCopy(CopyOp op, CopyUnit unit) {
  constexpr int64_t maxBoxRows = 256, strideAlignment = 16;
  BufferType type = op.getBuffer().getType();
  if (type.getLayout() != BufferLayout::Swizzled)
    return op.emitError() << "expected a swizzled buffer, got " << type;
  if (unit != CopyUnit::Tma)
    return success();
  if (op.getParts() != 1)
    return op.emitError("expected a copy by a tensor map of one part");
  if (op.getPages())
    return op.emitError("expected a copy by a tensor map of rows that follow "
                        "each other, got pages");
  if (static_cast<int64_t>(op.getCount()) > maxBoxRows)
    return op.emitError() << "expected at most " << maxBoxRows
                          << " rows of a tensor map, got " << op.getCount();
  auto source = cast<MemRefType>(op.getSource().getType());
  int64_t width = source.getShape().back();
  if (auto part = static_cast<int64_t>(op.getWidth().value_or(0));
      part != 0 && (ShapedType::isDynamic(width) || width % part != 0 ||
                    part * type.getElementBytes() % strideAlignment != 0))
    return op.emitError() << "expected rows of whole parts of a multiple of "
                          << strideAlignment << " bytes, got " << part
                          << " columns of " << source;
  if (!ShapedType::isDynamic(width) &&
      width * type.getElementBytes() % strideAlignment != 0)
    return op.emitError() << "expected rows of a multiple of "
                          << strideAlignment << " bytes for a tensor map, got "
                          << width * type.getElementBytes();
  return success();
}

static LogicalResult checkCombine(CombineOp op, ScheduleAttr schedule) {
  if (schedule.getWholeRows())
    return success();
  return op.emitError() << "expected a schedule with whole_rows";
}

/// Warps that only copy do not reach it.
static LogicalResult checkFold(FoldOp op, ScheduleAttr schedule) {
  if (schedule.getProducers() == 0)
    return success();
  return op.emitError() << "expected a schedule without producers, got "
                        << schedule.getProducers();
}

/// Ops of a cluster that joins are in kernels with one.
static LogicalResult checkJoins(Operation *op, ScheduleAttr schedule) {
  if (schedule.getJoins())
    return success();
  return op->emitOpError("expected a schedule whose cluster joins");
}

/// Parts of a warp's rows are those in registers, several of which may be
/// processed together.
static LogicalResult checkParts(Operation *op, int64_t parts, int64_t rows,
                                ScheduleAttr schedule) {
  int64_t held = 16 * schedule.getWarps();
  bool isSplit = rows && held % rows == 0 && 16 % (parts * (held / rows)) == 0;
  if (parts == 1 || (schedule.getMultiply() == MultiplyUnit::Wgmma && isSplit))
    return success();
  return op->emitOpError() << "expected parts of the 16 rows that a warp has "
                              "with wgmma, got "
                           << parts << " of " << rows << " rows for "
                           << schedule.getWarps() << " warps";
}

static LogicalResult checkStage(StageOp op, ScheduleAttr schedule) {
  BufferType type = op.getBuffer().getType();
  if (type.getLayout() == BufferLayout::Swizzled)
    return op.emitError() << "expected a buffer that is not swizzled, got "
                          << type;
  return checkParts(op, op.getParts(), type.getRows(), schedule);
}

static LogicalResult checkSchedule(KernelOp kernel,
                                   const parablock::Chip &chip) {
  ScheduleAttr schedule = kernel.getSchedule();
  bool copies = schedule.getCopies() == CopyUnit::Tma;
  if (chip.isHopper || (!copies && !schedule.getJoins()))
    return success();
  return kernel.emitError()
         << "no GPU code for chip " << chip.name << ": the schedule "
         << (copies ? "copies by tma" : "joins a cluster")
         << ", which it has not";
}

LogicalResult parablock::tile::checkTiles(KernelOp kernel) {
  ScheduleAttr schedule = kernel.getSchedule();
  // Accumulators begin as zeros: checks of those cover all.
  WalkResult result = kernel.walk([&](Operation *op) {
    LogicalResult checked =
        TypeSwitch<Operation *, LogicalResult>(op)
            .Case([&](ZeroOp zero) {
              return checkAccumulator(zero, zero.getType(), schedule);
            })
            .Case([&](MmaOp mma) {
              return checkOperands(mma, schedule.getMultiply());
            })
            .Case([&](MmaCodesOp mma) {
              return checkUnit(mma, schedule.getMultiply());
            })
            .Case([&](MmaScaledOp mma) { return checkScaled(mma, schedule); })
            .Case([&](CombineOp combine) {
              return checkCombine(combine, schedule);
            })
            .Case(
                [&](JoinClusterOp join) { return checkJoins(join, schedule); })
            .Case([&](FoldOp fold) { return checkFold(fold, schedule); })
            .Case([&](CopyOp copy) {
              return checkCopy(copy, schedule.getCopies());
            })
            .Case([&](CopyOutOp copy) { return checkCopyOut(copy, schedule); })
            .Case([&](StageOp stage) { return checkStage(stage, schedule); })
            .Case([&](RowsOp rows) {
              if (rows.getCluster() && failed(checkJoins(rows, schedule)))
                return failure();
              return checkParts(rows, rows.getParts(),
                                rows.getExtent().value_or(0), schedule);
            })
            .Default(success());
    return failed(checked) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

FailureOr<const parablock::Chip *>
parablock::tile::getCheckedChip(KernelOp kernel) {
  if (std::optional<StringRef> name = kernel.getChip()) {
    llvm::Expected<const Chip &> chip = findDeviceChip(*name);
    if (chip)
      return &*chip;
    return emitError(kernel.getLoc()) << llvm::toString(chip.takeError());
  }
  // Not at the op: that would print the whole kernel.
  return emitError(kernel.getLoc())
         << "expected kernel '" << kernel.getSymName()
         << "' to have been through tile-check-tiles before";
}

namespace {
struct TileCheckTiles
    : public KernelPass<parablock::impl::TileCheckTilesBase<TileCheckTiles>> {
  using KernelPass::KernelPass;

  /// Before any kernel: an unknown chip is not a kernel's fault.
  LogicalResult initialize(MLIRContext *context) final {
    llvm::Expected<const parablock::Chip &> found =
        parablock::findDeviceChip(chip);
    if (!found)
      return emitError(UnknownLoc::get(context))
             << llvm::toString(found.takeError());
    facts = &*found;
    return success();
  }

  LogicalResult runOnKernel(KernelOp kernel) final {
    if (kernel.getChip().value_or(facts->name) != facts->name)
      return emitError(kernel.getLoc())
             << "expected a kernel for chip " << facts->name << ", got one for "
             << *kernel.getChip();
    if (failed(checkSchedule(kernel, *facts)) || failed(checkTiles(kernel)))
      return failure();
    kernel.setChip(facts->name);
    return success();
  }

private:
  const parablock::Chip *facts = nullptr;
};
} // namespace
