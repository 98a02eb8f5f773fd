//===- GemmSchedules.cpp - searches tiles, clusters and stages ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Searches tiles, clusters, stages and parts of the epilogue. The cost of a
// schedule is the cycles of the busiest multiprocessor: rounds of tiles, times
// the cycles of a tile (ProductTiles.h). With few rows most multiprocessors
// would have no tile; then several share the depth of one.
//
//===----------------------------------------------------------------------===//

#include "GemmSchedules.h"

#include "mlir/IR/TypeUtilities.h"
#include "parablock/Conversion/Rows/RowProgram.h"
#include "parablock/Dialect/Block/LaneCodes.h"
#include "parablock/Support/Chips.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using tile::CopyUnit;
using tile::MultiplyUnit;

tile::ScheduleAttr parablock::createSchedule(MLIRContext *context,
                                             const ProductMachine &machine,
                                             const ProductTile &tile,
                                             int64_t tiles, bool hasWords) {
  MultiplyUnit unit = machine.isWgmma   ? MultiplyUnit::Wgmma
                      : machine.isFma() ? MultiplyUnit::Fma
                                        : MultiplyUnit::Mma;
  CopyUnit copies = machine.isWgmma ? CopyUnit::Tma
                    : hasWords      ? CopyUnit::Async
                                    : CopyUnit::Plain;
  return tile::ScheduleAttr::get(
      context, unit, copies, tile.warps, tile.producers, tile.stages,
      std::clamp<int64_t>(tiles, 1, machine.chip.multiprocessors),
      /*cluster=*/1, /*whole_rows=*/false);
}

/// Bytes of an element of the rows that are multiplied.
static int64_t getElementBytes(const GemmPlan &plan) {
  return plan.isEncoded() ? 1 : plan.elementType.getIntOrFloatBitWidth() / 8;
}

/// The widest copies that the rows of all operands are aligned to.
static CopyUnit getCopyUnit(const GemmPlan &plan, StringRef chip) {
  int64_t bytes = getElementBytes(plan);
  auto aligned = [&](int64_t alignment) {
    return llvm::all_of(plan.sources, [&](const GemmSource &source) {
      return source.depth * bytes % alignment == 0;
    });
  };
  // TMA requires strides that are multiples of 16 bytes, cp.async of 4.
  if (getDeviceChip(chip).isHopper && aligned(16))
    return CopyUnit::Tma;
  return aligned(4) ? CopyUnit::Async : CopyUnit::Plain;
}

/// Returns the unit that multiplies the plan's operands after copies by
/// `copies`.
static MultiplyUnit getMultiplyUnit(const GemmPlan &plan, CopyUnit copies) {
  if (plan.elementType.isF32() && !plan.isEncoded())
    return MultiplyUnit::Fma;
  return copies == CopyUnit::Tma ? MultiplyUnit::Wgmma : MultiplyUnit::Mma;
}

/// Returns whether the epilogue can run in registers for tiles of `shape`, with
/// copies out by tensor maps: every element in its own place, for all rows of a
/// tile, and whole columns if it reads other operands.
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
  if (plan.isEncoded())
    others.insert(
        block::UnpackWeightOp(plan.sources.front().unpack).getScales());
  // More operands leave too few registers for the sums.
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

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

/// Returns how many columns of `group` a tile of `columns` covers: whole
/// granules only, equal for every segment.
static int64_t getGroupColumns(const GemmPlan &plan, const GemmGroup &group,
                               int64_t columns) {
  int64_t available = columns / plan.getNumPieces() *
                      (plan.getNumPieces() / group.segments.size());
  int64_t granule = std::min(group.granule, group.width);
  return available / granule * granule;
}

static int64_t countSteps(const GemmPlan &plan, const GemmShape &shape) {
  int64_t steps = 0;
  for (const GemmSource &source : plan.sources)
    steps += llvm::divideCeil(source.depth, shape.depth);
  return std::max<int64_t>(steps, 1);
}

int64_t parablock::countRowFacts(const GemmPlan &plan, const GemmShape &shape,
                                 int64_t splits) {
  // The lines of more rows would not stay in the cache.
  constexpr int64_t mostAhead = 16;
  if (shape.rows > mostAhead)
    return numRowFacts;
  int64_t steps = llvm::divideCeil(countSteps(plan, shape), splits);
  int64_t bytes = steps * shape.depth * getElementBytes(plan);
  return numRowFacts + llvm::divideCeil(bytes, cacheLineBytes);
}

namespace {
class ScheduleSearch {
public:
  ScheduleSearch(const GemmPlan &plan, const ProductMachine &machine,
                 MultiplyUnit multiply, CopyUnit copies,
                 std::optional<int64_t> rows, bool mayJoin)
      : plan(plan), machine(machine), multiply(multiply), copies(copies),
        rows(rows), mayJoin(mayJoin) {}

  /// Searches tiles whose weight is codes, of `room` rows if there are few, or
  /// of as many as sums leave registers for.
  void searchCodes(int64_t room);

