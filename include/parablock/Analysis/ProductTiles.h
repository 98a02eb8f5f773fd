//===- ProductTiles.h - tiles of products, and what they take ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The tiles that there is code for, and the cycles that they take on a chip: a
// step along the depth takes as long as the slowest of tensor cores, shared
// memory, and the cache that all multiprocessors share, which gives less where
// pairs of CTAs share what they read of the weight. What forms kernels and what
// chooses their schedules both ask this.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_PRODUCTTILES_H
#define PARABLOCK_ANALYSIS_PRODUCTTILES_H

#include "parablock/Support/Chips.h"
#include "llvm/ADT/SmallVector.h"

namespace parablock {

/// A tile, and how a CTA goes about it.
struct ProductTile {
  int64_t rows, columns, cluster;
  int64_t warps = 0, stages = 0;
  /// Parts of its rows that a warp's epilogue takes one after the other.
  int64_t parts = 1;
  /// True where the epilogue is done where the sums are.
  bool staysInRegisters = false;
};

/// A chip, and how operands of some type are multiplied there, whatever the
/// tile.
struct ProductMachine {
  const Chip &chip;
  /// Sizes of the operands' elements; no tensor core multiplies f32.
  int64_t elementBytes;
  /// True where TMA copies for warpgroups.
  bool isWgmma;

  bool isFma() const { return elementBytes == 4; }
  /// Along the depth, a row of 128 bytes.
  int64_t getStepDepth() const { return 128 / elementBytes; }
  int64_t getProducers() const { return isWgmma ? 4 : 0; }

  /// Gives the tiles that there is code for.
  llvm::SmallVector<ProductTile> listTiles() const;

  /// Gives the tile as many stages as there are and fit, beside the smallest
  /// number of parts of the sums that do; false where none do.
  bool fitSharedMemory(ProductTile &tile, bool mayPart) const;

  /// Estimates the share of the peak that steps along the depth reach.
  double estimateEfficiency(const ProductTile &tile) const;

  /// Estimates the cycles of a tile of `steps` along the depth, of whose
  /// columns the epilogue has `columns`.
  double estimateTile(const ProductTile &tile, int64_t steps,
                      int64_t columns) const;

  /// Estimates the seconds that all tiles of a product of few rows take, which
  /// memory brings the weight of: `columnTiles` of `steps`, that so many CTAs
  /// share.
  double estimateFewRows(const ProductTile &tile, int64_t rows, int64_t steps,
                         int64_t columnTiles, int64_t splits) const;

private:
  double getRate() const;
  double estimateProducts(const ProductTile &tile) const;
  double estimateStep(const ProductTile &tile) const;
};

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_PRODUCTTILES_H
