//===- StoredMoves.h - moves of stored elements -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_EVALUATOR_STOREDMOVES_H
#define PARABLOCK_LIB_EVALUATOR_STOREDMOVES_H

#include "Loops.h"
#include "parablock/Judges/Evaluator/Stored.h"

namespace parablock::evaluator {

/// Copies the box of `shape` from one place to another.
void copyStored(llvm::ArrayRef<int64_t> shape, const StoredTensor &from,
                const Access &fromAccess, StoredTensor &to,
                const Access &toAccess);

/// Returns a whole row-major tensor as a place.
Access getPlace(const StoredTensor &tensor);

/// Makes a tensor of `shape` of the elements that lie where `from` says. Those
/// that lie side by side are shared, others copied.
StoredTensor gatherStored(const StoredTensor &source, const Access &from,
                          llvm::ArrayRef<int64_t> shape);

} // namespace parablock::evaluator

#endif // PARABLOCK_LIB_EVALUATOR_STOREDMOVES_H
