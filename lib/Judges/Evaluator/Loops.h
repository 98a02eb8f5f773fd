//===- Loops.h - walks over strided operands --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_EVALUATOR_LOOPS_H
#define PARABLOCK_LIB_EVALUATOR_LOOPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <cstring>

namespace parablock::evaluator {

/// The place of an operand's element: `offset` plus the sum of loop index times
/// stride.
struct Access {
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;
};

/// The distances of neighbours in each dimension of a row-major tensor.
llvm::SmallVector<int64_t> getRowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// A walk through nested loops, the innermost one in pieces.
struct LoopNest {
  /// From the outermost to the innermost.
  llvm::SmallVector<int64_t> sizes;
  /// The names of the loops in `Piece::indices`.
  llvm::SmallVector<unsigned> names;
  llvm::SmallVector<Access> accesses;

  /// Elements that follow each other along the innermost loop.
  struct Piece {
    /// The offset of the first element in each operand.
    llvm::ArrayRef<int64_t> offsets;
    /// The index of each loop at the first element, by name.
    llvm::ArrayRef<int64_t> indices;
    int64_t count;
  };

  /// Merges two loops wherever every operand allows it. Names are lost.
  void fuse();

  /// Stops when `body` fails, and is then false.
  bool forEachPiece(int64_t longest,
                    llvm::function_ref<bool(const Piece &)> body) const;

  int64_t getInnerStride(unsigned operand) const {
    return sizes.empty() ? 0 : accesses[operand].strides.back();
  }
};

/// Copy between contiguous numbers and elements `stride` apart.
void gather(const double *from, int64_t stride, int64_t count, double *to);
void scatter(const double *from, int64_t count, double *to, int64_t stride);

/// Copies the box of `shape` from one place to another. Elements may be
/// anywhere; their size is a constant, so that a copy is an instruction.
template <typename Element>
void copyBox(llvm::ArrayRef<int64_t> shape, const void *from,
             const Access &fromAccess, void *to, const Access &toAccess) {
  LoopNest nest;
  nest.sizes.assign(shape.begin(), shape.end());
  nest.accesses = {fromAccess, toAccess};
  nest.fuse();
  int64_t fromStride = nest.getInnerStride(0) * int64_t(sizeof(Element));
  int64_t toStride = nest.getInnerStride(1) * int64_t(sizeof(Element));
  bool isOnePart =
      fromStride == toStride && fromStride == int64_t(sizeof(Element));
  nest.forEachPiece(int64_t(1) << 20, [&](const LoopNest::Piece &piece) {
    auto *source =
        static_cast<const char *>(from) + piece.offsets[0] * sizeof(Element);
    auto *target = static_cast<char *>(to) + piece.offsets[1] * sizeof(Element);
    if (isOnePart)
      std::memcpy(target, source, piece.count * sizeof(Element));
    else
      for (int64_t i = 0; i < piece.count; ++i)
        std::memcpy(target + i * toStride, source + i * fromStride,
                    sizeof(Element));
    return true;
  });
}

} // namespace parablock::evaluator

#endif // PARABLOCK_LIB_EVALUATOR_LOOPS_H
