//===- PatchGradKernel.h - gradients of patch embeddings --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_PATCHGRADKERNEL_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_PATCHGRADKERNEL_H

#include "parablock/Conversion/CPUCode/Frame.h"

namespace parablock::cpugen {

/// Sizes of images that are cut into patches, and element types of the inputs.
struct PatchForm {
  int64_t channels, imageRows, imageColumns, patchRows, patchColumns, width;
  bool hasClass;
  mlir::Type gradient, pixels, weight;

  int64_t countPatches() const {
    return imageRows / patchRows * (imageColumns / patchColumns);
  }
  /// Elements of a patch.
  int64_t getPatchSize() const { return channels * patchRows * patchColumns; }
};

// Sizes of all are the batch and the number of rows of the gradient.

/// gradient, pixels -> weight of f32.
KernelCode buildPatchWeightKernel(Frame &frame, const PatchForm &form);
/// gradient, weight -> pixels; an item is a patch of an image.
KernelCode buildPatchPixelsKernel(Frame &frame, const PatchForm &form);
/// gradient -> f32 rows [first, first + rows) of the gradient, summed over the
/// batch and, if `isJoined`, over each other. Without rows, all remaining ones.
KernelCode buildTokenSumsKernel(Frame &frame, const PatchForm &form,
                                int64_t first, int64_t rows, bool isJoined);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_PATCHGRADKERNEL_H
