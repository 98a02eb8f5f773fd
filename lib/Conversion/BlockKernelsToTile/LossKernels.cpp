//===- LossKernels.cpp - cross entropies ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tile of logits leaves two numbers for each of its rows: the largest, and
// the sum of exponentials relative to it. Rows then join what tiles have, and
// one warp adds all rows.
//
//===----------------------------------------------------------------------===//

#include "LossKernels.h"

#include "mlir/IR/Matchers.h"
#include "parablock/Dialect/Block/RowInterface.h"
#include <limits>

using namespace mlir;
using namespace parablock;
using Source = LaunchSequence::Source;

LogicalResult LossKernels::check() {
  auto refuse = [&] {
    return op->emitError() << "no GPU code for '" << op->getName() << "' ";
  };
  if (getElementTypeOrSelf(weight) != element)
    return refuse() << "of rows of " << element << " and a weight of "
                    << getElementTypeOrSelf(weight) << ": expected one type";
  for (Value tensor : {input, weight, targets, bias})
    if (tensor && matchPattern(tensor, m_Constant()))
      return refuse() << "of a constant of type " << tensor.getType()
                      << ": expected an argument";
  return success();
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value LossKernels::isIgnored(TileCode code, Value target) const {
  return arith::CmpIOp::create(
      code.builder, code.loc, arith::CmpIPredicate::eq, target,
      arith::ConstantIntOp::create(code.builder, code.loc, ignored, 64));
}

/// Clamped, so that no data causes accesses to other memory.
Value LossKernels::toColumn(TileCode code, Value target) const {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(code.builder, code.loc, value, 64);
  };
  Value above =
      arith::MaxSIOp::create(code.builder, code.loc, target, number(0));
  return code.toIndex(arith::MinSIOp::create(code.builder, code.loc, above,
                                             number(vocabulary - 1)));
}

Value LossKernels::finishLogit(TileCode code, Value product, Value biases,
                               Value column) const {
  if (biases)
    product = code.add(product, code.load(biases, code.index(0), column));
  return emitLogit(code, scale, cap, product);
}

std::pair<Value, Value> LossKernels::addRows(TileCode code, Value losses,
                                             Value ids) const {
  // Sums of sums lose fewer digits.
  constexpr int64_t run = 1024;
  Value zero = code.index(0), size = code.index(run);
  Value all = code.mulIndex(code.dim(ids, 0), code.dim(ids, 1));
  Value runs =
      code.divIndex(code.addIndex(all, code.index(run - 1)), code.index(run));
  SmallVector<Value> sums = code.accumulate(
      zero, runs, {code.f32(0), code.f32(0)},
      [&](TileCode each, Value number, ValueRange known) {
        Value from = each.mulIndex(number, size);
        Value to = each.minIndex(each.addIndex(from, size), all);
        auto add = [&](Value sum, TileCode::Element row) {
          return each.add(sum,
                          each.reduce(tile::Reduction::Add, from, to, row));
        };
        Value sum = known[0];
        if (losses)
          sum = add(sum, [&](TileCode at, Value row) -> Value {
            return tile::LoadOp::create(at.builder, at.loc, f32, losses,
                                        ValueRange{row});
          });
        Value count = add(known[1], [&](TileCode at, Value row) {
          return at.select(isIgnored(at, loadTarget(at, ids, row)), at.f32(0),
                           at.f32(1));
        });
        return SmallVector<Value>{sum, count};
      });
  return {sums[0], sums[1]};
}

/// Kernels contain constants, and take other numbers as inputs.
void LossKernels::addNumber(Source source,
                            SmallVectorImpl<Source> &numbers) const {
  if (!matchPattern(op->getOperand(source.number), m_Constant()))
    numbers.push_back(source);
}

void LossKernels::appendTypes(ArrayRef<Source> numbers,
                              SmallVectorImpl<Type> &types) const {
  for (Source source : numbers)
    types.push_back(op->getOperand(source.number).getType());
}

Value LossKernels::getNumber(TileCode code, KernelShell &shell, Value value,
                             unsigned &next) const {
  DenseFPElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return code.f32((*constant.begin()).convertToDouble());
  return loadNumber(code, shell.getInput(next++));
}

//===----------------------------------------------------------------------===//
// The loss
//===----------------------------------------------------------------------===//

/// Stores the largest logit of a tile's row, and the sum of the exponentials of
/// all relative to it.
static void storeFacts(TileCode code, const LossProduct::Row &row,
                       Value facts) {
  // Finite, so that a tile of -inf has a sum, of 0.
  Value largest = code.max(code.reduce(tile::Reduction::Max, row.from, row.to,
                                       [&](TileCode each, Value column) {
                                         return row.load(each, column);
                                       }),
                           code.f32(-std::numeric_limits<float>::max()));
  Value sum = code.reduce(
      tile::Reduction::Add, row.from, row.to, [&](TileCode each, Value column) {
        return each.exp(each.sub(row.load(each, column), largest));
      });
  Value place = code.mulIndex(row.tile, code.index(kFacts));
  code.store(largest, facts, row.row, place);
  code.store(sum, facts, row.row, code.addIndex(place, code.index(1)));
}

