//===- WeightGradKernel.cpp - products over all rows ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Both operands are read as they are stored, their depth, the rows, first.
// Tiles of the result belong to one gradient and one input. Few tiles share
// the depth: the last CTA of a tile adds the sums of all, in order.
//
//===----------------------------------------------------------------------===//

#include "GemmSchedules.h"
#include "GemmSplit.h"
#include "GradientKernels.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Support/Chips.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;

namespace {
/// Tensors side by side, cut into tiles that belong to one of them.
struct Side {
  Side(OperandRange tensors, unsigned firstInput) : firstInput(firstInput) {
    for (Value tensor : tensors)
      widths.push_back(block::getDim(tensor, -1));
  }
  void cut(int64_t size) {
    tileSize = size;
    numTiles = 0;
    for (int64_t width : widths)
      numTiles += llvm::divideCeil(width, size);
  }

  unsigned firstInput;
  SmallVector<int64_t> widths;
  int64_t tileSize = 0, numTiles = 0;
};

/// A tile's first column in its tensor and in the result, and how many it has.
struct TilePlace {
  Value column, start, count;
};

class WeightGrad {
public:
  explicit WeightGrad(const GradientSite &site)
      : site(site), op(cast<block::WeightGradOp>(site.op)),
        element(getElementTypeOrSelf(op.getInputs().front())),
        rows(getStaticRows(op.getInputs().front().getType())),
        gradients(op.getGradients(), 0),
        inputs(op.getInputs(), op.getGradients().size()) {}

  FailureOr<LaunchSequence> build();

private:
  LogicalResult check();
  void chooseSchedule();
  /// Tells whether rows of all operands are multiples of so many bytes.
  bool areAligned(int64_t alignment);
  void choose(const ProductMachine &machine, ProductTile tile);
  SmallVector<Type> getWorkspaces();
  tile::KernelOp buildKernel();
  TilePlace place(TileCode code, const Side &side, Value tile);
  void copy(TileCode code, KernelShell &shell, const Side &side, Value tile,
            Value row, Value buffer, unsigned tensor = 0, int64_t before = 0);
  Value multiply(TileCode code, KernelShell &shell, Value gradientTile,
                 Value inputTile, Value split);
  void store(TileCode code, KernelShell &shell, Value staged,
             const TilePlace &gradient, const TilePlace &input, Value part);
  int64_t countSteps() const {
    constexpr int64_t many = 8192;
    return llvm::divideCeil(rows.value_or(many), stepRows);
  }

  const GradientSite &site;
  block::WeightGradOp op;
  Type element;
  std::optional<int64_t> rows;
  Side gradients, inputs;
  int64_t stepRows = 0, splits = 1, parts = 1;
  double bestCost = 0;
  tile::ScheduleAttr schedule;
};
} // namespace

LogicalResult WeightGrad::check() {
  for (Value operand : op->getOperands())
    if (getElementTypeOrSelf(operand) != element)
      return op.emitError()
             << "no GPU code for a product of " << getElementTypeOrSelf(operand)
             << " and " << element << " over all rows: expected one type";
  return success();
}

void WeightGrad::choose(const ProductMachine &machine, ProductTile tile) {
  if (tile.cluster != 1 || tile.weightIsLeft ||
      !machine.fitSharedMemory(tile, /*mayPart=*/machine.isWgmma,
                               machine.chip.sharedBytes))
    return;
  Side left = gradients, right = inputs;
  left.cut(tile.rows);
  right.cut(tile.columns);
  int64_t tiles = left.numTiles * right.numTiles;
  int64_t steps = std::max<int64_t>(
      llvm::divideCeil(rows.value_or(8192), machine.getStepDepth()), 1);
  // More CTAs only where they have steps enough, and with whole tiles: sums of
  // parts of tiles would be in memory twice.
  constexpr int64_t mostSplits = 16, leastSteps = 4;
  int64_t shares = std::clamp<int64_t>(
      std::min(machine.chip.multiprocessors / std::max<int64_t>(tiles, 1),
               steps / leastSteps),
      1, tile.parts == 1 ? mostSplits : 1);
  int64_t own = llvm::divideCeil(steps, shares);
  shares = llvm::divideCeil(steps, own);
  double cost = static_cast<double>(llvm::divideCeil(
                    tiles * shares, machine.chip.multiprocessors)) *
                machine.estimateTile(tile, own, tile.columns);
  if (schedule && cost >= bestCost)
    return;
  bestCost = cost;
  gradients = left;
  inputs = right;
  splits = shares;
  parts = tile.parts;
  stepRows = machine.getStepDepth();
  schedule = createSchedule(op.getContext(), machine, tile, tiles * shares,
                            areAligned(4));
}

