//===- ProductTiles.cpp - lists tiles and estimates their cycles ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/ProductTiles.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace parablock;

llvm::SmallVector<ProductTile> ProductMachine::listTiles() const {
  llvm::SmallVector<ProductTile> tiles;
  for (int64_t rows : {128, 64})
    for (int64_t columns : {128, 192, 256})
      for (int64_t cluster : {1, 2}) {
        ProductTile tile{rows, columns, cluster};
        // As many sums as a thread has registers for.
        bool isSmall = rows * columns <= 16384;
        bool isUsual = cluster == 1 && columns != 192;
        tile.producers = isWgmma ? 4 : 0;
        if (isWgmma)
          tile.warps = rows / 16;
        else if (isFma())
          tile.warps = isUsual && rows == 64 ? 8 : 0;
        else
          tile.warps = isUsual && isSmall ? rows * columns / 2048 : 0;
        if (tile.warps > 0)
          tiles.push_back(tile);
      }
  return tiles;
}

std::optional<ProductTile>
ProductMachine::chooseTile(int64_t count, int64_t rows, int64_t columns,
                           int64_t steps, int64_t &tiles) const {
  std::optional<ProductTile> chosen;
  double least = 0;
  for (ProductTile tile : listTiles()) {
    if (tile.cluster != 1 || tile.weightIsLeft ||
        !fitSharedMemory(tile, /*mayPart=*/isWgmma, chip.sharedBytes))
      continue;
    int64_t needed = count * llvm::divideCeil(rows, tile.rows) *
                     llvm::divideCeil(columns, tile.columns);
    double cost =
        static_cast<double>(llvm::divideCeil(needed, chip.multiprocessors)) *
        estimateTile(tile, steps, tile.columns);
    if (chosen && cost >= least)
      continue;
    least = cost;
    chosen = tile;
    tiles = needed;
  }
  return chosen;
}

llvm::SmallVector<ProductTile>
ProductMachine::listFewRowsTiles(int64_t rows) const {
  llvm::SmallVector<ProductTile> tiles;
  if (isFma()) {
    for (const ProductTile &tile : listTiles())
      if (tile.rows >= rows && tile.rows <= mostFewRows)
        tiles.push_back(tile);
    return tiles;
  }
  int64_t unit = isWgmma ? 8 : 16;
  for (int64_t columns : {64, 128, 256}) {
    ProductTile tile{static_cast<int64_t>(llvm::alignTo(rows, unit)), columns,
                     /*cluster=*/1};
    tile.weightIsLeft = true;
    tile.warps = isWgmma ? columns / 16 : 4;
    // One is enough to copy, and more would take registers from others.
    tile.producers = isWgmma ? 1 : 0;
    tiles.push_back(tile);
  }
  return tiles;
}

bool ProductMachine::fitSharedMemory(ProductTile &tile, bool mayPart,
                                     int64_t limit) const {
  constexpr int64_t alignment = 1024, barriers = 16, padding = 32;
  // Bytes that CTAs that join sums need, too.
  constexpr int64_t others = 16;
  // More stages do not hide more: steps are as long as memory takes.
  int64_t mostStages = isWgmma ? 4 : isFma() ? 2 : 3;
  // But before the previous launch has ended, a ring is filled once.
  if (isWgmma && tile.weightIsLeft)
    mostStages = 8;
  int64_t stage = getStageBytes(tile);
  int64_t sums = tile.staysInRegisters
                     ? tile.warps * 4096
                     : tile.rows * (tile.columns * 4 + padding);
  for (int64_t stages = mostStages; stages > 1; --stages)
    for (int64_t parts = 1; parts <= (mayPart ? 4 : 1); parts *= 2) {
      int64_t ring = stages * stage;
      // If other warps copy, both ring and sums exist at the same time.
      int64_t bytes = tile.producers == 0
                          ? std::max(ring, sums)
                          : llvm::alignTo(ring + stages * barriers, alignment) +
                                sums / parts;
      if (bytes + others > limit)
        continue;
      tile.stages = stages;
      tile.parts = parts;
      return true;
    }
  return false;
}

/// Multiply-adds of a multiprocessor in a cycle.
double ProductMachine::getRate() const {
  auto rate = static_cast<double>(chip.multiplyAdds);
  if (isFma())
    return rate * chip.flops32 / chip.flops16;
  if (elementBytes == 1)
    return 2 * rate;
  // Chips with wgmma run the other instruction at half rate.
  return chip.isHopper && !isWgmma ? rate / 2 : rate;
}

/// Cycles of a step's products, were nothing else in the way.
double ProductMachine::estimateProducts(const ProductTile &tile) const {
  return static_cast<double>(tile.rows * tile.columns * getStepDepth()) /
         getRate();
}

/// Estimates the cycles of a step along the depth.
double ProductMachine::estimateStep(const ProductTile &tile) const {
  double multiply = estimateProducts(tile);
  // One warp for each processor waits for its own operands.
  constexpr double alone = 0.8;
  if (!isWgmma && !isFma() && tile.warps < 8)
    multiply /= alone;
  // Copies into shared memory, and reads by each warp or group of four.
  int64_t bytes = getStageBytes(tile), groups = tile.warps;
  if (isWgmma) {
    // Sums of 8 bits are those of 128 columns at a time.
    int64_t reads = elementBytes == 1 ? llvm::divideCeil(tile.columns, 128) : 1;
    bytes += reads * tile.rows * otherBytes +
             tile.warps / 4 * tile.columns * weightBytes;
  } else {
    int64_t along = std::max<int64_t>(1, tile.rows / 64);
    bytes += groups / along * tile.rows * otherBytes +
             along * tile.columns * weightBytes;
  }
  double shared =
      static_cast<double>(bytes) / static_cast<double>(chip.sharedRate);
  int64_t own =
      tile.rows * otherBytes + tile.columns * weightBytes / tile.cluster;
  double cached = static_cast<double>(own) *
                  static_cast<double>(chip.multiprocessors) /
                  static_cast<double>(chip.cacheRate);
  return std::max({multiply, shared, cached});
}

