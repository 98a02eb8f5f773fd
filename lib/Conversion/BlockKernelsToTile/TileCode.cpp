//===- TileCode.cpp - implements the vocabulary of row code in tile ops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TileCode.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "parablock/Dialect/Block/RowCodes.h"
#include <cmath>

using namespace mlir;
using namespace parablock;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

Value TileCode::index(int64_t value) const {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value TileCode::f32(double value) const {
  return arith::ConstantOp::create(
      builder, loc, builder.getF32FloatAttr(static_cast<float>(value)));
}

Value TileCode::boolean(bool value) const {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

Value TileCode::max(Value a, Value b) const { return select(less(a, b), b, a); }
Value TileCode::min(Value a, Value b) const { return select(less(b, a), b, a); }

Value TileCode::div(Value a, Value b) const {
  FloatAttr number;
  if (matchPattern(b, m_Constant(&number))) {
    double factor = 1 / number.getValueAsDouble();
    if (std::isnormal(static_cast<float>(factor)))
      return mul(a, f32(factor));
    return arith::DivFOp::create(builder, loc, a, b);
  }
  return arith::DivFOp::create(builder, loc, a, b,
                               arith::FastMathFlags::afn |
                                   arith::FastMathFlags::arcp);
}

Value TileCode::logistic(Value a, double factor) const {
  constexpr double log2E = 1.44269504088896340736;
  Value power = fastExp2(mul(a, f32(-factor * log2E)));
  return div(f32(1), add(power, f32(1)));
}

Value TileCode::normalShare(Value a) const {
  Value erf =
      math::ErfOp::create(builder, loc, mul(a, f32(0.70710678118654752440)));
  return fma(erf, f32(0.5), f32(0.5));
}

Value TileCode::fastExp2(Value a) const {
  return math::Exp2Op::create(builder, loc, a, arith::FastMathFlags::afn);
}

Value TileCode::round(Value a, Type type) const {
  // Elements of codes are numbers that codes represent.
  if (type.isInteger(8))
    return a;
  return builder.createOrFold<tile::RoundOp>(loc, a, type);
}

Value TileCode::dim(Value tensor, int64_t dim) const {
  auto type = cast<MemRefType>(tensor.getType());
  if (type.isDynamicDim(dim))
    return tile::DimOp::create(builder, loc, tensor, dim);
  return index(type.getDimSize(dim));
}

Value TileCode::toF32(Value index) const {
  Value integer =
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), index);
  return arith::SIToFPOp::create(builder, loc, builder.getF32Type(), integer);
}

Value TileCode::toWhole(Value number) const {
  return toIndex(
      arith::FPToSIOp::create(builder, loc, builder.getI64Type(), number));
}

Value TileCode::toIndex(Value integer) const {
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    integer);
}

Value TileCode::hideSteps(Value index) const {
  Type i32 = builder.getI32Type();
  Value all = arith::ConstantIntOp::create(builder, loc, i32, -1);
  Value number = arith::IndexCastOp::create(builder, loc, i32, index);
  return toIndex(NVVM::ReduxOp::create(builder, loc, i32, number,
                                       NVVM::ReduxKind::OR, all));
}

Value TileCode::toBits(Value index) const {
  Value integer =
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), index);
  return arith::BitcastOp::create(builder, loc, builder.getF32Type(), integer);
}

Value TileCode::fromBits(Value bits) const {
  return toIndex(
      arith::BitcastOp::create(builder, loc, builder.getI32Type(), bits));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The indices that an access to `place` takes.
static SmallVector<Value, 2> getIndices(Value place, Value row, Value column) {
  if (tile::getNumIndices(place.getType()) == 1)
    return {column};
  return {row, column};
}

Value TileCode::load(Value place, Value row, Value column) const {
  Type type = builder.getF32Type();
  if (auto memref = dyn_cast<MemRefType>(place.getType()))
    if (!isa<FloatType>(memref.getElementType()))
      type = memref.getElementType();
  return tile::LoadOp::create(builder, loc, type, place,
                              getIndices(place, row, column));
}

void TileCode::store(Value value, Value place, Value row, Value column) const {
  tile::StoreOp::create(builder, loc, value, place,
                        getIndices(place, row, column));
}

Value TileCode::load(Value place, RankedTensorType, Value row,
                     const Column &column) const {
  return load(place, row, column.index);
}

Value TileCode::loadInteger(Value place, Value row, Value column,
                            Value width) const {
  // A vector is indexed by column only.
  if (tile::getNumIndices(place.getType()) == 1)
    column = addIndex(mulIndex(row, width), column);
  return toIndex(load(place, row, column));
}

void TileCode::store(Value value, Value place, RankedTensorType type, Value row,
                     const Column &column) const {
  if (type.getElementType().isInteger(8))
    value = emitCode(*this, value);
  store(value, place, row, column.index);
}

Value TileCode::table(ArrayRef<float> values, int64_t rows) const {
  int64_t columns = static_cast<int64_t>(values.size()) / rows;
  Type f32 = builder.getF32Type();
  auto elements = DenseElementsAttr::get(
      RankedTensorType::get({rows, columns}, f32), values);
  return tile::TableOp::create(builder, loc,
                               MemRefType::get({rows, columns}, f32), elements);
}

Value TileCode::table(ArrayRef<int32_t> values) const {
  int64_t size = values.size();
  Type i32 = builder.getI32Type();
  auto elements =
      DenseElementsAttr::get(RankedTensorType::get({size}, i32), values);
  return tile::TableOp::create(builder, loc, MemRefType::get({size}, i32),
                               elements);
}

Value TileCode::isSameMemory(Value a, Value b) const {
  auto pointer =
      LLVM::LLVMPointerType::get(builder.getContext(), /*addressSpace=*/1);
  auto toPointer = [&](Value tensor) {
    return UnrealizedConversionCastOp::create(builder, loc, pointer, tensor)
        .getResult(0);
  };
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                              toPointer(a), toPointer(b));
}

