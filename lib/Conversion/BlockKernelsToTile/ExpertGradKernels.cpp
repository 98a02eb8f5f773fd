//===- ExpertGradKernels.cpp - gradients of experts -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Slots are ordered as in the forward pass, and rows and their gradients
// gathered. Two products give gate and up again, and the gradients by hidden
// values, whose epilogue has the rest of the expert. From these follow
// gradients by rows, by stacks, by biases and by weights, each one launch. No
// CTA adds to what another one adds to.
//
//===----------------------------------------------------------------------===//

#include "ExpertGradProducts.h"
#include "ExpertProducts.h"
#include "GradientKernels.h"

#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock;
using Source = LaunchSequence::Source;

/// Numbers of operands that are always there; the biases follow.
enum Operand : unsigned {
  gradientOperand,
  inputOperand,
  indicesOperand,
  weightsOperand,
  upOperand,
  downOperand,
  numFixed
};

namespace {
class ExpertsGrad {
public:
  explicit ExpertsGrad(const GradientSite &site)
      : op(cast<block::ExpertsGradOp>(site.op)), plan(op, site.chip),
        site{site.atModule, plan, site.name, site.chip},
        weighsOutput(plan.form.getWeigh() == block::Weigh::Output) {}

  FailureOr<LaunchSequence> build();

private:
  LogicalResult check();
  bool wants(StringRef name) {
    return llvm::is_contained(op.getWrt().getAsValueRange<StringAttr>(), name);
  }
  /// The type of the result by an operand.
  Type getType(StringRef name);
  Source getBias(bool isUp) {
    return {isUp || !plan.upBias ? numFixed : numFixed + 1};
  }
  void appendPlaces();
  void appendProducts();
  Source appendResult(StringRef name);
  Source appendStack(bool isUp, Type result);
  Source appendBias(bool isUp, Type result);
  tile::KernelOp buildInput(Type result);
  tile::KernelOp buildWeights(Type result);
  Value isThere(TileCode code, Value expert) {
    return code.lessIndex(expert, code.index(plan.experts));
  }

  block::ExpertsGradOp op;
  ExpertGradPlan plan;
  ExpertSite site;
  bool weighsOutput;
  LaunchSequence sequence;
  /// Values by places: slots, rows, gradients of rows, gradients by gate and
  /// up, and hidden values times weights. By slots: gradients by what up reads,
  /// parts of those by weights. By experts: first place and end.
  Source order, tiles, total, ranges, rows, gradients, byProjected, hidden,
      byRead, parts;
};
} // namespace

LogicalResult ExpertsGrad::check() {
  constexpr int64_t mostExperts = 1024;
  if (plan.experts > mostExperts)
    return op.emitError() << "no GPU code for gradients of more than "
                          << mostExperts << " experts, got " << plan.experts
                          << ": run the step on the CPU";
  for (Value value :
       {plan.upWeight, plan.downWeight, plan.upBias, plan.downBias})
    if (value && getElementTypeOrSelf(value) != plan.element)
      return op.emitError() << "no GPU code for gradients of experts of "
                            << getElementTypeOrSelf(value) << " and rows of "
                            << plan.element << ": convert them to one type";
  return success();
}

Type ExpertsGrad::getType(StringRef name) {
  for (auto [own, result] : llvm::zip_equal(
           op.getWrt().getAsValueRange<StringAttr>(), op->getResultTypes()))
    if (own == name)
      return result;
  llvm_unreachable("not one of the results");
}

void ExpertsGrad::appendPlaces() {
  Source indices = Source{indicesOperand};
  SmallVector<Source> inputs = {indices};
  if (tile::KernelOp kernel = buildSlotCount(site)) {
    unsigned count = sequence.append(kernel, indices);
    inputs.push_back({0, count});
    inputs.push_back({1, count});
  }
  unsigned place =
      sequence.append(buildSlotPlaces(site, /*hasRanges=*/true), inputs);
  order = {0, place};
  tiles = {1, place};
  total = {2, place};
  ranges = {3, place};
  inputs = {Source{inputOperand}, order};
  if (!weighsOutput)
    inputs.push_back(Source{weightsOperand});
  rows = {0,
          sequence.append(buildSlotGather(site, "_gather", plan.input.getType(),
                                          !weighsOutput),
                          inputs)};
  Value gradient = op.getGradient();
  gradients = {
      0, sequence.append(buildSlotGather(site, "_gradient", gradient.getType(),
                                         /*weighs=*/false),
                         {Source{gradientOperand}, order})};
}