double ProductMachine::estimateEfficiency(const ProductTile &tile) const {
  return estimateProducts(tile) / estimateStep(tile);
}

double ProductMachine::estimateTile(const ProductTile &tile, int64_t steps,
                                    int64_t columns) const {
  // The first step, and the last product, that nothing hides.
  constexpr double latency = 500;
  // Per element: bytes into and out of shared memory, and instructions of each
  // of four processors.
  double sumBytes = 8, instructions = 0.1;
  // A lane processes two columns at a time, or four.
  int64_t unit = columns < 128 ? 64 : 128;
  if (tile.staysInRegisters) {
    sumBytes = 4;
    instructions = 0.06;
    unit = 1;
  }
  auto elements = static_cast<double>(tile.rows * llvm::alignTo(columns, unit));
  double epilogue =
      elements *
      (sumBytes / static_cast<double>(chip.sharedRate) + instructions);
  return static_cast<double>(steps) * estimateStep(tile) + epilogue + latency;
}

// Instructions of a lane that normalise an element, and cycles until those of a
// step are where the product reads them, and until statistics are known. Both
// are counted in machine code, not measured.
static constexpr double kRowInstructions = 17;
static constexpr double kStepCycles = 250, kStatisticCycles = 700;
/// Lanes of a multiprocessor that issue in a cycle.
static constexpr double kLanes = 128;

double ProductMachine::estimateRowsOfStep(int64_t rows) const {
  auto elements = static_cast<double>(rows * getStepDepth());
  return (kStepCycles + elements * kRowInstructions / kLanes) / chip.getClock();
}

double ProductMachine::estimateComputedRows(int64_t rows, int64_t depth,
                                            int64_t columns,
                                            double weightBytes) const {
  // Each CTA of so many columns computes all rows. Products of codes leave half
  // of the instructions that could be issued while their weights arrive.
  constexpr int64_t tileColumns = 128;
  constexpr double free = 0.5;
  auto elements = static_cast<double>(
      rows * depth *
      static_cast<int64_t>(llvm::divideCeil(columns, tileColumns)));
  double cycles = elements * kRowInstructions /
                  (kLanes * static_cast<double>(chip.multiprocessors));
  double hidden = free * weightBytes / chip.bandwidth * chip.getClock();
  return (kStatisticCycles + std::max(0.0, cycles - hidden)) / chip.getClock();
}

/// CTAs that run at a time, in clusters that each are on a group of
/// multiprocessors. The smallest groups of an H100 have 16.
int64_t ProductMachine::countConcurrent(int64_t cluster,
                                        int64_t together) const {
  constexpr int64_t group = 16;
  if (cluster == 1)
    return chip.multiprocessors * together;
  int64_t groups = std::max<int64_t>(chip.multiprocessors / group, 1);
  return groups * (group * together / cluster) * cluster;
}

double ProductMachine::estimateFewRows(const ProductTile &tile, int64_t rows,
                                       int64_t steps, int64_t columnTiles,
                                       int64_t splits, bool joins,
                                       int64_t together, double perStep) const {
  // Fitted to times of an H100 (bench/results): the fraction of its bandwidth
  // that copies reach, the wait of a step with few CTAs, and the cost of a row
  // of 128 columns if sums go through memory. For clusters, others measured a
  // wait for all CTAs; 0.1 us more for reads from the others is a guess.
  constexpr double reached = 0.87, latency = 0.84e-6, ownBandwidth = 58e9;
  constexpr double again = 1.5e-6, perRow = 0.0125e-6, perJoinedRow = 0.019e-6,
                   perPartRow = 0.008e-6, againInCluster = 0.65e-6;
  auto bytes = static_cast<double>(tile.columns * weightBytes);
  double wait = (latency + bytes / ownBandwidth) /
                static_cast<double>(std::max<int64_t>(tile.stages, 1));
  // For that many concurrent CTAs: bandwidth and latency do not hide each
  // other.
  auto estimateShare = [&](int64_t ctas) {
    double share =
        bytes * static_cast<double>(ctas) / (reached * chip.bandwidth);
    return std::cbrt(share * share * share + wait * wait * wait +
                     perStep * perStep * perStep);
  };
  int64_t parts = columnTiles * splits;
  int64_t most = countConcurrent(joins ? splits : 1, together);
  int64_t full = parts / most, rest = parts % most;
  auto rounds = static_cast<double>(llvm::divideCeil(parts, most));
  double step = static_cast<double>(full) * estimateShare(most);
  if (rest)
    step += estimateShare(rest);
  double elements =
      static_cast<double>(rows) * static_cast<double>(tile.columns) / 128;
  double sums = tile.staysInRegisters ? 0 : elements * perRow * rounds;
  if (splits > 1) {
    // The CTAs of a cluster share the rows.
    double joined = elements;
    if (joins)
      joined *= std::max(1.0 / static_cast<double>(splits),
                         1.0 / static_cast<double>(rows));
    sums = rounds *
           (joined * (perJoinedRow + static_cast<double>(splits) * perPartRow) +
            (joins ? againInCluster : again));
  }
  return step * static_cast<double>(llvm::divideCeil(steps, splits)) + sums;
}