Value TileCode::scratch(int64_t size) const {
  return tile::ScratchOp::create(
      builder, loc,
      tile::BufferType::get(builder.getContext(), 1, size, builder.getF32Type(),
                            tile::BufferLayout::Rows));
}

Value parablock::createDistance(const RowCode &code, Value index, Value first) {
  Operation *op = index.getDefiningOp();
  if (auto sum = dyn_cast_or_null<arith::AddIOp>(op)) {
    if (sum.getRhs() == first)
      return sum.getLhs();
    if (getConstantIntValue(sum.getRhs()))
      return code.addIndex(createDistance(code, sum.getLhs(), first),
                           sum.getRhs());
  }
  if (auto rest = dyn_cast_or_null<arith::SubIOp>(op);
      rest && getConstantIntValue(rest.getRhs()))
    return code.subIndex(createDistance(code, rest.getLhs(), first),
                         rest.getRhs());
  if (auto either = dyn_cast_or_null<arith::SelectOp>(op))
    return code.select(either.getCondition(),
                       createDistance(code, either.getTrueValue(), first),
                       createDistance(code, either.getFalseValue(), first));
  return code.subIndex(index, first);
}

//===----------------------------------------------------------------------===//
// Tiles in registers
//===----------------------------------------------------------------------===//

Value TileCode::stage(Value accumulator, int64_t first, int64_t columns) const {
  auto type = cast<tile::AccumulatorType>(accumulator.getType());
  return tile::StageOp::create(
      builder, loc,
      tile::BufferType::get(builder.getContext(), type.getRows(), columns,
                            builder.getF32Type(), tile::BufferLayout::Padded),
      accumulator, first);
}

Value TileCode::map(Type type, ValueRange operands, MapBody body) const {
  auto op = tile::MapOp::create(builder, loc, type, operands);
  Block &block = op.getBody().emplaceBlock();
  size_t indices = isa<tile::AccumulatorType>(type) ? 2 : 1;
  for (size_t i = 0; i < indices; ++i)
    block.addArgument(builder.getIndexType(), loc);
  for (size_t i = 0; i < operands.size(); ++i)
    block.addArgument(builder.getF32Type(), loc);
  OpBuilder inner = OpBuilder::atBlockEnd(&block);
  ValueRange arguments = block.getArguments();
  Value result = body({inner, loc}, arguments.take_front(indices),
                      arguments.drop_front(indices));
  tile::YieldOp::create(inner, loc, result);
  return op.getResult(0);
}

static Value createCombine(const TileCode &code, tile::Reduction kind,
                           Value values, bool inShares) {
  Type type = values.getType();
  if (auto accumulator = dyn_cast<tile::AccumulatorType>(type))
    type = tile::RowValuesType::get(type.getContext(), accumulator.getRows());
  return tile::CombineOp::create(code.builder, code.loc, type, kind, values,
                                 inShares);
}

Value TileCode::combine(tile::Reduction kind, Value values) const {
  return createCombine(*this, kind, values, /*inShares=*/false);
}

