//===- ExpertPlaces.cpp - slots in the order of experts -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each lane has one expert, and walks through the slots of its chunk in order.
// So places do not depend on timing, and no atomics are necessary. Slots
// without an expert have the last places, and tiles that multiply zeros.
//
//===----------------------------------------------------------------------===//

#include "ExpertPlaces.h"

#include "ExpertProducts.h"
#include "RowKernels.h"

using namespace mlir;
using namespace parablock;

/// Element `at` of a tensor, counted through all its dimensions.
Value parablock::loadFlat(TileCode code, Value tensor, Value at) {
  Type element = cast<MemRefType>(tensor.getType()).getElementType();
  if (isa<FloatType>(element))
    element = code.builder.getF32Type();
  return tile::LoadOp::create(code.builder, code.loc, element, tensor,
                              ValueRange{at});
}

Value parablock::loadFlatIndex(TileCode code, Value tensor, Value at) {
  return code.toIndex(loadFlat(code, tensor, at));
}

static void storeFlatIndex(TileCode code, Value value, Value tensor, Value at) {
  tile::StoreOp::create(code.builder, code.loc, code.toI64(value), tensor,
                        ValueRange{at});
}

KernelShell ExpertSite::createShell(StringRef suffix,
                                    std::optional<int64_t> rows,
                                    TypeRange inputs, TypeRange outputs,
                                    ArrayRef<Type> workspaces) const {
  return createKernelShell(atModule, plan.op->getLoc(), (name + suffix).str(),
                           getRowSchedule(plan.op->getContext(), rows, chip),
                           inputs, outputs, workspaces);
}

namespace {
/// Emits the kernels that find places.
class ExpertPlaces {
public:
  ExpertPlaces(const ExpertSite &site, bool hasRanges)
      : site(site), plan(site.plan), hasRanges(hasRanges) {}

  tile::KernelOp buildCount();
  tile::KernelOp buildPlace();

private:
  TileCode getCode(KernelShell &shell) {
    return {shell.builder, plan.op->getLoc()};
  }
  /// Calls `body` for each expert, one a lane, in each chunk of slots.
  void forExperts(TileCode code, Value indices,
                  llvm::function_ref<void(TileCode, Value chunk, Value expert,
                                          Value from, Value to)>
                      body);
  /// Counts the slots of an expert, and those of experts before it.
  using Count = llvm::function_ref<std::pair<Value, Value>(TileCode, Value)>;
  std::pair<Value, Value> countSlots(TileCode code, Value indices, Value expert,
                                     Value from, Value to);
  Value createSlotCount(TileCode code, Value indices) {
    return code.mulIndex(createRowCount(code.builder, code.loc, indices),
                         code.index(plan.slots));
  }
  void listTiles(TileCode code, Count count, Value most, KernelShell &shell);
  /// Sums a column of a table of chunks.
  Value sumChunks(TileCode code, Value table, Value expert, Value end = {});

  const ExpertSite &site;
  const ExpertPlan &plan;
  bool hasRanges;
};
} // namespace

Value ExpertSite::loadExpert(TileCode code, Value indices, Value slot) const {
  Value index = loadFlat(code, indices, slot);
  Value none = arith::ConstantIntOp::create(code.builder, code.loc,
                                            index.getType(), plan.experts);
  // Negative numbers are large ones.
  return code.toIndex(
      arith::MinUIOp::create(code.builder, code.loc, index, none));
}

void ExpertPlaces::forExperts(
    TileCode code, Value indices,
    llvm::function_ref<void(TileCode, Value, Value, Value, Value)> body) {
  Value count = createSlotCount(code, indices);
  Value size = code.divIndex(code.addIndex(count, code.index(plan.chunks - 1)),
                             code.index(plan.chunks));
  code.gridRows(code.index(plan.chunks), [&](TileCode inner, Value chunk) {
    Value from = inner.minIndex(inner.mulIndex(chunk, size), count);
    Value to = inner.minIndex(inner.addIndex(from, size), count);
    inner.columns(inner.index(0), inner.index(plan.getNumGroups()),
                  [&](TileCode each, Value expert) {
                    body(each, chunk, expert, from, to);
                  });
  });
}

Value ExpertPlaces::sumChunks(TileCode code, Value table, Value expert,
                              Value end) {
  Value chunks = code.index(plan.chunks);
  return code.accumulate(
      code.index(0), end ? end : chunks, code.index(0),
      [&](TileCode inner, Value chunk, ValueRange sum) -> SmallVector<Value> {
        Value own = inner.toIndex(inner.load(table, chunk, expert));
        return {inner.addIndex(sum[0], own)};
      })[0];
}

