//===- SublayerOutlines.h - the steps of a sublayer as functions *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_SUBLAYEROUTLINES_H
#define PARABLOCK_LIB_DRIFT_SUBLAYEROUTLINES_H

#include "Weights.h"

namespace parablock::drift {

/// A branch, whole and in steps. Every function takes what it works on, then
/// the operands of its ops in the order of SublayerWeights; a projection has a
/// weight and a bias, also where the model has none.
struct SublayerOutlines {
  SublayerOutlines(const Sublayer &sublayer, Outliner &outliner);

  /// The norms before the attention or MLP.
  Outline head;
  /// The outline of what the output projection reads.
  Outline features;
  /// The output projection and what follows; without a function where there is
  /// neither.
  Outline end;
  /// The outline of what follows the output projection; without a function
  /// where nothing does.
  Outline tail;
  /// Head, features and end.
  Outline branch;
};

/// The head with statistics and epsilon of another norm.
Outline makeHeadAs(const Sublayer &sublayer, Outliner &outliner,
                   block::NormAttr form);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_SUBLAYEROUTLINES_H
