//===- NearActivation.h - approximate activations ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_NEARACTIVATION_H
#define PARABLOCK_LIB_RAISE_NEARACTIVATION_H

#include "ElementFunction.h"
#include "parablock/Dialect/Block/BlockAttrs.h"

namespace parablock::raise {

/// The activation that a function is next to, times a factor.
struct NearActivation {
  block::Activation kind;
  double factor;
  /// The largest distance, divided by the factor, and where it is.
  double distance, at;
};
std::optional<NearActivation> findNearActivation(const ElementFunction &f);

/// Returns the activation that equals `f`, times `factor`: no result differs by
/// more than the f32 rounding error, one step of the argument's.
std::optional<block::Activation> findActivation(const ElementFunction &f,
                                                double &factor);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_NEARACTIVATION_H
