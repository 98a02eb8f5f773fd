//===- GemmSchedules.cpp - which schedule a product gets ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A schedule is a row of the table below. The cost of one is the time that the
// busiest multiprocessor multiplies for, in units of one multiply-add per
// column and row of a tile: rounds of tiles, times the tile's size, over how
// well the unit is fed at that size. Few rows leave most multiprocessors
// without a tile: then several share the depth of one. Where there are many
// tiles, pairs of CTAs share what they read of the weight.
//
//===----------------------------------------------------------------------===//

#include "GemmSchedules.h"

#include "parablock/Support/Chips.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using tile::CopyUnit;
using tile::MultiplyUnit;

namespace {
struct TableRow {
  StringRef chip;
  MultiplyUnit multiply;
  int64_t rows, columns, warps, stages;
  /// Share of the unit's peak that a tile of this size reaches: its operand
  /// traffic bounds small ones.
  double efficiency;
  /// CTAs that copy the weight for each other.
  int64_t cluster = 1;
};
} // namespace

static constexpr TableRow table[] = {
    {"sm_90a", MultiplyUnit::Wgmma, 128, 128, 8, 4, 1.0},
    {"sm_90a", MultiplyUnit::Wgmma, 128, 128, 8, 4, 1.1, 2},
    {"sm_90a", MultiplyUnit::Wgmma, 64, 128, 4, 4, 0.8},
    {"sm_90a", MultiplyUnit::Wgmma, 64, 256, 4, 3, 0.9},
    {"sm_90a", MultiplyUnit::Mma, 128, 128, 8, 3, 0.6},
    {"sm_90a", MultiplyUnit::Mma, 64, 128, 4, 3, 0.5},
    {"sm_90a", MultiplyUnit::Mma, 64, 256, 8, 2, 0.5},
    {"sm_80", MultiplyUnit::Mma, 128, 128, 8, 3, 1.0},
    {"sm_80", MultiplyUnit::Mma, 64, 128, 4, 3, 0.8},
    {"sm_80", MultiplyUnit::Mma, 64, 256, 8, 2, 0.9},
    {"sm_90a", MultiplyUnit::Fma, 64, 128, 8, 2, 1.0},
    {"sm_90a", MultiplyUnit::Fma, 64, 256, 8, 2, 1.0},
    {"sm_80", MultiplyUnit::Fma, 64, 128, 8, 2, 1.0},
    {"sm_80", MultiplyUnit::Fma, 64, 256, 8, 2, 1.0},
};

/// The widest copies that the rows of all operands are aligned to.
static CopyUnit getCopyUnit(const GemmPlan &plan, StringRef chip) {
  int64_t bytes = plan.elementType.getIntOrFloatBitWidth() / 8;
  auto aligned = [&](int64_t alignment) {
    return llvm::all_of(plan.sources, [&](const GemmSource &source) {
      return source.depth * bytes % alignment == 0;
    });
  };
  // TMA wants strides in units of 16 bytes, cp.async at least 4.
  if (getDeviceChip(chip).isHopper && aligned(16))
    return CopyUnit::Tma;
  return aligned(4) ? CopyUnit::Async : CopyUnit::Plain;
}

/// Gives what multiplies the plan's operands once they are copied by `copies`.
static MultiplyUnit getMultiplyUnit(const GemmPlan &plan, CopyUnit copies) {
  if (plan.elementType.isF32())
    return MultiplyUnit::Fma;
  return copies == CopyUnit::Tma ? MultiplyUnit::Wgmma : MultiplyUnit::Mma;
}

/// Tells whether a cluster has enough to do: CTAs in step wait for each other
/// at the start and at the end, which fewer rounds do not make good.
static bool isWorthCluster(int64_t tiles, int64_t multiprocessors) {
  constexpr int64_t leastRounds = 2;
  return tiles >= leastRounds * multiprocessors;
}

/// Columns of `group` that a tile of `columns` covers: whole granules only, of
/// every segment the same.
static int64_t getGroupColumns(const GemmPlan &plan, const GemmGroup &group,
                               int64_t columns) {
  int64_t available = columns / plan.getNumPieces() *
                      (plan.getNumPieces() / group.segments.size());
  int64_t granule = std::min(group.granule, group.width);
  return available / granule * granule;
}

