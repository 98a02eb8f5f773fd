//===- RowCode.cpp - the code of one row of tensors -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowCode.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

int64_t RowCode::widthOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape().back();
}

Type RowCode::elementOf(Value tensor) const {
  return getElementTypeOrSelf(tensor.getType());
}

void RowCode::bindMemory(BlockArgument argument, Value pointer) {
  memory[argument] = pointer;
  auto type = cast<RankedTensorType>(argument.getType());
  int64_t width = type.getShape().back();
  bool isVector = type.getRank() == 1;
  bind(argument, [=](Value row, const Column &column) {
    Value position = isVector ? column.index
                              : code.addI(code.mulI(row, width), column.index);
    return code.load(pointer, type.getElementType(), position, column.lanes);
  });
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static llvm::SetVector<Operation *>
sortSteps(const llvm::SetVector<Operation *> &steps) {
  SmallVector<Operation *> sorted(steps.begin(), steps.end());
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return {sorted.begin(), sorted.end()};
}

RowCode::Steps RowCode::collectSteps(Value tensor) const {
  llvm::SetVector<Operation *> seen;
  SmallVector<Value> open = {tensor};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (op && !loaders.contains(value) && seen.insert(op))
      open.append(op->operand_begin(), op->operand_end());
  }
  return sortSteps(seen);
}

/// Columns per group of a norm of heads; 0 for other steps.
static int64_t getGroupSize(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<block::NormStatsOp, block::NormalizeOp>([](auto op) -> int64_t {
        int64_t groups = op.getGroups();
        auto type = cast<RankedTensorType>(op.getInput().getType());
        return groups > 1 ? type.getShape().back() / groups : 0;
      })
      .Default([](Operation *) { return 0; });
}

ColumnOrder RowCode::findOrder(Value tensor) const {
  ColumnOrder order;
  llvm::SetVector<int64_t> borders;
  borders.insert(0);
  for (Operation *op : collectSteps(tensor)) {
    if (int64_t size = getGroupSize(op)) {
      order.part = size;
      order.groupSteps.insert(op);
    }
    if (isa<block::PatchEmbeddingOp>(op))
      order.scalar = true;
    if (std::optional<Rotation> form = findRotation(op)) {
      order.part = form->headSize;
      if (form->inHalves())
        borders.insert(form->dim / 2);
      if (form->dim < order.part)
        borders.insert(form->dim);
    }
  }
  order.borders = borders.takeVector();
  llvm::sort(order.borders);
  return order;
}

static LogicalResult checkEmbedding(block::EmbeddingOp op) {
  int64_t width = RowCode::widthOf(op.getResult());
  if (!op.getSinusoid() || width % 2 == 0)
    return success();
  return op.emitError() << "no CPU code for a sinusoid of odd width " << width;
}

/// Tables are read at other places than the row's own.
static LogicalResult checkTables(block::RotateOp op) {
  if (isa<BlockArgument>(op.getCosines()) && isa<BlockArgument>(op.getSines()))
    return success();
  return op.emitOpError("no CPU code for tables that its own kernel computes");
}

static LogicalResult checkTableType(block::RopeOp op) {
  Type type = op.getForm().getTableType();
  if (!type || type.isF32() || type.isBF16() || type.isF16())
    return success();
  return op.emitError() << "no CPU code for a rotation with a table of " << type
                        << ": expected f32, bf16 or f16";
}

/// Whether the kernel stores what it computes as `value`.
static bool isStored(Value value) {
  return value.getDefiningOp() &&
         llvm::any_of(value.getUsers(), llvm::IsaPred<block::YieldOp>);
}

