//===- StoredMoves.h - moves of stored elements -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_EVALUATOR_STOREDMOVES_H
#define PARABLOCK_LIB_EVALUATOR_STOREDMOVES_H

#include "Loops.h"
#include "parablock/Judges/Evaluator/Stored.h"

namespace parablock::evaluator {

/// Elements of a tensor, possibly not contiguous: moves are applied when they
/// are read.
struct StoredView {
  /// The bytes of all elements that there are, with the shape of the view.
  StoredTensor tensor;
  Access place;

  StoredView() = default;
  StoredView(StoredTensor whole);
};

/// Returns `count` indices of dimension `dim`, from `begin` on.
StoredView cutView(StoredView view, unsigned dim, int64_t begin, int64_t count);

/// Converts a view to a tensor. Contiguous elements are shared, others
/// copied.
StoredTensor gatherStored(const StoredView &view);

/// Copies a view to a place in a tensor.
void copyStored(const StoredView &from, StoredTensor &to, const Access &place);

} // namespace parablock::evaluator

#endif // PARABLOCK_LIB_EVALUATOR_STOREDMOVES_H