std::pair<Value, Value> ExpertPlaces::countSlots(TileCode code, Value indices,
                                                 Value expert, Value from,
                                                 Value to) {
  Value zero = code.index(0), one = code.index(1);
  SmallVector<Value> sums = code.accumulate(
      from, to, {zero, zero},
      [&](TileCode inner, Value slot, ValueRange known) -> SmallVector<Value> {
        Value own = site.loadExpert(inner, indices, slot);
        Value isOwn = inner.equalIndex(own, expert),
              isBefore = inner.lessIndex(own, expert);
        return {inner.addIndex(known[0], inner.select(isOwn, one, zero)),
                inner.addIndex(known[1], inner.select(isBefore, one, zero))};
      });
  return {sums[0], sums[1]};
}

/// Counts the slots of each expert, and those of experts before it.
tile::KernelOp ExpertPlaces::buildCount() {
  Type table = site.getNumbers({plan.chunks, plan.getNumGroups()});
  KernelShell shell = site.createShell("_count", plan.chunks,
                                       plan.indices.getType(), {table, table});
  Value indices = shell.getInput(0), counts = shell.getOutput(0),
        before = shell.getOutput(1);
  forExperts(
      getCode(shell), indices,
      [&](TileCode code, Value chunk, Value expert, Value from, Value to) {
        auto [own, less] = countSlots(code, indices, expert, from, to);
        code.store(code.toI64(own), counts, chunk, expert);
        code.store(code.toI64(less), before, chunk, expert);
      });
  return shell.kernel;
}

/// Writes zeros to numbers `from` to `to` of a tensor.
static void fillZeros(TileCode code, Value tensor, Value from, Value to) {
  code.columns(from, to, [&](TileCode each, Value at) {
    storeFlatIndex(each, each.index(0), tensor, at);
  });
}

/// Lists the tiles of each expert behind those of the experts before it, in one
/// warp: expert, first place and end of each; then zeros up to tile `most`.
void ExpertPlaces::listTiles(TileCode code, Count count, Value most,
                             KernelShell &shell) {
  Value tiles = shell.getOutput(1), total = shell.getOutput(2);
  int64_t groups = plan.getNumGroups();
  Value zero = code.index(0), experts = code.index(groups),
        rows = code.index(plan.tileRows);
  // Slots of each expert, slots before these, and the number of all tiles.
  Value numbers = code.scratch(2 * groups + 1);
  code.columns(zero, experts, [&](TileCode each, Value expert) {
    auto [own, before] = count(each, expert);
    each.store(each.toBits(own), numbers, zero, expert);
    each.store(each.toBits(before), numbers, zero,
               each.addIndex(expert, each.index(groups)));
  });
  auto load = [&](TileCode at, Value place) {
    return at.fromBits(at.load(numbers, zero, place));
  };
  auto countTiles = [&](TileCode each, Value places) {
    return each.divIndex(each.addIndex(places, each.index(plan.tileRows - 1)),
                         rows);
  };
  code.columns(zero, experts, [&](TileCode each, Value expert) {
    Value firstTile = each.accumulate(
        zero, expert, zero,
        [&](TileCode inner, Value of, ValueRange sum) -> SmallVector<Value> {
          return {inner.addIndex(sum[0], countTiles(inner, load(inner, of)))};
        })[0];
    Value places = load(each, expert), own = countTiles(each, places);
    Value first = load(each, each.addIndex(expert, each.index(groups)));
    Value end = each.addIndex(first, places);
    if (hasRanges)
      for (auto [column, bound] :
           llvm::enumerate(SmallVector<Value>{first, end}))
        each.store(each.toI64(bound), shell.getOutput(3), expert,
                   each.index(column));
    each.loop(zero, own, [&](TileCode inner, Value number) {
      Value at = inner.mulIndex(inner.addIndex(firstTile, number),
                                inner.index(kTileNumbers));
      Value from = inner.addIndex(first, inner.mulIndex(number, rows));
      Value to = inner.minIndex(inner.addIndex(from, rows), end);
      for (auto [position, value] :
           llvm::enumerate(SmallVector<Value>{expert, from, to}))
        storeFlatIndex(inner, value, tiles,
                       inner.addIndex(at, inner.index(position)));
    });
    Value isLast = each.equalIndex(expert, each.index(groups - 1));
    each.when(isLast, [&](TileCode inner) {
      Value all = inner.addIndex(firstTile, own);
      storeFlatIndex(inner, all, total, zero);
      inner.store(inner.toBits(all), numbers, zero, inner.index(2 * groups));
    });
  });
  Value size = code.index(kTileNumbers);
  fillZeros(code, tiles,
            code.mulIndex(load(code, code.index(2 * groups)), size),
            code.mulIndex(most, size));
}

