//===- ExpertGradKernels.h - gradients of experts ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_EXPERTGRADKERNELS_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_EXPERTGRADKERNELS_H

#include "ExpertKernels.h"

namespace parablock::cpugen {

/// The facts of a gradient of experts.
struct ExpertGradForm {
  /// `result` is the type of `gradient`.
  ExpertForm form;
  block::ExpertsAttr mlp;
  /// Columns of the input, of gate and up, of the hidden value, of the result.
  int64_t depth, wide, hidden, width;
  bool hasUpBias, hasDownBias;
  /// Which gradients are wanted.
  bool up, down, upBias, downBias;
};

/// Computes gradients of experts, an item each. Tensors: gradient, input,
/// weights, first places, slots of places, both stacks, their biases; then, by
/// place and in f32, what up reads, the product by up, the hidden value, and
/// the gradients by the hidden value, by what down gives, by the product by up,
/// by what up reads, and by the weight; then the wanted gradients, in f32, of
/// up, down and their biases.
KernelCode buildExpertsGradKernel(Frame &frame, const ExpertGradForm &form);

/// Moves the gradients by weights from places to slots. Tensors: gradients,
/// places of slots, the result. Items are rows.
KernelCode buildSlotsKernel(Frame &frame, int64_t slots, mlir::Type type);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_EXPERTGRADKERNELS_H
