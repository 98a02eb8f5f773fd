//===- GemmSchedules.cpp - which schedule a product gets ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tiles, clusters, stages and parts of the epilogue are searched. The cost of a
// schedule is the cycles that the busiest multiprocessor takes: rounds of
// tiles, times what one takes. A step along the depth takes as long as the
// slowest of tensor cores, shared memory, and the cache that all share, which
// gives less where pairs of CTAs share what they read of the weight. Few rows
// leave most multiprocessors without a tile: then several share the depth of
// one.
//
//===----------------------------------------------------------------------===//

#include "GemmSchedules.h"

#include "mlir/IR/TypeUtilities.h"
#include "parablock/Conversion/Rows/RowProgram.h"
#include "parablock/Support/Chips.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using tile::CopyUnit;
using tile::MultiplyUnit;

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

//===----------------------------------------------------------------------===//
// What a tile takes
//===----------------------------------------------------------------------===//

namespace {
/// Facts that are the same for all schedules of a product.
struct Machine {
  const Chip &chip;
  CopyUnit copies;
  MultiplyUnit multiply;
  int64_t elementBytes;

  bool isWgmma() const { return multiply == MultiplyUnit::Wgmma; }
  /// Along the depth, a row of 128 bytes.
  int64_t getStepDepth() const { return 128 / elementBytes; }
  int64_t getProducers() const { return copies == CopyUnit::Tma ? 4 : 0; }
  /// More do not hide more: steps are as long as memory takes.
  int64_t getMostStages() const {
    return isWgmma() ? 4 : multiply == MultiplyUnit::Mma ? 3 : 2;
  }

  /// Multiply-adds of a multiprocessor in a cycle.
  double getRate() const {
    auto rate = static_cast<double>(chip.multiplyAdds);
    if (multiply == MultiplyUnit::Fma)
      return rate * chip.flops32 / chip.flops16;
    // What chips with wgmma have left of the other instruction.
    return chip.isHopper && !isWgmma() ? rate / 2 : rate;
  }
};

/// A tile, and how a CTA goes about it.
struct TilePlan {
  int64_t rows, columns, cluster;
  int64_t warps = 8, stages = 0, parts = 1;
  bool staysInRegisters = false;
};
} // namespace

static int64_t getNumWarps(const Machine &machine, int64_t rows,
                           int64_t columns) {
  if (machine.isWgmma())
    return rows / 16;
  // As many sums as a thread has registers for.
  return machine.multiply == MultiplyUnit::Mma ? rows * columns / 2048 : 8;
}

/// Tells whether what follows the product can be done in registers for tiles of
/// `shape`, and be copied out by tensor maps: every element in its own place,
/// for all rows of a tile, and whole columns where others are read beside them.
static bool canStayInRegisters(const GemmPlan &plan, const GemmChoice &choice,
                               std::optional<int64_t> rows) {
  constexpr int64_t strideAlignment = 16;
  if (choice.splits > 1 || rows.value_or(choice.shape.rows) < choice.shape.rows)
    return false;
  auto isProduct = [&](Value value) {
    return llvm::any_of(plan.segments, [&](const GemmSegment &segment) {
      return segment.value == value;
    });
  };
  Block &steps = *plan.root->getBlock();
  Operation *yield = steps.getTerminator();
  llvm::SmallPtrSet<Value, 4> others;
  for (Operation &op : steps)
    if (&op != plan.root)
      for (Value operand : op.getOperands())
        if (isa<BlockArgument>(operand))
          others.insert(operand);
  if (plan.bias)
    others.insert(plan.bias);
  // With more of them, sums and what they meet have too few registers.
  constexpr size_t mostOthers = 3;
  if (others.size() > mostOthers)
    return false;
  for (auto [group, columns] :
       llvm::zip_equal(plan.groups, choice.groupColumns)) {
    if (group.segments.size() > 1 || group.outputs.size() > 1 ||
        columns != choice.shape.columns)
      return false;
    Value output = yield->getOperand(group.outputs.front());
    Type type = getElementTypeOrSelf(output.getType());
    if (!(type.isBF16() || type.isF16()) ||
        group.width * 2 % strideAlignment != 0 ||
        !staysInPlace(output, isProduct))
      return false;
    if (!others.empty() && group.width % columns != 0)
      return false;
  }
  return plan.getNumPieces() == 1;
}

