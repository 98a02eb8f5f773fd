//===- LayerInverses.h - inputs of layers from their results ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DIFFERENTIATE_LAYERINVERSES_H
#define PARABLOCK_LIB_DIFFERENTIATE_LAYERINVERSES_H

#include "LayerRecompute.h"

namespace parablock::block {

/// Computes the streams of each layer of block-reversible from those behind it,
/// with all that its gradient reads, in a backward layer right before its
/// gradient. So no streams but the last two are kept. Returns the number of
/// layers.
unsigned invertLayers(mlir::FunctionOpInterface step, const CountedSizes &sizes,
                      const Chip &chip);

} // namespace parablock::block

#endif // PARABLOCK_LIB_DIFFERENTIATE_LAYERINVERSES_H
