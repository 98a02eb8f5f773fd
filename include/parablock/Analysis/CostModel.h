//===- CostModel.h - what steps cost on a chip ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A launch takes a fixed time and, beside it, the longer of two: its arithmetic
// at the peak of the chip, or its traffic at full bandwidth. The arithmetic of
// a projection is that of whole tiles; a step that works on whole heads makes
// tiles hold whole heads, and what is left of a tile is wasted. Tiles are taken
// to keep every multiprocessor busy, for kernels share the depth of a tile
// where there are few. Of weights and activations each kernel reads and writes
// what it has to, once; no cache is assumed.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_COSTMODEL_H
#define PARABLOCK_ANALYSIS_COSTMODEL_H

#include "parablock/Analysis/ModelCounts.h"
#include "parablock/Support/Chips.h"

namespace parablock {

/// The cost of some steps.
struct Cost {
  double flops = 0;
  /// Bytes of activations.
  double bytes = 0;
  double launches = 0;
  /// 0 on chips without peaks, infinite where no tile holds a head.
  double seconds = 0;

  Cost &operator+=(const Cost &other);
};

/// Consecutive columns that a tile has to hold together for `op`, which works
/// on them as one: those of a head, or of a partial statistic. Else 1.
int64_t getGranule(mlir::Operation *op);

class CostModel {
public:
  CostModel(const Chip &chip, const CountedSizes &sizes)
      : chip(chip), sizes(sizes) {}

  /// Tells whether it predicts times.
  bool hasTimes() const { return chip.bandwidth > 0; }

  /// Each of `steps` on its own, counted as in ModelCounts.h.
  Cost estimateApart(llvm::ArrayRef<mlir::Operation *> steps) const;

  /// All of `steps` in one launch.
  Cost estimateTogether(llvm::ArrayRef<mlir::Operation *> steps) const;

private:
  /// Time to multiply for `steps`, of which `root` is the projection.
  double estimateProduct(mlir::Operation *root,
                         llvm::ArrayRef<mlir::Operation *> steps) const;
  double getPeak(mlir::Operation *op) const;

  Chip chip;
  CountedSizes sizes;
};

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_COSTMODEL_H