  /// Searches tiles of `room` rows for a multiprocessor with `together` CTAs,
  /// of this launch and the next.
  void searchFewRows(int64_t room, int64_t together) {
    limit = machine.chip.getSharedBytesBeside(together);
    own = std::max<int64_t>(together - 1, 1);
    // The widest, the last, are for heads that no other tile holds.
    constexpr int64_t usualColumns = 128;
    for (const ProductTile &tile : machine.listFewRowsTiles(room))
      if (!best || tile.columns <= usualColumns)
        tryTile(tile);
  }
  void searchAll() {
    limit = machine.chip.sharedBytes;
    own = 1;
    for (const ProductTile &tile : machine.listTiles())
      tryTile(tile);
  }
  /// Returns whether one tile has all rows, and reading the weight limits the
  /// time.
  bool isFew() const { return rows && *rows <= mostFewRows; }

  std::optional<GemmChoice> best;

private:
  void tryTile(const ProductTile &tile);
  void tryChoice(GemmChoice choice, ProductTile tile, int64_t covered);

  const GemmPlan &plan;
  const ProductMachine &machine;
  MultiplyUnit multiply;
  CopyUnit copies;
  std::optional<int64_t> rows;
  /// True if CTAs that share the depth of a tile may be a cluster.
  bool mayJoin;
  /// Shared memory of a CTA, and CTAs of the launch on a multiprocessor.
  int64_t limit = 0, own = 1;
  double bestCost = 0;
};
} // namespace

bool parablock::leavesRegisters(const ProductTile &tile, bool isWgmma,
                                bool hasGroups) {
  int64_t sums = tile.rows * tile.columns / (32 * tile.warps);
  if (!hasGroups)
    return sums <= 64;
  // Threads of a CTA of fewer warps may have more.
  return sums <= 16 || (isWgmma && sums <= 32 && tile.warps <= 4);
}

int64_t parablock::findMostRowsOfCodes(bool isWgmma, bool hasGroups) {
  if (isWgmma)
    return hasGroups ? 64 : 128;
  return hasGroups ? 32 : 64;
}

void ScheduleSearch::searchCodes(int64_t room) {
  bool hasGroups =
      plan.sources.size() > 1 ||
      block::UnpackWeightOp(plan.sources.front().unpack).getGroup() != 0;
  if (!isFew())
    room = findMostRowsOfCodes(machine.isWgmma, hasGroups);
  // Where rows are computed, so do these, and threads of fewer warps have more.
  auto leavesRoom = [&](const ProductTile &tile) {
    bool isCrowded = plan.computed && hasGroups && tile.warps > 4;
    return !isCrowded && leavesRegisters(tile, machine.isWgmma, hasGroups);
  };
  // Sums of more rows leave registers to fewer CTAs that also compute these.
  constexpr int64_t mostBesideThree = 32;
  int64_t most = isFew() ? 3 : 2;
  if (plan.computed && room > mostBesideThree)
    most = 2;
  // Heads may leave no other choice.
  for (bool isRoomy : {true, false})
    for (int64_t together =
             isRoomy || !plan.computed ? most : std::min<int64_t>(most, 2);
         together > 0; --together) {
      limit = together > 1 ? machine.chip.getSharedBytesBeside(together)
                           : machine.chip.sharedBytes;
      own = std::max<int64_t>(together - 1, 1);
      for (const ProductTile &tile : machine.listFewRowsTiles(room))
        if (leavesRoom(tile) == isRoomy)
          tryTile(tile);
      if (best)
        return;
    }
}

void ScheduleSearch::tryTile(const ProductTile &tile) {
  if (isFew() && tile.rows > mostFewRows)
    return;
  if (plan.hasCodes() &&
      tile.columns / plan.getNumPieces() % block::cellRows != 0)
    return;
  GemmChoice choice;
  choice.shape = {tile.rows, tile.columns, machine.getStepDepth()};
  choice.columnTiles = 0;
  int64_t covered = 0;
  for (const GemmGroup &group : plan.groups) {
    int64_t columns = getGroupColumns(plan, group, tile.columns);
    if (columns == 0 || (plan.hasCodes() && columns % block::cellRows != 0))
      return;
    choice.groupColumns.push_back(columns);
    choice.columnTiles += llvm::divideCeil(group.width, columns);
    covered = std::max(covered, columns);
  }
  // CTAs share the depth of a tile only if there is one row of tiles: with
  // more, exchanging sums costs more than it saves.
  constexpr int64_t mostSplits = 8, leastSteps = 2;
  int64_t steps = countSteps(plan, choice.shape);
  int64_t most = isFew() ? std::min(mostSplits, steps / leastSteps) : 1;
  for (choice.splits = 1; choice.splits <= std::max<int64_t>(most, 1);
       ++choice.splits) {
    // No more parts than it takes for their length.
    int64_t own = llvm::divideCeil(steps, choice.splits);
    if (llvm::divideCeil(steps, own) == static_cast<uint64_t>(choice.splits))
      tryChoice(choice, tile, covered);
  }
}

