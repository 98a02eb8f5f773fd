//===- AttentionPlan.cpp - how attention is cut into tiles ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A row of the table says how many query rows a tile has and how many warps
// share them. Keys of a tile are as many as registers and shared memory allow:
// a thread holds a part of the scores, the weights and the sums of all columns
// of a value. Few queries want small tiles, and the heads that share keys in
// one of them.
//
//===----------------------------------------------------------------------===//

#include "AttentionPlan.h"

#include "parablock/Support/Chips.h"

#include "GemmSchedules.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace parablock;
using tile::CopyUnit;
using tile::MultiplyUnit;

tile::BufferType AttentionPlan::getBuffer(int64_t rows, int64_t columns) const {
  int64_t perPanel = 128 / (elementType.getIntOrFloatBitWidth() / 8);
  return tile::BufferType::get(elementType.getContext(), rows,
                               llvm::alignTo(columns, perPanel), elementType,
                               tile::BufferLayout::Swizzled);
}

tile::AccumulatorType AttentionPlan::getScores() const {
  return tile::AccumulatorType::get(elementType.getContext(), rows, keys);
}

/// Returns the fewest columns of an accumulator: mma multiplies two halves of 8
/// columns at a time.
static int64_t getLeastColumns(MultiplyUnit unit) {
  return unit == MultiplyUnit::Mma ? 16 : 8;
}

tile::AccumulatorType AttentionPlan::getSums() const {
  return tile::AccumulatorType::get(
      elementType.getContext(), rows,
      llvm::alignTo(valueColumns, getLeastColumns(schedule.getMultiply())));
}

tile::RowValuesType AttentionPlan::getRowValues() const {
  return tile::RowValuesType::get(elementType.getContext(), rows);
}

int64_t AttentionPlan::getDepth() const {
  return llvm::alignTo(headSize, elementType.isF32() ? 4 : 16);
}

bool AttentionPlan::scaleIsInExponent() const {
  block::ScoresAttr scores = op.getScores();
  // A negative one would turn the order round.
  return scores.getScaleValue() > 0 && !scores.getSoftcap() &&
         !scores.getAlibiMax() && !op.getRelativeTable() && !op.getScoreBias();
}

double AttentionPlan::getExponentFactor() const {
  constexpr double log2E = 1.4426950408889634;
  block::ScoresAttr scores = op.getScores();
  return scaleIsInExponent() ? log2E * scores.getScaleValue() : log2E;
}

SmallVector<Type> AttentionPlan::getWorkspaces() const {
  if (splits == 1)
    return {};
  MLIRContext *context = elementType.getContext();
  int64_t columns = getMeanColumn() + (hasMean() ? valueColumns : 0);
  return {
      MemRefType::get({parts * rows, columns}, Float32Type::get(context)),
      MemRefType::get({tiles.value_or(parts)}, IntegerType::get(context, 32))};
}

