//===- Boxes.h - parts of tensors -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_EVALUATOR_BOXES_H
#define PARABLOCK_LIB_EVALUATOR_BOXES_H

#include "Loops.h"
#include "Step.h"

namespace parablock::evaluator {

/// A part of a tensor: offsets, sizes and strides.
struct Box {
  Shape offsets, sizes, strides;
};

/// A tensor as rows along one axis.
struct Axis {
  int64_t outer = 1, size = 1, inner = 1;

  Axis(llvm::ArrayRef<int64_t> shape, unsigned axis) : size(shape[axis]) {
    for (int64_t other : shape.take_front(axis))
      outer *= other;
    for (int64_t other : shape.drop_front(axis + 1))
      inner *= other;
  }
};

/// Returns the places of the elements of `box` in a tensor of `shape`; an error
/// if some are outside.
mlir::FailureOr<Access> getBoxAccess(Step &step, const Box &box,
                                     llvm::ArrayRef<int64_t> shape);

/// A whole tensor as a box.
Access getWholeAccess(llvm::ArrayRef<int64_t> shape);

/// Dimension `i` of the result is dimension `permutation[i]` of the source.
mlir::FailureOr<Arrays> permute(Step &step, const Array &source,
                                llvm::ArrayRef<int64_t> permutation);

/// The inputs one after the other along `dim`.
mlir::FailureOr<Arrays>
concatenate(Step &step, llvm::ArrayRef<const Array *> inputs, unsigned dim);

/// `source` at `low` in a tensor of `shape` full of `value`.
mlir::FailureOr<Arrays> pad(Step &step, const Array &source,
                            llvm::ArrayRef<int64_t> low,
                            llvm::ArrayRef<int64_t> shape, double value);

/// The box of `source` as a tensor of the box's sizes, reshaped to `shape`.
mlir::FailureOr<Arrays> cut(Step &step, const Array &source, const Box &box,
                            llvm::ArrayRef<int64_t> shape);

} // namespace parablock::evaluator

#endif // PARABLOCK_LIB_EVALUATOR_BOXES_H
