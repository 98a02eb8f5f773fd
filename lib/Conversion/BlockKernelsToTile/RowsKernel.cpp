//===- RowsKernel.cpp - kernels with one warp per row ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GemmSchedules.h"
#include "RowKernels.h"
#include "TileCode.h"
#include "parablock/Support/Chips.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;

tile::ScheduleAttr parablock::getRowSchedule(MLIRContext *context,
                                             std::optional<int64_t> rows,
                                             StringRef chip) {
  constexpr int64_t warps = 4;
  // More CTAs than these would only wait for others to end.
  int64_t grid = 4 * getDeviceChip(chip).multiprocessors;
  if (rows)
    grid = std::clamp<int64_t>(llvm::divideCeil(*rows, warps), 1, grid);
  return tile::ScheduleAttr::get(context, tile::MultiplyUnit::None,
                                 tile::CopyUnit::Plain, warps, /*producers=*/0,
                                 /*stages=*/1, grid, /*cluster=*/1,
                                 /*whole_rows=*/false);
}

const RowMachine parablock::kTileRows = {"GPU", /*hasBorders=*/false,
                                         /*readsBack=*/false};

void parablock::giveArguments(RowProgram &program, Block &body,
                              KernelShell &shell) {
  for (BlockArgument argument : body.getArguments()) {
    Value place = shell.getInput(argument.getArgNumber());
    if (isa<RankedTensorType>(argument.getType()))
      program.give(argument, place);
    else
      program.giveSize(argument, [&code = program.code, place] {
        Value zero = code.index(0);
        return code.loadInteger(place, zero, zero, zero);
      });
  }
}

FailureOr<tile::KernelOp> parablock::buildRowsKernel(OpBuilder &atModule,
                                                     block::KernelOp kernel,
                                                     StringRef name,
                                                     StringRef chip) {
  Block &body = kernel.getBody().front();
  if (failed(checkRows(body, kTileRows, [](Value) { return false; })))
    return failure();
  KernelShell shell = createKernelShell(
      atModule, kernel, name,
      getRowSchedule(kernel.getContext(),
                     getStaticRows(kernel.getResultTypes().front()), chip));
  TileCode code{shell.builder, kernel.getLoc()};
  Value first = shell.getOutput(0);
  Value count = createRowCount(shell.builder, kernel.getLoc(), first);
  Value sequence = code.dim(first, 1);

  llvm::MapVector<int64_t, SmallVector<RowOutput>> byWidth;
  for (auto [index, output] :
       llvm::enumerate(body.getTerminator()->getOperands()))
    byWidth[getLoopWidth(output)].push_back({output, shell.getOutput(index)});
  code.gridRows(count, [&](TileCode inner, Value row) {
    for (auto &[width, outputs] : byWidth) {
      RowProgram program(inner, kTileRows, row, sequence);
      giveArguments(program, body, shell);
      program.emit(outputs, {inner.index(0), inner.index(width), width, false});
    }
  });
  return shell.kernel;
}
