//===- RowsKernel.cpp - kernels that need one row at a time ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GemmSchedules.h"
#include "KernelShell.h"
#include "RowEmitter.h"
#include "RowKernels.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;

tile::ScheduleAttr parablock::getRowSchedule(MLIRContext *context,
                                             std::optional<int64_t> rows,
                                             StringRef chip) {
  constexpr int64_t warps = 4;
  // More CTAs than these would only wait for others to end.
  int64_t grid = 4 * getMultiprocessors(chip);
  if (rows)
    grid = std::clamp<int64_t>(llvm::divideCeil(*rows, warps), 1, grid);
  return tile::ScheduleAttr::get(context, tile::MultiplyUnit::None,
                                 tile::CopyUnit::Plain, warps, /*producers=*/0,
                                 /*stages=*/1, grid, /*cluster=*/1,
                                 /*whole_rows=*/false);
}

/// How many columns the loops of an output go over.
static int64_t getLoopWidth(Value output) {
  if (auto stats = output.getDefiningOp<block::NormStatsOp>())
    return getWidth(stats.getInput());
  if (auto stats = output.getDefiningOp<block::PartialStatsOp>())
    return getWidth(stats.getInput());
  return getWidth(output);
}

FailureOr<tile::KernelOp> parablock::buildRowsKernel(OpBuilder &atModule,
                                                     block::KernelOp kernel,
                                                     StringRef name,
                                                     StringRef chip) {
  KernelShell shell = createKernelShell(
      atModule, kernel, name,
      getRowSchedule(kernel.getContext(),
                     getStaticRows(kernel.getResultTypes().front()), chip));
  TileCode code{shell.builder, kernel.getLoc()};
  Value first = shell.getOutput(0);
  Value count = createRowCount(shell.builder, kernel.getLoc(), first);
  RowProgram program(kernel.getLoc(), code.dim(first, 1));
  Block &body = kernel.getBody().front();
  for (BlockArgument argument : body.getArguments())
    program.bindGlobal(argument, shell.getInput(argument.getArgNumber()));

  llvm::MapVector<int64_t, SmallVector<RowOutput>> byWidth;
  for (auto [index, output] :
       llvm::enumerate(body.getTerminator()->getOperands()))
    byWidth[getLoopWidth(output)].push_back({output, shell.getOutput(index)});
  bool failed = false;
  code.gridRows(count, [&](TileCode inner, Value row) {
    for (auto &[width, outputs] : byWidth)
      failed |= mlir::failed(program.emit(inner.builder, row, outputs,
                                          inner.index(0), inner.index(width)));
  });
  if (failed)
    return failure();
  return shell.kernel;
}
