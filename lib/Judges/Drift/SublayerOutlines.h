//===- SublayerOutlines.h - the steps of a sublayer as functions *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_SUBLAYEROUTLINES_H
#define PARABLOCK_LIB_DRIFT_SUBLAYEROUTLINES_H

#include "Weights.h"

namespace parablock::drift {

/// A branch, whole and in steps. The arguments of every function are its input,
/// then the operands of its ops in the order of SublayerWeights; a projection
/// has a weight and a bias, even if the model has none.
struct SublayerOutlines {
  SublayerOutlines(const Sublayer &sublayer, Outliner &outliner);

  /// Adds the outlines of a mixture's router and of one of its experts.
  void addExperts(const Sublayer &sublayer, block::MoeOp op,
                  Outliner &outliner);
  /// Adds the outlines whose routers have an input of their own.
  void addRouted(const Sublayer &sublayer, Outliner &outliner);

  /// The norms before the attention or MLP.
  Outline head;
  /// The outline of the output projection's input.
  Outline features;
  /// The output projection and later ops; without a function if there are
  /// neither.
  Outline end;
  /// The outline of ops after the output projection; without a function if
  /// there are none.
  Outline tail;
  /// The norm of the sum; without a function if there is none.
  Outline postNorm;
  /// Head, features and end.
  Outline branch;
  /// The input of the down projection of a mixture's shared experts, times
  /// their gate; without a function if there are none.
  Outline sharedHidden;
  /// Indices and weights that a mixture's router chooses; without a function if
  /// there is none.
  Outline route;
  /// The input of one expert's output matrix. Its arguments are the input, one
  /// index and weight for each row, and the expert's up matrix, bias and an
  /// identity, each a stack of one.
  Outline expertHidden;
  /// Features and branch whose second argument is what routers read: behind
  /// the head, and before it.
  Outline routedFeatures, routedBranch;
};

/// The head with statistics and epsilon of another norm.
Outline makeHeadAs(const Sublayer &sublayer, Outliner &outliner,
                   block::NormAttr form);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_SUBLAYEROUTLINES_H