static ArrayRef<int64_t> getShape(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

/// None for a dynamic size.
static std::optional<int64_t> getStatic(int64_t size) {
  if (ShapedType::isDynamic(size))
    return std::nullopt;
  return size;
}

bool AttentionPlan::copiesOut() const {
  // Three warpgroups have no registers for it, nor do buckets leave any.
  constexpr int64_t mostRows = 128;
  ArrayRef<int64_t> shape = getShape(op.getQuery());
  bool isWhole = shape[0] == 1 ||
                 (!ShapedType::isDynamic(shape[1]) && shape[1] % rows == 0);
  return usesTensorMaps() && rows <= mostRows && isWhole && packed == 1 &&
         !op.getAlpha() && !op.getRelativeTable() && !encoded &&
         valueColumns % tile::CopyOutOp::pieceColumns == 0;
}

int64_t AttentionPlan::getOutputBytes() const {
  if (copiesOut())
    return tile::CopyOutOp::getSharedBytes(schedule);
  return tile::BufferType::get(elementType.getContext(), rows,
                               getStagedColumns(),
                               Float32Type::get(elementType.getContext()),
                               tile::BufferLayout::Padded)
      .getBytes();
}

/// Query rows that are known to be few.
static constexpr int64_t fewRows = 16;

namespace {
struct TableRow {
  MultiplyUnit multiply;
  int64_t rows, warps;
};
} // namespace

static constexpr TableRow table[] = {
    {MultiplyUnit::Wgmma, 64, 4},   {MultiplyUnit::Wgmma, 128, 8},
    {MultiplyUnit::Wgmma, 192, 12}, {MultiplyUnit::Mma, 16, 1},
    {MultiplyUnit::Mma, 32, 2},     {MultiplyUnit::Mma, 64, 4},
    {MultiplyUnit::Fma, 16, 4},     {MultiplyUnit::Fma, 32, 4},
};

/// The smallest tile that has all rows, or the largest one of so many at most.
static const TableRow *chooseRow(MultiplyUnit unit, std::optional<int64_t> rows,
                                 int64_t most = 128) {
  const TableRow *chosen = nullptr;
  for (const TableRow &row : table)
    if (row.multiply == unit && row.rows <= most &&
        (!chosen || !rows || chosen->rows < *rows))
      chosen = &row;
  return chosen;
}

/// As many of the heads that share keys as the largest tile has rows.
static int64_t getPackedHeads(int64_t sharing) {
  int64_t most = std::min(chooseRow(MultiplyUnit::Mma, std::nullopt)->rows,
                          chooseRow(MultiplyUnit::Fma, std::nullopt)->rows);
  int64_t heads = std::min(sharing, most);
  while (sharing % heads != 0)
    --heads;
  return heads;
}

/// Tells whether tensor maps reach everything: heads are parts of rows.
static bool canUseTensorMaps(const AttentionPlan &plan) {
  auto isAligned = [&](Value tensor) {
    return !tensor || getShape(tensor).back() % 8 == 0;
  };
  block::AttentionOpInterface op = plan.op;
  constexpr int64_t mostColumns = 256; // of the instruction
  // A box of a map is of consecutive rows, which pages are not.
  return !op.getPages() && plan.headSize % 16 == 0 && plan.valueSize % 8 == 0 &&
         plan.valueColumns <= mostColumns && isAligned(op.getQuery()) &&
         isAligned(op.getKey()) && isAligned(op.getValue());
}

static MultiplyUnit chooseUnit(const AttentionPlan &plan,
                               std::optional<int64_t> rows, StringRef chip) {
  if (plan.elementType.isF32())
    return MultiplyUnit::Fma;
  bool isFew = rows && *rows <= fewRows;
  return getDeviceChip(chip).isHopper && !isFew && canUseTensorMaps(plan)
             ? MultiplyUnit::Wgmma
             : MultiplyUnit::Mma;
}

/// All columns of a value, or the largest divisor of whole granules that the
/// registers hold the sums of.
static int64_t chooseValueColumns(const AttentionPlan &plan) {
  constexpr int64_t most = 256, granule = 16;
  int64_t limit = plan.hasMean() || plan.op.getShawValue() ? most / 4 : most;
  if (plan.valueSize <= limit)
    return plan.valueSize;
  for (int64_t columns = limit; columns > 0; columns -= granule)
    if (plan.valueSize % columns == 0)
      return columns;
  return plan.valueSize;
}

/// Tells whether something is added to scores.
static bool hasBiases(block::AttentionOpInterface op) {
  return op.getScores().getAlibiMax() || op.getRelativeTable() ||
         op.getScoreBias() || op.getShawKey() || op.getShawValue();
}

/// Tells whether code for each score keeps registers of its own.
static bool hasHeavyScores(block::AttentionOpInterface op) {
  block::ScoresAttr scores = op.getScores();
  int64_t extras = (scores.getAlibiMax() ? 1 : 0) +
                   (op.getRelativeTable() ? 1 : 0) +
                   (scores.getSoftcap() ? 1 : 0);
  return op.getShawKey() || op.getShawValue() || op.getScoreBias() ||
         extras > 1 ||
         (op.getRelativeTable() && (scores.getWindow() || op.getCuSeqlens()));
}

/// Tells whether the sums of a value take most registers of two warpgroups.
static bool hasWideValues(const AttentionPlan &plan) {
  return plan.valueColumns > 208;
}

/// The rows that tiles have at most. Where heads are small, the softmax takes
/// longer than products do, and a third warpgroup is worth having: as long as
/// there are registers for it, and what is left over of tiles and of the last
/// round of CTAs costs no more than it gains.
static int64_t chooseMostRows(const AttentionPlan &plan,
                              std::optional<int64_t> time,
                              std::optional<int64_t> batch, StringRef chip) {
  constexpr int64_t usual = 128, most = 192, smallHead = 64;
  bool isSmall = std::max(plan.headSize, plan.valueColumns) <= smallHead;
  block::AttentionOpInterface op = plan.op;
  bool isPlain = plan.scaleIsInExponent() && !hasHeavyScores(op) &&
                 !plan.hasMean() && !op.getPastKey() && !op.getPastLengths() &&
                 !op.getCuSeqlens();
  if (!isSmall || !isPlain || !time || !batch)
    return usual;
  // Of the steps over keys that the busiest CTA takes; under a causal mask the
  // order of tiles shares those of all about evenly.
  auto countRows = [&](int64_t rows) {
    constexpr int64_t keys = 128;
    int64_t tiles = llvm::divideCeil(*time, rows), heads = *batch * plan.heads,
            multiprocessors = getDeviceChip(chip).multiprocessors;
    int64_t all = plan.getNumKeys().value_or(*time);
    if (!op.getScores().getCausal() || all != *time)
      return rows * llvm::divideCeil(all, keys) *
             llvm::divideCeil(heads * tiles, multiprocessors);
    int64_t steps = 0;
    for (int64_t tile = 1; tile <= tiles; ++tile)
      steps += llvm::divideCeil(std::min(all, tile * rows), keys);
    return rows * llvm::divideCeil(heads * steps, multiprocessors);
  };
  // A sixth is gained, by a model of warpgroups that share tensor cores.
  return 6 * countRows(most) <= 7 * countRows(usual) ? most : usual;
}

/// Keys of a tile, given sizes of the head.
static int64_t chooseKeys(const AttentionPlan &plan, MultiplyUnit unit) {
  // Of a mean, sums and weights of its own.
  int64_t sums = plan.valueColumns * (plan.hasMean() ? 4 : 1);
  int64_t widest = std::max(plan.headSize, sums);
  int64_t share = hasHeavyScores(plan.op) ? 2 : 1;
  int64_t wide = plan.op.getShawKey() ? 112 : 128;
  switch (unit) {
  case MultiplyUnit::Wgmma:
    // Addends of scores take registers, too.
    if (hasWideValues(plan))
      return hasBiases(plan.op) ? 48 : 64;
    return (widest <= wide ? 128 : 64) / share;
  case MultiplyUnit::Mma: {
    // A warp alone copies all keys of its tile, and has the registers of one.
    bool isAlone = plan.rows == 16;
    // It has none left for places of rows in pages, for the bounds of each row,
    // or for a number of queries that is dynamic.
    bool isOpen = ShapedType::isDynamic(getShape(plan.op.getQuery())[1]);
    bool hasMore = plan.op.getPages()
                       ? widest > 128
                       : hasWideValues(plan) &&
                             (isOpen || plan.op.getCuSeqlens() != nullptr);
    if (isAlone && hasMore)
      share *= 2;
    int64_t most = isAlone ? 64 : 128;
    return std::max((widest <= most ? 64 : 32) / share, getLeastColumns(unit));
  }
  default:
    return widest <= 128 ? 32 : 16;
  }
}

/// CTAs that fit on a multiprocessor: a tile of queries and the stages of keys
/// and values, where no warps only copy.
static int64_t getCTAsPerMultiprocessor(const AttentionPlan &plan,
                                        int64_t stages) {
  constexpr int64_t sharedBytes = 160 * 1024, most = 4;
  int64_t bytes = plan.getQueryBuffer().getBytes() +
                  stages * (plan.getKeyBuffer().getBytes() +
                            plan.getValueBuffer().getBytes());
  return std::clamp<int64_t>(sharedBytes / bytes, 1, most);
}

/// How many CTAs share the keys of a tile: few queries make few tiles, and
/// keys are read faster by many. At least two steps for each.
static int64_t chooseSplits(const AttentionPlan &plan, int64_t places) {
  constexpr int64_t manyKeys = 4096, mostSplits = 64;
  int64_t steps =
      llvm::divideCeil(plan.getNumKeys().value_or(manyKeys), plan.keys);
  int64_t tiles =
      std::max<int64_t>(plan.tiles ? *plan.tiles : *plan.tilesPerBatch, 1);
  return std::clamp<int64_t>(
      std::min(places / tiles, steps / AttentionPlan::leastSteps), 1,
      mostSplits);
}

std::optional<int64_t> AttentionPlan::getNumKeys() const {
  std::optional<int64_t> keys = getStatic(getShape(op.getKey())[1]);
  if (Value pages = op.getPages()) {
    std::optional<int64_t> entries = getStatic(getShape(pages)[1]);
    return entries ? std::optional(*entries * *keys) : std::nullopt;
  }
  if (!op.getPastKey() || !keys)
    return keys;
  std::optional<int64_t> past = getStatic(getShape(op.getPastKey())[1]);
  if (!past)
    return past;
  return *keys + *past;
}

/// Returns the shared memory of a kernel with so many tiles of queries. Results
/// on their way out take the place of keys where no warps only copy.
static int64_t getSharedBytes(const AttentionPlan &plan, int64_t queryStages) {
  // Barriers of two rings, each with what aligns the next place.
  constexpr int64_t barrierBytes = 2 * 1024;
  int64_t besides =
      plan.usesTensorMaps() ? plan.getOutputBytes() + barrierBytes : 0;
  return queryStages * plan.getQueryBuffer().getBytes() +
         plan.schedule.getStages() * (plan.getKeyBuffer().getBytes() +
                                      plan.getValueBuffer().getBytes()) +
         besides;
}

/// Two where shared memory has room: the queries of the next tile, and its
/// first keys behind them, then come while the last keys of this one are worked
/// on. Warps that copy themselves wait for what they copy, and gain nothing;
/// what is added to scores leaves no registers for a place that varies.
static int64_t chooseQueryStages(const AttentionPlan &plan, const Chip &chip) {
  constexpr int64_t most = 2;
  if (!plan.usesTensorMaps() || hasBiases(plan.op))
    return 1;
  return getSharedBytes(plan, most) <= chip.sharedBytes ? most : 1;
}

/// Registers and shared memory are those of `row`; as many CTAs as there are
/// tiles, where that is known.
static void setSchedule(AttentionPlan &plan, const TableRow &row, bool isFew,
                        StringRef chip) {
  bool byMaps = row.multiply == MultiplyUnit::Wgmma;
  constexpr int64_t stages = 2;
  int64_t grid = getDeviceChip(chip).multiprocessors *
                 (byMaps ? 1 : getCTAsPerMultiprocessor(plan, stages));
  if (isFew && !byMaps)
    plan.splits = chooseSplits(plan, grid);
  plan.parts = plan.tiles ? *plan.tiles * plan.splits : grid;
  if (plan.tiles)
    grid = std::clamp<int64_t>(plan.parts, 1, grid);
  plan.schedule = tile::ScheduleAttr::get(
      plan.op->getContext(), row.multiply,
      byMaps ? CopyUnit::Tma : CopyUnit::Async, row.warps, byMaps ? 4 : 0,
      stages, grid, /*cluster=*/1, /*whole_rows=*/true);
}

/// How much longer than an even share the busiest CTA takes, in steps over
/// keys, if tiles of a causal mask are taken in turns by groups of heads, whose
/// blocks go from the last to the first and back.
static double estimateImbalance(const AttentionPlan &plan, int64_t pairs,
                                int64_t blocks, int64_t group,
                                int64_t multiprocessors) {
  // Of a step, for what comes before and behind.
  constexpr double beside = 0.6;
  SmallVector<double> costs, loads(static_cast<size_t>(multiprocessors));
  for (int64_t block = 1; block <= blocks; ++block)
    costs.push_back(beside + static_cast<double>(llvm::divideCeil(
                                 block * plan.getUsedRows(), plan.keys)));
  int64_t turn = 0, lastGroup = (pairs - 1) / group;
  for (int64_t number = 0; number <= lastGroup; ++number) {
    int64_t size = std::min(group, pairs - number * group);
    bool isBack = (lastGroup - number) % 2 != 0;
    for (int64_t block = 0; block < blocks; ++block)
      for (int64_t pair = 0; pair < size; ++pair)
        loads[turn++ % multiprocessors] +=
            costs[isBack ? block : blocks - 1 - block];
  }
  double all = std::accumulate(loads.begin(), loads.end(), 0.0);
  return *llvm::max_element(loads) * static_cast<double>(multiprocessors) / all;
}

/// How many heads (of a batch row each) are worked on at a time: groups of
/// about the same size whose keys and values the cache holds. The less of it
/// they take, the more of their reads are near in time; under a causal mask the
/// size of groups also says how evenly tiles are shared out.
static int64_t chooseGroup(const AttentionPlan &plan, const Chip &chip) {
  struct Share {
    double ofCache, time;
  };
  // Times as measured on an H100, of heads of 64 and 128.
  static constexpr Share shares[] = {
      {0.8, 1}, {0.4, 0.985}, {0.2, 0.97}, {0.1, 0.97}, {0.05, 0.985}};
  constexpr int64_t usualKeys = 4096, mostTiles = 1 << 18;
  int64_t perHead = plan.getNumKeys().value_or(usualKeys) *
                    (plan.headSize + plan.valueSize) *
                    (plan.elementType.getIntOrFloatBitWidth() / 8);
  // Neighbours share keys, and the columns of a value.
  int64_t perBatch = plan.heads / plan.packed * plan.getValueTiles();
  int64_t sharing = std::max<int64_t>(perBatch / plan.keyHeads, 1);
  std::optional<int64_t> batch =
      getStatic(getShape(plan.op.getQuery()).front());
  int64_t pairs = perBatch * std::max<int64_t>(batch.value_or(1), 1);
  bool isCausal = plan.op.getScores().getCausal();
  int64_t best = 0;
  double fewest = 0;
  for (const Share &share : shares) {
    int64_t most = std::max<int64_t>(
        static_cast<int64_t>(share.ofCache *
                             static_cast<double>(chip.cacheBytes)) /
            std::max<int64_t>(perHead, 1),
        1);
    int64_t group =
        llvm::divideCeil(pairs, llvm::divideCeil(pairs, most * sharing));
    double time = share.time;
    if (isCausal && plan.tiles && *plan.tiles > 0)
      time *= estimateImbalance(plan, pairs, *plan.tiles / pairs, group,
                                chip.multiprocessors);
    // A head alone, whose blocks see more and more keys, took 3 % longer.
    bool isAlone = isCausal && group <= sharing;
    if (best > 0 && (time >= fewest || isAlone))
      continue;
    best = group;
    fewest = time;
    // A plan whose tiles are unknown, or too many to count, has the largest.
    if (!plan.tiles || *plan.tiles > mostTiles)
      break;
  }
  return best;
}

int64_t parablock::getMostFewQueries(block::AttentionOpInterface op) {
  int64_t packed = getPackedHeads(static_cast<int64_t>(op.getHeads()) /
                                  static_cast<int64_t>(op.getKvHeads()));
  return std::max<int64_t>(fewRows / packed, 1);
}

/// Chooses a smaller tile: of wgmma, the smallest or one of mma, of other units
/// half of the keys or fewer rows. Returns false if there is none.
static bool shrinkTile(const AttentionPlan &plan, const TableRow *&row,
                       int64_t &mostKeys, std::optional<int64_t> rows) {
  if (row->multiply == MultiplyUnit::Wgmma) {
    const TableRow *smallest = chooseRow(row->multiply, 1);
    row = row == smallest ? chooseRow(MultiplyUnit::Mma, rows) : smallest;
    return true;
  }
  if (plan.keys / 2 >= getLeastColumns(row->multiply)) {
    mostKeys = plan.keys / 2;
    return true;
  }
  const TableRow *smaller =
      chooseRow(row->multiply, std::nullopt, row->rows - 1);
  // A tile has whole times.
  if (!smaller || smaller->rows < plan.packed)
    return false;
  row = smaller;
  return true;
}

AttentionPlan parablock::planAttention(block::AttentionOpInterface op,
                                       StringRef chip,
                                       std::optional<int64_t> most) {
  AttentionPlan plan;
  plan.op = op;
  if (auto attention = dyn_cast<block::SdpaOp>(op.getOperation()))
    plan.encoded = block::findEncoded(attention);
  plan.elementType =
      cast<RankedTensorType>(op.getQuery().getType()).getElementType();
  plan.heads = op.getHeads();
  plan.keyHeads = op.getKvHeads();
  plan.headSize = getShape(op.getQuery()).back() / plan.heads;
  plan.valueSize = getShape(op.getValue()).back() / plan.keyHeads;
  plan.valueColumns = chooseValueColumns(plan);

  ArrayRef<int64_t> shape = getShape(op.getQuery());
  std::optional<int64_t> batch = getStatic(shape[0]),
                         time = getStatic(shape[1]);
  if (!time)
    time = most;
  bool isFew = time && *time <= fewRows;
  if (isFew)
    plan.packed = getPackedHeads(plan.heads / plan.keyHeads);
  std::optional<int64_t> rows;
  if (time)
    rows = *time * plan.packed;
  MultiplyUnit unit = plan.packed > 1 && !plan.elementType.isF32()
                          ? MultiplyUnit::Mma
                          : chooseUnit(plan, rows, chip);
  // Two warpgroups have no registers for everything at once.
  bool isSmall =
      unit == MultiplyUnit::Wgmma && hasWideValues(plan) && hasHeavyScores(op);
  const TableRow *row =
      chooseRow(unit, isSmall ? std::optional<int64_t>(1) : rows,
                chooseMostRows(plan, time, batch, chip));
  int64_t mostKeys = std::numeric_limits<int64_t>::max();
  do {
    plan.rows = row->rows;
    plan.keys = std::min(chooseKeys(plan, row->multiply), mostKeys);
    if (rows)
      plan.tilesPerBatch = llvm::divideCeil(*rows, plan.getUsedRows()) *
                           (plan.heads / plan.packed) * plan.getValueTiles();
    if (batch && rows)
      plan.tiles = *batch * *plan.tilesPerBatch;
    setSchedule(plan, *row, isFew, chip);
  } while (getSharedBytes(plan, /*queryStages=*/1) >
               getDeviceChip(chip).sharedBytes &&
           shrinkTile(plan, row, mostKeys, rows));
  plan.queryStages = chooseQueryStages(plan, getDeviceChip(chip));
  plan.group = chooseGroup(plan, getDeviceChip(chip));
  return plan;
}
