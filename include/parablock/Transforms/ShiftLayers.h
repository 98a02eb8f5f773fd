//===- ShiftLayers.h - layer boundaries moved by half a layer ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_SHIFTLAYERS_H
#define PARABLOCK_TRANSFORMS_SHIFTLAYERS_H

#include "parablock/Analysis/Decisions.h"
#include "parablock/Analysis/LayerPair.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::block {

/// Why the MLP of `layer` and the attention of `next` cannot share a layer, or
/// nothing where they can.
std::optional<Reason> findShiftObstacle(LayerOp layer, LayerOp next);

/// Gives each shifted pair of `pairs` a layer of its own, label and index those
/// of the MLP's layer with a `+` behind the label; what is left of a layer, an
/// attention or an MLP alone, stays a layer. Exact. Block pairs are passed
/// over, and so are shifted ones that have their layer already. A pair that
/// cannot be formed is recorded for pass `pass` at the MLP's layer. Returns how
/// many pairs now have their layer.
size_t shiftLayers(mlir::Operation *root, llvm::ArrayRef<LayerPair> pairs,
                   llvm::StringRef pass);

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_SHIFTLAYERS_H
