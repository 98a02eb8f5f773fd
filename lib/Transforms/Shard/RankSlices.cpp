//===- RankSlices.cpp - moves slices up to parameters ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Shard/RankSlices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock::block;

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

RankSlicer::RankSlicer(FunctionOpInterface function, StringRef grid,
                       int64_t ranks)
    : ranks(ranks),
      atStart(OpBuilder::atBlockBegin(&function.getFunctionBody().front())) {
  rank = shard::ProcessLinearIndexOp::create(
      atStart, function.getLoc(), atStart.getIndexType(),
      FlatSymbolRefAttr::get(function.getContext(), grid));
}

RankSlicer::RankSlicer(FunctionOpInterface function)
    : ranks(1),
      atStart(OpBuilder::atBlockBegin(&function.getFunctionBody().front())) {}

Value RankSlicer::getIndex(int64_t value) {
  Value &known = indices[value];
  if (!known)
    known = arith::ConstantIndexOp::create(atStart, rank.getLoc(), value);
  return known;
}

Value RankSlicer::getOffset(const ColumnRun &run) {
  if (run.step == 0)
    return getIndex(run.base);
  Value &known = offsets[{run.base, run.step, run.repeat}];
  if (known)
    return known;
  Location loc = rank.getLoc();
  Value offset = rank;
  if (run.repeat != 1)
    offset = arith::DivUIOp::create(atStart, loc, offset, getIndex(run.repeat));
  if (run.step != 1)
    offset = arith::MulIOp::create(atStart, loc, offset, getIndex(run.step));
  if (run.base != 0)
    offset = arith::AddIOp::create(atStart, loc, offset, getIndex(run.base));
  return known = offset;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

static RankedTensorType getType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// `value` with zeros behind its end in dimension `dim`.
static Value padEnd(OpBuilder &builder, Value value, unsigned dim,
                    int64_t size) {
  RankedTensorType type = resized(value, dim, size - getDim(value, dim));
  Value zeros = arith::ConstantOp::create(
      builder, value.getLoc(), type,
      DenseElementsAttr::get(type, builder.getZeroAttr(type.getElementType())));
  return tensor::ConcatOp::create(builder, value.getLoc(), dim,
                                  ValueRange{value, zeros});
}

Value RankSlicer::extract(OpBuilder &builder, Value value, unsigned dim,
                          const ColumnRun &run) {
  RankedTensorType type = getType(value);
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, value.getLoc(), value);
  sizes[dim] = builder.getIndexAttr(run.size);
  if (run.step == 0)
    offsets[dim] = builder.getIndexAttr(run.base);
  else
    offsets[dim] = getOffset(run);
  return tensor::ExtractSliceOp::create(builder, value.getLoc(),
                                        resized(value, dim, run.size), value,
                                        offsets, sizes, strides);
}

Value RankSlicer::sliceRun(OpBuilder &builder, Value value, unsigned dim,
                           const ColumnRun &run) {
  int64_t size = getDim(value, dim);
  if (run.step == 0 && run.base == 0 && run.size == size)
    return value;
  std::tuple key(builder.getInsertionBlock(), value.getAsOpaquePointer(), dim,
                 run);
  if (auto known = made.find(key); known != made.end())
    return known->second;
  Value result;
  if (int64_t end = run.getEnd(ranks); end > size)
    result = extract(builder, padEnd(builder, value, dim, end), dim, run);
  else if (!(result = moveUp(builder, value, dim, run)))
    result = extract(builder, value, dim, run);
  return made[key] = result;
}

Value RankSlicer::slice(OpBuilder &builder, Value value, unsigned dim,
                        const ColumnMap &map) {
  if (map.isWhole(getDim(value, dim)))
    return value;
  SmallVector<Value> parts;
  for (const ColumnRun &run : map.getRuns())
    parts.push_back(sliceRun(builder, value, dim, run));
  if (parts.size() == 1)
    return parts.front();
  return tensor::ConcatOp::create(builder, value.getLoc(), dim, parts);
}

//===----------------------------------------------------------------------===//
// Slices of the sources of weights
//===----------------------------------------------------------------------===//

/// Clones `op` with `operands`; its result has `size` elements in dimension
/// `dim`.
static Value cloneResized(OpBuilder &builder, Operation *op,
                          ValueRange operands, unsigned dim, int64_t size) {
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  copy->getResult(0).setType(resized(op->getResult(0), dim, size));
  return copy->getResult(0);
}

Value RankSlicer::moveUpConcat(OpBuilder &builder, tensor::ConcatOp op,
                               unsigned dim, const ColumnRun &run) {
  if (op.getDim() != dim) {
    SmallVector<Value> parts;
    for (Value input : op.getInputs())
      parts.push_back(sliceRun(builder, input, dim, run));
    return tensor::ConcatOp::create(builder, op.getLoc(), op.getDim(), parts);
  }
  // On all ranks, the columns must come from one and the same operand.
  int64_t begin = 0;
  for (Value input : op.getInputs()) {
    int64_t end = begin + getDim(input, dim);
    if (begin <= run.base && run.getEnd(ranks) <= end) {
      ColumnRun inside = run;
      inside.base -= begin;
      return sliceRun(builder, input, dim, inside);
    }
    begin = end;
  }
  return {};
}

