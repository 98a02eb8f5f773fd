//===- CheckpointPlans.h - what a step may keep -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A plan has a choice for each layer. Of all plans those are listed that none
// beats in both bytes kept and price. Of layers of one class it matters how
// many take a choice; those that keep most are the last ones, whose gradients
// come first, so that they are kept for the shortest time.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DIFFERENTIATE_CHECKPOINTPLANS_H
#define PARABLOCK_LIB_DIFFERENTIATE_CHECKPOINTPLANS_H

#include "LayerRecompute.h"
#include "llvm/Support/Error.h"

namespace parablock::block {

/// A choice for one layer, and what it keeps and costs.
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
  /// The places of the choices in those of the layers' classes, layer by layer.
  std::vector<unsigned> picks;
  uint64_t keptBytes = 0;
  RecomputeCost cost;
  /// As simulated.
  uint64_t peakBytes = 0;
};

class LayerChoices;

/// Layers that may choose alike, each class with its choices: those that are
/// `wanted` where that says something about a layer.
llvm::Expected<std::vector<LayerClass>>
findClasses(llvm::ArrayRef<LayerRecompute> layers, const LayerChoices &wanted);

/// The choices for `layer` that none beats in both bytes and price, the one
/// that keeps most first.
std::vector<LayerChoice> listChoices(const LayerRecompute &layer);

/// The plans for `numLayers` layers, the one that keeps most first; at most
/// `most`, which differ most.
std::vector<CheckpointPlan> listPlans(llvm::ArrayRef<LayerClass> classes,
                                      size_t numLayers, size_t most);

} // namespace parablock::block

#endif // PARABLOCK_LIB_DIFFERENTIATE_CHECKPOINTPLANS_H
