//===- MachineReport.h - what machine code can reach ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_MACHINEREPORT_H
#define PARABLOCK_LIB_TRANSFORMS_MACHINEREPORT_H

#include "parablock/Analysis/ModelCounts.h"
#include "parablock/Target/MachineCode/Model.h"
#include "llvm/Support/JSON.h"

namespace parablock {

/// One kernel of the file, and its product in the IR.
struct MachineKernel {
  machine::Kernel code;
  std::vector<machine::Loop> loops;
  machine::KernelModel model;
  std::optional<machine::ProductSize> product;
  std::optional<machine::Prediction> prediction;
};

/// Reads the machine code at `path`, for the kernels of `function`. Errors name
/// the file and the mismatch.
llvm::Expected<std::vector<MachineKernel>>
reportMachineCode(mlir::FunctionOpInterface function, llvm::StringRef path,
                  const CountedSizes &sizes, const Chip &chip);

void writeMachineText(llvm::raw_ostream &os,
                      llvm::ArrayRef<MachineKernel> kernels);
llvm::json::Array describeMachineCode(llvm::ArrayRef<MachineKernel> kernels);

} // namespace parablock

#endif // PARABLOCK_LIB_TRANSFORMS_MACHINEREPORT_H
