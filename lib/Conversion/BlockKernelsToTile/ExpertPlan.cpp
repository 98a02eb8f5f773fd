//===- ExpertPlan.cpp - chooses the tiles of experts ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// All products of an expert have tiles of one height, since one table lists
// the tiles of all. The height with the lowest estimated cost is chosen, then
// the width for each product.
//
//===----------------------------------------------------------------------===//

#include "ExpertPlan.h"

#include "GemmSchedules.h"
#include "KernelShell.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Analysis/ExpertLaunches.h"
#include "parablock/Analysis/ProductTiles.h"
#include "parablock/Dialect/Block/LaneCodes.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Dialect/Block/SinkCodes.h"
#include "parablock/Support/Chips.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace parablock;
using block::getDim;
using tile::CopyUnit;
using tile::MultiplyUnit;

/// The widest copies that rows of operands are aligned to. A matrix whose rows
/// are the depth ends within a step unless that divides it, which tensor maps
/// cannot express.
static CopyUnit getCopyUnit(const ExpertProduct &product, int64_t bytes,
                            const Chip &chip) {
  auto areAligned = [&](int64_t alignment) {
    int64_t ofMatrix = product.isDepthFirst ? product.width : product.depth;
    return product.depth * bytes % alignment == 0 &&
           ofMatrix * bytes % alignment == 0;
  };
  bool isWhole =
      !product.isDepthFirst ||
      product.depth % ProductMachine{chip, bytes, true}.getStepDepth() == 0;
  if (chip.isHopper && bytes < 4 && areAligned(16) && isWhole)
    return CopyUnit::Tma;
  return areAligned(4) ? CopyUnit::Async : CopyUnit::Plain;
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

/// Returns the tiles of `rows` rows; of codes, those whose sums of a step and
/// of all steps leave registers.
static SmallVector<ProductTile> listTiles(const ProductMachine &machine,
                                          const ExpertProduct &product,
                                          int64_t rows) {
  // Rows of an expert need not be whole clusters.
  if (!product.codes)
    return llvm::filter_to_vector(machine.listTiles(), [&](ProductTile tile) {
      return tile.rows == rows && tile.cluster == 1;
    });
  bool hasGroups = block::UnpackWeightOp(product.codes).getGroup() != 0;
  // Matrices of numbers beside codes have tiles of 64 rows at least.
  if (rows >
      std::max(findMostRowsOfCodes(machine.isWgmma, hasGroups), mostFewRows))
    return {};
  SmallVector<ProductTile> tiles, others;
  for (const ProductTile &tile : machine.listFewRowsTiles(rows))
    if (tile.rows == rows)
      (leavesRegisters(tile, machine.isWgmma, hasGroups) ? tiles : others)
          .push_back(tile);
  return tiles.empty() ? others : tiles;
}

/// Chooses the tile of `product` with `rows` rows for a multiprocessor with
/// `together` CTAs, of this launch and the next, and returns its cost; none if
/// there is no such tile.
static std::optional<double> chooseTile(const ExpertPlan &plan,
                                        ExpertProduct &product, int64_t rows,
                                        int64_t together, const Chip &chip) {
  int64_t bytes = plan.element.getIntOrFloatBitWidth() / 8;
  CopyUnit copies = getCopyUnit(product, bytes, chip);
  MultiplyUnit multiply = getMultiplyUnit(bytes, copies);
  ProductMachine machine{chip, bytes, multiply == MultiplyUnit::Wgmma};
  if (block::UnpackWeightOp codes = product.codes) {
    machine.weightBytes = block::cellBytes;
    machine.otherBytes = block::getCellColumns(codes.getForm()) * bytes;
  }
  int64_t usual = getUsualRows(plan);
  int64_t own = std::max<int64_t>(together - 1, 1);
  int64_t limit = together > 1 ? chip.getSharedBytesBeside(together)
                               : static_cast<int64_t>(chip.sharedBytes);
  int64_t busy =
      plan.places ? std::min(plan.experts, *plan.places) : plan.experts;
  int64_t rowTiles = busy * llvm::divideCeil(usual, rows);
  std::optional<double> best;
  for (ProductTile tile : listTiles(machine, product, rows)) {
    bool mayPart = machine.isWgmma && !tile.weightIsLeft;
    if (!machine.fitSharedMemory(tile, mayPart, limit))
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
                                      /*joins=*/false, own)
            : static_cast<double>(
                  llvm::divideCeil(tiles, chip.multiprocessors)) *
                  machine.estimateTile(tile, steps, candidate.getTileWidth());
    if (best && cost >= *best)
      continue;
    best = cost;
    candidate.parts = tile.parts;
    int64_t grid = own * chip.multiprocessors;
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

/// Chooses the tile of `product` with `rows` rows: of codes, for as many CTAs
/// side by side as shared memory has room for.
static std::optional<double> chooseTile(const ExpertPlan &plan,
                                        ExpertProduct &product, int64_t rows,
                                        const Chip &chip) {
  int64_t most = !product.codes ? 1 : getUsualRows(plan) <= mostFewRows ? 3 : 2;
  for (int64_t together = most; together > 0; --together)
    if (std::optional<double> cost =
            chooseTile(plan, product, rows, together, chip))
      return cost;
  return std::nullopt;
}

/// Returns heights of tiles to choose from. One tile has all rows of an expert
/// if all products are of codes, and rows are known to fit.
static SmallVector<int64_t> listHeights(const ExpertPlan &plan,
                                        ArrayRef<ExpertProduct *> products,
                                        const Chip &chip) {
  int64_t bytes = plan.element.getIntOrFloatBitWidth() / 8;
  bool isWgmma = true, hasGroups = false;
  for (const ExpertProduct *product : products) {
    block::UnpackWeightOp codes = product->codes;
    if (!codes)
      return {128, 64};
    isWgmma &= getCopyUnit(*product, bytes, chip) == CopyUnit::Tma;
    hasGroups |= codes.getGroup() != 0;
  }
  int64_t most = findMostRowsOfCodes(isWgmma, hasGroups);
  if (!plan.places || *plan.places / plan.slots > most)
    return most > mostFewRows ? SmallVector<int64_t>{most, mostFewRows}
                              : SmallVector<int64_t>{most};
  int64_t rows = std::max<int64_t>(*plan.places / plan.slots, 1);
  return {static_cast<int64_t>(llvm::alignTo(rows, isWgmma ? 8 : 16))};
}

SmallVector<Value> ExpertPlan::listTensors(Value stack) {
  if (block::UnpackWeightOp codes = block::findLaneStack(stack))
    return codes->getOperands();
  return {stack};
}

RankedTensorType ExpertPlan::getSlotsType(Type element,
                                          ArrayRef<int64_t> sizes) const {
  SmallVector<int64_t> shape;
  for (int64_t dim : {0, 1}) {
    int64_t size = ShapedType::kDynamic;
    for (Value value : {indices, input, rows})
      if (ShapedType::isDynamic(size))
        size = getDim(value, dim);
    shape.push_back(size);
  }
  llvm::append_range(shape, sizes);
  return RankedTensorType::get(shape, element);
}

void ExpertPlan::readSizes() {
  element = getElementTypeOrSelf(input);
  experts = getDim(upWeight, 0);
  slots = getDim(indices, -1);
  places = getStaticRows(getSlotsType(element, {slots, 1}));
  chunks = countExpertChunks(places);
}

void ExpertPlan::choose(ArrayRef<ExpertProduct *> products, StringRef chip) {
  const Chip &machine = getDeviceChip(chip);
  std::optional<double> best;
  for (int64_t height : listHeights(*this, products, machine)) {
    SmallVector<ExpertProduct> candidates;
    double cost = 0;
    for (const ExpertProduct *product : products) {
      std::optional<double> own =
          chooseTile(*this, candidates.emplace_back(*product), height, machine);
      cost += own.value_or(std::numeric_limits<double>::infinity());
    }
    if (std::isinf(cost) || (best && cost >= *best))
      continue;
    best = cost;
    tileRows = height;
    for (auto [product, candidate] : llvm::zip_equal(products, candidates))
      *product = candidate;
  }
  assert(best && "every chip has tiles of 64 rows");
}

ForwardExpertPlan::ForwardExpertPlan(block::ExpertsOp op, StringRef chip)
    : ExpertPlan(op, op.getResult()) {
  bool isApart = form.getLayout() == block::ExpertLayout::GateUp;
  up.depth = getDim(input, -1);
  up.matrixRows = getDim(upWeight, 1);
  up.perColumn = form.hasGate() ? 2 : 1;
  up.pieces = isApart ? 2 : 1;
  up.width = up.matrixRows / up.perColumn;
  down.depth = up.width;
  down.matrixRows = down.width = getDim(downWeight, 1);
  up.codes = block::findLaneStack(upWeight);
  down.codes = block::findLaneStack(downWeight);
  choose({&up, &down}, chip);
}

ExpertGradPlan::ExpertGradPlan(block::ExpertsGradOp op, StringRef chip)
    : ExpertPlan(op, op.getGradient()) {
  bool transposed = form.getTransposed();
  wide = getDim(upWeight, transposed ? 2 : 1);
  hidden = getDim(downWeight, transposed ? 1 : 2);
  width = getDim(op.getGradient(), -1);
  auto make = [&](int64_t depth, int64_t columns, bool isForward) {
    ExpertProduct product;
    product.depth = depth;
    product.width = columns;
    product.isDepthFirst = isForward == transposed;
    product.matrixRows = product.isDepthFirst ? depth : columns;
    return product;
  };
  int64_t read = getDim(input, -1);
  projected = make(read, wide, /*isForward=*/true);
  byHidden = make(width, hidden, /*isForward=*/false);
  byRead = make(wide, read, /*isForward=*/false);
  choose({&projected, &byHidden, &byRead}, chip);
}
