//===- CheckPlans.h - what is lowered can be launched -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_PIPELINES_CHECKPLANS_H
#define PARABLOCK_LIB_PIPELINES_CHECKPLANS_H

#include "mlir/Pass/Pass.h"

namespace parablock {

/// Fails where a function of device code is more than launches of it: code of
/// such a function would be a part of the model, and nobody would know.
std::unique_ptr<mlir::Pass> createCheckPlans();

} // namespace parablock

#endif // PARABLOCK_LIB_PIPELINES_CHECKPLANS_H
