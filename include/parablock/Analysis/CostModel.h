//===- CostModel.h - costs of steps on a chip -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A launch costs a fixed time plus the maximum of two times: its arithmetic at
// the peak rate of the chip, and its traffic at full bandwidth. The arithmetic
// of a projection counts whole tiles; a step on whole heads rounds tiles down
// to whole heads, and the rest of each tile is wasted. Tiles are assumed to
// keep every multiprocessor busy, since kernels split the depth of a tile if
// there are few tiles. Each kernel reads and writes its weights and activations
// once; no cache is assumed.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_COSTMODEL_H
#define PARABLOCK_ANALYSIS_COSTMODEL_H

#include "parablock/Analysis/ModelCounts.h"
#include "parablock/Dialect/Block/ComputedRows.h"
#include "parablock/Support/Chips.h"

namespace parablock {

/// The cost of some steps.
struct Cost {
  double flops = 0;
  /// Bytes of activations.
  double bytes = 0;
  double launches = 0;
  /// 0 on chips without peaks, infinite if no tile fits a head.
  double seconds = 0;

  Cost &operator+=(const Cost &other);
};

/// Returns how many consecutive columns a tile must hold together for `op`: the
/// columns of a head or of a partial statistic, else 1.
int64_t getGranule(mlir::Operation *op);

class CostModel {
public:
  CostModel(const Chip &chip, const CountedSizes &sizes)
      : chip(chip), sizes(sizes) {}

  /// Returns whether the chip's rates are known, so that times can be
  /// predicted.
  bool hasTimes() const { return chip.bandwidth > 0; }
  /// Returns whether kernels run as device code.
  bool isOfDevice() const { return chip.isDevice(); }

  /// Sum of the costs of `steps` in separate launches, counted as in
  /// ModelCounts.h.
  Cost estimateApart(llvm::ArrayRef<mlir::Operation *> steps) const;

  /// Cost of all `steps` in one launch.
  Cost estimateTogether(llvm::ArrayRef<mlir::Operation *> steps) const;

  /// Returns whether each CTA of a product computes the few rows `rows` in less
  /// time than a launch for them takes.
  bool isFasterWithRows(mlir::Operation *product,
                        const block::ComputedRows &rows) const;

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