tile::KernelOp ExpertPlaces::buildPlace() {
  Type i64 = site.atModule.getI64Type();
  SmallVector<Type> inputs = {plan.indices.getType()};
  if (plan.chunks > 1)
    inputs.append(2, site.getNumbers({plan.chunks, plan.getNumGroups()}));
  SmallVector<Type> outputs = {
      plan.getSlotsType(i64, plan.slots),
      plan.getSlotsType(i64, {plan.slots, kTileNumbers}), site.getNumbers({1})};
  if (hasRanges)
    outputs.push_back(site.getNumbers({plan.getNumGroups(), 2}));
  KernelShell shell = site.createShell("_place", plan.chunks, inputs, outputs);
  Value indices = shell.getInput(0), order = shell.getOutput(0);
  TileCode code = getCode(shell);
  Value slots = createSlotCount(code, indices);
  auto count = [&](TileCode each, Value expert) {
    if (plan.chunks == 1)
      return countSlots(each, indices, expert, each.index(0), slots);
    return std::pair(sumChunks(each, shell.getInput(1), expert),
                     sumChunks(each, shell.getInput(2), expert));
  };
  forExperts(
      code, indices,
      [&](TileCode each, Value chunk, Value expert, Value from, Value to) {
        Value first = count(each, expert).second, one = each.index(1);
        if (plan.chunks > 1)
          first = each.addIndex(
              first, sumChunks(each, shell.getInput(1), expert, chunk));
        each.accumulate(from, to, first,
                        [&](TileCode inner, Value slot,
                            ValueRange place) -> SmallVector<Value> {
                          Value isOwn = inner.equalIndex(
                              site.loadExpert(inner, indices, slot), expert);
                          inner.when(isOwn, [&](TileCode own) {
                            storeFlatIndex(own, slot, order, place[0]);
                          });
                          return {inner.select(
                              isOwn, inner.addIndex(place[0], one), place[0])};
                        });
      });
  // Each expert has at most one tile that is not full.
  Value most = code.minIndex(
      slots, code.addIndex(code.divIndex(slots, code.index(plan.tileRows)),
                           code.index(plan.getNumGroups())));
  Value tiles = shell.getOutput(1), size = code.index(kTileNumbers);
  code.gridRows(code.index(1), [&](TileCode inner, Value) {
    listTiles(inner, count, most, shell);
  });
  code.gridRows(code.subIndex(slots, most), [&](TileCode inner, Value number) {
    Value from = inner.mulIndex(inner.addIndex(most, number), size);
    fillZeros(inner, tiles, from, inner.addIndex(from, size));
  });
  return shell.kernel;
}

tile::KernelOp parablock::buildSlotCount(const ExpertSite &site) {
  if (site.plan.chunks == 1)
    return nullptr;
  return ExpertPlaces(site, /*hasRanges=*/false).buildCount();
}

tile::KernelOp parablock::buildSlotPlaces(const ExpertSite &site,
                                          bool hasRanges) {
  return ExpertPlaces(site, hasRanges).buildPlace();
}

tile::KernelOp parablock::buildSlotGather(const ExpertSite &site,
                                          StringRef suffix, Type rows,
                                          bool weighs) {
  const ExpertPlan &plan = site.plan;
  int64_t width = cast<RankedTensorType>(rows).getShape().back();
  SmallVector<Type> inputs = {
      rows, plan.getSlotsType(site.atModule.getI64Type(), plan.slots)};
  if (weighs)
    inputs.push_back(plan.weights.getType());
  KernelShell shell =
      site.createShell(suffix, plan.places, inputs,
                       plan.getSlotsType(plan.element, {plan.slots, width}));
  TileCode code{shell.builder, plan.op->getLoc()};
  Value gathered = shell.getOutput(0);
  Value count = createRowCount(code.builder, code.loc, gathered);
  code.gridRows(count, [&](TileCode inner, Value place) {
    Value slot = loadFlatIndex(inner, shell.getInput(1), place);
    Value row = inner.divIndex(slot, inner.index(plan.slots));
    Value weight = weighs ? loadFlat(inner, shell.getInput(2), slot) : Value();
    inner.columns(inner.index(0), inner.index(width),
                  [&](TileCode each, Value column) {
                    Value x = each.load(shell.getInput(0), row, column);
                    if (weight)
                      x = each.mul(x, weight);
                    each.store(x, gathered, place, column);
                  });
  });
  return shell.kernel;
}
