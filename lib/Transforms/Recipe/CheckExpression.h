//===- CheckExpression.h - types of operations ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RECIPE_CHECKEXPRESSION_H
#define PARABLOCK_LIB_RECIPE_CHECKEXPRESSION_H

#include "parablock/Transforms/Recipe/Expression.h"

namespace parablock::recipe {

inline constexpr unsigned anyNumber = ~0u;

/// How many operands an operation takes: `minOperands` that must be there, then
/// `numOptional` that may be missing.
struct OperationInfo {
  llvm::StringRef name;
  unsigned minOperands, numOptional, maxOperands;
};

const OperationInfo &getInfo(Operation operation);

/// Checks operands and fields against each other and completes the type.
llvm::Error inferType(Expression &draft);

} // namespace parablock::recipe

#endif // PARABLOCK_LIB_RECIPE_CHECKEXPRESSION_H
