//===- ShiftLayers.h - layers of shifted pairs ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_SHIFTLAYERS_H
#define PARABLOCK_TRANSFORMS_SHIFTLAYERS_H

#include "parablock/Analysis/Decisions.h"
#include "parablock/Analysis/LayerPair.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::block {

/// Returns why the MLP of `layer` and the attention of `next` cannot share a
/// layer, or none.
std::optional<Reason> findShiftObstacle(LayerOp layer, LayerOp next);

/// Gives each shifted pair of `pairs` its own layer, with the label and
/// index of the MLP's layer plus a `+`; the remaining attention or MLP of a
/// layer stays a layer. Exact. Skips block pairs and shifted pairs that
/// already have a layer. A pair that cannot be formed is recorded for pass
/// `pass` at the MLP's layer. Returns the number of pairs that now have a
/// layer.
size_t shiftLayers(mlir::Operation *root, llvm::ArrayRef<LayerPair> pairs,
                   llvm::StringRef pass);

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_SHIFTLAYERS_H
