//===- KernelPass.h - base class of kernel passes ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_KERNELPASS_H
#define PARABLOCK_CONVERSION_TILETONVVM_KERNELPASS_H

#include "LoweringContext.h"
#include "mlir/Pass/Pass.h"

namespace parablock::tile {

/// A pass with one action per kernel: in a pipeline it runs on kernels in
/// parallel; under its flag, on a module with everything in it.
template <typename BaseT> struct KernelPass : public BaseT {
  using BaseT::BaseT;

  void runOnOperation() final {
    llvm::SmallVector<KernelOp> kernels;
    this->getOperation()->walk(
        [&](KernelOp kernel) { kernels.push_back(kernel); });
    for (KernelOp kernel : kernels)
      if (failed(runOnKernel(kernel)))
        return this->signalPassFailure();
  }

  virtual mlir::LogicalResult runOnKernel(KernelOp kernel) = 0;
};

/// Returns the chip that tile-check-tiles checked the kernel for; an error if
/// it has not run.
mlir::FailureOr<const Chip *> getCheckedChip(KernelOp kernel);

/// Fails for tiles and layouts that are not implemented on any chip.
mlir::LogicalResult checkTiles(KernelOp kernel);

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_KERNELPASS_H