Value TileCode::combineShares(tile::Reduction kind, Value accumulator) const {
  return createCombine(*this, kind, accumulator, /*inShares=*/true);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Code at the end of a new basic block of `region` with an index argument.
static OpBuilder enter(Region &region, Location loc) {
  Block &body = region.emplaceBlock();
  body.addArgument(IndexType::get(region.getContext()), loc);
  return OpBuilder::atBlockEnd(&body);
}

void TileCode::gridRows(Value count, Body body) const {
  auto op = tile::RowsOp::create(builder, loc, count, /*grid=*/true,
                                 /*extent=*/IntegerAttr(), /*part=*/Value(),
                                 /*parts=*/1);
  OpBuilder inner = enter(op.getBody(), loc);
  body({inner, loc}, op.getBody().getArgument(0));
  tile::YieldOp::create(inner, loc);
}

tile::TilesOp
TileCode::tiles(Value rows, Value columns,
                llvm::function_ref<void(TileCode, Value, Value)> body) const {
  auto op = tile::TilesOp::create(builder, loc, rows, columns);
  OpBuilder inner = enter(op.getBody(), loc);
  op.getBody().addArgument(builder.getIndexType(), loc);
  body({inner, loc}, op.getBody().getArgument(0), op.getBody().getArgument(1));
  tile::YieldOp::create(inner, loc);
  return op;
}

SmallVector<Value> TileCode::pipeline(
    Value steps, TypeRange buffers, ValueRange inits, int64_t stages,
    llvm::function_ref<void(TileCode, Value, ValueRange)> produce,
    llvm::function_ref<SmallVector<Value>(TileCode, Value, ValueRange,
                                          ValueRange)>
        consume) const {
  auto op = tile::PipelineOp::create(builder, loc, steps, inits, stages);
  auto enterStep = [&](Region &region, TypeRange more) {
    OpBuilder inner = enter(region, loc);
    for (TypeRange types : {buffers, more})
      for (Type type : types)
        region.addArgument(type, loc);
    return inner;
  };
  OpBuilder producer = enterStep(op.getProduce(), {});
  ValueRange given = op.getProduce().getArguments();
  produce({producer, loc}, given[0], given.drop_front());
  tile::YieldOp::create(producer, loc);

  OpBuilder consumer = enterStep(op.getConsume(), inits.getTypes());
  given = ValueRange(op.getConsume().getArguments());
  SmallVector<Value> next =
      consume({consumer, loc}, given[0], given.slice(1, buffers.size()),
              given.take_back(inits.size()));
  tile::YieldOp::create(consumer, loc, next);
  return SmallVector<Value>(op.getResults());
}

void TileCode::tileRows(Value count, int64_t extent, Body body) const {
  auto op = tile::RowsOp::create(builder, loc, count, extent);
  OpBuilder inner = enter(op.getBody(), loc);
  body({inner, loc}, op.getBody().getArgument(0));
  tile::YieldOp::create(inner, loc);
}

void TileCode::loop(Value from, Value to, Body body) const {
  scf::ForOp::create(builder, loc, from, to, index(1), ValueRange(),
                     [&](OpBuilder &inner, Location, Value index, ValueRange) {
                       body({inner, loc}, index);
                       scf::YieldOp::create(inner, loc);
                     });
}

void TileCode::columns(Value from, Value to, Body body) const {
  auto op = tile::ColumnsOp::create(builder, loc, from, to);
  OpBuilder inner = enter(op.getBody(), loc);
  body({inner, loc}, op.getBody().getArgument(0));
  tile::YieldOp::create(inner, loc);
}

Value TileCode::reduce(tile::Reduction kind, Value from, Value to,
                       Element element) const {
  auto op = tile::ReduceOp::create(
      builder, loc, builder.getF32Type(), from, to,
      tile::ReductionAttr::get(builder.getContext(), kind));
  OpBuilder inner = enter(op.getBody(), loc);
  Value value = element({inner, loc}, op.getBody().getArgument(0));
  tile::YieldOp::create(inner, loc, value);
  return op.getResult();
}

SmallVector<Value> TileCode::accumulate(
    Value from, Value to, ValueRange init,
    llvm::function_ref<SmallVector<Value>(TileCode, Value index, ValueRange)>
        body) const {
  auto op = scf::ForOp::create(
      builder, loc, from, to, index(1), init,
      [&](OpBuilder &inner, Location, Value index, ValueRange carried) {
        scf::YieldOp::create(inner, loc, body({inner, loc}, index, carried));
      });
  return SmallVector<Value>(op.getResults());
}

void TileCode::when(Value condition,
                    llvm::function_ref<void(TileCode)> body) const {
  scf::IfOp::create(builder, loc, condition, [&](OpBuilder &inner, Location) {
    body({inner, loc});
    scf::YieldOp::create(inner, loc);
  });
}

Value TileCode::ifElse(Value condition,
                       llvm::function_ref<Value(TileCode)> then,
                       llvm::function_ref<Value(TileCode)> otherwise) const {
  auto side = [this](llvm::function_ref<Value(TileCode)> write) {
    return [this, write](OpBuilder &inner, Location) {
      scf::YieldOp::create(inner, loc, write({inner, loc}));
    };
  };
  return scf::IfOp::create(builder, loc, condition, side(then), side(otherwise))
      .getResult(0);
}
