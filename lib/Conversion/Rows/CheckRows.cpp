//===- CheckRows.cpp - rejects steps that a machine lacks -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowSteps.h"

#include "parablock/Conversion/Rows/RowProgram.h"

using namespace mlir;
using namespace parablock;

static InFlightDiagnostic refuse(Operation *op, const RowMachine &machine) {
  return op->emitError() << "no " << machine.name << " code for '"
                         << op->getName() << "' ";
}

/// Checks that columns are processed in groups of one size and, if code is
/// generated for sections of a part, in parts of one size.
static LogicalResult checkParts(ArrayRef<Operation *> steps,
                                const RowMachine &machine) {
  int64_t groupSize = getGroupSize(steps), part = 0;
  for (Operation *op : steps) {
    auto step = cast<block::RowStepOpInterface>(op);
    int64_t size = step.getGroupSize();
    if (size && size != groupSize)
      return refuse(op, machine) << "in groups of " << size
                                 << " columns next to groups of " << groupSize;
    size = std::max(size, step.getColumnOrder().part);
    if (machine.hasBorders && size && part && size != part)
      return refuse(op, machine)
             << "in parts of " << size << " columns next to parts of " << part;
    part = size ? size : part;
  }
  return success();
}

/// Columns of a tile of a step whose statistics of tiles are stored; else 0:
/// what the kernel merges itself is computed of the whole row.
static int64_t getStoredTileSize(block::RowStepOpInterface step) {
  return llvm::any_of(step->getResults(), isStored) ? step.getTileSize() : 0;
}

/// The facts of a group are known in its own columns only.
static LogicalResult checkReach(block::RowStepOpInterface step,
                                const RowMachine &machine, IsGiven isGiven) {
  int64_t tile = getStoredTileSize(step);
  std::optional<int64_t> reach = step.getColumnReach();
  if (!reach && !tile)
    return success();
  Value input = step->getOperand(0);
  SmallVector<Operation *> before = collectSteps(input, isGiven);
  int64_t groupSize = getGroupSize(before);
  if (reach && groupSize && (*reach == 0 || groupSize % *reach != 0))
    return refuse(step, machine)
           << "after a norm in groups of " << groupSize << " columns";
  int64_t part = machine.hasBorders ? joinOrders(before).part : groupSize;
  if (tile && part && tile % part != 0 &&
      !(machine.readsBack && isStored(input)))
    return refuse(step, machine)
           << "of every " << tile << " columns of parts of " << part;
  return success();
}

LogicalResult parablock::checkRow(Value output, const RowMachine &machine,
                                  IsGiven isGiven) {
  SmallVector<Operation *> steps = collectSteps(output, isGiven);
  for (Operation *op : steps) {
    auto step = dyn_cast<block::RowStepOpInterface>(op);
    if (!step)
      return refuse(op, machine) << "as a step on rows";
    if (failed(step.checkRows([&] { return refuse(op, machine); })))
      return failure();
  }
  if (failed(checkParts(steps, machine)))
    return failure();
  for (Operation *op : steps)
    if (failed(
            checkReach(cast<block::RowStepOpInterface>(op), machine, isGiven)))
      return failure();
  return success();
}

LogicalResult parablock::checkRows(Block &body, const RowMachine &machine,
                                   llvm::function_ref<bool(Value)> isGiven) {
  for (Value output : body.getTerminator()->getOperands())
    if (failed(checkRow(getComputed(output), machine, isGiven)))
      return failure();
  return success();
}
