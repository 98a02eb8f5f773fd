//===- LayerSegments.h - layers that are computed again together -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DIFFERENTIATE_LAYERSEGMENTS_H
#define PARABLOCK_LIB_DIFFERENTIATE_LAYERSEGMENTS_H

#include "LayerRecompute.h"

namespace parablock::block {

/// Has every `size` layers of `step` that have gradients computed again, right
/// before the first of these gradients, from what the first of them reads. What
/// is computed again are layers that are `backward`, of the labels and indices
/// of those that they repeat, each before its gradient's layer.
void repeatSegments(mlir::FunctionOpInterface step, const CountedSizes &sizes,
                    unsigned size, const Chip &chip);

/// Says so in the logs of these layers, with what is left of them, and with
/// times for `chip`.
void recordSegments(mlir::FunctionOpInterface step, const CountedSizes &sizes,
                    const Chip &chip);

} // namespace parablock::block

#endif // PARABLOCK_LIB_DIFFERENTIATE_LAYERSEGMENTS_H
