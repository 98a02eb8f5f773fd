//===- StartedSteps.h - steps that are started and awaited ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PLAN_STARTEDSTEPS_H
#define PARABLOCK_PLAN_STARTEDSTEPS_H

#include "parablock/Dialect/Plan/PlanOps.h"

namespace parablock::plan {

/// Checks that each step that `starts` is awaited before others use what it
/// writes, and before a launch that reports.
mlir::LogicalResult verifyStartedSteps(RunOp run);

/// Moves each step that `starts` up to the last one that it needs, and each
/// that `awaits`, with the steps that depend on it, behind those that do not,
/// up to the next one that awaits. No launch that reports is between them: it
/// precedes the start, or follows the await that it depends on. Each await must
/// directly follow its start.
void delayAwaits(RunOp run);

} // namespace parablock::plan

#endif // PARABLOCK_PLAN_STARTEDSTEPS_H
