//===- ActivationMoments.h - size of an activation's results ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_ACTIVATIONMOMENTS_H
#define PARABLOCK_LIB_GENERATE_ACTIVATIONMOMENTS_H

#include "parablock/Dialect/Block/BlockAttrs.h"

namespace parablock::generate {

/// Root mean square of `activation` on normal numbers of that deviation.
double getActivationRms(block::Activation activation, double deviation);

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_ACTIVATIONMOMENTS_H
