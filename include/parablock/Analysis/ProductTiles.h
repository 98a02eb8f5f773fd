//===- ProductTiles.h - tiles of products and their cycles ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The tiles that code exists for, and their cycles on a chip: a step along the
// depth takes as long as the slowest of tensor cores, shared memory and the
// cache shared by all multiprocessors. The cache delivers less where pairs of
// CTAs share the weight they read. Used to form kernels and to choose their
// schedules.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_PRODUCTTILES_H
#define PARABLOCK_ANALYSIS_PRODUCTTILES_H

#include "parablock/Support/Chips.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace parablock {

/// The most rows of a product whose time reading the weight limits.
inline constexpr int64_t mostFewRows = 64;

/// Rows that a kernel for few normalises at most if scales of its codes apply
/// to groups of columns: their sums leave registers to no more, counted in
/// machine code.
inline constexpr int64_t mostComputedBesideGroups = 32;

/// A tile, and how a CTA computes it.
struct ProductTile {
  int64_t rows, columns, cluster;
  /// Warps that compute, and others that copy.
  int64_t warps = 0, producers = 0;
  int64_t stages = 0;
  /// Parts of its rows that a warp's epilogue processes in sequence.
  int64_t parts = 1;
  /// True if the epilogue reads the sums in registers.
  bool staysInRegisters = false;
  /// True if the weight is the left operand, whose rows come in more units than
  /// those of the right one.
  bool weightIsLeft = false;
};

/// A chip with its rates of multiplying operands of some type, for any
/// tile.
struct ProductMachine {
  const Chip &chip;
  /// Element size of the operands; tensor cores do not multiply f32.
  int64_t elementBytes;
  /// True if TMA copies operands for warpgroups.
  bool isWgmma;
  /// Bytes of a row of a step: of the weight, and of the other operand.
  int64_t weightBytes = 128, otherBytes = 128;

  bool isFma() const { return elementBytes == 4; }
  /// Returns the depth of a step: a row of 128 bytes if neither is codes.
  int64_t getStepDepth() const { return otherBytes / elementBytes; }
  /// Returns the bytes that one step copies.
  int64_t getStageBytes(const ProductTile &tile) const {
    return tile.rows * otherBytes + tile.columns * weightBytes;
  }

  /// Returns the tiles that code exists for.
  llvm::SmallVector<ProductTile> listTiles() const;

  /// Returns the tile for `count` products of `rows` rows, `columns` columns
  /// and `steps` steps that takes the fewest cycles, without a cluster and with
  /// the weight on the right, and sets `tiles` to the number of its tiles.
  std::optional<ProductTile> chooseTile(int64_t count, int64_t rows,
                                        int64_t columns, int64_t steps,
                                        int64_t &tiles) const;

  /// Returns those with room for all `rows` of a product of few.
  llvm::SmallVector<ProductTile> listFewRowsTiles(int64_t rows) const;

  /// Sets the largest number of stages that fits into `limit` bytes, with the
  /// smallest number of partial sums that allows it; returns false if none
  /// fits.
  bool fitSharedMemory(ProductTile &tile, bool mayPart, int64_t limit) const;

  /// Estimates the fraction of the peak that steps along the depth reach.
  double estimateEfficiency(const ProductTile &tile) const;

  /// Estimates the cycles of a tile of `steps` along the depth; the epilogue
  /// covers `columns` of its columns.
  double estimateTile(const ProductTile &tile, int64_t steps,
                      int64_t columns) const;

  /// Estimates the seconds for all tiles of a product of few rows, limited by
  /// reading the weight from memory: `columnTiles` of `steps`, each shared by
  /// several CTAs, of which each multiprocessor has `together`; a cluster
  /// `joins` their sums, or the last one does through memory. Rows that the
  /// kernel computes take a CTA `perStep` seconds of each step.
  double estimateFewRows(const ProductTile &tile, int64_t rows, int64_t steps,
                         int64_t columnTiles, int64_t splits, bool joins,
                         int64_t together, double perStep = 0) const;

  /// Estimates the seconds that a CTA computes the columns of a step of `rows`
  /// rows before their product.
  double estimateRowsOfStep(int64_t rows) const;

  /// Estimates the seconds that rows which a product of few computes add to the
  /// time of reading the `weightBytes` bytes of its weight.
  double estimateComputedRows(int64_t rows, int64_t depth, int64_t columns,
                              double weightBytes) const;

private:
  double getRate() const;
  double estimateProducts(const ProductTile &tile) const;
  double estimateStep(const ProductTile &tile) const;
  int64_t countConcurrent(int64_t cluster, int64_t together) const;
};

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_PRODUCTTILES_H
