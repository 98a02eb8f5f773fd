//===- Code.cpp - implements the row vocabulary with vectors --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Conversion/CPUCode/Code.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

//===----------------------------------------------------------------------===//
// Sizes and positions
//===----------------------------------------------------------------------===//

Value Code::index(int64_t value) const {
  return arith::ConstantIntOp::create(builder, loc, value, 64);
}

Value Code::addI(Value a, Value b) const {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}

Value Code::subI(Value a, Value b) const {
  return builder.createOrFold<arith::SubIOp>(loc, a, b);
}

Value Code::mulI(Value a, Value b) const {
  return builder.createOrFold<arith::MulIOp>(loc, a, b);
}

Value Code::divI(Value a, Value b) const {
  return builder.createOrFold<arith::DivUIOp>(loc, a, b);
}

Value Code::remI(Value a, Value b) const {
  return builder.createOrFold<arith::RemUIOp>(loc, a, b);
}

Value Code::minI(Value a, Value b) const {
  return builder.createOrFold<arith::MinSIOp>(loc, a, b);
}

Value Code::maxI(Value a, Value b) const {
  return builder.createOrFold<arith::MaxSIOp>(loc, a, b);
}

Value Code::compareI(arith::CmpIPredicate predicate, Value a, Value b) const {
  return builder.createOrFold<arith::CmpIOp>(loc, predicate, a, b);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void Code::loop(Value from, Value to, int64_t step,
                llvm::function_ref<void(Value)> body) const {
  loop(from, to, step, {}, [&](Value position, ValueRange) -> Values {
    body(position);
    return {};
  });
}

Values Code::loop(Value from, Value to, int64_t step, ValueRange initial,
                  llvm::function_ref<Values(Value, ValueRange)> body) const {
  auto loop = scf::ForOp::create(builder, loc, from, to, index(step), initial);
  // Only now, as the body looks for the function that it is in.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Values results = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!initial.empty())
    scf::YieldOp::create(builder, loc, results);
  return Values(loop.getResults());
}

Values Code::loopWhile(ValueRange initial,
                       llvm::function_ref<Value(ValueRange)> condition,
                       llvm::function_ref<Values(ValueRange)> body) const {
  auto loop = scf::WhileOp::create(builder, loc, initial.getTypes(), initial);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> places(initial.size(), loc);
  auto begin = [&](Region &region) -> ValueRange {
    return builder
        .createBlock(&region, region.end(), initial.getTypes(), places)
        ->getArguments();
  };
  ValueRange before = begin(loop.getBefore());
  scf::ConditionOp::create(builder, loc, condition(before), before);
  scf::YieldOp::create(builder, loc, body(begin(loop.getAfter())));
  return Values(loop.getResults());
}

void Code::ifThen(Value condition, llvm::function_ref<void()> then) const {
  ifElse(
      condition, {},
      [&]() -> Values {
        then();
        return {};
      },
      nullptr);
}

Values Code::ifElse(Value condition, TypeRange types,
                    llvm::function_ref<Values()> then,
                    llvm::function_ref<Values()> otherwise) const {
  auto branch =
      scf::IfOp::create(builder, loc, types, condition,
                        /*addThenBlock=*/true,
                        /*addElseBlock=*/static_cast<bool>(otherwise));
  auto fill = [&](Block *body, llvm::function_ref<Values()> write) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(body);
    scf::YieldOp::create(builder, loc, write());
  };
  fill(branch.thenBlock(), then);
  if (otherwise)
    fill(branch.elseBlock(), otherwise);
  return Values(branch.getResults());
}

