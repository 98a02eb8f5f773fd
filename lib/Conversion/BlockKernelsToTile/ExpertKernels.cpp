//===- ExpertKernels.cpp - orders slots, gathers rows and sums them -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A slot is one expert of one row, and a place a slot in the order of experts.
// At most six launches compute a `block.experts`, whatever the number of
// experts:
//
// - count: for each chunk of slots, the slots of every expert; not of one chunk
// - place: from these numbers, the slot of each place; the tiles of products
// - gather: the rows of the input by places, or their norm, if nothing else
//   reads it
// - up: hidden values by places (ExpertProducts.cpp)
// - down: products by slots
// - sum: of each row, slot by slot
//
// Each lane has one expert, and walks through the slots of its chunk in order.
// So places do not depend on timing, and no atomics are necessary. Slots
// without an expert have the last places, and tiles that multiply zeros.
//
//===----------------------------------------------------------------------===//

#include "ExpertKernels.h"

#include "ExpertPlan.h"
#include "ExpertProducts.h"
#include "KernelShell.h"
#include "RowKernels.h"
#include "TileCode.h"
#include "parablock/Analysis/ExpertLaunches.h"
#include "parablock/Analysis/KernelCache.h"
#include <limits>

using namespace mlir;
using namespace parablock;

/// Element `at` of a tensor, counted through all its dimensions.
static Value loadFlat(TileCode code, Value tensor, Value at) {
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

namespace {
/// Emits the kernels that are not products.
class ExpertRows {
public:
  ExpertRows(OpBuilder &atModule, const ExpertPlan &plan, StringRef name,
             StringRef chip)
      : atModule(atModule), plan(plan), op(plan.op), name(name), chip(chip) {}

  tile::KernelOp buildCount();
  tile::KernelOp buildPlace();
  tile::KernelOp buildGather();
  tile::KernelOp buildSum();

private:
  tile::KernelOp buildGatheredNorm(block::KernelOp norm);
  KernelShell createShell(StringRef suffix, std::optional<int64_t> rows,
                          TypeRange inputs, TypeRange outputs,
                          ArrayRef<Type> workspaces = {}) {
    return createKernelShell(atModule, op.getLoc(), (name + suffix).str(),
                             getRowSchedule(op.getContext(), rows, chip),
                             inputs, outputs, workspaces);
  }
  TileCode getCode(KernelShell &shell) { return {shell.builder, op.getLoc()}; }
  Type getNumbers(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, atModule.getI64Type());
  }
  /// A summand of a row. Without an expert, an empty slot is 0, another NaN.
  struct Slot {
    Value number, weight, index, isThere, otherwise;
  };
  /// Reports slots that are not empty and have no expert.
  void report(TileCode code, ArrayRef<Slot> slots, Value word);
  SmallVector<Slot> loadSlots(TileCode code, Value row, Value indices,
                              Value weights);
  /// Returns the expert of a slot; the number of experts where there is none.
  Value loadExpert(TileCode code, Value indices, Value slot);
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
  void listTiles(TileCode code, Count count, Value most, Value tiles,
                 Value total);
  /// Sums a column of a table of chunks.
  Value sumChunks(TileCode code, Value table, Value expert, Value end = {});

  OpBuilder &atModule;
  const ExpertPlan &plan;
  block::ExpertsOp op;
  StringRef name, chip;
};
} // namespace

Value ExpertRows::loadExpert(TileCode code, Value indices, Value slot) {
  Value index = loadFlat(code, indices, slot);
  Value none = arith::ConstantIntOp::create(code.builder, code.loc,
                                            index.getType(), plan.experts);
  // Negative numbers are large ones.
  return code.toIndex(
      arith::MinUIOp::create(code.builder, code.loc, index, none));
}

