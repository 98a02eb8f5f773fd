//===- KernelLaunches.h - launches of block.kernel ops ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_KERNELLAUNCHES_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_KERNELLAUNCHES_H

#include "KernelLibrary.h"
#include "TensorSource.h"

namespace parablock::cpugen {

class KernelLaunches : LaunchWriter {
public:
  using LaunchWriter::LaunchWriter;

  mlir::LogicalResult add(block::KernelOp kernel);

private:
  using Shapes = llvm::DenseMap<Value, Shape>;

  mlir::LogicalResult addOperands(block::KernelOp kernel,
                                  const KernelInfo &info, Launch &launch);
  mlir::LogicalResult addResults(block::KernelOp kernel, llvm::StringRef name,
                                 Launch &launch, Shapes &shapes);
  void setSizes(block::KernelOp kernel, const KernelInfo &info,
                const Shapes &shapes, Launch &launch);
  mlir::LogicalResult addIndices(block::KernelOp kernel, Launch &launch);
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_KERNELLAUNCHES_H