void ExpertsGrad::appendProducts() {
  SmallVector<Source> inputs = {rows, tiles, total, Source{upOperand}};
  if (plan.upBias)
    inputs.push_back(getBias(/*isUp=*/true));
  unsigned projected = sequence.append(buildProjectedAgain(site, plan), inputs);
  unsigned byHidden =
      sequence.append(buildByHidden(site, plan), {gradients,
                                                  tiles,
                                                  total,
                                                  Source{downOperand},
                                                  {0, projected},
                                                  order,
                                                  Source{weightsOperand}});
  byProjected = {0, byHidden};
  hidden = {1, byHidden};
  parts = {2, byHidden};
  if (wants("input") || (wants("weights") && !weighsOutput))
    byRead = {0, sequence.append(
                     buildByRead(site, plan),
                     {byProjected, tiles, total, Source{upOperand}, order})};
}

/// Adds the slots of each row in order. Inputs: gradients by what up reads,
/// indices, weights.
tile::KernelOp ExpertsGrad::buildInput(Type result) {
  int64_t width = plan.byRead.width;
  KernelShell shell = site.createShell(
      "_input", getStaticRows(result),
      {plan.getSlotsType(site.atModule.getF32Type(), {plan.slots, width}),
       plan.indices.getType(), plan.weights.getType()},
      result);
  TileCode code{shell.builder, op.getLoc()};
  Value count = createRowCount(code.builder, code.loc, shell.getOutput(0));
  code.gridRows(count, [&](TileCode inner, Value row) {
    Value first = inner.mulIndex(row, inner.index(plan.slots));
    inner.columns(
        inner.index(0), inner.index(width), [&](TileCode each, Value column) {
          Value sum = each.accumulate(
              each.index(0), each.index(plan.slots), each.f32(0),
              [&](TileCode at, Value number,
                  ValueRange known) -> SmallVector<Value> {
                Value slot = at.addIndex(first, number);
                Value expert = site.loadExpert(at, shell.getInput(1), slot);
                Value x = at.load(shell.getInput(0), slot, column);
                if (!weighsOutput)
                  x = at.mul(x, loadFlat(at, shell.getInput(2), slot));
                x = at.select(isThere(at, expert), x, at.f32(0));
                return {at.add(known[0], x)};
              })[0];
          each.store(sum, shell.getOutput(0), row, column);
        });
  });
  return shell.kernel;
}

/// A warp for each slot. Inputs: indices, then parts, the gradient of rows and
/// the bias of down if any, or gradients by what up reads and rows.
tile::KernelOp ExpertsGrad::buildWeights(Type result) {
  Type f32 = site.atModule.getF32Type();
  int64_t tileCount = plan.byHidden.countColumnTiles(),
          read = plan.byRead.width;
  SmallVector<Type> inputs = {plan.indices.getType()};
  if (weighsOutput)
    inputs.append({plan.getSlotsType(f32, {plan.slots, tileCount}),
                   op.getGradient().getType()});
  else
    inputs.append(
        {plan.getSlotsType(f32, {plan.slots, read}), plan.input.getType()});
  if (weighsOutput && plan.downBias)
    inputs.push_back(plan.downBias.getType());
  KernelShell shell = site.createShell("_weights", plan.places, inputs, result);
  TileCode code{shell.builder, op.getLoc()};
  Value all =
      code.mulIndex(createRowCount(code.builder, code.loc, shell.getInput(0)),
                    code.index(plan.slots));
  auto multiply = [&](TileCode at, int64_t width,
                      llvm::function_ref<Value(TileCode, Value)> left,
                      llvm::function_ref<Value(TileCode, Value)> right) {
    return at.reduce(tile::Reduction::Add, at.index(0), at.index(width),
                     [&](TileCode each, Value column) {
                       return each.mul(left(each, column), right(each, column));
                     });
  };
  code.gridRows(all, [&](TileCode inner, Value slot) {
    Value row = inner.divIndex(slot, inner.index(plan.slots));
    Value expert = site.loadExpert(inner, shell.getInput(0), slot), sum;
    auto loadRow = [&](TileCode at, Value column) {
      return at.load(shell.getInput(2), row, column);
    };
    if (!weighsOutput) {
      sum = multiply(inner, read, loadRow, [&](TileCode at, Value column) {
        return at.load(shell.getInput(1), slot, column);
      });
    } else {
      sum = inner.accumulate(
          inner.index(0), inner.index(tileCount), inner.f32(0),
          [&](TileCode at, Value number,
              ValueRange known) -> SmallVector<Value> {
            return {at.add(known[0], at.load(shell.getInput(1), slot, number))};
          })[0];
      Value own = inner.minIndex(expert, inner.index(plan.experts - 1));
      if (plan.downBias)
        sum = inner.add(sum, multiply(inner, plan.width, loadRow,
                                      [&](TileCode at, Value column) {
                                        return at.load(shell.getInput(3), own,
                                                       column);
                                      }));
    }
    sum = inner.select(isThere(inner, expert), sum, inner.f32(0));
    inner.store(sum, shell.getOutput(0), row,
                inner.remIndex(slot, inner.index(plan.slots)));
  });
  return shell.kernel;
}

