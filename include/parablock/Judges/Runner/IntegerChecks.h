//===- IntegerChecks.h - ids and lengths that make sense --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RUNNER_INTEGERCHECKS_H
#define PARABLOCK_RUNNER_INTEGERCHECKS_H

#include "parablock/Judges/Runner/Engine.h"
#include "parablock/Judges/Runner/InputFacts.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock::runner {

/// An error where a value of the input `name` contradicts `fact`: engines that
/// compile do not look at each.
llvm::Error checkIntegers(llvm::StringRef name, const InputFact &fact,
                          llvm::ArrayRef<int64_t> shape,
                          llvm::function_ref<int64_t(size_t)> getValue);

/// The same for all arguments of a function.
llvm::Error checkIntegerInputs(mlir::func::FuncOp function,
                               llvm::ArrayRef<Tensor> arguments);

} // namespace parablock::runner

#endif // PARABLOCK_RUNNER_INTEGERCHECKS_H