void ScheduleSearch::tryChoice(GemmChoice choice, ProductTile tile,
                               int64_t covered) {
  const int64_t multiprocessors = machine.chip.multiprocessors;
  // Assumes many rows if the number is dynamic, the case that kernels are built
  // for.
  int64_t rowTiles = llvm::divideCeil(rows.value_or(8192), tile.rows);
  // CTAs in step wait for each other when they begin and when they end.
  constexpr double clusterCycles = 1000;
  if (tile.cluster > 1 && (choice.splits > 1 || rowTiles < tile.cluster ||
                           rowTiles * choice.columnTiles < multiprocessors))
    return;
  tile.staysInRegisters = machine.isWgmma && !tile.weightIsLeft &&
                          canStayInRegisters(plan, choice, rows);
  // Parts are of the rows that a warp has: all of them would be one warp's.
  bool isFilled = !rows || *rows >= tile.rows;
  bool mayPart = machine.isWgmma && choice.splits == 1 &&
                 !tile.staysInRegisters && !tile.weightIsLeft && isFilled;
  int64_t statistics = 0;
  double perStep = 0;
  if (plan.computed) {
    int64_t facts = countRowFacts(plan, choice.shape, choice.splits);
    statistics = facts * static_cast<int64_t>(sizeof(float)) * tile.rows;
    perStep = machine.estimateRowsOfStep(rows.value_or(tile.rows));
  }
  if (!machine.fitSharedMemory(tile, mayPart, limit - statistics))
    return;
  choice.weightIsLeft = tile.weightIsLeft;
  choice.parts = tile.parts;
  choice.staysInRegisters = tile.staysInRegisters;
  // A cluster takes whole groups of rows.
  int64_t tiles = llvm::alignTo(rowTiles, tile.cluster) * choice.columnTiles *
                  choice.splits;
  int64_t steps = countSteps(plan, choice.shape);
  auto estimateFew = [&](bool joins) {
    return machine.estimateFewRows(tile, *rows, steps, choice.columnTiles,
                                   choice.splits, joins, own, perStep);
  };
  double cost =
      isFew() ? estimateFew(/*joins=*/false)
              : static_cast<double>(llvm::divideCeil(tiles, multiprocessors)) *
                        machine.estimateTile(tile, steps, covered) +
                    (tile.cluster > 1 ? clusterCycles : 0);
  if (best && cost >= bestCost)
    return;
  // Tiles are chosen by what was measured, sums through memory.
  bool joins = mayJoin && choice.splits > 1 && estimateFew(true) < cost;
  int64_t cluster = joins ? choice.splits : tile.cluster;
  int64_t ctas = own * multiprocessors / cluster * cluster;
  int64_t grid = rows ? std::clamp<int64_t>(tiles, 1, ctas) : ctas;
  choice.schedule = tile::ScheduleAttr::get(plan.root->getContext(), multiply,
                                            copies, tile.warps, tile.producers,
                                            tile.stages, grid, cluster,
                                            /*whole_rows=*/false, joins);
  best = std::move(choice);
  bestCost = cost;
}

FailureOr<GemmChoice>
parablock::chooseGemmSchedule(const GemmPlan &plan, std::optional<int64_t> rows,
                              const GemmTarget &target,
                              std::optional<int64_t> room) {
  StringRef chip = target.chip;
  // Tiles of no rows are those of one.
  if (rows)
    rows = std::max<int64_t>(*rows, 1);
  if (plan.isEncoded() && !getDeviceChip(chip).isHopper)
    return plan.root->emitError()
           << "no GPU code for chip " << chip
           << ": products of rows in codes require wgmma of sm_90a; omit "
              "activations=fp8 of block-quantize";
  CopyUnit copies = getCopyUnit(plan, chip);
  if (plan.elementType.isF32() && !plan.isEncoded() && copies == CopyUnit::Tma)
    copies = CopyUnit::Async; // FFMA kernels have no producer warps
  MultiplyUnit multiply = getMultiplyUnit(plan, copies);
  ProductMachine machine{getDeviceChip(chip), getElementBytes(plan),
                         multiply == MultiplyUnit::Wgmma};
  if (plan.hasCodes()) {
    auto unpack = plan.sources.front().unpack;
    machine.weightBytes = block::cellBytes;
    machine.otherBytes =
        block::getCellColumns(unpack.getForm()) * machine.elementBytes;
  }
  bool mayJoin = getDeviceChip(chip).isHopper && !target.joinsInMemory;
  ScheduleSearch search(plan, machine, multiply, copies, rows, mayJoin);
  // As many CTAs side by side as heads allow.
  constexpr int64_t mostTogether = 3;
  if (plan.hasCodes()) {
    search.searchCodes(room.value_or(rows.value_or(0)));
  } else if (search.isFew() && !target.rowsAreLeft && !plan.isEncoded())
    for (int64_t count = mostTogether; count > 1 && !search.best; --count)
      search.searchFewRows(room.value_or(*rows), count);
  if (!search.best && !plan.hasCodes())
    search.searchAll();
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