Source ExpertsGrad::appendStack(bool isUp, Type result) {
  Source outputs = isUp ? byProjected : gradients,
         inputs = isUp ? rows : hidden;
  int64_t out = isUp ? plan.wide : plan.width,
          in = isUp ? plan.byRead.width : plan.hidden;
  if (plan.form.getTransposed()) {
    std::swap(outputs, inputs);
    std::swap(out, in);
  }
  tile::KernelOp kernel = buildStackGrad(
      site, isUp ? "_up_weight" : "_down_weight", out, in, result);
  return {0, sequence.append(kernel, {outputs, inputs, ranges})};
}

/// Sums of the places of each expert, those by down times weights.
Source ExpertsGrad::appendBias(bool isUp, Type result) {
  constexpr int64_t own = 128;
  int64_t width = block::getDim(isUp ? plan.upBias : plan.downBias, 1);
  int64_t blocks = llvm::divideCeil(width, own);
  bool weighs = !isUp && weighsOutput;
  Type i64 = site.atModule.getI64Type();
  KernelShell shell = site.createShell(
      isUp ? "_up_bias" : "_down_bias", plan.experts * blocks,
      {plan.getSlotsType(plan.element, {plan.slots, width}),
       site.getNumbers({plan.getNumGroups(), 2}),
       plan.getSlotsType(i64, plan.slots), plan.weights.getType()},
      result);
  TileCode code{shell.builder, op.getLoc()};
  code.gridRows(
      code.index(plan.experts * blocks), [&](TileCode inner, Value item) {
        Value expert = inner.divIndex(item, inner.index(blocks));
        Value first = inner.mulIndex(inner.remIndex(item, inner.index(blocks)),
                                     inner.index(own));
        Value end = inner.minIndex(inner.addIndex(first, inner.index(own)),
                                   inner.index(width));
        auto loadBound = [&](int64_t which) {
          return inner.toIndex(
              inner.load(shell.getInput(1), expert, inner.index(which)));
        };
        Value from = loadBound(0), to = loadBound(1);
        inner.columns(first, end, [&](TileCode each, Value column) {
          Value sum = sumRuns(each, from, to, [&](TileCode at, Value place) {
            Value x = at.load(shell.getInput(0), place, column);
            if (!weighs)
              return x;
            Value slot = loadFlatIndex(at, shell.getInput(2), place);
            return at.mul(x, loadFlat(at, shell.getInput(3), slot));
          });
          each.store(sum, shell.getOutput(0), expert, column);
        });
      });
  return {0,
          sequence.append(shell.kernel, {isUp ? byProjected : gradients, ranges,
                                         order, Source{weightsOperand}})};
}

Source ExpertsGrad::appendResult(StringRef name) {
  Type type = getType(name);
  if (name == "input")
    return {0,
            sequence.append(buildInput(type), {byRead, Source{indicesOperand},
                                               Source{weightsOperand}})};
  if (name == "weights") {
    SmallVector<Source> inputs = {Source{indicesOperand}};
    if (weighsOutput)
      inputs.append({parts, Source{gradientOperand}});
    else
      inputs.append({byRead, Source{inputOperand}});
    if (weighsOutput && plan.downBias)
      inputs.push_back(getBias(/*isUp=*/false));
    return {0, sequence.append(buildWeights(type), inputs)};
  }
  bool isUp = name.starts_with("up");
  return name.ends_with("bias") ? appendBias(isUp, type)
                                : appendStack(isUp, type);
}

FailureOr<LaunchSequence> ExpertsGrad::build() {
  if (failed(check()))
    return failure();
  appendPlaces();
  appendProducts();
  for (StringRef name : op.getWrt().getAsValueRange<StringAttr>())
    sequence.results.push_back(appendResult(name));
  return std::move(sequence);
}

FailureOr<LaunchSequence>
parablock::buildExpertsGrad(const GradientSite &site) {
  return ExpertsGrad(site).build();
}