Value RankSlicer::moveUpSlice(OpBuilder &builder, tensor::ExtractSliceOp op,
                              unsigned dim, const ColumnRun &run) {
  auto isPlain = [](ArrayRef<int64_t> values) {
    return llvm::none_of(values, ShapedType::isDynamic);
  };
  if (!isPlain(op.getStaticOffsets()) || !isPlain(op.getStaticSizes()) ||
      !llvm::all_of(op.getStaticStrides(), [](int64_t s) { return s == 1; }) ||
      op.getSourceType().getRank() != op.getType().getRank())
    return {};
  ColumnRun inSource = run;
  inSource.base += op.getStaticOffset(dim);
  Value source = sliceRun(builder, op.getSource(), dim, inSource);
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  SmallVector<OpFoldResult> sizes = op.getMixedSizes();
  offsets[dim] = builder.getIndexAttr(0);
  sizes[dim] = builder.getIndexAttr(run.size);
  RankedTensorType type = resized(op.getResult(), dim, run.size);
  if (source.getType() == type)
    return source;
  return tensor::ExtractSliceOp::create(builder, op.getLoc(), type, source,
                                        offsets, sizes, op.getMixedStrides());
}

/// `run` in units of `unit` columns, or none.
static std::optional<ColumnRun> divide(const ColumnRun &run, int64_t unit) {
  if (run.base % unit || run.size % unit || run.step % unit)
    return std::nullopt;
  return ColumnRun{run.base / unit, run.size / unit, run.step / unit,
                   run.repeat};
}

Value RankSlicer::moveUpCollapse(OpBuilder &builder, tensor::CollapseShapeOp op,
                                 unsigned dim, const ColumnRun &run) {
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  if (groups.empty())
    return {};
  int64_t unit = 1;
  for (int64_t inner : ArrayRef(groups[dim]).drop_front())
    unit *= getDim(op.getSrc(), inner);
  std::optional<ColumnRun> leading = divide(run, unit);
  if (!leading)
    return {};
  Value source = sliceRun(builder, op.getSrc(), groups[dim].front(), *leading);
  return tensor::CollapseShapeOp::create(builder, op.getLoc(),
                                         resized(op.getResult(), dim, run.size),
                                         source, groups);
}

Value RankSlicer::moveUpExpand(OpBuilder &builder, tensor::ExpandShapeOp op,
                               unsigned dim, const ColumnRun &run) {
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  for (auto [sourceDim, group] : llvm::enumerate(groups)) {
    if (group.front() != static_cast<int64_t>(dim))
      continue;
    int64_t unit = 1;
    for (int64_t inner : ArrayRef(group).drop_front())
      unit *= getDim(op.getResult(), inner);
    Value source = sliceRun(
        builder, op.getSrc(), sourceDim,
        {run.base * unit, run.size * unit, run.step * unit, run.repeat});
    return tensor::ExpandShapeOp::create(builder, op.getLoc(),
                                         resized(op.getResult(), dim, run.size),
                                         source, groups);
  }
  return {};
}

Value RankSlicer::moveUp(OpBuilder &builder, Value value, unsigned dim,
                         const ColumnRun &run) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  auto sliced = [&](Value operand, unsigned operandDim) {
    return sliceRun(builder, operand, operandDim, run);
  };
  auto withOperands = [&](ValueRange operands) {
    return cloneResized(builder, op, operands, dim, run.size);
  };
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](tensor::ConcatOp concat) {
        return moveUpConcat(builder, concat, dim, run);
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        return moveUpSlice(builder, slice, dim, run);
      })
      .Case([&](tensor::CollapseShapeOp collapse) {
        return moveUpCollapse(builder, collapse, dim, run);
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        return moveUpExpand(builder, expand, dim, run);
      })
      .Case([&](linalg::TransposeOp transpose) -> Value {
        Value input =
            sliced(transpose.getInput(), transpose.getPermutation()[dim]);
        RankedTensorType type = resized(value, dim, run.size);
        Value empty = tensor::EmptyOp::create(
            builder, op->getLoc(), type.getShape(), type.getElementType());
        return linalg::TransposeOp::create(builder, op->getLoc(), input, empty,
                                           transpose.getPermutation())
            ->getResult(0);
      })
      .Case([&](WeightOpInterface work) -> Value {
        // No slice of an identity matrix is one.
        if (work.readsPositions())
          return {};
        SmallVector<Value> operands(op->getOperands());
        for (auto [number, operand] : llvm::enumerate(operands))
          for (auto [own, read] :
               llvm::enumerate(work.getOperandMap(number).getResults())) {
            if (read == getAffineDimExpr(dim, op->getContext()))
              operand = sliced(operand, own);
            else if (read.isFunctionOfDim(dim))
              return {}; // groups need not end where a slice does
          }
        return withOperands(operands);
      })
      .Case<arith::TruncFOp, arith::ExtFOp>(
          [&](auto cast) { return withOperands(sliced(cast.getIn(), dim)); })
      .Default([](Operation *) { return Value(); });
}
