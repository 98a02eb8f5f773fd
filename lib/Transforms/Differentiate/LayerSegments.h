//===- LayerSegments.h - layers computed again together ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DIFFERENTIATE_LAYERSEGMENTS_H
#define PARABLOCK_LIB_DIFFERENTIATE_LAYERSEGMENTS_H

#include "LayerRecompute.h"

namespace parablock::block {

/// Makes every `size` layers of `step` with gradients recomputed, right before
/// the first of these gradients, from the inputs of the first layer. The copies
/// are layers that are `backward`, with the labels and indices of the
/// originals, each before its gradient's layer.
void repeatSegments(mlir::FunctionOpInterface step, const CountedSizes &sizes,
                    unsigned size, const Chip &chip);

/// Records this in the logs of these layers, with the remaining values, and
/// with times for `chip`.
void recordSegments(mlir::FunctionOpInterface step, const CountedSizes &sizes,
                    const Chip &chip);

} // namespace parablock::block

#endif // PARABLOCK_LIB_DIFFERENTIATE_LAYERSEGMENTS_H
