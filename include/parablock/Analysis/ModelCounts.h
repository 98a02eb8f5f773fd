//===- ModelCounts.h - parameters and work of a model -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rules of the counts, the same at levels 1 and 2:
//
// FLOPs    Two per multiplication of a matrix product: projections, q k^T,
//          the weighted sum of values, head, patches. Of the scores only those
//          of allowed keys count, so a causal query has (T + 1) / 2 on
//          average.
// GEMMs    Projections as the IR has them: q, k, v, o, up, gate and down are
//          seven until a rewrite merges some.
// Launches One per group of projections that read the same value for the same
//          part (q, k and v; up and gate), per attention, norm, head and
//          embedding; rotations of queries and keys are one, so are their
//          norms. What works on single elements rides on the launch before it.
// Bytes    What steps read and write of activations when each stores its
//          results, the elementwise ones too; projections that share a launch
//          read their input once.
//
// At level 3, launches are the kernels and bytes what those read and write.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_MODELCOUNTS_H
#define PARABLOCK_ANALYSIS_MODELCOUNTS_H

#include "parablock/Analysis/Leftovers.h"
#include "parablock/Analysis/ParameterCounts.h"

namespace parablock {

/// Work of some steps. Floating-point, because counts may exceed 2^64; smaller
/// counts are exact.
struct StepCounts {
  double attentionFlops = 0, mlpFlops = 0, otherFlops = 0;
  /// The part of attention's work that is quadratic in the sequence length.
  double scoreFlops = 0;
  double bytes = 0;
  int64_t gemms = 0, launches = 0, norms = 0;

  double getFlops() const { return attentionFlops + mlpFlops + otherFlops; }
  StepCounts &operator+=(const StepCounts &other);
};

struct LayerCounts {
  block::LayerOp layer;
  /// "serial", "parallel", ...: see describeForm.
  llvm::StringRef form;
  ParameterCounts parameters;
  StepCounts steps;
  /// The same work without merged or fused steps.
  StepCounts unfused;
};

/// Sizes of the counts; a size that the function leaves dynamic is
/// assumed.
struct CountedSizes {
  int64_t batch = 1, sequence = 1;
  bool assumed = false;
};

struct ModelCounts {
  /// 1: whole blocks, 2: steps, 3: kernels.
  int level = 1;
  CountedSizes sizes;
  /// Bits of an element of the stream.
  unsigned elementBits = 32;
  ParameterCounts parameters;
  /// Parameters without positions, biases of projections and norms outside
  /// layers: the usual textbook count.
  uint64_t coreParameters = 0;
  StepCounts steps;
  /// Leftovers; their launches are also counted in the steps.
  LeftoverCounts leftovers;
  /// The smallest sequence length at which attention (with its projections)
  /// costs more than the MLPs; none if it never does or there are no MLPs.
  std::optional<int64_t> attentionPassesMlp;
  std::vector<LayerCounts> layers;

  double getFlopsPerToken() const;
};

/// Returns the sizes for the counts of `function`.
CountedSizes findCountedSizes(mlir::FunctionOpInterface function);

/// Returns the work of a layer of level 2 or 3 without merged projections or
/// folded norms, by the rules above: the baseline of rewriting.
StepCounts countUnfused(block::LayerOp layer, const CountedSizes &sizes);

/// Counts `function`. Fails with a diagnostic if a parameter's shape is not
/// static.
mlir::FailureOr<ModelCounts> countModel(mlir::FunctionOpInterface function);

/// Returns the wiring of a layer: `serial` (norms before the sublayers or
/// none), `parallel` (the MLP does not read the attention's result),
/// `post-norm`, `peri-norm` (before and after each sublayer),
/// `post-norm-in-branch`, `three-sublayer` and `three-sublayer-post-norm` (with
/// a cross-attention), `attention-only`, `mlp-only`, `other`.
llvm::StringRef describeForm(block::LayerOp layer);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_MODELCOUNTS_H
