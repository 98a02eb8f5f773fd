//===- MovesKernel.cpp - appends to caches and takes rows by index --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MovesKernel.h"

#include "CacheAppends.h"
#include "KernelShell.h"
#include "RouteKernel.h"
#include "RowKernels.h"
#include "SampleKernel.h"
#include "TileCode.h"
#include "parablock/Support/Chips.h"

using namespace mlir;
using namespace parablock;

std::pair<int64_t, int64_t> parablock::findSizeOfMove(Operation *op,
                                                      int64_t dim) {
  // The number of rows is the number of indices.
  if (isa<block::TakeRowsOp>(op) && dim == 1)
    return {1, 0};
  return {0, dim};
}

static void buildAppend(TileCode code, block::CacheAppendOp op,
                        KernelShell &shell) {
  CacheAppend append = {shell.getInput(0), shell.getInput(2),
                        op.getPages() ? shell.getInput(3) : Value(),
                        shell.getOutput(0)};
  Value added = shell.getInput(1), count = code.dim(added, 1);
  Value rows = code.mulIndex(code.dim(added, 0), count);
  code.gridRows(rows, [&](TileCode inner, Value row) {
    copyRow(inner, added, row, append.result,
            append.createRow(inner, row, count));
  });
  append.copyOthers(code, count);
}

static void buildTake(TileCode code, KernelShell &shell) {
  Value input = shell.getInput(0), numbers = shell.getInput(1),
        result = shell.getOutput(0);
  Value rows = code.mulIndex(code.dim(input, 0), code.dim(numbers, 0));
  code.gridRows(rows, [&](TileCode inner, Value row) {
    copyRow(inner, input, createTakenRow(inner, input, numbers, row), result,
            row);
  });
}

FailureOr<tile::KernelOp> parablock::buildMoveKernel(OpBuilder &atModule,
                                                     Operation *op,
                                                     StringRef name,
                                                     StringRef chip) {
  if (auto sample = dyn_cast<block::SampleOp>(op))
    return buildSampleKernel(atModule, sample, name, chip);
  if (auto route = dyn_cast<block::RouteOp>(op))
    return buildRouteKernel(atModule, route, name, chip);
  auto append = dyn_cast<block::CacheAppendOp>(op);
  // The cache may be updated in place.
  if (append && isa<BlockArgument>(append.getCache()) &&
      !append.getCache().hasOneUse())
    return op->emitError("no GPU code for a cache that something else reads");
  Value moved = append ? Value(append.getAdded()) : op->getResult(0);
  std::optional<int64_t> rows = getStaticRows(moved.getType());
  // One warp each, and enough of them for a whole cache.
  if (append)
    rows = std::max<int64_t>(rows.value_or(0),
                             4 * getDeviceChip(chip).multiprocessors);
  KernelShell shell = createKernelShell(
      atModule, op, name, getRowSchedule(op->getContext(), rows, chip));
  TileCode code{shell.builder, op->getLoc()};
  if (append)
    buildAppend(code, append, shell);
  else
    buildTake(code, shell);
  return shell.kernel;
}
