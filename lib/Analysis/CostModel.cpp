//===- CostModel.cpp - granules, peaks and times of steps -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/CostModel.h"

#include "StepCounter.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Analysis/ProductTiles.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <numeric>

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

Cost &Cost::operator+=(const Cost &other) {
  flops += other.flops;
  bytes += other.bytes;
  launches += other.launches;
  seconds += other.seconds;
  return *this;
}

int64_t parablock::getGranule(Operation *op) {
  auto step = dyn_cast<StepOpInterface>(op);
  return step ? step.getGranule() : 1;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Returns the weights of a projection; none for other steps.
static SmallVector<Value, 2> getWeights(Operation *op) {
  if (!isProduct(op))
    return {};
  return cast<StepOpInterface>(op).getOperandsOf(OperandRole::Weight);
}

/// Returns the segments of the product of `root`, each with the number of
/// columns that must stay together for `steps`.
static llvm::MapVector<Value, int64_t>
findGranules(Operation *root, ArrayRef<Operation *> steps) {
  llvm::MapVector<Value, int64_t> granules;
  DenseMap<Value, Value> segmentOf;
  auto addSegment = [&](Value segment) {
    segmentOf[segment] = segment;
    granules[segment] = 1;
  };
  addSegment(root->getResult(0));
  for (Operation *op : steps) {
    if (op == root || op->getNumOperands() == 0)
      continue;
    if (auto split = dyn_cast<SplitOp>(op);
        split && split.getInput() == root->getResult(0)) {
      granules.clear();
      for (Value segment : split.getSegments())
        addSegment(segment);
      continue;
    }
    // All segments that a value depends on must be alike.
    for (Value operand : op->getOperands()) {
      Value segment = segmentOf.lookup(operand);
      if (!segment)
        continue;
      auto known = granules.find(segment);
      if (known == granules.end()) // columns of a product that was split
        continue;
      known->second = std::lcm(known->second, getGranule(op));
      for (Value result : op->getResults())
        segmentOf.try_emplace(result, segment);
    }
  }
  return granules;
}

/// Returns whether tensor cores multiply codes of 8 bits of both operands.
static bool multipliesCodes(Operation *op) {
  auto linear = dyn_cast<LinearOp>(op);
  auto unpack = linear ? linear.getWeight().getDefiningOp<UnpackWeightOp>()
                       : UnpackWeightOp();
  return unpack && unpack.getForm() == CodeForm::Fp8 &&
         linear.getInput().getDefiningOp<DecodeGroupsOp>();
}

double CostModel::getPeak(Operation *op) const {
  if (chip.isHopper && multipliesCodes(op))
    return 2 * chip.flops16;
  Type element = getElementTypeOrSelf(op->getOperand(0));
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 16
             ? chip.flops16
             : chip.flops32;
}

double CostModel::estimateProduct(Operation *root,
                                  ArrayRef<Operation *> steps) const {
  StepCounter counter(sizes, /*hasKernels=*/false);
  double depth = 0;
  for (Value weight : getWeights(root))
    depth += static_cast<double>(getDim(weight, -1));
  auto rows = static_cast<int64_t>(counter.countRows(root->getResult(0)));
  llvm::MapVector<Value, int64_t> granules = findGranules(root, steps);
  double best = std::numeric_limits<double>::infinity(), peak = getPeak(root);
  int64_t elementBytes = peak > chip.flops16 ? 1 : peak == chip.flops16 ? 2 : 4;
  ProductMachine machine{chip, elementBytes,
                         chip.isHopper && elementBytes <= 2};
  for (const ProductTile &tile : machine.listTiles()) {
    int64_t tiles = 0;
    bool fits = true;
    for (auto &[segment, granule] : granules) {
      int64_t width = getDim(segment, -1);
      // Sizes may be 0, which takes no tiles.
      int64_t together = std::max<int64_t>(1, std::min(granule, width));
      int64_t columns = tile.columns / together * together;
      fits &= columns > 0;
      if (columns > 0)
        tiles += llvm::divideCeil(width, columns);
    }
    if (!fits)
      continue;
    tiles *= llvm::divideCeil(rows, tile.rows);
    double flops = 2 * depth * static_cast<double>(tiles) *
                   static_cast<double>(tile.rows * tile.columns);
    best = std::min(best, flops / machine.estimateEfficiency(tile) / peak);
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Cost CostModel::estimateApart(ArrayRef<Operation *> steps) const {
  StepCounter counter(sizes, /*hasKernels=*/false);
  Cost total;
  for (Operation *op : steps) {
    StepCounts before = counter.counts;
    counter.visit(op);
    Cost cost;
    cost.flops = counter.counts.getFlops() - before.getFlops();
    cost.bytes = counter.counts.bytes - before.bytes;
    cost.launches =
        static_cast<double>(counter.counts.launches - before.launches);
    if (hasTimes()) {
      double traffic = cost.bytes, arithmetic = cost.flops / getPeak(op);
      SmallVector<Value, 2> weights = getWeights(op);
      for (Value weight : weights)
        traffic += counter.countBytes(weight);
      if (!weights.empty())
        arithmetic = estimateProduct(op, op);
      cost.seconds = std::max(arithmetic, traffic / chip.bandwidth) +
                     cost.launches * chip.launchSeconds;
    }
    total += cost;
  }
  // Elementwise steps ride on a launch before them; here there may be none.
  if (total.launches < 1) {
    total.launches = 1;
    total.seconds += chip.launchSeconds;
  }
  return total;
}

Cost CostModel::estimateTogether(ArrayRef<Operation *> steps) const {
  DenseSet<Operation *> inside(steps.begin(), steps.end());
  StepCounter counter(sizes, /*hasKernels=*/false);
  llvm::SetVector<Value> moved;
  double weightBytes = 0, arithmetic = 0, appendedBytes = 0;
  for (Operation *op : steps) {
    double before = counter.counts.getFlops();
    counter.visit(op);
    SmallVector<Value, 2> weights = getWeights(op);
    for (Value weight : weights)
      weightBytes += counter.countBytes(weight);
    if (hasTimes())
      arithmetic += weights.empty()
                        ? (counter.counts.getFlops() - before) / getPeak(op)
                        : estimateProduct(op, steps);
    // A cache is written where it lies.
    if (auto append = dyn_cast<CacheAppendOp>(op)) {
      appendedBytes += counter.countBytes(append.getAdded());
      continue;
    }
    for (Value operand : op->getOperands())
      if (isActivation(operand) && !inside.contains(operand.getDefiningOp()))
        moved.insert(operand);
    for (Value result : op->getResults())
      if (isActivation(result) &&
          llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !inside.contains(user); }))
        moved.insert(result);
  }
  Cost cost;
  cost.flops = counter.counts.getFlops();
  cost.launches = 1;
  cost.bytes = appendedBytes;
  for (Value value : moved)
    cost.bytes += counter.countBytes(value);
  if (hasTimes())
    cost.seconds =
        chip.launchSeconds +
        std::max(arithmetic, (cost.bytes + weightBytes) / chip.bandwidth);
  return cost;
}

/// Returns the bytes of a weight in memory, in codes if it is made of these.
static double countStoredBytes(Value weight) {
  Operation *op = weight.getDefiningOp();
  if (auto unpack = dyn_cast_if_present<UnpackWeightOp>(op))
    weight = unpack.getCodes();
  double bytes = 0;
  if (auto concat = dyn_cast_if_present<tensor::ConcatOp>(op)) {
    for (Value part : concat.getInputs())
      bytes += countStoredBytes(part);
    return bytes;
  }
  auto type = cast<RankedTensorType>(weight.getType());
  return static_cast<double>(type.getNumElements()) *
         type.getElementTypeBitWidth() / 8;
}

/// Returns whether a weight is made of codes with scales of groups of columns.
static bool hasGroups(Value weight) {
  Operation *op = weight.getDefiningOp();
  if (auto concat = dyn_cast_if_present<tensor::ConcatOp>(op))
    return llvm::any_of(concat.getInputs(), hasGroups);
  auto unpack = dyn_cast_if_present<UnpackWeightOp>(op);
  return unpack && unpack.getGroup() != 0;
}

bool CostModel::isFasterWithRows(Operation *product,
                                 const ComputedRows &rows) const {
  // If their number comes later, one row is taken of each batch row, or there
  // are those that kernels for few rows are chosen for.
  constexpr int64_t usualRows = 16;
  NormalizeOp norm = rows.norm;
  auto type = cast<RankedTensorType>(norm.getType());
  int64_t count = countLeastRows(type);
  if (!rows.take && !type.hasStaticShape())
    count = std::max(count, usualRows);
  Value weight = getWeights(product).front();
  if (hasGroups(weight) && countLeastRows(type) > mostComputedBesideGroups)
    return false;
  ProductMachine machine{chip, type.getElementTypeBitWidth() / 8,
                         chip.isHopper};
  return machine.estimateComputedRows(
             count, type.getShape().back(), getDim(weight, 0),
             countStoredBytes(weight)) < chip.launchSeconds;
}