/// Gives the tile as many stages as there are and fit, beside the smallest
/// number of parts of the sums that do; false where none do.
static bool fitSharedMemory(const Machine &machine, TilePlan &tile,
                            bool mayPart) {
  constexpr int64_t alignment = 1024, barriers = 16, padding = 32;
  // What CTAs that join keep, too.
  constexpr int64_t others = 16;
  int64_t stage = (tile.rows + tile.columns) * 128;
  int64_t sums = tile.staysInRegisters
                     ? tile.warps * 4096
                     : tile.rows * (tile.columns * 4 + padding);
  for (int64_t stages = machine.getMostStages(); stages > 1; --stages)
    for (int64_t parts = 1; parts <= (mayPart ? 4 : 1); parts *= 2) {
      int64_t ring = stages * stage;
      // Where the warps that copy are others, both are there at a time.
      int64_t bytes = machine.getProducers() == 0
                          ? std::max(ring, sums)
                          : llvm::alignTo(ring + stages * barriers, alignment) +
                                sums / parts;
      if (bytes + others > machine.chip.sharedBytes)
        continue;
      tile.stages = stages;
      tile.parts = parts;
      return true;
    }
  return false;
}

/// Estimates the cycles of a step along the depth.
static double estimateStep(const Machine &machine, const TilePlan &tile) {
  const Chip &chip = machine.chip;
  constexpr int64_t rowBytes = 128;
  auto elements =
      static_cast<double>(tile.rows * tile.columns * machine.getStepDepth());
  double multiply = elements / machine.getRate();
  // One warp for each processor waits for its own operands.
  constexpr double alone = 0.8;
  if (machine.multiply == MultiplyUnit::Mma && tile.warps < 8)
    multiply /= alone;
  // Copies in, and what each warp, or group of four, reads.
  int64_t rows = tile.rows + tile.columns, groups = tile.warps;
  if (machine.isWgmma()) {
    rows += tile.rows + tile.warps / 4 * tile.columns;
  } else {
    int64_t along = std::max<int64_t>(1, tile.rows / 64);
    rows += groups / along * tile.rows + along * tile.columns;
  }
  double shared = static_cast<double>(rows * rowBytes) /
                  static_cast<double>(chip.sharedRate);
  double cached = static_cast<double>(
                      (tile.rows + tile.columns / tile.cluster) * rowBytes) *
                  static_cast<double>(chip.multiprocessors) /
                  static_cast<double>(chip.cacheRate);
  return std::max({multiply, shared, cached});
}

