//===- Frame.h - the function around a kernel's code ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_CPUCODE_FRAME_H
#define PARABLOCK_CONVERSION_CPUCODE_FRAME_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Conversion/CPUCode/Code.h"
#include "parablock/Engines/CPU/Runtime/Program.h"

namespace parablock::cpugen {

/// The facts that all launches of a kernel share.
struct KernelCode {
  std::string name;
  int64_t scratchBytes = 0;
  /// Factors of the items; their sizes are those of the launch.
  int64_t factor = 1, block = 1;
};

/// A function as launches call them, with the insertion point in it.
class Frame {
public:
  Frame(mlir::ModuleOp module, mlir::Location loc, llvm::StringRef name,
        const CpuTarget &target);

  mlir::func::FuncOp getFunction() { return function; }
  Code &getCode() { return code; }
  /// The pointer of a tensor of the launch.
  Value getTensor(unsigned position);
  /// Returns the tensor at a position that is known at run time.
  Value getTensor(Value position);
  Value getDim(unsigned position);
  Value getBegin() { return function.getArgument(3); }
  Value getEnd() { return function.getArgument(4); }
  /// Memory of this thread.
  Value allocate(int64_t bytes);
  int64_t getScratchBytes() const { return scratchBytes; }
  /// Ends the function, and returns the facts about it; `factor` and `block`
  /// are those of its items.
  KernelCode finish(int64_t factor = 1, int64_t block = 1);

private:
  mlir::OpBuilder builder;
  mlir::func::FuncOp function;
  Code code;
  int64_t scratchBytes = 0;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_CONVERSION_CPUCODE_FRAME_H