bool WeightGrad::areAligned(int64_t alignment) {
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  return llvm::all_of(op->getOperands(), [&](Value tensor) {
    return block::getDim(tensor, -1) * bytes % alignment == 0;
  });
}

void WeightGrad::chooseSchedule() {
  const Chip &chip = getDeviceChip(site.chip);
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  bool isWgmma = chip.isHopper && bytes < 4 && areAligned(16);
  ProductMachine machine{chip, bytes, isWgmma};
  for (const ProductTile &tile : machine.listTiles())
    choose(machine, tile);
}

SmallVector<Type> WeightGrad::getWorkspaces() {
  if (splits == 1)
    return {};
  int64_t tiles = gradients.numTiles * inputs.numTiles;
  return {
      MemRefType::get({tiles * splits * gradients.tileSize, inputs.tileSize},
                      Float32Type::get(op.getContext())),
      MemRefType::get({tiles}, IntegerType::get(op.getContext(), 32))};
}

TilePlace WeightGrad::place(TileCode code, const Side &side, Value tile) {
  TilePlace result;
  int64_t before = 0, start = 0;
  for (int64_t width : side.widths) {
    Value column = code.mulIndex(code.subIndex(tile, code.index(before)),
                                 code.index(side.tileSize));
    Value left = code.subIndex(code.index(width), column);
    TilePlace own = {column, code.addIndex(column, code.index(start)),
                     code.minIndex(left, code.index(side.tileSize))};
    if (before == 0) {
      result = own;
    } else {
      Value isLater = code.lessIndex(tile, code.index(before));
      result = {code.select(isLater, result.column, own.column),
                code.select(isLater, result.start, own.start),
                code.select(isLater, result.count, own.count)};
    }
    before += llvm::divideCeil(width, side.tileSize);
    start += width;
  }
  return result;
}

/// Copies rows of the tensor that `tile` belongs to, of `tensor` and those
/// behind it, which have `before` tiles before them.
void WeightGrad::copy(TileCode code, KernelShell &shell, const Side &side,
                      Value tile, Value row, Value buffer, unsigned tensor,
                      int64_t before) {
  auto copyOwn = [&](TileCode inner) {
    Value column = inner.mulIndex(inner.subIndex(tile, inner.index(before)),
                                  inner.index(side.tileSize));
    tile::CopyOp::create(inner.builder, inner.loc,
                         shell.getInput(side.firstInput + tensor), row, column,
                         buffer, 0, stepRows);
  };
  if (tensor + 1 == side.widths.size())
    return copyOwn(code);
  int64_t next = before + llvm::divideCeil(side.widths[tensor], side.tileSize);
  Value isOwn = code.lessIndex(tile, code.index(next));
  auto branch = scf::IfOp::create(code.builder, code.loc, isOwn,
                                  /*withElseRegion=*/true);
  OpBuilder own = branch.getThenBodyBuilder();
  copyOwn({own, code.loc});
  OpBuilder others = branch.getElseBodyBuilder();
  copy({others, code.loc}, shell, side, tile, row, buffer, tensor + 1, next);
}

