//===- RowsKernel.cpp - generates kernels of rows -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowsKernel.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

const RowMachine cpugen::kRowMachine = {"CPU", /*hasBorders=*/true,
                                        /*readsBack=*/true};

RowArguments::RowArguments(Block &body, Frame &frame)
    : sequence(frame.getDim(1)) {
  unsigned dim = kFirstFreeDim;
  for (BlockArgument argument : body.getArguments()) {
    if (isa<RankedTensorType>(argument.getType()))
      tensors.push_back({argument, frame.getTensor(argument.getArgNumber())});
    else if (argument.getType().isIndex())
      sizes.push_back({argument, frame.getDim(dim++)});
  }
}

RowProgram RowArguments::createProgram(Code &code, Value row) const {
  RowProgram program(code, kRowMachine, row, sequence);
  for (auto [argument, place] : tensors)
    program.give(argument, place);
  for (auto [argument, size] : sizes)
    program.giveSize(argument, [size = size] { return size; });
  return program;
}

FailureOr<KernelCode> cpugen::buildRowsKernel(Frame &frame,
                                              block::KernelOp kernel) {
  Block &body = kernel.getBody().front();
  if (failed(checkRows(body, kRowMachine, [](Value) { return false; })))
    return failure();
  Code &code = frame.getCode();
  // Outputs of one width are computed together.
  llvm::MapVector<int64_t, SmallVector<RowOutput>> outputs;
  for (OpOperand &output : body.getTerminator()->getOpOperands())
    outputs[getLoopWidth(output.get())].push_back(
        {output.get(),
         frame.getTensor(kernel.getNumOperands() + output.getOperandNumber())});
  RowArguments arguments(body, frame);
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value row) {
    for (auto &[width, together] : outputs)
      arguments.createProgram(code, row).emit(
          together, {code.index(0), code.index(width), width, false});
  });
  return frame.finish();
}
