//===- Evaluation.h - values of single operations ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RECIPE_EVALUATION_H
#define PARABLOCK_LIB_RECIPE_EVALUATION_H

#include "parablock/Transforms/Recipe/Evaluate.h"

namespace parablock::recipe {

// Moves of elements that stay as they are.
StoredTensor moveSlice(const Expression &slice, const StoredTensor &input);
StoredTensor moveTranspose(const Expression &transpose,
                           const StoredTensor &input);
StoredTensor moveBroadcast(const Expression &broadcast,
                           const StoredTensor &input);
/// Copies `input` to where it begins in dimension `dim` of `result`.
void moveIntoConcat(StoredTensor &result, const StoredTensor &input,
                    int64_t dim, int64_t offset);

/// Operands by position, null where missing.
using Operands = llvm::ArrayRef<const StoredTensor *>;

/// The operations that compute.
StoredTensor compute(const Expression &expression, Operands operands);

} // namespace parablock::recipe

#endif // PARABLOCK_LIB_RECIPE_EVALUATION_H
