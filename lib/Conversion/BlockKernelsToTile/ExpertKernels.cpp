//===- ExpertKernels.cpp - experts, and sums of the slots of rows ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A slot is one expert of one row, and a place a slot in the order of experts.
// At most six launches compute a `block.experts`, whatever the number of
// experts. Slots of every expert are counted in each of several chunks. From
// these numbers follow the slot of each place and the tiles of products
// (ExpertPlaces.cpp). Rows are gathered by places, or their norm, if nothing
// else reads it. Both products follow (ExpertProducts.cpp), the second one by
// slots, which are summed for each row.
//
//===----------------------------------------------------------------------===//

#include "ExpertKernels.h"

#include "ExpertPlaces.h"
#include "ExpertProducts.h"
#include "RowKernels.h"
#include "parablock/Analysis/ExpertLaunches.h"
#include "parablock/Analysis/KernelCache.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Dialect/Block/SinkCodes.h"
#include "llvm/ADT/SetVector.h"
#include <limits>

using namespace mlir;
using namespace parablock;

namespace {
/// Emits the kernels that are not products.
class ExpertRows {
public:
  ExpertRows(const ExpertSite &site)
      : site(site), atModule(site.atModule), plan(site.plan) {}

  /// Computes the norm of the row of each place.
  tile::KernelOp buildGatheredNorm(block::KernelOp norm);
  tile::KernelOp buildSum(Type result);

private:
  TileCode getCode(KernelShell &shell) {
    return {shell.builder, plan.op->getLoc()};
  }
  /// A summand of a row. Without an expert, an empty slot is 0, another NaN.
  struct Slot {
    Value number, weight, index, isThere, otherwise;
  };
  /// Reports slots that are not empty and have no expert.
  void report(TileCode code, ArrayRef<Slot> slots, Value word);
  SmallVector<Slot> loadSlots(TileCode code, Value row, Value indices,
                              Value weights);

  const ExpertSite &site;
  OpBuilder &atModule;
  const ExpertPlan &plan;
};
} // namespace

tile::KernelOp ExpertRows::buildGatheredNorm(block::KernelOp norm) {
  int64_t width = block::getDim(plan.input, -1);
  SmallVector<Type> inputs(norm.getOperandTypes());
  unsigned ofOrder = inputs.size();
  inputs.push_back(plan.getSlotsType(atModule.getI64Type(), plan.slots));
  KernelShell shell =
      site.createShell("_gather", plan.places, inputs,
                       plan.getSlotsType(plan.element, {plan.slots, width}));
  TileCode code = getCode(shell);
  Block &body = norm.getBody().front();
  Value result = body.getTerminator()->getOperand(0);
  Value order = shell.getInput(ofOrder), gathered = shell.getOutput(0);
  Value sequence = code.dim(shell.getInput(0), 1);
  Value count = createRowCount(shell.builder, plan.op->getLoc(), gathered);
  code.gridRows(count, [&](TileCode inner, Value place) {
    Value slot = loadFlatIndex(inner, order, place);
    Value row = inner.divIndex(slot, inner.index(plan.slots));
    RowProgram program(inner, kTileRows, row, sequence);
    giveArguments(program, body, shell);
    program.emit({{result, gathered, place}},
                 {inner.index(0), inner.index(width), width, false});
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
    slot.isThere = code.lessIndex(site.loadExpert(code, indices, slot.number),
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
tile::KernelOp ExpertRows::buildSum(Type result) {
  constexpr int64_t most = 512;
  int64_t width = block::getDim(plan.downWeight, 1);
  int64_t own = width % most == 0 ? most : width, parts = width / own;
  std::optional<int64_t> units;
  if (plan.places)
    units = *plan.places / plan.slots * parts;
  KernelShell shell = site.createShell(
      "_sum", units,
      {plan.getSlotsType(atModule.getF32Type(), {plan.slots, width}),
       plan.indices.getType(), plan.weights.getType()},
      result, getReportWord(result.getContext()));
  shell.kernel.setReportsAttr(tile::ReportsAttr::get(
      result.getContext(), tile::Checked::Indices, plan.experts, plan.slots));
  TileCode code = getCode(shell);
  bool weighs = plan.form.getWeigh() == block::Weigh::Output;
  Value rows =
      createRowCount(shell.builder, plan.op->getLoc(), shell.getOutput(0));
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
         isSameExperts(first, second);
}

ExpertKernels parablock::buildExpertKernels(OpBuilder &atModule,
                                            block::ExpertsOp op, StringRef name,
                                            StringRef chip) {
  ForwardExpertPlan plan(op, chip);
  ExpertSite site = {atModule, plan, name, chip};
  ExpertRows rows(site);
  ExpertKernels kernels;
  kernels.count = buildSlotCount(site);
  kernels.place = buildSlotPlaces(site, /*hasRanges=*/false);
  block::KernelOp norm = findGatheredNorm(op);
  kernels.gather =
      norm ? rows.buildGatheredNorm(norm)
           : buildSlotGather(site, "_gather", op.getInput().getType(),
                             op.getForm().getWeigh() == block::Weigh::Input);
  kernels.up = buildUpProduct(atModule, plan, (name + "_up").str());
  kernels.down = buildDownProduct(atModule, plan, (name + "_down").str());
  kernels.sum = rows.buildSum(op.getType());
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
  auto startProduct = [&](Value rows, bool isUp) {
    inputs = {rows, tiles, total};
    llvm::append_range(
        inputs,
        ExpertPlan::listTensors(isUp ? op.getUpWeight() : op.getDownWeight()));
  };
  startProduct(create(kernels.gather, inputs)->getResult(0), /*isUp=*/true);
  if (Value bias = op.getUpBias())
    inputs.push_back(bias);
  startProduct(create(kernels.up, inputs)->getResult(0), /*isUp=*/false);
  inputs.push_back(order);
  if (Value bias = op.getDownBias())
    inputs.push_back(bias);
  Value products = create(kernels.down, inputs)->getResult(0);
  tile::LaunchOp sum = create(kernels.sum, {products, indices, weights});
  llvm::SmallSetVector<Value, 2> stacks;
  stacks.insert(op.getUpWeight());
  stacks.insert(op.getDownWeight());
  op.getResult().replaceAllUsesWith(sum->getResult(0));
  op.erase();
  if (norm)
    norm.erase();
  // Codes need no numbers now.
  for (Value stack : stacks)
    if (block::UnpackWeightOp unpack = block::findLaneStack(stack);
        unpack && stack.use_empty()) {
      stack.getDefiningOp()->erase();
      if (unpack->use_empty())
        unpack.erase();
    }
}