/// How many CTAs share the depth of a tile: so many that the busiest
/// multiprocessor has the fewest steps to do in its rounds of parts, of at
/// least two steps each, and in the join at the end; those before hide behind
/// copies for the next part. Only where there is one row of tiles: with more,
/// the sums that CTAs exchange cost more than they save.
static int64_t getNumSplits(const GemmPlan &plan, const GemmShape &shape,
                            std::optional<int64_t> rows, int64_t columnTiles,
                            int64_t multiprocessors) {
  constexpr int64_t mostRows = 64, mostSplits = 8, leastSteps = 2,
                    joinSteps = 2;
  if (!rows || *rows > mostRows)
    return 1;
  int64_t steps = 0;
  for (const GemmSource &source : plan.sources)
    steps += llvm::divideCeil(source.depth, shape.depth);
  int64_t best = 1;
  int64_t fewest = llvm::divideCeil(columnTiles, multiprocessors) * steps;
  for (int64_t splits = 2; splits <= std::min(mostSplits, steps / leastSteps);
       ++splits) {
    int64_t own = llvm::divideCeil(steps, splits);
    int64_t rounds = llvm::divideCeil(columnTiles * splits, multiprocessors);
    int64_t busiest = rounds * own + joinSteps;
    // No more parts than it takes for that length.
    int64_t parts = llvm::divideCeil(steps, own);
    if (parts == splits && busiest < fewest) {
      best = splits;
      fewest = busiest;
    }
  }
  return best;
}

FailureOr<GemmChoice> parablock::chooseGemmSchedule(const GemmPlan &plan,
                                                    std::optional<int64_t> rows,
                                                    StringRef chip) {
  CopyUnit copies = getCopyUnit(plan, chip);
  if (plan.elementType.isF32() && copies == CopyUnit::Tma)
    copies = CopyUnit::Async; // FFMA kernels have no producer warps
  MultiplyUnit multiply = getMultiplyUnit(plan, copies);
  const int64_t multiprocessors = getDeviceChip(chip).multiprocessors;
  std::optional<GemmChoice> best;
  double bestCost = 0;
  for (const TableRow &row : table) {
    if (row.chip != chip || row.multiply != multiply)
      continue;
    GemmChoice choice;
    choice.shape = {row.rows, row.columns, plan.elementType.isF32() ? 32 : 64};
    choice.columnTiles = 0;
    for (const GemmGroup &group : plan.groups) {
      int64_t columns = getGroupColumns(plan, group, row.columns);
      choice.groupColumns.push_back(columns);
      if (columns > 0)
        choice.columnTiles += llvm::divideCeil(group.width, columns);
    }
    if (llvm::is_contained(choice.groupColumns, 0))
      continue;
    // Many rows, where they are not known: what kernels are made for.
    int64_t rowTiles = llvm::divideCeil(rows.value_or(8192), row.rows);
    choice.splits = getNumSplits(plan, choice.shape, rows, choice.columnTiles,
                                 multiprocessors);
    if (row.cluster > 1 &&
        (choice.splits > 1 ||
         !isWorthCluster(rowTiles * choice.columnTiles, multiprocessors)))
      continue;
    // A cluster takes whole groups of rows.
    int64_t tiles = llvm::alignTo(rowTiles, row.cluster) * choice.columnTiles *
                    choice.splits;
    double cost =
        static_cast<double>(llvm::divideCeil(tiles, multiprocessors)) *
        row.rows * row.columns / choice.splits / row.efficiency;
    if (best && cost >= bestCost)
      continue;
    int64_t grid =
        rows ? std::clamp<int64_t>(tiles, 1, multiprocessors) : multiprocessors;
    choice.schedule = tile::ScheduleAttr::get(
        plan.root->getContext(), row.multiply, copies, row.warps,
        copies == CopyUnit::Tma ? 4 : 0, row.stages, grid, row.cluster,
        /*whole_rows=*/false);
    best = std::move(choice);
    bestCost = cost;
  }
  if (best)
    return std::move(*best);
  int64_t granule = 0;
  for (const GemmGroup &group : plan.groups)
    granule = std::max(granule, group.granule);
  return plan.root->emitError()
         << "no GPU code for chip " << chip << ": no tile of "
         << plan.getNumPieces() << " times 256 / " << plan.getNumPieces()
         << " columns holds a head of " << granule;
}