Value Code::sumOf(Value from, Value to,
                  llvm::function_ref<Value(Value)> body) const {
  return fold(from, to, f32(0),
              [&](Value index, Value sum) { return add(sum, body(index)); });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value Code::address(Value base, Value elements, Type type) const {
  return LLVM::GEPOp::create(builder, loc, base.getType(), type, base,
                             ValueRange{elements});
}

Value Code::loadPointer(Value base, int64_t position) const {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return LLVM::LoadOp::create(builder, loc, pointer,
                              address(base, index(position), pointer));
}

Value Code::loadI64(Value base, Value position) const {
  return loadRaw(base, builder.getI64Type(), position);
}

Value Code::loadRaw(Value base, Type type, Value position) const {
  Type element = getElementTypeOrSelf(type);
  return LLVM::LoadOp::create(builder, loc, type,
                              address(base, position, element),
                              element.getIntOrFloatBitWidth() / 8);
}

void Code::storeRaw(Value value, Value base, Value position) const {
  Type element = getElementTypeOrSelf(value.getType());
  LLVM::StoreOp::create(builder, loc, value, address(base, position, element),
                        element.getIntOrFloatBitWidth() / 8);
}

void Code::fillZeros(Value base, Value count) const {
  Value whole = mulI(divI(count, lanes()), lanes());
  loop(index(0), whole, lanes(),
       [&](Value at) { storeRaw(real(f32Type(lanes()), 0), base, at); });
  loop(whole, count, 1, [&](Value at) { storeRaw(f32(0), base, at); });
}

void Code::prefetch(Value pointer) const {
  LLVM::Prefetch::create(builder, loc, pointer, /*rw=*/0, /*hint=*/2,
                         /*cache=*/1);
}

Value Code::load(Value base, Type type, Value position, int64_t lanes) const {
  if (type.isF32())
    return loadRaw(base, f32Type(lanes), position);
  Value bits = loadRaw(base, typed(builder.getI16Type(), lanes), position);
  return fromBits(*this, bits, type);
}

void Code::store(Value value, Value base, Type type, Value position) const {
  storeRaw(type.isF32() ? value : toBits(*this, value, type), base, position);
}

Value Code::table(DenseElementsAttr elements) const {
  auto module =
      builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto vector = cast<ShapedType>(elements.getType());
  Type type = LLVM::LLVMArrayType::get(vector.getElementType(),
                                       vector.getNumElements());
  LLVM::GlobalOp global;
  unsigned count = 0;
  for (auto known : module.getOps<LLVM::GlobalOp>()) {
    if (known.getValueAttr() == elements)
      global = known;
    ++count;
  }
  if (!global) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    global = LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                    LLVM::Linkage::Internal,
                                    "table_" + std::to_string(count), elements,
                                    /*alignment=*/64);
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Type Code::typed(Type element, int64_t lanes) const {
  return lanes == 1 ? element : VectorType::get(lanes, element);
}

int64_t Code::lanesOf(Value value) const {
  auto vector = dyn_cast<VectorType>(value.getType());
  return vector ? vector.getNumElements() : 1;
}

Type Code::likeType(Value value, Type element) const {
  return typed(element, lanesOf(value));
}

Value Code::constant(Type type, TypedAttr element) const {
  if (auto vector = dyn_cast<VectorType>(type))
    element = DenseElementsAttr::get(vector, element);
  return arith::ConstantOp::create(builder, loc, element);
}

Value Code::integer(Type type, int64_t value) const {
  return constant(type,
                  builder.getIntegerAttr(getElementTypeOrSelf(type), value));
}

Value Code::real(Type type, double value) const {
  return constant(type,
                  builder.getFloatAttr(getElementTypeOrSelf(type), value));
}

Value Code::f32(double value) const {
  return real(builder.getF32Type(), value);
}

Value Code::splat(Value scalar, int64_t lanes) const {
  if (lanes == lanesOf(scalar))
    return scalar;
  return vector::BroadcastOp::create(builder, loc,
                                     typed(scalar.getType(), lanes), scalar);
}

void Code::widen(Value &a, Value &b) const {
  int64_t lanes = std::max(lanesOf(a), lanesOf(b));
  a = splat(a, lanes);
  b = splat(b, lanes);
}

Value Code::add(Value a, Value b) const {
  widen(a, b);
  return arith::AddFOp::create(builder, loc, a, b);
}

Value Code::sub(Value a, Value b) const {
  widen(a, b);
  return arith::SubFOp::create(builder, loc, a, b);
}

Value Code::mul(Value a, Value b) const {
  widen(a, b);
  return arith::MulFOp::create(builder, loc, a, b);
}

Value Code::mul(Value a, double factor) const {
  return factor == 1.0 ? a : mul(a, f32(factor));
}

Value Code::div(Value a, Value b) const {
  widen(a, b);
  return arith::DivFOp::create(builder, loc, a, b);
}

Value Code::fma(Value a, Value b, Value c) const {
  if (!target.hasFma)
    return add(mul(a, b), c);
  widen(a, b);
  widen(a, c);
  widen(b, c);
  return math::FmaOp::create(builder, loc, a, b, c);
}

Value Code::less(Value a, Value b) const {
  widen(a, b);
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, a, b);
}

// Both keep a NaN of their first operand.
Value Code::max(Value a, Value b) const { return select(less(a, b), b, a); }
Value Code::min(Value a, Value b) const { return select(less(b, a), b, a); }

Value Code::neg(Value a) const {
  return arith::NegFOp::create(builder, loc, a);
}

Value Code::sqrt(Value a) const {
  return math::SqrtOp::create(builder, loc, a);
}

Value Code::select(Value condition, Value a, Value b) const {
  int64_t lanes = lanesOf(condition);
  widen(a, b);
  a = splat(a, std::max(lanes, lanesOf(a)));
  b = splat(b, lanesOf(a));
  return arith::SelectOp::create(builder, loc, condition, a, b);
}

Value Code::toF32(Value integer) const {
  return arith::SIToFPOp::create(
      builder, loc, likeType(integer, builder.getF32Type()), integer);
}

Value Code::toWhole(Value number) const {
  return arith::FPToSIOp::create(builder, loc, builder.getI64Type(), number);
}

Value Code::sum(Value vector) const {
  if (lanesOf(vector) == 1)
    return vector;
  return vector::ReductionOp::create(builder, loc, vector::CombiningKind::ADD,
                                     vector, arith::FastMathFlags::reassoc);
}

Value Code::round(Value value, Type type) const {
  return type.isF32() ? value
                      : fromBits(*this, toBits(*this, value, type), type);
}
