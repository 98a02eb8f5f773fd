//===- Broadcast.h - one function over whole tensors ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_EVALUATOR_BROADCAST_H
#define PARABLOCK_LIB_EVALUATOR_BROADCAST_H

#include "Scalars.h"
#include "Step.h"

namespace parablock::evaluator {

/// Applies `function` to the elements of `operands`, which have one rank; sizes
/// of 1 and scalars are broadcast.
mlir::FailureOr<Arrays> mapElements(Step &step,
                                    llvm::ArrayRef<const Array *> operands,
                                    ScalarFunction function);

} // namespace parablock::evaluator

#endif // PARABLOCK_LIB_EVALUATOR_BROADCAST_H
