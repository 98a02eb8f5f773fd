//===- KernelShell.h - empty kernels ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_KERNELSHELL_H
#define PARABLOCK_LIB_CONVERSION_KERNELSHELL_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock {

/// A `tile.kernel` whose arguments are the inputs and then the outputs of a
/// `block.kernel`, or of an op that is itself a launch, then workspaces, with
/// an empty body at `builder`.
struct KernelShell {
  tile::KernelOp kernel;
  /// At the end of the body, before `tile.return`.
  mlir::OpBuilder builder;

  mlir::Value getInput(unsigned index) { return kernel.getArgument(index); }
  mlir::Value getOutput(unsigned index) {
    return kernel.getArgument(kernel.getNumInputs() + index);
  }
  mlir::Value getWorkspace(unsigned index) {
    return kernel.getArgument(kernel.getNumInputs() + kernel.getOutputs() +
                              index);
  }

  /// Returns the argument for the source's body argument; null for another
  /// value.
  mlir::Value lookupInput(mlir::Value value);
};

/// Creates the kernel at the end of the basic block of `moduleBuilder`. Outputs
/// of the tensor types `scratch` follow the results of `source`.
KernelShell createKernelShell(mlir::OpBuilder &moduleBuilder,
                              mlir::Operation *source, llvm::StringRef name,
                              tile::ScheduleAttr schedule,
                              mlir::ArrayRef<mlir::Type> workspaces = {},
                              mlir::TypeRange scratch = {});

/// The same for tensors of any types, which no op need have.
KernelShell createKernelShell(mlir::OpBuilder &moduleBuilder,
                              mlir::Location loc, llvm::StringRef name,
                              tile::ScheduleAttr schedule,
                              mlir::TypeRange inputs, mlir::TypeRange outputs,
                              mlir::ArrayRef<mlir::Type> workspaces = {});

/// The workspace of kernels that report.
mlir::Type getReportWord(mlir::MLIRContext *context);

/// Returns the number of rows of a global tensor: the product of all its
/// dimensions but the last.
mlir::Value createRowCount(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value tensor);

mlir::Value createIndex(mlir::OpBuilder &builder, mlir::Location loc,
                        int64_t value);

/// Returns the kernel's memref type for a tensor of the block.
mlir::MemRefType getGlobalType(mlir::Type tensorType);

/// The number of rows of a tensor type, none where it is dynamic.
std::optional<int64_t> getStaticRows(mlir::Type tensorType);

/// Returns whether the number of rows is dynamic, and may be at most `most`.
bool mayHaveFewRows(mlir::Type tensorType, int64_t most);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_KERNELSHELL_H
