//===- LossKernels.h - logits of some rows, and their loss ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_LOSSKERNELS_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_LOSSKERNELS_H

#include "WeightGradKernel.h"
#include "parablock/Conversion/CPUCode/PanelLayout.h"

namespace parablock::cpugen {

/// A cross entropy, and the form of its kernels. Rows exist one chunk at a
/// time: first as logits, then as the gradients by these, in the same memory.
struct LossForm {
  LossForm(const CpuTarget &target, mlir::Type input, mlir::Type weight,
           int64_t vocabulary, int64_t width);

  mlir::Type input, weight;
  int64_t vocabulary, width;
  double scale = 1;
  /// 0: none.
  double cap = 0;
  int64_t ignored = -100;
  bool hasBias = false, hasDivisor = false;
  mlir::Type bias, number;
  StripForm strips;

  /// Columns of a chunk in memory.
  int64_t getColumns() const;
  /// The type of a chunk's gradients, which need no more room than logits.
  mlir::Type getGradientType(mlir::OpBuilder &builder) const;
  RowChunks getChunks() const;
  /// The packing of the weight, or of the weight transposed.
  PanelLayout getLayout(bool isTransposed) const;
};

// Sizes of all kernels are those of LaunchRows, by chunk if there are chunks.

/// targets, gradient, divisor -> factor of gradients.
KernelCode buildLossFactorKernel(Frame &frame, const LossForm &form);
/// input, packed weight -> chunk.
KernelCode buildLogitsKernel(Frame &frame, const LossForm &form);
/// targets, bias, factor -> chunk, losses; without `hasGradient` there is no
/// factor, and logits are kept.
KernelCode buildLossRowsKernel(Frame &frame, const LossForm &form,
                               bool hasGradient);
/// chunk, packed transposed weight -> gradient by the input, of `type`.
KernelCode buildInputGradKernel(Frame &frame, const LossForm &form,
                                mlir::Type type);
/// losses, targets, divisor -> loss, of `type`.
KernelCode buildLossSumKernel(Frame &frame, const LossForm &form,
                              mlir::Type type);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_LOSSKERNELS_H