void ExpertRows::forExperts(
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

Value ExpertRows::sumChunks(TileCode code, Value table, Value expert,
                            Value end) {
  Value chunks = code.index(plan.chunks);
  return code.accumulate(
      code.index(0), end ? end : chunks, code.index(0),
      [&](TileCode inner, Value chunk, ValueRange sum) -> SmallVector<Value> {
        Value own = inner.toIndex(inner.load(table, chunk, expert));
        return {inner.addIndex(sum[0], own)};
      })[0];
}

std::pair<Value, Value> ExpertRows::countSlots(TileCode code, Value indices,
                                               Value expert, Value from,
                                               Value to) {
  Value zero = code.index(0), one = code.index(1);
  SmallVector<Value> sums = code.accumulate(
      from, to, {zero, zero},
      [&](TileCode inner, Value slot, ValueRange known) -> SmallVector<Value> {
        Value own = loadExpert(inner, indices, slot);
        Value isOwn = inner.equalIndex(own, expert),
              isBefore = inner.lessIndex(own, expert);
        return {inner.addIndex(known[0], inner.select(isOwn, one, zero)),
                inner.addIndex(known[1], inner.select(isBefore, one, zero))};
      });
  return {sums[0], sums[1]};
}

/// Counts the slots of each expert, and those of experts before it.
tile::KernelOp ExpertRows::buildCount() {
  Type table = getNumbers({plan.chunks, plan.getNumGroups()});
  KernelShell shell = createShell("_count", plan.chunks,
                                  op.getIndices().getType(), {table, table});
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
void ExpertRows::listTiles(TileCode code, Count count, Value most, Value tiles,
                           Value total) {
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

tile::KernelOp ExpertRows::buildPlace() {
  Type i64 = atModule.getI64Type();
  SmallVector<Type> inputs = {op.getIndices().getType()};
  if (plan.chunks > 1)
    inputs.append(2, getNumbers({plan.chunks, plan.getNumGroups()}));
  KernelShell shell = createShell(
      "_place", plan.chunks, inputs,
      {plan.getSlotsType(i64, plan.slots),
       plan.getSlotsType(i64, {plan.slots, kTileNumbers}), getNumbers({1})});
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
                              loadExpert(inner, indices, slot), expert);
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
    listTiles(inner, count, most, tiles, shell.getOutput(2));
  });
  code.gridRows(code.subIndex(slots, most), [&](TileCode inner, Value number) {
    Value from = inner.mulIndex(inner.addIndex(most, number), size);
    fillZeros(inner, tiles, from, inner.addIndex(from, size));
  });
  return shell.kernel;
}

/// Computes the norm of the row of each place.
tile::KernelOp ExpertRows::buildGatheredNorm(block::KernelOp norm) {
  SmallVector<Type> inputs(norm.getOperandTypes());
  unsigned ofOrder = inputs.size();
  inputs.push_back(plan.getSlotsType(atModule.getI64Type(), plan.slots));
  KernelShell shell =
      createShell("_gather", plan.places, inputs,
                  plan.getSlotsType(plan.element, {plan.slots, plan.up.depth}));
  TileCode code = getCode(shell);
  Block &body = norm.getBody().front();
  Value result = body.getTerminator()->getOperand(0);
  Value order = shell.getInput(ofOrder), gathered = shell.getOutput(0);
  Value sequence = code.dim(shell.getInput(0), 1);
  Value count = createRowCount(shell.builder, op.getLoc(), gathered);
  code.gridRows(count, [&](TileCode inner, Value place) {
    Value slot = loadFlatIndex(inner, order, place);
    Value row = inner.divIndex(slot, inner.index(plan.slots));
    RowProgram program(inner, kTileRows, row, sequence);
    giveArguments(program, body, shell);
    int64_t width = plan.up.depth;
    program.emit({{result, gathered, place}},
                 {inner.index(0), inner.index(width), width, false});
  });
  return shell.kernel;
}

