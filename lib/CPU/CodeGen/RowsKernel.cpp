//===- RowsKernel.cpp - kernels that work row by row ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowsKernel.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

void cpugen::bindSizes(RowCode &program, Block &body, Frame &frame) {
  unsigned dim = kFirstFreeDim;
  for (BlockArgument argument : body.getArguments())
    if (argument.getType().isIndex())
      program.bindSize(argument, frame.getDim(dim++));
}

FailureOr<KernelCode> cpugen::buildRowsKernel(Frame &frame,
                                              block::KernelOp kernel) {
  Block &body = kernel.getBody().front();
  if (failed(RowCode::check(body)))
    return failure();
  Code &code = frame.getCode();
  Value sequence = frame.getDim(1);
  RowCode program(code, sequence);
  for (BlockArgument argument : body.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      program.bindMemory(argument, frame.getTensor(argument.getArgNumber()));
  bindSizes(program, body, frame);
  // Outputs of one width are computed together.
  llvm::MapVector<int64_t, SmallVector<RowOutput>> outputs;
  for (OpOperand &output : body.getTerminator()->getOpOperands()) {
    Value tensor = output.get();
    Value source = isStatisticsStep(tensor.getDefiningOp())
                       ? tensor.getDefiningOp()->getOperand(0)
                       : tensor;
    outputs[RowCode::widthOf(source)].push_back(
        {tensor,
         frame.getTensor(kernel.getNumOperands() + output.getOperandNumber())});
  }
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value row) {
    for (auto &[width, together] : outputs) {
      RowCode ofWidth = program;
      ofWidth.emit(row, together, code.index(0), code.index(width), width);
    }
  });
  frame.finish();
  return KernelCode{frame.getFunction().getSymName().str(),
                    frame.getScratchBytes(), 1, 1};
}
