//===- PackTensors.h - recipes on tensors in memory -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RECIPE_PACKTENSORS_H
#define PARABLOCK_RECIPE_PACKTENSORS_H

#include "parablock/Transforms/Recipe/Recipe.h"

namespace parablock::recipe {

/// A tensor of a checkpoint, wherever it lies.
struct OriginalTensor {
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t> shape;
  llvm::ArrayRef<uint8_t> bytes;
};

/// Returns the names of the tensors of a checkpoint that a result of @prepack
/// depends on.
llvm::SmallVector<llvm::StringRef> listOriginals(const Recipe &recipe,
                                                 unsigned result);

/// Returns whether a result of @prepack has the bytes of one of its arguments.
bool isOriginal(const Recipe &recipe, unsigned result);

using ReceivePiece =
    llvm::function_ref<llvm::Error(uint64_t offset, llvm::ArrayRef<uint8_t>)>;

/// Packs a result of @prepack from the tensors that listOriginals names;
/// `receive` gets its bytes in order. Floats of another type than the recipe's
/// are rounded to that. A tensor that is packed as it is, is passed on without
/// a copy.
llvm::Error packTensor(const Recipe &recipe, unsigned result,
                       llvm::ArrayRef<OriginalTensor> originals,
                       ReceivePiece receive);

} // namespace parablock::recipe

#endif // PARABLOCK_RECIPE_PACKTENSORS_H