/// Copies the row of each place, times its weight if this is the input's.
tile::KernelOp ExpertRows::buildGather() {
  if (block::KernelOp norm = findGatheredNorm(op))
    return buildGatheredNorm(norm);
  bool weighs = plan.form.getWeigh() == block::Weigh::Input;
  SmallVector<Type> inputs = {
      op.getInput().getType(),
      plan.getSlotsType(atModule.getI64Type(), plan.slots)};
  if (weighs)
    inputs.push_back(op.getWeights().getType());
  KernelShell shell =
      createShell("_gather", plan.places, inputs,
                  plan.getSlotsType(plan.element, {plan.slots, plan.up.depth}));
  TileCode code = getCode(shell);
  Value input = shell.getInput(0), order = shell.getInput(1),
        gathered = shell.getOutput(0);
  Value count = createRowCount(shell.builder, op.getLoc(), gathered);
  code.gridRows(count, [&](TileCode inner, Value place) {
    Value slot = loadFlatIndex(inner, order, place);
    Value row = inner.divIndex(slot, inner.index(plan.slots));
    Value weight = weighs ? loadFlat(inner, shell.getInput(2), slot) : Value();
    inner.columns(inner.index(0), inner.index(plan.up.depth),
                  [&](TileCode each, Value column) {
                    Value x = each.load(input, row, column);
                    if (weight)
                      x = each.mul(x, weight);
                    each.store(x, gathered, place, column);
                  });
  });
  return shell.kernel;
}

SmallVector<ExpertRows::Slot>
ExpertRows::loadSlots(TileCode code, Value row, Value indices, Value weights) {
  Value first = code.mulIndex(row, code.index(plan.slots));
  Value nan = code.f32(std::numeric_limits<double>::quiet_NaN()),
        zero = code.f32(0);
  SmallVector<Slot> all;
  for (int64_t number = 0; number < plan.slots; ++number) {
    Slot slot;
    slot.number = code.addIndex(first, code.index(number));
    slot.weight = loadFlat(code, weights, slot.number);
    slot.isThere = code.lessIndex(loadExpert(code, indices, slot.number),
                                  code.index(plan.experts));
    slot.index = loadFlat(code, indices, slot.number);
    Value none = arith::ConstantIntOp::create(code.builder, code.loc,
                                              slot.index.getType(), 0);
    Value isNegative = arith::CmpIOp::create(
        code.builder, code.loc, arith::CmpIPredicate::slt, slot.index, none);
    Value isZero = arith::CmpFOp::create(
        code.builder, code.loc, arith::CmpFPredicate::OEQ, slot.weight, zero);
    slot.otherwise =
        code.select(isNegative, nan, code.select(isZero, zero, nan));
    all.push_back(slot);
  }
  return all;
}

void ExpertRows::report(TileCode code, ArrayRef<Slot> slots, Value word) {
  Value no = code.boolean(false), yes = code.boolean(true), areWrong = no;
  SmallVector<Value> isWrong;
  for (const Slot &slot : slots) {
    Value isNaN =
        arith::CmpFOp::create(code.builder, code.loc, arith::CmpFPredicate::UNO,
                              slot.otherwise, slot.otherwise);
    isWrong.push_back(code.select(slot.isThere, no, isNaN));
    areWrong = code.select(isWrong.back(), yes, areWrong);
  }
  code.when(areWrong, [&](TileCode inner) {
    for (auto [slot, wrong] : llvm::zip_equal(slots, isWrong))
      inner.when(
          wrong, [&, index = slot.index, number = slot.number](TileCode own) {
            tile::ReportOp::create(own.builder, own.loc, number, index, word);
          });
  });
}

/// Adds the slots of each row in order, by warps that have a part of its
/// columns each.
tile::KernelOp ExpertRows::buildSum() {
  constexpr int64_t most = 512;
  int64_t width = plan.down.width;
  int64_t own = width % most == 0 ? most : width, parts = width / own;
  std::optional<int64_t> units;
  if (plan.places)
    units = *plan.places / plan.slots * parts;
  KernelShell shell = createShell(
      "_sum", units,
      {plan.getSlotsType(atModule.getF32Type(), {plan.slots, width}),
       op.getIndices().getType(), op.getWeights().getType()},
      op.getResult().getType(), getReportWord(op.getContext()));
  shell.kernel.setReportsAttr(tile::ReportsAttr::get(
      op.getContext(), tile::Checked::Indices, plan.experts, plan.slots));
  TileCode code = getCode(shell);
  bool weighs = plan.form.getWeigh() == block::Weigh::Output;
  Value rows = createRowCount(shell.builder, op.getLoc(), shell.getOutput(0));
  auto sum = [&](TileCode inner, Value unit) {
    Value row = inner.divIndex(unit, inner.index(parts));
    Value from = inner.mulIndex(inner.remIndex(unit, inner.index(parts)),
                                inner.index(own));
    SmallVector<Slot> all =
        loadSlots(inner, row, shell.getInput(1), shell.getInput(2));
    report(inner, all, shell.getWorkspace(0));
    inner.columns(from, inner.addIndex(from, inner.index(own)),
                  [&](TileCode each, Value column) {
                    Value sum;
                    for (const Slot &slot : all) {
                      Value x =
                          each.load(shell.getInput(0), slot.number, column);
                      if (weighs)
                        x = each.mul(x, slot.weight);
                      x = each.select(slot.isThere, x, slot.otherwise);
                      sum = sum ? each.add(sum, x) : x;
                    }
                    each.store(sum, shell.getOutput(0), row, column);
                  });
  };
  code.gridRows(code.mulIndex(rows, code.index(parts)), sum);
  return shell.kernel;
}

