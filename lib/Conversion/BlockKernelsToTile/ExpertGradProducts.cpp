//===- ExpertGradProducts.cpp - products of gradients of experts ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Products by rows have the tiles of the forward pass. Gradients by stacks read
// both operands as they are by places, the depth first, from the expert's first
// place to its end.
//
//===----------------------------------------------------------------------===//

#include "ExpertGradProducts.h"

#include "ExpertProducts.h"
#include "GemmSchedules.h"
#include "parablock/Dialect/Block/ElementDerivative.h"
#include "parablock/Support/Chips.h"

using namespace mlir;
using namespace parablock;

/// Inputs that products by rows have in common.
static SmallVector<Type> getProductInputs(const ExpertSite &site, int64_t width,
                                          Value stack) {
  const ExpertPlan &plan = site.plan;
  Type i64 = site.atModule.getI64Type();
  return {plan.getSlotsType(plan.element, {plan.slots, width}),
          plan.getSlotsType(i64, {plan.slots, kTileNumbers}),
          site.getNumbers({1}), stack.getType()};
}

static KernelShell createProductShell(const ExpertSite &site, StringRef suffix,
                                      const ExpertProduct &product,
                                      TypeRange inputs, TypeRange outputs) {
  return createKernelShell(site.atModule, site.plan.op->getLoc(),
                           (site.name + suffix).str(), product.schedule, inputs,
                           outputs);
}

tile::KernelOp parablock::buildProjectedAgain(const ExpertSite &site,
                                              const ExpertGradPlan &plan) {
  const ExpertProduct &product = plan.projected;
  SmallVector<Type> inputs =
      getProductInputs(site, product.depth, plan.upWeight);
  if (plan.upBias)
    inputs.push_back(plan.upBias.getType());
  KernelShell shell = createProductShell(
      site, "_projected", product, inputs,
      plan.getSlotsType(plan.element, {plan.slots, plan.wide}));
  Value bias = plan.upBias ? shell.getInput(4) : Value();
  ExpertProductEmitter(plan, product, shell)
      .emitElements([](TileCode, Value place) { return place; },
                    [&](TileCode code, const ExpertTile &tile, Value row,
                        Value column, ExpertProductEmitter::LoadSum load) {
                      Value x =
                          load(code, createDistance(code, column, tile.column));
                      x = addExpertBias(code, x, bias, tile.expert, column);
                      code.store(x, shell.getOutput(0), row, column);
                    });
  return shell.kernel;
}

namespace {
/// A hidden value and its slopes.
struct HiddenValue {
  Value value, byUp;
  /// Null without a gate.
  Value byGate;
  /// Columns of gate and up.
  Value gateAt, upAt;
};
} // namespace

/// Returns `x` where `isBeyond` is not, else 0.
static Value zeroWhere(TileCode code, Value isBeyond, Value x) {
  return code.select(isBeyond, code.f32(0), x);
}

/// Computes hidden value `column` of a place from gate and up.
static HiddenValue createHidden(TileCode code, const ExpertGradPlan &plan,
                                Value projected, Value place, Value column) {
  block::ExpertsAttr form = plan.form;
  HiddenValue own;
  own.upAt = column;
  Value gate;
  if (form.hasGate()) {
    bool interleaved = form.getLayout() == block::ExpertLayout::Interleaved;
    own.gateAt = interleaved ? code.mulIndex(column, code.index(2)) : column;
    own.upAt = interleaved ? code.addIndex(own.gateAt, code.index(1))
                           : code.addIndex(column, code.index(plan.hidden));
    gate = code.load(projected, place, own.gateAt);
  }
  Value up = code.load(projected, place, own.upAt), gateIsBeyond, upIsBeyond;
  if (form.getLimit()) {
    Value most = code.f32(form.getLimit().getValueAsDouble()),
          least = code.neg(most);
    upIsBeyond = code.select(code.less(most, up), code.boolean(true),
                             code.less(up, least));
    up = code.max(code.min(up, most), least);
    if (gate) {
      gateIsBeyond = code.less(most, gate);
      gate = code.min(gate, most);
    }
  }
  block::Activation kind = form.getActivation();
  if (gate) {
    Value activated = code.activate(kind, gate);
    if (double offset = form.getUpOffsetValue())
      up = code.add(up, code.f32(offset));
    own.value = code.mul(activated, up);
    own.byUp = activated;
    own.byGate = code.mul(emitDerivative(code, kind, gate), up);
  } else {
    own.value = code.activate(kind, up);
    own.byUp = emitDerivative(code, kind, up);
  }
  own.value = code.round(own.value, plan.element);
  if (upIsBeyond)
    own.byUp = zeroWhere(code, upIsBeyond, own.byUp);
  if (gateIsBeyond)
    own.byGate = zeroWhere(code, gateIsBeyond, own.byGate);
  return own;
}

