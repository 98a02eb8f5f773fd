//===- LoweringContext.cpp - types and register layouts of values ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LoweringContext.h"
#include "AccumulatorLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace parablock::tile;

Value LoweringContext::getDim(OpBuilder &builder, Location loc, Value tensor,
                              int64_t dim) const {
  auto type = cast<MemRefType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return createI32(builder, loc, type.getDimSize(dim));
  return getTensor(tensor).dims[dim];
}

Value LoweringContext::getNumRows(OpBuilder &builder, Location loc,
                                  Value tensor) const {
  int64_t rank = cast<MemRefType>(tensor.getType()).getRank();
  if (rank == 1)
    return createI32(builder, loc, 1);
  Value rows = getDim(builder, loc, tensor, 0);
  for (int64_t dim = 1; dim < rank - 1; ++dim)
    rows = arith::MulIOp::create(builder, loc, rows,
                                 getDim(builder, loc, tensor, dim));
  return rows;
}

int64_t parablock::tile::getElementsPerThread(AccumulatorType type,
                                              ScheduleAttr schedule) {
  return type.getRows() * type.getColumns() / (schedule.getWarps() * 32);
}

int64_t parablock::tile::getRowsPerThread(RowValuesType type,
                                          ScheduleAttr schedule) {
  return AccumulatorLayout::getOfRows(type, schedule).rowOffsets.size();
}

static Type getStruct(MLIRContext *context, int64_t count) {
  return LLVM::LLVMStructType::getLiteral(
      context, SmallVector<Type>(count, Float32Type::get(context)));
}

TileTypeConverter::TileTypeConverter(const LoweringContext &context) {
  addConversion([](Type type) { return type; });
  addConversion([](IndexType type) -> Type {
    return IntegerType::get(type.getContext(), 32);
  });
  addConversion([](MemRefType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext(), /*addressSpace=*/1);
  });
  addConversion([](BufferType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext(), /*addressSpace=*/3);
  });
  addConversion([schedule = context.schedule](AccumulatorType type) -> Type {
    return getStruct(type.getContext(), getElementsPerThread(type, schedule));
  });
  addConversion([schedule = context.schedule](RowValuesType type) -> Type {
    return getStruct(type.getContext(), getRowsPerThread(type, schedule));
  });
  auto materialize = [](OpBuilder &builder, Type type, ValueRange values,
                        Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, values)
        .getResult(0);
  };
  addSourceMaterialization(materialize);
  addTargetMaterialization(materialize);
}
