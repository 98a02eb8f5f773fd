//===- ElementScalars.cpp - lowers arith, math and index on scalars -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ElementScalars.h"

#include "ElementConversions.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Transforms/Leftovers/Numbers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace parablock;

Value parablock::createClamped(const TileCode &code, Value index, Value size) {
  Value last = code.subIndex(size, code.index(1));
  return code.maxIndex(code.minIndex(index, last), code.index(0));
}

//===----------------------------------------------------------------------===//
// Supported ops
//===----------------------------------------------------------------------===//

/// Returns whether a function of f32 is supported, or one of f64 that is an
/// instruction.
static bool isKnownFunction(Operation *op, Type type) {
  if (isa<math::AbsFOp, math::CeilOp, math::CopySignOp, math::FloorOp,
          math::FmaOp, math::RoundEvenOp, math::RoundOp, math::SqrtOp,
          math::TruncOp, math::ClampFOp>(op))
    return true;
  if (isa<math::AbsIOp>(op))
    return true;
  if (type.isF64())
    return false;
  return isa<math::Atan2Op, math::AtanOp, math::CbrtOp, math::CosOp,
             math::CoshOp, math::ErfOp, math::ErfcOp, math::Exp2Op, math::ExpOp,
             math::ExpM1Op, math::FPowIOp, math::LogOp, math::Log10Op,
             math::Log1pOp, math::Log2Op, math::PowFOp, math::RsqrtOp,
             math::SinOp, math::SinhOp, math::TanOp, math::TanhOp>(op);
}

static LogicalResult refuse(Operation *op, const Twine &why = "") {
  op->emitError() << "no GPU code for '" << op->getName() << "' of "
                  << getElementTypeOrSelf(op->getOperand(0).getType())
                  << " in a kernel of elements" << why;
  return failure();
}

static bool isKnownArith(Operation *op) {
  return isa<arith::AddFOp, arith::AddIOp, arith::AndIOp, arith::BitcastOp,
             arith::CeilDivSIOp, arith::CeilDivUIOp, arith::CmpFOp,
             arith::CmpIOp, arith::DivFOp, arith::DivSIOp, arith::DivUIOp,
             arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp, arith::FPToSIOp,
             arith::FPToUIOp, arith::FloorDivSIOp, arith::IndexCastOp,
             arith::IndexCastUIOp, arith::MaxNumFOp, arith::MaxSIOp,
             arith::MaxUIOp, arith::MaximumFOp, arith::MinNumFOp,
             arith::MinSIOp, arith::MinUIOp, arith::MinimumFOp, arith::MulFOp,
             arith::MulIOp, arith::NegFOp, arith::OrIOp, arith::RemSIOp,
             arith::RemUIOp, arith::SIToFPOp, arith::SelectOp, arith::ShLIOp,
             arith::ShRSIOp, arith::ShRUIOp, arith::SubFOp, arith::SubIOp,
             arith::TruncFOp, arith::TruncIOp, arith::UIToFPOp, arith::XOrIOp>(
      op);
}

static bool isKnownType(Type type) {
  return type.isIndex() || type.isF32() || type.isF64() || type.isBF16() ||
         type.isF16() || type.isInteger(1) || type.isInteger(8) ||
         type.isInteger(16) || type.isInteger(32) || type.isInteger(64);
}