tile::KernelOp parablock::buildByHidden(const ExpertSite &site,
                                        const ExpertGradPlan &plan) {
  const ExpertProduct &product = plan.byHidden;
  SmallVector<Type> inputs =
      getProductInputs(site, product.depth, plan.downWeight);
  inputs.push_back(plan.getSlotsType(plan.element, {plan.slots, plan.wide}));
  inputs.push_back(plan.getSlotsType(site.atModule.getI64Type(), plan.slots));
  inputs.push_back(plan.weights.getType());
  SmallVector<Type> outputs = {
      plan.getSlotsType(plan.element, {plan.slots, plan.wide}),
      plan.getSlotsType(plan.element, {plan.slots, plan.hidden})};
  bool weighsOutput = plan.form.getWeigh() == block::Weigh::Output;
  if (weighsOutput)
    outputs.push_back(plan.getSlotsType(
        site.atModule.getF32Type(), {plan.slots, product.countColumnTiles()}));
  KernelShell shell =
      createProductShell(site, "_hidden", product, inputs, outputs);
  Value projected = shell.getInput(4);
  ExpertProductEmitter(plan, product, shell)
      .emit([&](TileCode code, const ExpertTile &tile, Value place, Value to,
                ExpertProductEmitter::LoadSum load) {
        Value slot = loadFlatIndex(code, shell.getInput(5), place);
        Value weight =
            weighsOutput ? loadFlat(code, shell.getInput(6), slot) : Value();
        auto loadOwn = [&](TileCode each, Value column) {
          return load(each, createDistance(each, column, tile.column));
        };
        code.columns(tile.column, to, [&](TileCode each, Value column) {
          HiddenValue own = createHidden(each, plan, projected, place, column);
          Value gradient = loadOwn(each, column), value = own.value;
          if (weight) {
            gradient = each.mul(gradient, weight);
            value = each.mul(value, weight);
          }
          each.store(value, shell.getOutput(1), place, column);
          each.store(each.mul(gradient, own.byUp), shell.getOutput(0), place,
                     own.upAt);
          if (own.byGate)
            each.store(each.mul(gradient, own.byGate), shell.getOutput(0),
                       place, own.gateAt);
        });
        if (!weighsOutput)
          return;
        // dy . (h down^T) = (dy down) . h, which needs no output of down.
        Value sum =
            code.reduce(tile::Reduction::Add, tile.column, to,
                        [&](TileCode each, Value column) {
                          HiddenValue own = createHidden(each, plan, projected,
                                                         place, column);
                          return each.mul(loadOwn(each, column), own.value);
                        });
        code.store(sum, shell.getOutput(2), slot, tile.number);
      });
  return shell.kernel;
}

tile::KernelOp parablock::buildByRead(const ExpertSite &site,
                                      const ExpertGradPlan &plan) {
  const ExpertProduct &product = plan.byRead;
  SmallVector<Type> inputs =
      getProductInputs(site, product.depth, plan.upWeight);
  inputs.push_back(plan.getSlotsType(site.atModule.getI64Type(), plan.slots));
  KernelShell shell =
      createProductShell(site, "_read", product, inputs,
                         plan.getSlotsType(site.atModule.getF32Type(),
                                           {plan.slots, product.width}));
  ExpertProductEmitter(plan, product, shell)
      .emitElements(
          [&](TileCode code, Value place) {
            return loadFlatIndex(code, shell.getInput(4), place);
          },
          [&](TileCode code, const ExpertTile &tile, Value row, Value column,
              ExpertProductEmitter::LoadSum load) {
            code.store(load(code, createDistance(code, column, tile.column)),
                       shell.getOutput(0), row, column);
          });
  return shell.kernel;
}

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

namespace {
/// The gradient by a stack: a product over the places of each expert.
class StackGrad {
public:
  StackGrad(const ExpertSite &site, int64_t left, int64_t right)
      : plan(site.plan), left(left), right(right) {
    chooseSchedule(getDeviceChip(site.chip));
  }

  tile::KernelOp build(const ExpertSite &site, StringRef suffix, Type result);

private:
  void chooseSchedule(const Chip &chip);
  Value multiply(TileCode code, KernelShell &shell, Value from, Value to,
                 Value row, Value column);
  void store(TileCode code, KernelShell &shell, Value sums, Value expert,
             Value row, Value column, Value part);

  const ExpertPlan &plan;
  int64_t left, right;
  int64_t tileRows = 0, tileColumns = 0, stepRows = 0, parts = 1;
  tile::ScheduleAttr schedule;
};
} // namespace

void StackGrad::chooseSchedule(const Chip &chip) {
  int64_t bytes = plan.element.getIntOrFloatBitWidth() / 8;
  bool isAligned = left * bytes % 4 == 0 && right * bytes % 4 == 0;
  // Tensor maps cannot end between places.
  ProductMachine machine{chip, bytes, /*isWgmma=*/false};
  constexpr int64_t many = 1024;
  int64_t usual =
      plan.places ? llvm::divideCeil(*plan.places, plan.experts) : many;
  stepRows = machine.getStepDepth();
  int64_t tiles = 0;
  std::optional<ProductTile> tile = machine.chooseTile(
      plan.experts, left, right,
      std::max<int64_t>(llvm::divideCeil(usual, stepRows), 1), tiles);
  assert(tile && "every chip has a tile");
  tileRows = tile->rows;
  tileColumns = tile->columns;
  parts = tile->parts;
  schedule = createSchedule(plan.element.getContext(), machine, *tile, tiles,
                            /*hasWords=*/isAligned);
}