/// For each row, what a tile of columns has of it. Inputs: input, weight,
/// targets, bias if any. Outputs: largest and sum of each tile, the target's
/// logit.
tile::KernelOp LossKernels::buildTiles() {
  LossProduct product({rows, vocabulary, width}, element, {width, width},
                      site.chip);
  tiles = product.countColumnTiles();
  SmallVector<Type> inputs = {input.getType(), weight.getType(),
                              targets.getType()};
  if (bias)
    inputs.push_back(bias.getType());
  KernelShell shell = createKernelShell(
      site.atModule, op->getLoc(), (site.name + "_tiles").str(),
      product.getSchedule(), inputs,
      {getRowsType(f32, kFacts * tiles), getRowsType(f32, {})});
  TileCode code{shell.builder, op->getLoc()};
  Value biases = bias ? shell.getInput(3) : Value();
  bool isPlain = !bias && !cap && scale.convertToDouble() == 1;
  product.emit(
      shell, {shell.getInput(0)}, {shell.getInput(1)},
      countRows(code, shell.getInput(0)), code.index(width),
      [&](TileCode inner, const LossProduct::Row &row) {
        if (!isPlain)
          inner.columns(row.from, row.to, [&](TileCode each, Value column) {
            each.store(
                finishLogit(each, row.load(each, column), biases, column),
                row.staged, row.local, createDistance(each, column, row.from));
          });
        storeFacts(inner, row, shell.getOutput(0));
        Value target =
            toColumn(inner, loadTarget(inner, shell.getInput(2), row.row));
        Value isHere =
            inner.select(inner.lessIndex(target, row.from),
                         inner.boolean(false), inner.lessIndex(target, row.to));
        inner.when(isHere, [&](TileCode each) {
          tile::StoreOp::create(each.builder, each.loc, row.load(each, target),
                                shell.getOutput(1), ValueRange{row.row});
        });
      });
  return shell.kernel;
}

/// Joins what tiles have of a row. Inputs: outputs of the tiles, targets.
/// Outputs: facts of rows, losses.
tile::KernelOp LossKernels::buildRows() {
  KernelShell shell =
      site.createRowsShell("_rows", rows,
                           {getRowsType(f32, kFacts * tiles),
                            getRowsType(f32, {}), targets.getType()},
                           {getRowsType(f32, kFacts), getRowsType(f32, {})});
  TileCode code{shell.builder, op->getLoc()};
  Value parts = shell.getInput(0);
  code.gridRows(countRows(code, parts), [&](TileCode inner, Value row) {
    auto loadPart = [&](TileCode each, Value tile, int64_t which) {
      Value place = each.mulIndex(tile, each.index(kFacts));
      return each.load(parts, row, each.addIndex(place, each.index(which)));
    };
    Value zero = inner.index(0), all = inner.index(tiles);
    Value largest = inner.reduce(
        tile::Reduction::Max, zero, all,
        [&](TileCode each, Value tile) { return loadPart(each, tile, 0); });
    Value sum = inner.reduce(
        tile::Reduction::Add, zero, all, [&](TileCode each, Value tile) {
          Value distance = each.sub(loadPart(each, tile, 0), largest);
          return each.mul(loadPart(each, tile, 1), each.exp(distance));
        });
    Value facts = shell.getOutput(0);
    inner.store(largest, facts, row, inner.index(kLargest));
    inner.store(inner.div(inner.f32(1), sum), facts, row, inner.index(kShare));
    Value own = tile::LoadOp::create(inner.builder, inner.loc, f32,
                                     shell.getInput(1), ValueRange{row});
    Value log = math::LogOp::create(inner.builder, inner.loc, sum);
    Value loss = inner.add(log, inner.sub(largest, own));
    Value isOut = isIgnored(inner, loadTarget(inner, shell.getInput(2), row));
    tile::StoreOp::create(inner.builder, inner.loc,
                          inner.select(isOut, inner.f32(0), loss),
                          shell.getOutput(1), ValueRange{row});
  });
  return shell.kernel;
}

/// Inputs: losses, targets, the divisor if it is a number of them.
tile::KernelOp LossKernels::buildSum(ArrayRef<Source> numbers) {
  SmallVector<Type> inputs = {getRowsType(f32, {}), targets.getType()};
  appendTypes(numbers, inputs);
  KernelShell shell = site.createRowsShell("_sum", /*rows=*/1, inputs,
                                           op->getResult(0).getType());
  TileCode code{shell.builder, op->getLoc()};
  code.gridRows(code.index(1), [&](TileCode inner, Value) {
    auto [sum, count] = addRows(inner, shell.getInput(0), shell.getInput(1));
    unsigned next = 2;
    Value by = divisor ? getNumber(inner, shell, divisor, next) : count;
    Value isEmpty = inner.less(count, inner.f32(0.5));
    Value mean = inner.select(isEmpty, inner.f32(0), inner.div(sum, by));
    tile::StoreOp::create(inner.builder, inner.loc, mean, shell.getOutput(0),
                          ValueRange{inner.index(0)});
  });
  return shell.kernel;
}

unsigned LossKernels::appendRows() {
  SmallVector<Source> inputs = {inputAt, weightAt, targetsAt};
  if (bias)
    inputs.push_back(biasAt);
  unsigned made = sequence.append(buildTiles(), inputs);
  return sequence.append(buildRows(), {{0, made}, {1, made}, targetsAt});
}

FailureOr<LaunchSequence> LossKernels::buildLoss() {
  if (failed(check()))
    return failure();
  unsigned joined = appendRows();
  SmallVector<Source> numbers;
  if (divisor)
    addNumber(divisorAt, numbers);
  SmallVector<Source> inputs = {{1, joined}, targetsAt};
  llvm::append_range(inputs, numbers);
  sequence.results = {{0, sequence.append(buildSum(numbers), inputs)}};
  return std::move(sequence);
}

FailureOr<LaunchSequence> parablock::buildLoss(const GradientSite &site) {
  return LossKernels(site, cast<block::CrossEntropyOp>(site.op)).buildLoss();
}
