//===- Frame.cpp - creates kernel functions and scratch -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Conversion/CPUCode/Frame.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

static func::FuncOp createFunction(OpBuilder &builder, ModuleOp module,
                                   Location loc, StringRef name) {
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  Type i64 = builder.getI64Type();
  builder.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(
      builder, loc, name,
      builder.getFunctionType({pointer, pointer, pointer, i64, i64}, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  return function;
}

Frame::Frame(ModuleOp module, Location loc, StringRef name,
             const CpuTarget &target)
    : builder(module.getContext()),
      function(createFunction(builder, module, loc, name)),
      code(builder, loc, target) {}

Value Frame::getTensor(unsigned position) {
  return code.loadPointer(function.getArgument(0), position);
}

Value Frame::getTensor(Value position) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return LLVM::LoadOp::create(
      builder, code.loc, pointer,
      code.address(function.getArgument(0), position, pointer));
}

Value Frame::getDim(unsigned position) {
  return code.loadI64(function.getArgument(1), code.index(position));
}

Value Frame::allocate(int64_t bytes) {
  Value pointer = code.address(function.getArgument(2),
                               code.index(scratchBytes), builder.getI8Type());
  scratchBytes += llvm::alignTo(bytes, cpu::alignment);
  return pointer;
}

KernelCode Frame::finish(int64_t factor, int64_t block) {
  func::ReturnOp::create(builder, code.loc);
  return {function.getSymName().str(), scratchBytes, factor, block};
}
