//===- DeviceBuilder.cpp - folds and creates integer and address ops ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace parablock::tile;

Value DeviceBuilder::constant(int64_t value) {
  return arith::ConstantOp::create(*this, getI32IntegerAttr(value));
}

Value DeviceBuilder::constant64(int64_t value) {
  return arith::ConstantOp::create(*this, getI64IntegerAttr(value));
}

Value DeviceBuilder::add(Value a, Value b) {
  return createOrFold<arith::AddIOp>(a, b);
}

Value DeviceBuilder::add(Value a, int64_t b) {
  return b == 0 ? a : add(a, constant(b));
}

Value DeviceBuilder::subtract(Value a, Value b) {
  return createOrFold<arith::SubIOp>(a, b);
}

Value DeviceBuilder::multiply(Value a, Value b) {
  return createOrFold<arith::MulIOp>(a, b);
}

Value DeviceBuilder::multiply(Value a, int64_t b) {
  return b == 1 ? a : multiply(a, constant(b));
}

Value DeviceBuilder::divide(Value a, int64_t b) {
  return b == 1 ? a : createOrFold<arith::DivUIOp>(a, constant(b));
}

Value DeviceBuilder::remainder(Value a, int64_t b) {
  return b == 1 ? constant(0) : createOrFold<arith::RemUIOp>(a, constant(b));
}

Value DeviceBuilder::exclusiveOr(Value a, Value b) {
  return createOrFold<arith::XOrIOp>(a, b);
}

Value DeviceBuilder::conjunction(Value a, Value b) {
  return createOrFold<arith::AndIOp>(a, b);
}

Value DeviceBuilder::compare(arith::CmpIPredicate predicate, Value a, Value b) {
  return createOrFold<arith::CmpIOp>(predicate, a, b);
}

Value DeviceBuilder::select(Value condition, Value a, Value b) {
  return createOrFold<arith::SelectOp>(condition, a, b);
}

Value DeviceBuilder::extend64(Value a) {
  return createOrFold<arith::ExtUIOp>(getI64Type(), a);
}

Value DeviceBuilder::toI32(Value index) {
  if (index.getType().isInteger(32))
    return index;
  IntegerAttr value;
  if (matchPattern(index, m_Constant(&value)))
    return constant(value.getInt());
  return cast(getI32Type(), index);
}

Value DeviceBuilder::toIndex(Value i32) {
  if (i32.getType().isIndex())
    return i32;
  return cast(getIndexType(), i32);
}

Value DeviceBuilder::offset(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(*this, pointer.getType(), getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>(bytes));
}

Value DeviceBuilder::offset(Value pointer, int64_t bytes) {
  if (bytes == 0)
    return pointer;
  return LLVM::GEPOp::create(
      *this, pointer.getType(), getI8Type(), pointer,
      ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(bytes)));
}

Value DeviceBuilder::load(Type type, Value pointer) {
  return LLVM::LoadOp::create(*this, type, pointer);
}

void DeviceBuilder::store(Value value, Value pointer) {
  LLVM::StoreOp::create(*this, value, pointer);
}

SmallVector<Value> DeviceBuilder::unpack(Value structure) {
  auto type = llvm::cast<LLVM::LLVMStructType>(structure.getType());
  SmallVector<Value> members;
  for (int64_t i = 0, e = type.getBody().size(); i < e; ++i)
    members.push_back(LLVM::ExtractValueOp::create(*this, structure, i));
  return members;
}

Value DeviceBuilder::pack(Type type, ArrayRef<Value> members) {
  Value structure = LLVM::PoisonOp::create(*this, type);
  for (auto [i, member] : llvm::enumerate(members))
    structure = LLVM::InsertValueOp::create(*this, structure, member, i);
  return structure;
}

Value DeviceBuilder::getAddress(Value buffer) {
  return buffer.getDefiningOp<UnrealizedConversionCastOp>().getInputs()[0];
}

Value DeviceBuilder::cast(Type type, Value value) {
  return UnrealizedConversionCastOp::create(*this, type, value).getResult(0);
}

void DeviceBuilder::when(Value condition, llvm::function_ref<void()> body) {
  auto branch = scf::IfOp::create(*this, condition);
  InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  body();
}
