//===- RankValues.cpp - changes what a rank holds of values ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RankValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock::block;

RankValues::RankValues(FunctionOpInterface function, StringRef grid,
                       int64_t ranks, OpBuilder &builder)
    : grid(grid.str()), ranks(ranks), slicer(function, grid, ranks),
      builder(builder) {}

/// The only axis of the grid.
static DenseI16ArrayAttr getAxes(OpBuilder &builder) {
  return builder.getDenseI16ArrayAttr({0});
}

/// A rank's share of the rows: `?` stays open.
static int64_t getShare(int64_t rows, int64_t ranks) {
  return ShapedType::isDynamic(rows) ? rows : rows / ranks;
}

Local RankValues::get(Value value) const {
  auto known = locals.find(value);
  return known == locals.end() ? Local{Kind::Whole, value} : known->second;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

Value RankValues::gather(Value value, int64_t dim, Type type) {
  return shard::AllGatherOp::create(
      builder, value.getLoc(), type,
      FlatSymbolRefAttr::get(builder.getContext(), grid), getAxes(builder),
      value, builder.getIndexAttr(dim));
}

Value RankValues::reduce(Value partial, Value bias, Kind kind) {
  Location loc = partial.getLoc();
  auto symbol = FlatSymbolRefAttr::get(builder.getContext(), grid);
  auto sum = shard::ReductionKindAttr::get(builder.getContext(),
                                           shard::ReductionKind::Sum);
  Value reduced;
  if (kind == Kind::Rows)
    reduced = shard::ReduceScatterOp::create(
        builder, loc, resized(partial, 1, getShare(getDim(partial, 1), ranks)),
        symbol, getAxes(builder), partial, sum, builder.getIndexAttr(1));
  else
    reduced =
        shard::AllReduceOp::create(builder, loc, partial.getType(), symbol,
                                   getAxes(builder), partial, sum);
  if (!bias)
    return reduced;
  return AddBiasOp::create(builder, loc, reduced.getType(), reduced, bias);
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

Value RankValues::getWhole(Value value) {
  Local local = get(value);
  if (local.kind == Kind::Whole)
    return local.value;
  if (local.kind == Kind::Rows)
    return gatherRows(value, local);
  // Right where it is made, so that every reader can read it.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(local.value);
  // A cache moves once, in parts, and is nothing that ranks add up.
  bool isCache = local.value == value || value.getDefiningOp<CacheAppendOp>();
  Value sum;
  if (local.kind == Kind::Partial)
    sum = reduce(local.value, local.bias, Kind::Whole);
  else if (isCache)
    sum = joinColumns(local);
  else
    sum = reduce(embedInZeros(value, local), {}, Kind::Whole);
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  Value whole = castElements(builder, value.getLoc(), sum, element);
  locals[value] = {Kind::Whole, whole};
  return whole;
}

/// Once in each basic block that reads them: rows stay what a layer yields.
Value RankValues::gatherRows(Value value, Local local) {
  Value &known = gathered[{value, builder.getInsertionBlock()}];
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(builder);
  if (local.value.getParentBlock() == builder.getInsertionBlock())
    builder.setInsertionPointAfterValue(local.value);
  else
    builder.setInsertionPointToStart(builder.getInsertionBlock());
  int64_t rows = getDim(local.value, 1);
  return known =
             gather(local.value, 1,
                    resized(local.value, 1,
                            ShapedType::isDynamic(rows) ? rows : rows * ranks));
}

Value RankValues::getColumns(Value value, const ColumnMap &map) {
  Local local = get(value);
  if (local.kind == Kind::Columns && local.columns == map)
    return local.value;
  return slice(getWhole(value), 2, map);
}

Value RankValues::getRows(Value value) {
  Local local = get(value);
  if (local.kind == Kind::Rows)
    return local.value;
  if (local.kind == Kind::Partial) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(local.value);
    Type element = cast<RankedTensorType>(value.getType()).getElementType();
    Value rows =
        castElements(builder, value.getLoc(),
                     reduce(local.value, local.bias, Kind::Rows), element);
    locals[value] = {Kind::Rows, rows};
    return rows;
  }
  Value whole = getWhole(value);
  return shard::AllSliceOp::create(
      builder, value.getLoc(),
      resized(whole, 1, getShare(getDim(whole, 1), ranks)),
      FlatSymbolRefAttr::get(builder.getContext(), grid), getAxes(builder),
      whole, builder.getIndexAttr(1));
}

Value RankValues::createZeros(RankedTensorType type, Value like) {
  Location loc = like.getLoc();
  SmallVector<Value> open;
  for (unsigned dim : {0, 1})
    if (type.isDynamicDim(dim))
      open.push_back(tensor::DimOp::create(builder, loc, like, dim));
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  return tensor::SplatOp::create(builder, loc, type, zero, open);
}

Value RankValues::takeColumns(Value value, int64_t first, int64_t size) {
  if (size == getDim(value, 2))
    return value;
  Location loc = value.getLoc();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, value);
  SmallVector<OpFoldResult> offsets(3, builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(3, builder.getIndexAttr(1));
  offsets[2] = builder.getIndexAttr(first);
  sizes[2] = builder.getIndexAttr(size);
  return tensor::ExtractSliceOp::create(builder, loc, resized(value, 2, size),
                                        value, offsets, sizes, strides);
}

Value RankValues::insertColumns(Value part, Value into, OpFoldResult first) {
  Location loc = part.getLoc();
  SmallVector<OpFoldResult> offsets(3, builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(3, builder.getIndexAttr(1));
  offsets[2] = first;
  return tensor::InsertSliceOp::create(
      builder, loc, part, into, offsets,
      tensor::getMixedSizes(builder, loc, part), strides);
}

Value RankValues::embedInZeros(Value value, const Local &local) {
  Location loc = value.getLoc();
  Value columns = castElements(builder, loc, local.value, builder.getF32Type());
  Value result =
      createZeros(withElementType(value, builder.getF32Type()), columns);
  int64_t first = 0;
  for (const ColumnRun &run : local.columns.getRuns()) {
    Value part = takeColumns(columns, first, run.size);
    // Ranks that have the same columns each give their share of them.
    int64_t copies = run.step == 0 ? ranks : run.repeat;
    if (copies > 1)
      part = ScaleOp::create(
          builder, loc, part.getType(), part, Value(),
          builder.getF64FloatAttr(1.0 / static_cast<double>(copies)));
    result = insertColumns(part, result,
                           run.step == 0
                               ? OpFoldResult(builder.getIndexAttr(run.base))
                               : OpFoldResult(slicer.getOffset(run)));
    first += run.size;
  }
  return result;
}

Value RankValues::joinColumns(const Local &local) {
  const ColumnRun &run = local.columns.getRuns().front();
  int64_t width = local.columns.getEnd(ranks);
  Value all = gather(local.value, 2, resized(local.value, 2, run.size * ranks));
  if (run.repeat == 1)
    return all;
  // Of columns that neighbouring ranks share, the first one's.
  Value result = createZeros(resized(all, 2, width), all);
  for (int64_t first = 0; first < width; first += run.step)
    result = insertColumns(takeColumns(all, first * run.repeat, run.size),
                           result, builder.getIndexAttr(first));
  return result;
}
