//===- LayerRecompute.h - recomputation in a layer --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DIFFERENTIATE_LAYERRECOMPUTE_H
#define PARABLOCK_LIB_DIFFERENTIATE_LAYERRECOMPUTE_H

#include "RowChunks.h"
#include "parablock/Analysis/CostModel.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::block {

/// The price of recomputation, compared lexicographically: output projections,
/// then arithmetic, traffic and ops.
struct RecomputeCost {
  double outputProjections = 0, flops = 0, bytes = 0, ops = 0;
  /// The time it takes; 0 on chips without peaks, and never compared.
  double seconds = 0;

  void add(const RecomputeCost &other, double times = 1);
  bool operator<(const RecomputeCost &other) const;
};

/// A layer of a step and its gradient.
class LayerRecompute {
public:
  /// The candidates that are recomputed; the others are kept.
  using Choice = llvm::SmallVector<bool>;

  LayerRecompute(LayerOp forward, LayerOp backward, const CountedSizes &sizes,
                 const Chip &chip);

  /// Returns the layers of `step` that have a gradient, in order.
  static std::vector<LayerRecompute> collect(mlir::FunctionOpInterface step,
                                             const CountedSizes &sizes,
                                             const Chip &chip);

  LayerOp getForward() const { return forward; }
  LayerOp getBackward() const { return backward; }
  llvm::StringRef getLabel() const { return LayerOp(forward).getLabel(); }
  /// Returns LABEL#INDEX, which is unique: several layers may share a label,
  /// such as the attention and the networks of one MobileBERT layer.
  std::string getUniqueLabel() const;

  /// Text that is equal for layers of equal structure.
  std::string describeForm() const;

  unsigned getNumCandidates() const { return candidates.size(); }
  /// Names of the candidates in options and logs.
  llvm::ArrayRef<std::string> getNames() const { return names; }
  /// Returns whether the gradient's feed-forwards can compute some rows at a
  /// time: `choice` recomputes what is between their products, and nothing that
  /// needs all rows of their results first.
  bool canDivideRows(const Choice &choice) const;
  /// Returns the bytes of the candidates that are kept.
  uint64_t countKept(const Choice &choice) const;
  RecomputeCost estimate(const Choice &choice) const;

  /// Writes the decision on each candidate to the log.
  void record(const Choice &choice) const;

  /// Makes the backward layer recompute the chosen ones, right before it
  /// first reads them, and the forward one not return them. Invalidates this
  /// object.
  void apply(const Choice &choice);

private:
  /// An op of the forward layer.
  struct Step {
    mlir::Operation *op;
    RecomputeCost cost;
    /// Ops of the layer whose results it reads. If such an op is a candidate
    /// and its result is saved, the kept form is sufficient.
    llvm::SmallVector<std::pair<unsigned, bool>> reads;
    int candidate = -1;
  };

  void findCandidates();
  llvm::SmallVector<bool> findRepeated(const Choice &choice) const;

  LayerOp forward, backward;
  CountedSizes sizes;
  bool hasTimes;
  std::vector<Step> steps;
  /// Groups of the forward layer whose rows can be divided.
  std::vector<RowGroup> rowGroups;
  /// Numbers of steps, and the bytes of their results that are saved.
  llvm::SmallVector<std::pair<unsigned, uint64_t>> candidates;
  llvm::SmallVector<std::string> names;
};

/// Records in the log of `layer` that it repeats work.
void recordRepeatedLayer(LayerOp layer, const CountedSizes &sizes,
                         const Chip &chip);

} // namespace parablock::block

#endif // PARABLOCK_LIB_DIFFERENTIATE_LAYERRECOMPUTE_H
