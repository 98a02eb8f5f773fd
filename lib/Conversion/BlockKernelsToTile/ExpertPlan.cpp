//===- ExpertPlan.cpp - chooses the tiles of experts ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Both products of an expert have tiles of one height, since one table lists
// the tiles of both. The height with the lowest estimated cost is chosen, then
// the width for each product.
//
//===----------------------------------------------------------------------===//

#include "ExpertPlan.h"

#include "KernelShell.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Analysis/ExpertLaunches.h"
#include "parablock/Analysis/ProductTiles.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Support/Chips.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using block::getDim;
using tile::CopyUnit;
using tile::MultiplyUnit;

/// The widest copies that rows of `depth` elements are aligned to.
static CopyUnit getCopyUnit(int64_t depth, int64_t bytes, const Chip &chip) {
  if (chip.isHopper && bytes < 4 && depth * bytes % 16 == 0)
    return CopyUnit::Tma;
  return depth * bytes % 4 == 0 ? CopyUnit::Async : CopyUnit::Plain;
}

static MultiplyUnit getMultiplyUnit(int64_t bytes, CopyUnit copies) {
  if (bytes == 4)
    return MultiplyUnit::Fma;
  return copies == CopyUnit::Tma ? MultiplyUnit::Wgmma : MultiplyUnit::Mma;
}

/// Rows of experts that have some, on average: many if the number is open.
static int64_t getUsualRows(const ExpertPlan &plan) {
  constexpr int64_t many = 1024;
  if (!plan.places)
    return many;
  return std::max<int64_t>(
      llvm::divideCeil(*plan.places, std::max<int64_t>(plan.experts, 1)), 1);
}

/// Chooses the tile of `product` with `rows` rows, and returns its cost; none
/// if there is no such tile.
static std::optional<double> chooseTile(const ExpertPlan &plan,
                                        ExpertProduct &product, int64_t rows,
                                        const Chip &chip) {
  int64_t bytes = plan.element.getIntOrFloatBitWidth() / 8;
  CopyUnit copies = getCopyUnit(product.depth, bytes, chip);
  MultiplyUnit multiply = getMultiplyUnit(bytes, copies);
  ProductMachine machine{chip, bytes, multiply == MultiplyUnit::Wgmma};
  int64_t usual = getUsualRows(plan);
  int64_t busy =
      plan.places ? std::min(plan.experts, *plan.places) : plan.experts;
  int64_t rowTiles = busy * llvm::divideCeil(usual, rows);
  std::optional<double> best;
  for (ProductTile tile : machine.listTiles()) {
    // Rows of an expert need not be whole clusters.
    if (tile.rows != rows || tile.cluster != 1)
      continue;
    if (!machine.fitSharedMemory(tile, /*mayPart=*/machine.isWgmma,
                                 chip.sharedBytes))
      continue;
    ExpertProduct candidate = product;
    candidate.tileColumns = tile.columns;
    candidate.stepDepth = machine.getStepDepth();
    int64_t steps = llvm::divideCeil(product.depth, candidate.stepDepth);
    int64_t tiles = rowTiles * candidate.countColumnTiles();
    // Few rows of each expert: memory limits them.
    double cost =
        usual <= mostFewRows
            ? machine.estimateFewRows(tile, usual, steps, tiles, /*splits=*/1,
                                      /*together=*/1)
            : static_cast<double>(
                  llvm::divideCeil(tiles, chip.multiprocessors)) *
                  machine.estimateTile(tile, steps, candidate.getTileWidth());
    if (best && cost >= *best)
      continue;
    best = cost;
    candidate.parts = tile.parts;
    int64_t grid = chip.multiprocessors;
    if (plan.places)
      grid = std::clamp<int64_t>(*plan.places * candidate.countColumnTiles(), 1,
                                 grid);
    candidate.schedule = tile::ScheduleAttr::get(
        plan.element.getContext(), multiply, copies, tile.warps, tile.producers,
        tile.stages, grid, /*cluster=*/1,
        /*whole_rows=*/false);
    product = candidate;
  }
  return best;
}

RankedTensorType ExpertPlan::getSlotsType(Type element,
                                          ArrayRef<int64_t> sizes) const {
  SmallVector<int64_t> shape;
  for (int64_t dim : {0, 1}) {
    int64_t size = ShapedType::kDynamic;
    for (Value value : {Value(block::ExpertsOp(op).getIndices()),
                        Value(block::ExpertsOp(op).getInput()),
                        Value(block::ExpertsOp(op).getResult())})
      if (ShapedType::isDynamic(size))
        size = getDim(value, dim);
    shape.push_back(size);
  }
  llvm::append_range(shape, sizes);
  return RankedTensorType::get(shape, element);
}

ExpertPlan::ExpertPlan(block::ExpertsOp op, StringRef chip)
    : op(op), form(op.getForm()), element(getElementTypeOrSelf(op.getInput())),
      experts(getDim(op.getUpWeight(), 0)), slots(getDim(op.getIndices(), -1)) {
  bool isApart = form.getLayout() == block::ExpertLayout::GateUp;
  up.depth = getDim(op.getInput(), -1);
  up.matrixRows = getDim(op.getUpWeight(), 1);
  up.perColumn = form.hasGate() ? 2 : 1;
  up.pieces = isApart ? 2 : 1;
  up.width = up.matrixRows / up.perColumn;
  down.depth = up.width;
  down.matrixRows = down.width = getDim(op.getDownWeight(), 1);
  places = getStaticRows(getSlotsType(element, {slots, 1}));
  chunks = countExpertChunks(places);
  const Chip &machine = getDeviceChip(chip);
  std::optional<double> best;
  for (int64_t rows : {128, 64}) {
    ExpertProduct first = up, second = down;
    std::optional<double> firstCost = chooseTile(*this, first, rows, machine),
                          secondCost = chooseTile(*this, second, rows, machine);
    if (!firstCost || !secondCost ||
        (best && *firstCost + *secondCost >= *best))
      continue;
    best = *firstCost + *secondCost;
    tileRows = rows;
    up = first;
    down = second;
  }
  assert(best && "every chip has tiles of 64 rows");
}
