//===- Sizes.h - sizes given as constants or values -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_EVALUATOR_SIZES_H
#define PARABLOCK_LIB_EVALUATOR_SIZES_H

#include "Step.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace parablock::evaluator {

inline Shape readSizes(const Step &step,
                       llvm::ArrayRef<mlir::OpFoldResult> mixed) {
  Shape sizes;
  for (mlir::OpFoldResult size : mixed)
    if (auto value = llvm::dyn_cast<mlir::Value>(size))
      sizes.push_back(step.getWhole(value));
    else
      sizes.push_back(*mlir::getConstantIntValue(size));
  return sizes;
}

} // namespace parablock::evaluator

#endif // PARABLOCK_LIB_EVALUATOR_SIZES_H
