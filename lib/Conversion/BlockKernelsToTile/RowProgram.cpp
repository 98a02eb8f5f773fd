//===- RowProgram.cpp - the code of one row of tensors --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowProgram.h"

#include "RowEmitter.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;

void RowProgram::bindGlobal(Value tensor, Value memref) {
  globals[tensor] = memref;
  bind(tensor,
       [memref](OpBuilder &builder, Location loc, Value row, Value column) {
         return TileCode{builder, loc}.load(memref, row, column);
       });
}

LogicalResult RowProgram::emit(OpBuilder &builder, Value row,
                               ArrayRef<RowOutput> outputs, Value from,
                               Value to) const {
  return RowEmitter(*this, row).run({builder, loc}, outputs, from, to);
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

LogicalResult RowEmitter::run(TileCode code, ArrayRef<RowOutput> outputs,
                              Value from, Value to) {
  Steps all;
  llvm::MapVector<int64_t, Sheet> sheets;
  for (const RowOutput &output : outputs) {
    Steps steps = collectSteps(output.tensor);
    if (failed(checkSteps(steps)))
      return failure();
    all.insert_range(steps);
    Sheet &sheet = sheets[getGroupSize(steps)];
    sheet.steps.insert_range(steps);
    if (Operation *op = output.tensor.getDefiningOp(); isStatisticsStep(op))
      sheet.statistics[op].push_back(output);
    else
      sheet.columns.push_back(output);
  }

  Value zero = code.index(0);
  for (Operation *op : sortSteps(all))
    if (getGroupSize(op) == 0)
      prepare(code, op, zero);
  for (auto &[groupSize, sheet] : sheets) {
    if (groupSize == 0)
      emitSheet(code, sheet, from, to);
    else
      emitGroups(code, sheet, code.index(groupSize), from, to);
  }
  return success();
}

void RowEmitter::emitSheet(TileCode code, const Sheet &sheet, Value from,
                           Value to) {
  emitColumns(code, sheet.columns, from, to);
  Value zero = code.index(0);
  for (auto &[op, stored] : sheet.statistics) {
    if (auto partial = dyn_cast<block::PartialStatsOp>(op))
      emitPartialStats(code, partial, stored, from, to);
    else
      for (const RowOutput &output : stored)
        code.store(getStatistic(code, output.tensor, zero), output.destination,
                   row, zero);
  }
}

void RowEmitter::emitGroups(TileCode code, const Sheet &sheet, Value size,
                            Value from, Value to) {
  llvm::DenseMap<Value, Value> rowStatistics = statistics;
  llvm::DenseMap<Operation *, Value> rowFactors = factors;
  code.loop(code.divIndex(from, size), code.divIndex(to, size),
            [&](TileCode inner, Value group) {
              for (Operation *op : sortSteps(sheet.steps))
                if (getGroupSize(op) != 0)
                  prepare(inner, op, group);
              Value first = inner.mulIndex(group, size);
              emitColumns(inner, sheet.columns, first,
                          inner.addIndex(first, size));
              for (auto &[op, stored] : sheet.statistics)
                for (const RowOutput &output : stored)
                  inner.store(getStatistic(inner, output.tensor, group),
                              output.destination, row, group);
            });
  statistics = std::move(rowStatistics);
  factors = std::move(rowFactors);
}

void RowEmitter::emitColumns(TileCode code, ArrayRef<RowOutput> outputs,
                             Value from, Value to) {
  if (outputs.empty())
    return;
  code.columns(from, to, [&](TileCode inner, Value column) {
    for (const RowOutput &output : outputs)
      inner.store(element(inner, output.tensor, column), output.destination,
                  row, column);
  });
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

void RowEmitter::prepare(TileCode outer, Operation *op, Value group) {
  TileCode code = {outer.builder, op->getLoc()};
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](block::NormStatsOp op) { prepareNormStats(code, op, group); })
      .Case([&](block::MergeStatsOp op) { prepareMergeStats(code, op); })
      .Case([&](block::NormalizeOp op) {
        prepareFactor(code, op, op.getMean(), op.getMoment(), group,
                      op.getForm(), getWidth(op.getInput()) / op.getGroups());
      })
      .Case([&](block::DeferredNormOp op) {
        prepareFactor(code, op, op.getMean(), op.getMoment(), group,
                      op.getForm(), op.getWidth());
      })
      .Case([&](block::RopeOp op) { preparePosition(code, op.getOffset()); })
      .Case([&](block::EmbeddingOp op) { prepareToken(code, op); });
}

Value RowEmitter::getTime(TileCode code) const {
  return code.remIndex(row, program.sequenceLength);
}

Value RowEmitter::getBatch(TileCode code) const {
  return code.divIndex(row, program.sequenceLength);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value RowEmitter::load(TileCode code, Value tensor, Value row,
                       Value column) const {
  return program.loaders.lookup(tensor)(code.builder, code.loc, row, column);
}

/// Whether the kernel stores what it computes as `value`.
static bool isStored(Value value) {
  return value.getDefiningOp() &&
         llvm::any_of(value.getUsers(), llvm::IsaPred<block::YieldOp>);
}

Value RowEmitter::element(TileCode code, Value tensor, Value column) {
  // Again at the same column, in the same region or one within it?
  Region *here = code.builder.getInsertionBlock()->getParent();
  Value known = elements.lookup({tensor, column});
  if (known && known.getParentRegion()->isAncestor(here))
    return known;
  Value value = program.loaders.contains(tensor)
                    ? load(code, tensor, row, column)
                    : compute({code.builder, tensor.getLoc()},
                              cast<OpResult>(tensor), column);
  if (isStored(tensor))
    value = code.round(value, getElementTypeOrSelf(tensor.getType()));
  elements[{tensor, column}] = value;
  return value;
}

Value RowEmitter::compute(TileCode code, OpResult value, Value column) {
  return llvm::TypeSwitch<Operation *, Value>(value.getOwner())
      .Case([&](block::SplitOp op) {
        int64_t offset = 0;
        for (Value segment :
             op.getSegments().take_front(value.getResultNumber()))
          offset += getWidth(segment);
        Value shifted =
            offset ? code.addIndex(column, code.index(offset)) : column;
        return element(code, op.getInput(), shifted);
      })
      .Case<arith::TruncFOp, arith::ExtFOp, block::AddBiasOp,
            block::ActivationOp, block::GateOp, block::ClampOp, block::ScaleOp,
            block::ResidualOp, block::NormalizeOp, block::DeferredNormOp,
            block::RopeOp, block::RotateOp, block::EmbeddingOp,
            block::PatchEmbeddingOp>(
          [&](auto op) { return evaluate(code, op, column); });
}
