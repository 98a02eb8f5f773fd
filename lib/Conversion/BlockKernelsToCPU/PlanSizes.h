//===- PlanSizes.h - dynamic sizes of results -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_PLANSIZES_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_PLANSIZES_H

#include "PlanWriter.h"

namespace parablock::cpugen {

/// Finds a size of `value`, where it is one of an argument, or a number.
mlir::FailureOr<OpFoldResult> findExtent(const PlanWriter &plan, Value value,
                                         unsigned dim);

/// Returns the sum of two sizes.
OpFoldResult makeSum(const PlanWriter &plan, OpFoldResult a, OpFoldResult b);

/// Finds the value of an index: a size of a tensor, or a constant.
mlir::FailureOr<OpFoldResult> findSize(const PlanWriter &plan,
                                       OpFoldResult size);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_PLANSIZES_H
