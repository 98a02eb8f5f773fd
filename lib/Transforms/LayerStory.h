//===- LayerStory.h - story of layers in logs -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_LAYERSTORY_H
#define PARABLOCK_LIB_TRANSFORMS_LAYERSTORY_H

#include "parablock/Analysis/KeptStamps.h"
#include "parablock/Analysis/ModelCounts.h"
#include "llvm/Support/raw_ostream.h"

namespace parablock {

/// The log of a layer and its present form.
struct LayerStory {
  block::LayerOp layer;
  bool approximate = false;
  double launchesBefore = 0, bytesBefore = 0, launchesAfter = 0, bytesAfter = 0;
  double attentions = 0, mlps = 0, experts = 0, norms = 0;
  /// Predicted for the chip that kernels were formed for, if it has peaks: for
  /// the steps one by one, and for the kernels.
  double microsecondsBefore = 0, microsecondsAfter = 0;
  llvm::SmallVector<block::DecisionAttr> decisions;
};

/// Returns whether it is an attention, with its projections or without, such as
/// block-raise creates for one with caches.
bool isAttention(mlir::Operation *op);
/// Returns whether `op` is a mixture of experts, of either level.
bool isExperts(mlir::Operation *op);

LayerStory tellStory(const LayerCounts &counts);

/// The recognised parts, in layers and, if a layer's other half was not
/// recognised, outside.
struct Recognised {
  int64_t layers = 0, attentions = 0, mlps = 0, experts = 0, norms = 0;

  bool empty() const {
    return layers + attentions + mlps + experts + norms == 0;
  }
};

Recognised countRecognised(llvm::ArrayRef<LayerStory> stories,
                           mlir::Operation *function);

/// Writes the number of each kind, in a line without its end.
void writeRecognised(llvm::raw_ostream &os, const Recognised &found);

/// The pass that left a stamp, and how it was called.
std::string describeStamp(block::ApproxAttr stamp);

/// Writes a line for each layer whose stamp the function keeps because the
/// layer consists of ops of other dialects.
void writeKeptStamps(llvm::raw_ostream &os, const KeptStamps &kept);

/// A candidate that block-raise did not recognise, as it left it.
struct MissedPiece {
  llvm::StringRef kind, detail, reason, location;
};
llvm::SmallVector<MissedPiece> getMissed(mlir::Operation *function);

/// A line for each candidate that block-raise did not recognise.
void writeMissed(llvm::raw_ostream &os, mlir::Operation *function);

/// Leftovers and their cost, in a line; nothing where there are none.
void writeLeftovers(llvm::raw_ostream &os, const LeftoverCounts &leftovers);

} // namespace parablock

#endif // PARABLOCK_LIB_TRANSFORMS_LAYERSTORY_H
