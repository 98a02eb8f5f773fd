//===- CheckpointPlans.h - plans of block-checkpoint ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A plan has a choice for each layer. Only plans that are optimal in bytes kept
// and price are listed. For layers of one class only the number of layers with
// each choice matters; the last layers keep the most, since their gradients
// come first and values are kept for the shortest time.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DIFFERENTIATE_CHECKPOINTPLANS_H
#define PARABLOCK_LIB_DIFFERENTIATE_CHECKPOINTPLANS_H

#include "LayerRecompute.h"
#include "llvm/Support/Error.h"

namespace parablock::block {

/// A choice for one layer, with the bytes that it keeps and its price.
struct LayerChoice {
  LayerRecompute::Choice choice;
  uint64_t keptBytes = 0;
  RecomputeCost cost;
};

/// Layers of equal structure that may make the same choices.
struct LayerClass {
  llvm::SmallVector<unsigned> layers;
  std::vector<LayerChoice> choices;
};

struct CheckpointPlan {
  /// The index of each layer's choice in its class, layer by layer.
  std::vector<unsigned> picks;
  uint64_t keptBytes = 0;
  RecomputeCost cost;
  /// As simulated.
  uint64_t peakBytes = 0;
};

class LayerChoices;

/// Returns classes of layers with the same choices; for layers listed in
/// `wanted`, only the listed choices. With `dividesRows`, only those that
/// LayerRecompute::canDivideRows() accepts.
llvm::Expected<std::vector<LayerClass>>
findClasses(llvm::ArrayRef<LayerRecompute> layers, const LayerChoices &wanted,
            bool dividesRows);

/// Returns the choices for `layer` that are optimal in bytes and price, the one
/// that keeps most first.
std::vector<LayerChoice> listChoices(const LayerRecompute &layer,
                                     bool dividesRows);

/// Returns the plans for `numLayers` layers, the one that keeps most first; at
/// most `most`, chosen to differ most.
std::vector<CheckpointPlan> listPlans(llvm::ArrayRef<LayerClass> classes,
                                      size_t numLayers, size_t most);

} // namespace parablock::block

#endif // PARABLOCK_LIB_DIFFERENTIATE_CHECKPOINTPLANS_H