static LogicalResult check(Operation *op, ValueRange operands) {
  for (TypeRange types : {TypeRange(operands), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (!isKnownType(getElementTypeOrSelf(type)))
        return refuse(op, (": expected f32, bf16, f16, f64, index, i1, i8, "
                           "i16, i32 or i64"));
  auto mode = op->getAttrOfType<arith::RoundingModeAttr>("roundingmode");
  if (mode && mode.getValue() != arith::RoundingMode::to_nearest_even)
    return refuse(op, ": expected to round to the nearest even number");
  bool isKnown = isa_and_nonnull<math::MathDialect>(op->getDialect())
                     ? isKnownFunction(op, operands.front().getType())
                     : isKnownArith(op);
  if (!isKnown || op->getNumResults() != 1)
    return refuse(op);
  return success();
}

//===----------------------------------------------------------------------===//
// Ops as they are
//===----------------------------------------------------------------------===//

/// `op` on other values, without leave to be less exact or undefined.
static Value createPlain(const TileCode &code, Operation *op,
                         ValueRange operands, Type type) {
  OperationState state(code.loc, op->getName(), operands, type);
  if (Attribute predicate = op->getAttr("predicate"))
    state.addAttribute("predicate", predicate);
  return code.builder.create(state)->getResult(0);
}

/// In f32 where `op` computes with floats of 16 bits.
static Value createRounded(const TileCode &code, Operation *op,
                           ValueRange operands) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  if (isa<arith::SelectOp, arith::BitcastOp>(op))
    return createPlain(code, op, operands, type);
  SmallVector<Value> wide;
  for (Value operand : operands)
    wide.push_back(widenNarrow(code, operand));
  if (!isNarrowFloat(type))
    return createPlain(code, op, wide, type);
  Type f32 = code.builder.getF32Type();
  return convertFloat(code, createPlain(code, op, wide, f32), type);
}

//===----------------------------------------------------------------------===//
// Operations that are undefined upstream
//===----------------------------------------------------------------------===//

static Value createConstant(const TileCode &code, Type type,
                            const APInt &value) {
  return arith::ConstantOp::create(code.builder, code.loc,
                                   code.builder.getIntegerAttr(type, value));
}

/// Bits that leave are gone, as many as there are.
static Value createShift(const TileCode &code, Operation *op, Value a,
                         Value b) {
  Type type = a.getType();
  unsigned bits = type.isIndex() ? 32 : type.getIntOrFloatBitWidth();
  unsigned width = type.isIndex() ? 64 : bits;
  APInt known;
  if (matchPattern(b, m_ConstantInt(&known)) && known.ult(bits))
    return createPlain(code, op, {a, b}, type);
  Value last = createConstant(code, type, APInt(width, bits - 1));
  Value isWithin = arith::CmpIOp::create(code.builder, code.loc,
                                         arith::CmpIPredicate::ule, b, last);
  Value amount = code.select(isWithin, b, last);
  Value shifted = createPlain(code, op, {a, amount}, type);
  if (isa<arith::ShRSIOp>(op))
    return shifted;
  Value zero = createConstant(code, type, APInt::getZero(width));
  return code.select(isWithin, shifted, zero);
}

//===----------------------------------------------------------------------===//
// Ops that are replaced by others
//===----------------------------------------------------------------------===//

/// Half goes away from zero.
static Value createRound(const TileCode &code, Value a) {
  OpBuilder &b = code.builder;
  auto real = [&](double value) -> Value {
    return arith::ConstantOp::create(b, code.loc,
                                     b.getFloatAttr(a.getType(), value));
  };
  Value whole = math::TruncOp::create(b, code.loc, a);
  Value rest = math::AbsFOp::create(b, code.loc, code.sub(a, whole));
  Value isHalf = arith::CmpFOp::create(b, code.loc, arith::CmpFPredicate::OGE,
                                       rest, real(0.5));
  Value away =
      code.add(whole, math::CopySignOp::create(b, code.loc, real(1), a));
  Value rounded = code.select(isHalf, away, whole);
  return math::CopySignOp::create(b, code.loc, rounded, a);
}

/// The smallest number is its own magnitude.
static Value createMagnitude(const TileCode &code, Value a) {
  Type type = a.getType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  Value zero = createConstant(code, type, APInt::getZero(width));
  Value isBelow = arith::CmpIOp::create(code.builder, code.loc,
                                        arith::CmpIPredicate::slt, a, zero);
  Value negated = arith::SubIOp::create(code.builder, code.loc, zero, a);
  return code.select(isBelow, negated, a);
}

/// The op of `arith` that does the same, for ops of `index`.
static StringRef getArithName(Operation *op) {
  return llvm::StringSwitch<StringRef>(op->getName().getStringRef())
      .Case("index.add", "arith.addi")
      .Case("index.sub", "arith.subi")
      .Case("index.mul", "arith.muli")
      .Case("index.divs", "arith.divsi")
      .Case("index.divu", "arith.divui")
      .Case("index.floordivs", "arith.floordivsi")
      .Case("index.ceildivs", "arith.ceildivsi")
      .Case("index.ceildivu", "arith.ceildivui")
      .Case("index.rems", "arith.remsi")
      .Case("index.remu", "arith.remui")
      .Case("index.maxs", "arith.maxsi")
      .Case("index.maxu", "arith.maxui")
      .Case("index.mins", "arith.minsi")
      .Case("index.minu", "arith.minui")
      .Case("index.casts", "arith.index_cast")
      .Case("index.castu", "arith.index_castui")
      .Default("");
}

static Value createOfIndex(const TileCode &code, Operation *op,
                           ValueRange operands) {
  StringRef name = getArithName(op);
  if (name.empty()) {
    (void)refuse(op);
    return {};
  }
  OpBuilder::InsertionGuard guard(code.builder);
  OperationState state(code.loc, name, operands, op->getResultTypes());
  Operation *same = code.builder.create(state);
  Value result = createScalar(code, same, operands);
  same->erase();
  return result;
}

Value parablock::createScalar(const TileCode &code, Operation *op,
                              ValueRange operands) {
  if (isa_and_nonnull<index::IndexDialect>(op->getDialect()))
    return createOfIndex(code, op, operands);
  if (failed(check(op, operands)))
    return {};
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op)) {
    Value divisor = boundDivisor(code.builder, op, operands[0], operands[1],
                                 /*indexBits=*/32);
    return createPlain(code, op, {operands[0], divisor}, type);
  }
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return createShift(code, op, operands[0], operands[1]);
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return convertFloat(code, operands[0], type);
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return integerToFloat(code, operands[0], type, isa<arith::SIToFPOp>(op));
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
    return floatToInteger(code, operands[0], type, isa<arith::FPToSIOp>(op));
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) && type.isIndex())
    return integerToIndex(code, operands[0], isa<arith::IndexCastOp>(op));
  if (isa<math::AbsIOp>(op))
    return createMagnitude(code, operands[0]);
  if (isa<math::RoundOp>(op))
    return convertFloat(code, createRound(code, widenNarrow(code, operands[0])),
                        type);
  if (isa<math::ClampFOp>(op)) {
    Value low = arith::MaximumFOp::create(code.builder, code.loc,
                                          widenNarrow(code, operands[0]),
                                          widenNarrow(code, operands[1]));
    Value both = arith::MinimumFOp::create(code.builder, code.loc, low,
                                           widenNarrow(code, operands[2]));
    return convertFloat(code, both, type);
  }
  return createRounded(code, op, operands);
}