Value StackGrad::multiply(TileCode code, KernelShell &shell, Value from,
                          Value to, Value row, Value column) {
  MLIRContext *context = code.builder.getContext();
  auto getBuffer = [&](int64_t columns) -> Type {
    return tile::BufferType::get(context, stepRows, columns, plan.element,
                                 tile::BufferLayout::Swizzled);
  };
  Value count =
      code.addIndex(code.subIndex(to, from), code.index(stepRows - 1));
  auto copy = [&](TileCode inner, Value step, ValueRange buffers) {
    Value place =
        inner.addIndex(from, inner.mulIndex(step, inner.index(stepRows)));
    for (auto [side, first] : llvm::enumerate(SmallVector<Value>{row, column}))
      tile::CopyOp::create(inner.builder, inner.loc, shell.getInput(side),
                           place, first, buffers[side], 0, stepRows, to);
  };
  auto multiplyStep = [&](TileCode inner, Value, ValueRange buffers,
                          ValueRange carried) -> SmallVector<Value> {
    return {tile::MmaOp::create(inner.builder, inner.loc, buffers[0],
                                buffers[1], carried[0], /*less=*/Value(),
                                /*leftDepthFirst=*/true,
                                /*rightDepthFirst=*/true,
                                /*depth=*/IntegerAttr(), /*deferred=*/false)};
  };
  return code.pipeline(
      code.divIndex(count, code.index(stepRows)),
      {getBuffer(tileRows), getBuffer(tileColumns)},
      code.zero(tile::AccumulatorType::get(context, tileRows, tileColumns)),
      schedule.getStages(), copy, multiplyStep)[0];
}

void StackGrad::store(TileCode code, KernelShell &shell, Value sums,
                      Value expert, Value row, Value column, Value part) {
  auto type = tile::BufferType::get(code.builder.getContext(), tileRows,
                                    tileColumns, code.builder.getF32Type(),
                                    tile::BufferLayout::Padded);
  Value staged = tile::StageOp::create(code.builder, code.loc, type, sums,
                                       /*first=*/0, part, parts);
  Value count =
      code.minIndex(code.subIndex(code.index(left), row), code.index(tileRows));
  auto loop = tile::RowsOp::create(code.builder, code.loc, count, tileRows,
                                   part, parts);
  Block &body = loop.getBody().emplaceBlock();
  Value local = body.addArgument(code.builder.getIndexType(), code.loc);
  OpBuilder atEnd = OpBuilder::atBlockEnd(&body);
  TileCode inner{atEnd, code.loc};
  Value first = inner.mulIndex(expert, inner.index(left));
  Value resultRow = inner.addIndex(first, inner.addIndex(row, local));
  Value columns = inner.minIndex(inner.subIndex(inner.index(right), column),
                                 inner.index(tileColumns));
  inner.columns(inner.index(0), columns, [&](TileCode each, Value at) {
    each.store(each.load(staged, local, at), shell.getOutput(0), resultRow,
               each.addIndex(column, at));
  });
  tile::YieldOp::create(atEnd, code.loc);
}

tile::KernelOp StackGrad::build(const ExpertSite &site, StringRef suffix,
                                Type result) {
  auto getType = [&](int64_t width) {
    return plan.getSlotsType(plan.element, {plan.slots, width});
  };
  KernelShell shell = createKernelShell(
      site.atModule, plan.op->getLoc(), (site.name + suffix).str(), schedule,
      {getType(left), getType(right),
       site.getNumbers({plan.getNumGroups(), 2})},
      result);
  TileCode code{shell.builder, plan.op->getLoc()};
  int64_t rowTiles = llvm::divideCeil(left, tileRows),
          columnTiles = llvm::divideCeil(right, tileColumns);
  code.tiles(
      code.index(plan.experts * rowTiles), code.index(columnTiles),
      [&](TileCode inner, Value rowTile, Value columnTile) {
        Value expert = inner.divIndex(rowTile, inner.index(rowTiles));
        Value row =
            inner.mulIndex(inner.remIndex(rowTile, inner.index(rowTiles)),
                           inner.index(tileRows));
        Value column = inner.mulIndex(columnTile, inner.index(tileColumns));
        auto loadBound = [&](int64_t which) {
          Value at = inner.addIndex(inner.mulIndex(expert, inner.index(2)),
                                    inner.index(which));
          return loadFlatIndex(inner, shell.getInput(2), at);
        };
        Value sums =
            multiply(inner, shell, loadBound(0), loadBound(1), row, column);
        if (parts == 1)
          return store(inner, shell, sums, expert, row, column, /*part=*/{});
        inner.loop(inner.index(0), inner.index(parts),
                   [&](TileCode each, Value part) {
                     store(each, shell, sums, expert, row, column, part);
                   });
      });
  return shell.kernel;
}

tile::KernelOp parablock::buildStackGrad(const ExpertSite &site,
                                         StringRef suffix, int64_t left,
                                         int64_t right, Type result) {
  return StackGrad(site, left, right).build(site, suffix, result);
}
