//===- SublayerRunner.h - a sublayer, step by step --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_SUBLAYERRUNNER_H
#define PARABLOCK_LIB_DRIFT_SUBLAYERRUNNER_H

#include "Dataset.h"
#include "Preparation.h"
#include "SublayerOutlines.h"

namespace parablock::drift {

/// Runs a sublayer or its steps on one chunk: prepared parts on an engine,
/// others exactly.
class SublayerRunner {
public:
  /// With `router`, a router may be given an input of its own.
  SublayerRunner(const Sublayer &sublayer, RouterInput router,
                 Outliner &outliner);

  /// Prepares the branch and, with `steps`, its steps for an engine.
  llvm::Error prepare(Preparation &preparation, bool steps);

  const Sublayer &sublayer() const { return model; }
  llvm::Expected<SublayerWeights> load(const ParameterSource &source) const {
    return loader.load(source);
  }

  /// Computes the projections' input: the norms of the branch applied to
  /// `stream`.
  llvm::Expected<Tensor> runHead(const Tensor &stream,
                                 const SublayerWeights &weights) const;
  /// Runs the head as `headAs`, a function of makeHeadAs().
  llvm::Expected<Tensor> runHeadAs(const Outline &headAs, const Tensor &stream,
                                   const SublayerWeights &weights) const;
  /// Computes the output projection's input: the concatenated heads of the
  /// attention, or the hidden units of the MLP. Routers read `router`, if it is
  /// not null, in place of `normed`.
  llvm::Expected<Tensor> runFeatures(const Tensor &normed,
                                     const SublayerWeights &weights,
                                     const Dataset &data, const Chunk &chunk,
                                     const Tensor *router = nullptr) const;
  /// Returns the experts that routers choose for each row of `normed`, sorted,
  /// one router after another.
  llvm::Expected<std::vector<reference::Choice>>
  findExperts(const Tensor &normed, const SublayerWeights &weights,
              const Dataset &data, const Chunk &chunk) const;
  /// Computes what the down projection of a mixture's shared experts reads,
  /// times their gate.
  llvm::Expected<Tensor> runSharedHidden(const Tensor &normed,
                                         const SublayerWeights &weights,
                                         const Dataset &data,
                                         const Chunk &chunk) const;
  /// Returns indices and weights of a mixture's slots for each row of `router`,
  /// `[batch, sequence, slots]`.
  llvm::Expected<Tensors> runRoute(const Tensor &router,
                                   const SublayerWeights &weights,
                                   const Dataset &data,
                                   const Chunk &chunk) const;
  /// Computes what the output matrix of expert `expert` of a mixture reads in
  /// each row, with the factor of its output; 0 where `routed` has other
  /// experts.
  llvm::Expected<Tensor> runExpertHidden(const Tensor &normed,
                                         const Tensors &routed, int64_t expert,
                                         const SublayerWeights &weights) const;
  /// Output projection and tail.
  llvm::Expected<Tensor> runEnd(const Tensor &features,
                                const SublayerWeights &weights) const;
  /// Runs the whole branch, `exactly` or as prepared. Routers read the stream
  /// `fresh`, if it is not null, in place of `stream`.
  llvm::Expected<Tensor> runBranch(const Tensor &stream,
                                   const SublayerWeights &weights,
                                   const Dataset &data, const Chunk &chunk,
                                   bool exactly = false,
                                   const Tensor *fresh = nullptr) const;
  /// Computes the stream behind the sublayer from the sum of stream and branch.
  llvm::Expected<Tensor> finish(Tensor sum,
                                const SublayerWeights &weights) const;
  /// Computes that sum in series.
  llvm::Expected<Tensor> runSum(const Tensor &stream,
                                const SublayerWeights &weights,
                                const Dataset &data, const Chunk &chunk) const;
  /// The stream behind the sublayer.
  llvm::Expected<Tensor> runSerial(const Tensor &stream,
                                   const SublayerWeights &weights,
                                   const Dataset &data,
                                   const Chunk &chunk) const;

  /// Returns whether the tail consists of gains, so that output weights can be
  /// corrected.
  bool hasLinearTail() const;
  /// Returns the factor of each channel in the tail, if it is linear.
  llvm::Expected<std::vector<double>>
  getTailGain(const SublayerWeights &weights) const;
  /// The form of the norm that is all of the head, or null.
  block::NormAttr getHeadNorm() const;

private:
  llvm::Error appendInner(Tensors &to, const SublayerWeights &weights,
                          const Dataset &data, const Chunk &chunk) const;

  const Sublayer &model;
  WeightLoader loader;
  SublayerOutlines outlines;
  /// Outlines of upstream ops that compute elements of Sublayer::others from
  /// inputs.
  llvm::DenseMap<mlir::Value, Outline> madeOfInputs;
};

/// `input weight^T + bias`.
Tensor project(const Tensor &input, const LinearWeights &weights);

/// `factor * a + otherFactor * b`.
Tensor combine(double factor, const Tensor &a, double otherFactor,
               const Tensor &b);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_SUBLAYERRUNNER_H
