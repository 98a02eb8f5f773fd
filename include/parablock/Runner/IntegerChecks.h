//===- IntegerChecks.h - ids and lengths that make sense --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RUNNER_INTEGERCHECKS_H
#define PARABLOCK_RUNNER_INTEGERCHECKS_H

#include "parablock/Runner/InputFacts.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock::runner {

/// An error where one of the `count` values of the input `name` contradicts
/// `fact`: engines that compile do not look at each.
llvm::Error checkIntegers(llvm::StringRef name, const InputFact &fact,
                          size_t count,
                          llvm::function_ref<int64_t(size_t)> getValue);

} // namespace parablock::runner

#endif // PARABLOCK_RUNNER_INTEGERCHECKS_H
