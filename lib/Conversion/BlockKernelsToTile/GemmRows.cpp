//===- GemmRows.cpp - products of rows that their kernel computes ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each CTA normalises the rows that it multiplies, as many columns at a time as
// a step has, while copies bring the weight: that takes no launch before the
// product, and few rows take less time than a step's copies. Values and their
// rounding are those of a kernel of rows.
//
//===----------------------------------------------------------------------===//

#include "GemmBuilder.h"
#include "RowKernels.h"
#include "RowStatistics.h"
#include "TileCode.h"

using namespace mlir;
using namespace parablock;

/// Fills the first `rows` rows of `buffer` with what `body` returns for a row
/// and a column of it.
static void createFill(TileCode code, Value buffer, Value rows, bool again,
                       llvm::function_ref<Value(TileCode, Value, Value)> body) {
  OpBuilder &builder = code.builder;
  auto fill = tile::FillOp::create(builder, code.loc, buffer, rows, again);
  OpBuilder::InsertionGuard guard(builder);
  Type index = builder.getIndexType();
  Block *block = builder.createBlock(&fill.getBody(), {}, {index, index},
                                     {code.loc, code.loc});
  Value element =
      body({builder, code.loc}, block->getArgument(0), block->getArgument(1));
  tile::YieldOp::create(builder, code.loc, element);
}

void GemmBuilder::countRows() {
  TileCode code(shell.builder, loc);
  Value input = shell.lookupInput(plan.sources.front().input);
  int64_t rank = cast<MemRefType>(input.getType()).getRank();
  rows = createRowCount(shell.builder, loc, input);
  sequenceLength = code.dim(input, rank - 2);
  if (!plan.computed)
    return;
  auto type = tile::BufferType::get(
      code.builder.getContext(), choice.shape.rows,
      countRowFacts(plan, choice.shape, choice.splits),
      code.builder.getF32Type(), tile::BufferLayout::Rows);
  statistics = tile::SharedOp::create(code.builder, loc, type);
  if (block::TakeRowsOp take = plan.computed->take) {
    sequenceLength = code.dim(shell.lookupInput(take.getRows()), 0);
    rows = code.mulIndex(code.dim(input, 0), sequenceLength);
  }
}

void GemmBuilder::giveSources(RowProgram &program, Value taken) {
  Block &body = source.getBody().front();
  giveArguments(program, body, shell);
  for (auto op : body.getOps<block::TakeRowsOp>()) {
    Value place = shell.lookupInput(op.getInput());
    auto type = cast<RankedTensorType>(op.getInput().getType());
    program.give(op, [=](const RowCode &at, Value, const Column &column) {
      return at.load(place, type, taken, column);
    });
  }
}

void GemmBuilder::fillStatistics(OpBuilder &builder, const Place &place,
                                 Value firstStep) {
  Value last = arith::SubIOp::create(builder, loc, rows, constant(builder, 1));
  block::NormalizeOp norm = plan.computed->norm;
  block::TakeRowsOp take = plan.computed->take;
  auto body = [&](const TileCode &code, Value localRow, Value column) {
    ThreadCode own(code.builder, code.loc);
    Value row = own.minIndex(own.addIndex(place.row, localRow), last);
    Value taken = row;
    if (take)
      taken = createTakenRow(own, shell.lookupInput(take.getInput()),
                             shell.lookupInput(take.getRows()), row);
    RowProgram program(own, kTileRows, row, sequenceLength);
    giveSources(program, taken);
    Value result = program.emitStatistic(norm.getMoment());
    auto select = [&](int64_t at, Value value) {
      result = own.select(own.equalIndex(column, own.index(at)), value, result);
    };
    if (norm.getMean())
      select(kMean, program.emitStatistic(norm.getMean()));
    select(kTaken, own.toBits(taken));
    if (countRowFacts(plan, choice.shape, choice.splits) == numRowFacts)
      return result;
    // An element of each line, which later ones then find in the cache.
    int64_t line =
        cacheLineBytes * 8 / plan.elementType.getIntOrFloatBitWidth();
    Value number = own.maxIndex(own.subIndex(column, own.index(numRowFacts)),
                                own.index(0));
    Value element = own.mulIndex(number, own.index(line));
    if (firstStep)
      element = own.addIndex(
          element, own.mulIndex(firstStep, own.index(choice.shape.depth)));
    int64_t width = plan.sources.front().depth;
    element = own.minIndex(element, own.index(width - 1));
    Value ahead =
        program.emitElement(norm.getResult(), {element, std::nullopt, 1});
    return own.select(own.lessIndex(column, own.index(numRowFacts)), result,
                      ahead);
  };
  createFill({builder, loc}, statistics, createNumRows(builder, place),
             /*again=*/true, body);
}

void GemmBuilder::fillRows(OpBuilder &builder, const Place &place, Value step,
                           Value buffer) {
  block::NormalizeOp norm = plan.computed->norm;
  int64_t width = plan.sources.front().depth, depth = choice.shape.depth;
  int64_t steps = getSteps(plan.sources.front());
  bool isWhole = width % depth == 0 && steps % choice.splits == 0;
  Value last = arith::SubIOp::create(builder, loc, rows, constant(builder, 1));
  Value first =
      arith::MulIOp::create(builder, loc, step, constant(builder, depth));
  createFill(
      {builder, loc}, buffer, createNumRows(builder, place), /*again=*/false,
      [&](TileCode code, Value localRow, Value localColumn) -> Value {
        Value row = code.minIndex(code.addIndex(place.row, localRow), last);
        Value column = code.addIndex(first, localColumn), own = column;
        if (!isWhole)
          own = code.minIndex(column, code.index(width - 1));
        RowProgram program(code, kTileRows, row, sequenceLength);
        auto load = [=](const RowCode &at, int64_t number) -> Value {
          return tile::LoadOp::create(at.builder, at.loc,
                                      at.builder.getF32Type(), statistics,
                                      ValueRange{localRow, at.index(number)});
        };
        giveSources(program, code.fromBits(load(code, kTaken)));
        auto giveStatistic = [&](Value value, int64_t number) {
          program.give(value, [=](const RowCode &at, Value, const Column &) {
            return load(at, number);
          });
        };
        if (norm.getMean())
          giveStatistic(norm.getMean(), kMean);
        giveStatistic(norm.getMoment(), kMoment);
        Value element =
            program.emitElement(norm.getResult(), {own, std::nullopt, 1});
        if (isWhole)
          return element;
        return code.select(code.lessIndex(column, code.index(width)), element,
                           code.f32(0));
      });
}