LogicalResult RowCode::check(Block &body) {
  int64_t part = 0;
  for (Operation &op : body.without_terminator()) {
    int64_t size = getGroupSize(&op);
    if (std::optional<Rotation> form = findRotation(&op))
      size = form->headSize;
    if (size && part && size != part)
      return op.emitError()
             << "no CPU code for '" << op.getName() << "' in parts of " << size
             << " columns next to parts of " << part;
    part = size ? size : part;
    if (auto partial = dyn_cast<block::PartialStatsOp>(op))
      if (part && partial.getTile() % part != 0 &&
          !isStored(partial.getInput()))
        return partial.emitError()
               << "no CPU code for statistics of every " << partial.getTile()
               << " columns of parts of " << part;
    if (auto embedding = dyn_cast<block::EmbeddingOp>(op))
      if (failed(checkEmbedding(embedding)))
        return failure();
    if (auto rotate = dyn_cast<block::RotateOp>(op))
      if (failed(checkTables(rotate)))
        return failure();
    if (auto rope = dyn_cast<block::RopeOp>(op))
      if (failed(checkTableType(rope)))
        return failure();
    if (!isa<arith::TruncFOp, arith::ExtFOp, block::SplitOp, block::AddBiasOp,
             block::ActivationOp, block::GateOp, block::ClampOp, block::ScaleOp,
             block::ResidualOp, block::NormStatsOp, block::NormalizeOp,
             block::DeferredNormOp, block::PartialStatsOp, block::MergeStatsOp,
             block::PatchEmbeddingOp, block::RopeOp, block::RotateOp,
             block::EmbeddingOp, block::LinearOp, block::LinearSumOp,
             block::HeadOp>(op))
      return op.emitError()
             << "no CPU code for '" << op.getName() << "' as a step on rows";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

bool cpugen::isStatisticsStep(Operation *op) {
  return isa_and_nonnull<block::NormStatsOp, block::MergeStatsOp,
                         block::PartialStatsOp>(op);
}

namespace {
/// Outputs that are computed in the same loops.
struct Sheet {
  ColumnOrder order;
  SmallVector<RowOutput> columns;
  llvm::MapVector<Operation *, SmallVector<RowOutput>> statistics;
};
} // namespace

void RowCode::emit(Value ofRow, ArrayRef<RowOutput> outputs, Value from,
                   Value to, int64_t multiple) {
  row = ofRow;
  Steps all;
  SmallVector<Sheet> sheets;
  for (const RowOutput &output : outputs) {
    all.insert_range(collectSteps(output.tensor));
    ColumnOrder order = findOrder(output.tensor);
    auto sheet = llvm::find_if(
        sheets, [&](const Sheet &sheet) { return sheet.order.fits(order); });
    if (sheet == sheets.end()) {
      sheets.push_back({order, {}, {}});
      sheet = std::prev(sheets.end());
    }
    sheet->order.groupSteps.insert_range(order.groupSteps);
    Operation *op = output.tensor.getDefiningOp();
    if (isStatisticsStep(op))
      sheet->statistics[op].push_back(output);
    else
      sheet->columns.push_back(output);
  }
  prepareRow(all);

  for (Sheet &sheet : sheets)
    if (!sheet.columns.empty())
      forColumns(sheet.order, from, to, multiple, [&](const Column &column) {
        for (const RowOutput &output : sheet.columns) {
          Value position =
              code.addI(code.mulI(row, widthOf(output.tensor)), column.index);
          code.store(element(output.tensor, column), output.pointer,
                     elementOf(output.tensor), position);
        }
      });
  bindStored(outputs);
  Value zero = code.index(0);
  for (Sheet &sheet : sheets)
    for (auto &[op, stored] : sheet.statistics) {
      if (auto partial = dyn_cast<block::PartialStatsOp>(op)) {
        emitPartialStats(partial, stored, from, to, multiple);
        continue;
      }
      auto storeGroup = [&, &stored = stored](Value group) {
        for (const RowOutput &output : stored)
          code.storeRaw(
              statistic(output.tensor, group), output.pointer,
              code.addI(code.mulI(row, widthOf(output.tensor)), group));
      };
      int64_t size = getGroupSize(op);
      if (!size) {
        storeGroup(zero);
        continue;
      }
      code.loop(code.divI(from, size), code.divI(to, size), 1,
                [&, &op = op](Value group) {
                  prepareGroup(op, group);
                  storeGroup(group);
                });
    }
}

/// What partial statistics are of is read back where it was stored: their tiles
/// need not begin and end with the parts that it is computed in.
void RowCode::bindStored(ArrayRef<RowOutput> outputs) {
  for (const RowOutput &output : outputs)
    if (llvm::any_of(output.tensor.getUsers(),
                     llvm::IsaPred<block::PartialStatsOp>))
      bind(output.tensor, [=](Value row, const Column &column) {
        Value position =
            code.addI(code.mulI(row, widthOf(output.tensor)), column.index);
        return code.load(output.pointer, elementOf(output.tensor), position,
                         column.lanes);
      });
}

void RowCode::prepareRow(const Steps &steps) {
  Value zero = code.index(0);
  for (Operation *op : sortSteps(steps))
    if (!getGroupSize(op))
      prepareGroup(op, zero);
}

void RowCode::prepareGroup(Operation *op, Value group) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](block::NormStatsOp op) { prepareNormStats(op, group); })
      .Case([&](block::MergeStatsOp op) { prepareMergeStats(op); })
      .Case([&](block::NormalizeOp op) {
        prepareFactor(op, op.getMean(), op.getMoment(), group, op.getForm(),
                      widthOf(op.getInput()) / op.getGroups());
      })
      .Case([&](block::DeferredNormOp op) {
        prepareFactor(op, op.getMean(), op.getMoment(), group, op.getForm(),
                      op.getWidth());
      })
      .Case([&](block::RopeOp op) { preparePosition(op.getOffset()); })
      .Case([&](block::EmbeddingOp op) { prepareToken(op); });
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value RowCode::element(Value tensor, const Column &column) {
  Value &known = elements[{tensor, column.index}];
  if (known)
    return known;
  auto loader = loaders.find(tensor);
  Value value = loader != loaders.end()
                    ? loader->second(row, column)
                    : compute(cast<OpResult>(tensor), column);
  if (isStored(tensor))
    value = code.round(value, elementOf(tensor));
  return elements[{tensor, column.index}] = value;
}