Value WeightGrad::multiply(TileCode code, KernelShell &shell,
                           Value gradientTile, Value inputTile, Value split) {
  MLIRContext *context = op.getContext();
  auto getBuffer = [&](int64_t columns) -> Type {
    return tile::BufferType::get(context, stepRows, columns, element,
                                 tile::BufferLayout::Swizzled);
  };
  auto type =
      tile::AccumulatorType::get(context, gradients.tileSize, inputs.tileSize);
  Value all =
      createRowCount(code.builder, code.loc, shell.getInput(inputs.firstInput));
  // Equally many for each split, and one at least. Steps past the end multiply
  // zeros outside of the tensors.
  int64_t shared = stepRows * splits;
  Value steps =
      rows ? code.index(std::max<int64_t>(llvm::divideCeil(*rows, shared), 1))
           : code.maxIndex(
                 code.divIndex(code.addIndex(all, code.index(shared - 1)),
                               code.index(shared)),
                 code.index(1));
  Value first = split ? code.mulIndex(split, steps) : code.index(0);
  return code.pipeline(
      steps, {getBuffer(gradients.tileSize), getBuffer(inputs.tileSize)},
      code.zero(type), schedule.getStages(),
      [&](TileCode inner, Value step, ValueRange buffers) {
        Value row =
            inner.mulIndex(inner.addIndex(step, first), inner.index(stepRows));
        copy(inner, shell, gradients, gradientTile, row, buffers[0]);
        copy(inner, shell, inputs, inputTile, row, buffers[1]);
      },
      [&](TileCode inner, Value, ValueRange buffers,
          ValueRange carried) -> SmallVector<Value> {
        return {tile::MmaOp::create(
            inner.builder, inner.loc, buffers[0], buffers[1], carried[0],
            /*less=*/Value(), /*leftDepthFirst=*/true,
            /*rightDepthFirst=*/true, /*depth=*/IntegerAttr(),
            /*deferred=*/false)};
      })[0];
}

void WeightGrad::store(TileCode code, KernelShell &shell, Value staged,
                       const TilePlace &gradient, const TilePlace &input,
                       Value part) {
  auto loop = tile::RowsOp::create(code.builder, code.loc, gradient.count,
                                   gradients.tileSize, part, parts);
  Block &body = loop.getBody().emplaceBlock();
  Value row = body.addArgument(code.builder.getIndexType(), code.loc);
  OpBuilder atEnd = OpBuilder::atBlockEnd(&body);
  TileCode inner{atEnd, code.loc};
  Value resultRow = inner.addIndex(gradient.start, row);
  inner.columns(inner.index(0), input.count, [&](TileCode each, Value column) {
    each.store(each.load(staged, row, column), shell.getOutput(0), resultRow,
               each.addIndex(input.start, column));
  });
  tile::YieldOp::create(atEnd, code.loc);
}

tile::KernelOp WeightGrad::buildKernel() {
  KernelShell shell = createKernelShell(site.atModule, op.getLoc(), site.name,
                                        schedule, op->getOperandTypes(),
                                        op->getResultTypes(), getWorkspaces());
  TileCode code{shell.builder, op.getLoc()};
  int64_t columns = inputs.numTiles * splits;
  code.tiles(
      code.index(gradients.numTiles), code.index(columns),
      [&](TileCode inner, Value row, Value column) {
        Value split, inputTile = column;
        if (splits > 1) {
          split = inner.remIndex(column, inner.index(splits));
          inputTile = inner.divIndex(column, inner.index(splits));
        }
        Value sums = multiply(inner, shell, row, inputTile, split);
        TilePlace gradient = place(inner, gradients, row),
                  input = place(inner, inputs, inputTile);
        auto type = tile::BufferType::get(
            op.getContext(), gradients.tileSize, inputs.tileSize,
            inner.builder.getF32Type(), tile::BufferLayout::Padded);
        auto write = [&](TileCode at, Value part) {
          Value staged = tile::StageOp::create(at.builder, at.loc, type, sums,
                                               /*first=*/0, part, parts);
          if (splits == 1)
            return store(at, shell, staged, gradient, input, part);
          Value tile = at.addIndex(at.mulIndex(row, at.index(inputs.numTiles)),
                                   inputTile);
          SplitSums joined = {shell.getWorkspace(0), shell.getWorkspace(1),
                              splits, gradients.tileSize, inputs.tileSize};
          joined.join(at, tile, split, gradient.count, gradients.tileSize,
                      staged, [&](TileCode last) {
                        store(last, shell, staged, gradient, input, part);
                      });
        };
        if (parts == 1)
          return write(inner, /*part=*/{});
        inner.loop(inner.index(0), inner.index(parts), write);
      });
  return shell.kernel;
}

FailureOr<LaunchSequence> WeightGrad::build() {
  if (failed(check()))
    return failure();
  chooseSchedule();
  LaunchSequence sequence;
  SmallVector<LaunchSequence::Source> operands;
  for (unsigned number = 0; number < op->getNumOperands(); ++number)
    operands.push_back({number});
  sequence.results = {{0, sequence.append(buildKernel(), operands)}};
  return sequence;
}

FailureOr<LaunchSequence> parablock::buildWeightGrad(const GradientSite &site) {
  return WeightGrad(site).build();
}
