//===- WeightMoves.h - panels of weights, in vectors ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A matrix that can be traced to stored ones (WeightTrace.h) is packed block by
// block, in vectors: every process packs all weights before its first token,
// and a step of training packs each of them twice.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_PACKWEIGHTS_WEIGHTMOVES_H
#define PARABLOCK_LIB_CONVERSION_PACKWEIGHTS_WEIGHTMOVES_H

#include "WeightTrace.h"
#include "parablock/Conversion/CPUCode/Frame.h"
#include "parablock/Conversion/CPUCode/PanelLayout.h"

namespace parablock::cpugen {

/// A rectangle of a stored matrix that becomes one of a panel.
struct WeightMove {
  int64_t panel;
  /// The stored matrix, its first element, and the distances of neighbouring
  /// outputs and inputs, one of which is 1.
  int64_t leaf, first, outDistance, inDistance;
  /// Outputs, and inputs, the first of which are `firstIn` and the next ones.
  int64_t outs, firstIn, ins;
  /// Factors of the steps, in order.
  llvm::SmallVector<WeightFactor> factors;
};

/// The moves of `value`, in the order of panels, the type of the matrices,
/// `leaves`, that they read, and the steps of all.
struct WeightMoves {
  llvm::SmallVector<WeightMove> moves;
  mlir::Type type;
  llvm::SmallVector<WeightStep> steps;
};

/// Fails where `value` cannot be traced, or not panel by panel.
std::optional<WeightMoves> findMoves(Value value,
                                     const llvm::SetVector<Value> &leaves,
                                     const PanelLayout &layout);

/// Writes panels of elements of `type` to `result`; the leaves are the tensors
/// of the frame.
void emitMoves(Frame &frame, const WeightMoves &moves,
               const PanelLayout &layout, mlir::Type type, Value result);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_PACKWEIGHTS_WEIGHTMOVES_H