Value RowCode::vectorElement(Value vector, const Column &column,
                             int64_t width) {
  int64_t size = widthOf(vector);
  if (size == width)
    return element(vector, column);
  Column within = column;
  if (size == 1)
    within = {code.index(0), 0, 1};
  else
    within.index = code.remI(column.index, size);
  return element(vector, within);
}

Value RowCode::compute(OpResult value, const Column &column) {
  return llvm::TypeSwitch<Operation *, Value>(value.getOwner())
      .Case([&](block::SplitOp op) {
        Column shifted = column;
        for (Value segment :
             op.getSegments().take_front(value.getResultNumber()))
          shifted.index = code.addI(shifted.index, widthOf(segment));
        return element(op.getInput(), shifted);
      })
      .Case([&](arith::TruncFOp op) {
        return code.round(element(op.getIn(), column), elementOf(value));
      })
      .Case([&](arith::ExtFOp op) { return element(op.getIn(), column); })
      .Case([&](block::AddBiasOp op) {
        return code.add(element(op.getInput(), column),
                        element(op.getBias(), column));
      })
      .Case([&](block::ActivationOp op) {
        return code.activate(op.getKind(), element(op.getInput(), column));
      })
      .Case([&](block::GateOp op) {
        return code.mul(
            code.activate(op.getKind(), element(op.getGate(), column)),
            element(op.getUp(), column));
      })
      .Case<block::ClampOp, block::ScaleOp, block::ResidualOp,
            block::NormalizeOp, block::DeferredNormOp, block::RopeOp,
            block::RotateOp, block::EmbeddingOp, block::PatchEmbeddingOp>(
          [&](auto op) { return evaluate(op, column); });
}

Value RowCode::evaluate(block::ClampOp op, const Column &column) {
  double limit = op.getLimit().convertToDouble();
  Value x = element(op.getInput(), column);
  return code.max(code.min(x, code.f32(limit)), code.f32(-limit));
}

Value RowCode::evaluate(block::ScaleOp op, const Column &column) {
  Value x = code.mul(element(op.getInput(), column),
                     op.getFactor().convertToDouble());
  if (!op.getGain())
    return x;
  return code.mul(x, vectorElement(op.getGain(), column, widthOf(op)));
}

Value RowCode::evaluate(block::ResidualOp op, const Column &column) {
  Value sum = code.mul(element(op.getInput(), column),
                       op.getInputScale().convertToDouble());
  for (auto [k, branch] : llvm::enumerate(op.getBranches()))
    sum =
        code.add(sum, code.mul(element(branch, column), op.getBranchScale(k)));
  return sum;
}

Value RowCode::evaluate(block::NormalizeOp op, const Column &column) {
  block::NormAttr form = op.getForm();
  Value x = element(op.getInput(), column);
  if (op.getMean())
    x = code.sub(x, statistics.lookup(op.getMean()));
  x = code.mul(x, factors.lookup(op));
  if (form.getRounding() == block::NormRounding::BeforeGain)
    x = code.round(x, elementOf(op));
  int64_t width = widthOf(op);
  if (op.getGamma()) {
    Value gain = vectorElement(op.getGamma(), column, width);
    if (form.getGammaForm() == block::GammaForm::OnePlus)
      gain = code.add(gain, code.f32(1));
    x = code.mul(x, gain);
  }
  return op.getBeta() ? code.add(x, vectorElement(op.getBeta(), column, width))
                      : x;
}

Value RowCode::evaluate(block::DeferredNormOp op, const Column &column) {
  Value x = element(op.getInput(), column);
  if (op.getMean())
    x = code.sub(x, code.mul(statistics.lookup(op.getMean()),
                             element(op.getSums(), column)));
  Value factor = factors.lookup(op);
  if (!op.getBias())
    return code.mul(x, factor);
  return code.fma(x, factor, element(op.getBias(), column));
}
