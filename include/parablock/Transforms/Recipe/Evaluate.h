//===- Evaluate.h - the value of an expression ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RECIPE_EVALUATE_H
#define PARABLOCK_RECIPE_EVALUATE_H

#include "parablock/Transforms/Recipe/Expression.h"
#include "llvm/ADT/ArrayRef.h"

namespace parablock::recipe {

/// A tensor as files store it, row-major and little-endian: either the bytes of
/// an open file or memory of its own.
struct StoredTensor {
  TensorType type;
  llvm::ArrayRef<uint8_t> bytes;
  std::shared_ptr<std::vector<uint8_t>> memory;

  /// Zeros of its own.
  static StoredTensor allocate(TensorType type);
  llvm::MutableArrayRef<uint8_t> mutableBytes() { return *memory; }
};

/// `tensor` with every element rounded to `element`.
StoredTensor convert(const StoredTensor &tensor, ElementType element);

using SourceLookup =
    llvm::function_ref<llvm::Expected<StoredTensor>(const Expression &)>;

/// Every operation computes in double and rounds once to its own type. What is
/// only moved is never decoded. Errors are those of `lookup`, which must give
/// each source its type.
llvm::Expected<StoredTensor> evaluate(const Expression &expression,
                                      SourceLookup lookup);

} // namespace parablock::recipe

#endif // PARABLOCK_RECIPE_EVALUATE_H
