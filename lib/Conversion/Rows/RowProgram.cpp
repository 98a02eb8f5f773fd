//===- RowProgram.cpp - plans and emits loops over columns ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Conversion/Rows/RowProgram.h"

#include "RowSteps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/SaveAndRestore.h"
#include <numeric>

using namespace mlir;
using namespace parablock;

static RankedTensorType getType(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

void RowProgram::give(BlockArgument argument, Value place) {
  places[argument] = place;
  give(argument, [=](const RowCode &code, Value row, const Column &column) {
    return code.load(place, getType(argument), row, column);
  });
}

RowProgram::Plan RowProgram::plan(ArrayRef<Value> tensors) const {
  llvm::SetVector<Operation *> all;
  for (Value tensor : tensors)
    all.insert_range(
        collectSteps(tensor, [&](Value value) { return isGiven(value); }));
  SmallVector<Operation *> steps = llvm::to_vector(all);
  sortSteps(steps);
  Plan plan;
  plan.steps =
      llvm::map_to_vector(steps, llvm::CastTo<block::RowStepOpInterface>);
  plan.groupSize = getGroupSize(steps);
  if (machine.hasBorders)
    plan.order = joinOrders(steps);
  return plan;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

std::vector<RowProgram::Sheet>
RowProgram::makeSheets(ArrayRef<RowOutput> outputs) const {
  std::vector<Sheet> sheets;
  for (const RowOutput &output : outputs) {
    block::RowStepOpInterface statistics = getStatisticsStep(output.tensor);
    if (statistics && statistics.getTileSize())
      continue;
    Plan found = plan(output.tensor);
    auto sheet = llvm::find_if(sheets, [&](const Sheet &sheet) {
      return sheet.plan.groupSize == found.groupSize &&
             sheet.plan.order.fits(found.order);
    });
    if (sheet == sheets.end()) {
      sheets.push_back({found, {}, {}});
      sheet = std::prev(sheets.end());
    }
    for (block::RowStepOpInterface step : found.steps)
      if (!llvm::is_contained(sheet->plan.steps, step))
        sheet->plan.steps.push_back(step);
    (statistics ? sheet->statistics : sheet->columns).push_back(output);
  }
  for (Sheet &sheet : sheets)
    llvm::sort(sheet.plan.steps, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
  return sheets;
}

void RowProgram::emit(ArrayRef<RowOutput> outputs, const ColumnRange &range) {
  llvm::SetVector<Operation *> all;
  llvm::MapVector<Operation *, SmallVector<RowOutput>> tiles;
  for (const RowOutput &output : outputs) {
    all.insert_range(plan(output.tensor).steps);
    if (auto step = getStatisticsStep(output.tensor);
        step && step.getTileSize())
      tiles[step].push_back(output);
  }
  SmallVector<Operation *> steps = llvm::to_vector(all);
  sortSteps(steps);
  Value zero = code.index(0);
  emitFacts(llvm::map_to_vector(steps, llvm::CastTo<block::RowStepOpInterface>),
            /*ofGroups=*/false, zero);

  for (const Sheet &sheet : makeSheets(outputs)) {
    if (sheet.plan.groupSize == 0) {
      emitColumns(sheet, range);
      emitStatistics(sheet, zero);
      continue;
    }
    forGroups(sheet.plan, range, [&](Value group, const ColumnRange &columns) {
      emitColumns(sheet, columns);
      emitStatistics(sheet, group);
    });
  }
  if (machine.readsBack)
    giveStored(outputs);
  for (auto &[op, stored] : tiles)
    emitTiles(cast<block::RowStepOpInterface>(op), stored, range);
}

Value RowProgram::emitElement(Value output, const Column &column) {
  emitFacts(plan(output).steps, /*ofGroups=*/false, code.index(0));
  return element(output, column);
}

Value RowProgram::emitStatistic(Value tensor) {
  Value zero = code.index(0);
  emitFacts(plan(tensor).steps, /*ofGroups=*/false, zero);
  return getStatistic(tensor, zero);
}

void RowProgram::emitColumns(const Sheet &sheet, const ColumnRange &range) {
  if (sheet.columns.empty())
    return;
  code.forColumns(range, sheet.plan.order, [&](const Column &column) {
    // All inputs are read before an output is written, which may share memory.
    SmallVector<Value> values;
    for (const RowOutput &output : sheet.columns)
      values.push_back(element(output.tensor, column));
    for (auto [output, value] : llvm::zip_equal(sheet.columns, values))
      code.store(value, output.place, getType(output.tensor),
                 output.row ? output.row : row, column);
  });
}

void RowProgram::emitStatistics(const Sheet &sheet, Value group) {
  for (const RowOutput &output : sheet.statistics)
    code.store(getStatistic(output.tensor, group), output.place,
               getType(output.tensor), row, {group, std::nullopt, 1});
}

void RowProgram::emitTiles(block::RowStepOpInterface op,
                           ArrayRef<RowOutput> outputs,
                           const ColumnRange &range) {
  int64_t size = op.getTileSize();
  bool isWhole = range.multiple % size == 0;
  Value tile = code.index(size), begin = code.divIndex(range.from, tile);
  Value length = code.subIndex(range.to, range.from);
  if (!isWhole)
    length = code.subIndex(
        code.divIndex(code.addIndex(range.to, code.index(size - 1)), tile),
        begin);
  else
    length = code.divIndex(length, tile);
  code.forEach(code.index(0), length, [&](Value step) {
    Value number = code.addIndex(begin, step);
    Value first = isWhole ? code.addIndex(range.from, code.mulIndex(step, tile))
                          : code.mulIndex(number, tile);
    Value last = code.addIndex(first, tile), count = code.f32(size);
    if (!isWhole) {
      last = code.minIndex(last, range.to);
      count = code.toF32(code.subIndex(last, first));
    }
    SmallVector<Value> values = op.emitTile(
        *this, {first, last, std::gcd(size, range.multiple), false}, count);
    for (const RowOutput &output : outputs)
      code.store(values[cast<OpResult>(output.tensor).getResultNumber()],
                 output.place, getType(output.tensor), row,
                 {number, std::nullopt, 1});
  });
}

/// Reads back stored outputs for statistics of tiles, whose borders need not
/// match the parts of the loop.
void RowProgram::giveStored(ArrayRef<RowOutput> outputs) {
  for (const RowOutput &output : outputs) {
    auto isOfTiles = [](Operation *user) {
      auto step = dyn_cast<block::RowStepOpInterface>(user);
      return step && step.getTileSize();
    };
    if (llvm::any_of(output.tensor.getUsers(), isOfTiles))
      give(output.tensor, [=](const RowCode &code, Value row,
                              const Column &column) {
        return code.load(output.place, getType(output.tensor), row, column);
      });
  }
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

void RowProgram::emitFacts(const Steps &steps, bool ofGroups, Value group) {
  for (block::RowStepOpInterface step : steps) {
    if ((step.getGroupSize() != 0) != ofGroups)
      continue;
    llvm::SaveAndRestore<Location> there(code.loc, step->getLoc());
    step.emitFacts(*this, group);
  }
}

void RowProgram::forGroups(
    const Plan &plan, const ColumnRange &range,
    llvm::function_ref<void(Value, const ColumnRange &)> body) {
  Value size = code.index(plan.groupSize);
  code.forEach(code.divIndex(range.from, size), code.divIndex(range.to, size),
               [&](Value group) {
                 llvm::SaveAndRestore<Facts> outside(facts);
                 emitFacts(plan.steps, /*ofGroups=*/true, group);
                 Value first = code.mulIndex(group, size);
                 body(group, {first, code.addIndex(first, size), plan.groupSize,
                              /*isPart=*/true});
               });
}

Value RowProgram::getStatistic(Value tensor, Value group) {
  Value known = statistic(tensor);
  if (!known)
    known = statistic(tensor) = load(tensor, row, {group, std::nullopt, 1});
  return known;
}

Value RowProgram::foldColumns(
    ArrayRef<Value> tensors, const ColumnRange &range,
    llvm::function_ref<Value(const ColumnRange &, const ColumnOrder &)> fold,
    llvm::function_ref<Value(Value, Value)> join) {
  Plan found = plan(tensors);
  if (found.groupSize == 0 || range.isPart)
    return fold(range, found.order);
  Value size = code.index(found.groupSize);
  return code.fold(
      code.divIndex(range.from, size), code.divIndex(range.to, size),
      code.f32(0), [&](Value group, Value before) {
        llvm::SaveAndRestore<Facts> outside(facts);
        emitFacts(found.steps, /*ofGroups=*/true, group);
        Value first = code.mulIndex(group, size);
        return join(before, fold({first, code.addIndex(first, size),
                                  found.groupSize, /*isPart=*/true},
                                 found.order));
      });
}

Value RowProgram::sumColumns(ArrayRef<Value> tensors, const ColumnRange &range,
                             llvm::function_ref<Value(const Column &)> body) {
  return foldColumns(
      tensors, range,
      [&](const ColumnRange &columns, const ColumnOrder &order) {
        return code.sumColumns(columns, order, body);
      },
      [&](Value before, Value sum) { return code.add(before, sum); });
}

Value RowProgram::maxColumns(Value tensor, const ColumnRange &range,
                             llvm::function_ref<Value(const Column &)> body) {
  return foldColumns(
      tensor, range,
      [&](const ColumnRange &columns, const ColumnOrder &order) {
        return code.maxColumns(columns, order, body);
      },
      [&](Value before, Value largest) { return code.max(before, largest); });
}

RowElements::Moments RowProgram::computeMoments(Value tensor,
                                                const ColumnRange &range,
                                                Value count, bool centered) {
  Moments result;
  auto average = [&](Value from) {
    Value sum = sumColumns(tensor, range, [&](const Column &column) {
      Value x = element(tensor, column);
      return from ? code.sub(x, from) : x;
    });
    return code.div(sum, count);
  };
  if (centered) {
    result.mean = average(/*from=*/Value());
    // Rounding a sum moves its mean away from elements that are all equal,
    // which the factor of a norm would amplify: the correction makes their
    // distances 0.
    result.mean = code.add(result.mean, average(result.mean));
  }
  result.squares = sumColumns(tensor, range, [&](const Column &column) {
    Value x = element(tensor, column);
    Value distance = centered ? code.sub(x, result.mean) : x;
    return code.mul(distance, distance);
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value RowProgram::getSize(Value size) {
  auto given = sizes.find(size);
  if (given != sizes.end())
    return given->second();
  return code.index(*getConstantIntValue(size));
}

Value RowProgram::element(Value tensor, const Column &column) {
  // Again at the same column, in the same region or one within it?
  Region *here = code.builder.getInsertionBlock()->getParent();
  Value known = elements.lookup({tensor, column.index});
  if (known && known.getParentRegion()->isAncestor(here))
    return known;
  Value value;
  if (isGiven(tensor)) {
    value = load(tensor, row, column);
  } else {
    auto result = cast<OpResult>(tensor);
    llvm::SaveAndRestore<Location> there(code.loc, tensor.getLoc());
    value = cast<block::RowStepOpInterface>(result.getOwner())
                .emitElement(*this, result.getResultNumber(), column);
  }
  // The memory budget of a training step decides which values are stored, and
  // must not change results: there, every step rounds its result.
  if (isStored(tensor) || isInTrainingFunction(tensor.getDefiningOp()))
    value = code.round(value, getElementTypeOrSelf(tensor.getType()));
  elements[{tensor, column.index}] = value;
  return value;
}