/// Estimates the cycles of a tile of `steps` along the depth, of whose columns
/// the epilogue has `columns`.
static double estimateTile(const Machine &machine, const TilePlan &tile,
                           int64_t steps, int64_t columns) {
  // The first step, and the last product, that nothing hides.
  constexpr double latency = 500;
  // Of an element: in and out of shared memory, and four instructions for each
  // of four processors.
  double sumBytes = 8, instructions = 0.1;
  // A lane takes two columns at a time, or four.
  int64_t unit = columns < 128 ? 64 : 128;
  if (tile.staysInRegisters) {
    sumBytes = 4;
    instructions = 0.06;
    unit = 1;
  }
  auto elements = static_cast<double>(tile.rows * llvm::alignTo(columns, unit));
  double epilogue =
      elements *
      (sumBytes / static_cast<double>(machine.chip.sharedRate) + instructions);
  return static_cast<double>(steps) * estimateStep(machine, tile) + epilogue +
         latency;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

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

namespace {
class Search {
public:
  Search(const GemmPlan &plan, const Machine &machine,
         std::optional<int64_t> rows)
      : plan(plan), machine(machine), rows(rows) {}

  void tryAll() {
    for (int64_t tileRows : {128, 64})
      for (int64_t columns : {128, 192, 256})
        for (int64_t cluster : {1, 2})
          if (isPossible(tileRows, columns, cluster))
            tryTile({tileRows, columns, cluster});
  }

  std::optional<GemmChoice> best;

private:
  /// Tells whether there is code for the tile, in registers that there are.
  bool isPossible(int64_t tileRows, int64_t columns, int64_t cluster) const {
    if (machine.isWgmma())
      return true;
    if (cluster > 1 || columns == 192)
      return false;
    bool isSmall = tileRows * columns <= 16384;
    return machine.multiply == MultiplyUnit::Mma ? isSmall : tileRows == 64;
  }

  void tryTile(TilePlan tile);

  const GemmPlan &plan;
  const Machine &machine;
  std::optional<int64_t> rows;
  double bestCost = 0;
};
} // namespace

void Search::tryTile(TilePlan tile) {
  const int64_t multiprocessors = machine.chip.multiprocessors;
  GemmChoice choice;
  choice.shape = {tile.rows, tile.columns, machine.getStepDepth()};
  choice.columnTiles = 0;
  int64_t covered = 0;
  for (const GemmGroup &group : plan.groups) {
    int64_t columns = getGroupColumns(plan, group, tile.columns);
    if (columns == 0)
      return;
    choice.groupColumns.push_back(columns);
    choice.columnTiles += llvm::divideCeil(group.width, columns);
    covered = std::max(covered, columns);
  }
  // Many rows, where they are not known: what kernels are made for.
  int64_t rowTiles = llvm::divideCeil(rows.value_or(8192), tile.rows);
  choice.splits = getNumSplits(plan, choice.shape, rows, choice.columnTiles,
                               multiprocessors);
  // CTAs in step wait for each other when they begin and when they end.
  constexpr double clusterCycles = 1000;
  if (tile.cluster > 1 && (choice.splits > 1 || rowTiles < tile.cluster ||
                           rowTiles * choice.columnTiles < multiprocessors))
    return;
  tile.warps = getNumWarps(machine, tile.rows, tile.columns);
  tile.staysInRegisters =
      machine.isWgmma() && canStayInRegisters(plan, choice, rows);
  bool mayPart =
      machine.isWgmma() && choice.splits == 1 && !tile.staysInRegisters;
  if (!fitSharedMemory(machine, tile, mayPart))
    return;
  choice.parts = tile.parts;
  choice.staysInRegisters = tile.staysInRegisters;
  // A cluster takes whole groups of rows.
  int64_t tiles = llvm::alignTo(rowTiles, tile.cluster) * choice.columnTiles *
                  choice.splits;
  int64_t steps = 0;
  for (const GemmSource &source : plan.sources)
    steps += llvm::divideCeil(source.depth, choice.shape.depth);
  double cost =
      static_cast<double>(llvm::divideCeil(tiles, multiprocessors)) *
          estimateTile(machine, tile, llvm::divideCeil(steps, choice.splits),
                       covered) +
      (tile.cluster > 1 ? clusterCycles : 0);
  if (best && cost >= bestCost)
    return;
  int64_t grid =
      rows ? std::clamp<int64_t>(tiles, 1, multiprocessors) : multiprocessors;
  choice.schedule = tile::ScheduleAttr::get(
      plan.root->getContext(), machine.multiply, machine.copies, tile.warps,
      machine.getProducers(), tile.stages, grid, tile.cluster,
      /*whole_rows=*/false);
  best = std::move(choice);
  bestCost = cost;
}

FailureOr<GemmChoice> parablock::chooseGemmSchedule(const GemmPlan &plan,
                                                    std::optional<int64_t> rows,
                                                    StringRef chip) {
  CopyUnit copies = getCopyUnit(plan, chip);
  if (plan.elementType.isF32() && copies == CopyUnit::Tma)
    copies = CopyUnit::Async; // FFMA kernels have no producer warps
  Machine machine{getDeviceChip(chip), copies, getMultiplyUnit(plan, copies),
                  plan.elementType.getIntOrFloatBitWidth() / 8};
  Search search(plan, machine, rows);
  search.tryAll();
  if (search.best)
    return std::move(*search.best);
  int64_t granule = 0;
  for (const GemmGroup &group : plan.groups)
    granule = std::max(granule, group.granule);
  return plan.root->emitError()
         << "no GPU code for chip " << chip << ": no tile of "
         << plan.getNumPieces() << " times 256 / " << plan.getNumPieces()
         << " columns holds a head of " << granule;
}