//===----------------------------------------------------------------------===//
// All kernels
//===----------------------------------------------------------------------===//

block::KernelOp parablock::findGatheredNorm(block::ExpertsOp op) {
  auto norm = op.getInput().getDefiningOp<block::KernelOp>();
  return norm && findGatheringExperts(norm) ? norm : block::KernelOp();
}

bool parablock::haveSameExpertKernels(block::ExpertsOp first,
                                      block::ExpertsOp second) {
  block::KernelOp norm = findGatheredNorm(first),
                  other = findGatheredNorm(second);
  return !norm == !other && (!norm || isSameKernel(norm, other)) &&
         first->getAttrDictionary() == second->getAttrDictionary() &&
         first->getOperandTypes() == second->getOperandTypes() &&
         first.getType() == second.getType();
}

ExpertKernels parablock::buildExpertKernels(OpBuilder &atModule,
                                            block::ExpertsOp op, StringRef name,
                                            StringRef chip) {
  ExpertPlan plan(op, chip);
  ExpertRows rows(atModule, plan, name, chip);
  ExpertKernels kernels;
  if (plan.chunks > 1)
    kernels.count = rows.buildCount();
  kernels.place = rows.buildPlace();
  kernels.gather = rows.buildGather();
  kernels.up = buildUpProduct(atModule, plan, (name + "_up").str());
  kernels.down = buildDownProduct(atModule, plan, (name + "_down").str());
  kernels.sum = rows.buildSum();
  return kernels;
}

void parablock::replaceByLaunches(block::ExpertsOp op,
                                  const ExpertKernels &kernels,
                                  CreateLaunch launch) {
  auto create = [&](tile::KernelOp kernel, ArrayRef<Value> inputs) {
    SmallVector<Type> types;
    for (Type type :
         kernel.getArgumentTypes().slice(inputs.size(), kernel.getOutputs())) {
      auto memref = cast<MemRefType>(type);
      types.push_back(
          RankedTensorType::get(memref.getShape(), memref.getElementType()));
    }
    return launch(types, kernel, inputs);
  };
  Value indices = op.getIndices(), weights = op.getWeights();
  SmallVector<Value> inputs = {indices};
  if (kernels.count)
    llvm::append_range(inputs, create(kernels.count, indices)->getResults());
  tile::LaunchOp place = create(kernels.place, inputs);
  Value order = place->getResult(0), tiles = place->getResult(1),
        total = place->getResult(2);
  block::KernelOp norm = findGatheredNorm(op);
  inputs = {op.getInput()};
  if (norm)
    inputs = llvm::to_vector(norm->getOperands());
  inputs.push_back(order);
  if (op.getForm().getWeigh() == block::Weigh::Input)
    inputs.push_back(weights);
  inputs = {create(kernels.gather, inputs)->getResult(0), tiles, total,
            op.getUpWeight()};
  if (Value bias = op.getUpBias())
    inputs.push_back(bias);
  inputs = {create(kernels.up, inputs)->getResult(0), tiles, total,
            op.getDownWeight(), order};
  if (Value bias = op.getDownBias())
    inputs.push_back(bias);
  Value products = create(kernels.down, inputs)->getResult(0);
  tile::LaunchOp sum = create(kernels.sum, {products, indices, weights});
  op.getResult().replaceAllUsesWith(sum->getResult(0));
  op.erase();
  if (norm)
    norm.erase();
}
