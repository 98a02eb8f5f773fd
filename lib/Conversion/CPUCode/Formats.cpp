//===- Formats.cpp - between f32 and the bits of bf16 and f16 -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// In integer arithmetic if the processor has no instruction: LLVM would call
// functions of a runtime library.
//
//===----------------------------------------------------------------------===//

#include "parablock/Conversion/CPUCode/Code.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

namespace {
/// Operations on the i32 bits of numbers.
struct Bits {
  const Code &code;
  Type type;

  Bits(const Code &code, Value like)
      : code(code), type(code.likeType(like, code.builder.getI32Type())) {}

  Value of(Value f32) {
    return arith::BitcastOp::create(code.builder, code.loc, type, f32);
  }
  Value toF32(Value bits) {
    return arith::BitcastOp::create(
        code.builder, code.loc, code.likeType(bits, code.builder.getF32Type()),
        bits);
  }
  Value constant(int64_t value) {
    return code.integer(type, static_cast<int32_t>(value));
  }
  template <typename OpT> Value apply(Value a, Value b) {
    return OpT::create(code.builder, code.loc, a, b);
  }
  Value add(Value a, Value b) { return apply<arith::AddIOp>(a, b); }
  Value mask(Value a, int64_t b) {
    return apply<arith::AndIOp>(a, constant(b));
  }
  Value orAll(Value a, Value b) { return apply<arith::OrIOp>(a, b); }
  Value right(Value a, int64_t by) {
    return apply<arith::ShRUIOp>(a, constant(by));
  }
  Value left(Value a, int64_t by) {
    return apply<arith::ShLIOp>(a, constant(by));
  }
  Value isAbove(Value a, int64_t limit) {
    return arith::CmpIOp::create(code.builder, code.loc,
                                 arith::CmpIPredicate::ugt, a, constant(limit));
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(code.builder, code.loc, condition, a, b);
  }
  Value narrow(Value bits) {
    return arith::TruncIOp::create(
        code.builder, code.loc, code.likeType(bits, code.builder.getI16Type()),
        bits);
  }
  Value widen(Value bits) {
    return arith::ExtUIOp::create(code.builder, code.loc, type, bits);
  }
};
} // namespace

static constexpr int64_t infinityF32 = 0x7F800000;

/// Rounds by adding half of the dropped range, minus one if the result is even.
static Value toBF16(const Code &code, Value value) {
  Bits bits(code, value);
  Value all = bits.of(value);
  Value odd = bits.mask(bits.right(all, 16), 1);
  Value rounded =
      bits.right(bits.add(all, bits.add(odd, bits.constant(0x7FFF))), 16);
  // Without its low bits a NaN could be an infinity.
  Value nan = bits.orAll(bits.right(all, 16), bits.constant(0x40));
  Value isNan = bits.isAbove(bits.mask(all, 0x7FFFFFFF), infinityF32);
  return bits.narrow(bits.select(isNan, nan, rounded));
}

static Value toF16(const Code &code, Value value) {
  Bits bits(code, value);
  Value all = bits.of(value);
  Value magnitude = bits.mask(all, 0x7FFFFFFF);
  Value sign = bits.mask(bits.right(all, 16), 0x8000);
  // Normal numbers: move the exponent, round as above.
  Value odd = bits.mask(bits.right(magnitude, 13), 1);
  Value moved = bits.add(magnitude, bits.constant(0xC8000FFFll));
  Value normal = bits.right(bits.add(moved, odd), 13);
  // Subnormal ones: adding 1/2 makes the addition round.
  Value shifted = bits.of(code.add(bits.toF32(magnitude), code.f32(0.5)));
  Value subnormal = bits.add(shifted, bits.constant(-0x3F000000));
  Value isNan = bits.isAbove(magnitude, infinityF32);
  Value special =
      bits.select(isNan, bits.constant(0x7E00), bits.constant(0x7C00));
  Value finite =
      bits.select(bits.isAbove(magnitude, 0x387FFFFF), normal, subnormal);
  // From 65520 on.
  Value result =
      bits.select(bits.isAbove(magnitude, 0x477FEFFF), special, finite);
  return bits.narrow(bits.orAll(result, sign));
}

static Value fromF16(const Code &code, Value narrow) {
  Bits bits(code, narrow);
  Value all = bits.widen(narrow);
  Value sign = bits.left(bits.mask(all, 0x8000), 16);
  Value magnitude = bits.mask(all, 0x7FFF);
  // 2^112 moves the exponent, of subnormal numbers too.
  Value moved = bits.of(
      code.mul(bits.toF32(bits.left(magnitude, 13)), code.f32(0x1p112)));
  Value special = bits.orAll(moved, bits.constant(infinityF32));
  Value result = bits.select(bits.isAbove(magnitude, 0x7BFF), special, moved);
  return bits.toF32(bits.orAll(result, sign));
}

Value cpugen::toBits(const Code &code, Value value, Type type) {
  if (type.isBF16())
    return toBF16(code, value);
  if (!code.target.hasF16C)
    return toF16(code, value);
  Value narrow = arith::TruncFOp::create(
      code.builder, code.loc, code.likeType(value, code.builder.getF16Type()),
      value);
  return arith::BitcastOp::create(
      code.builder, code.loc, code.likeType(value, code.builder.getI16Type()),
      narrow);
}

Value cpugen::fromBits(const Code &code, Value bits, Type type) {
  if (type.isBF16()) {
    Bits wide(code, bits);
    return wide.toF32(wide.left(wide.widen(bits), 16));
  }
  if (!code.target.hasF16C)
    return fromF16(code, bits);
  Value narrow = arith::BitcastOp::create(
      code.builder, code.loc, code.likeType(bits, code.builder.getF16Type()),
      bits);
  return arith::ExtFOp::create(code.builder, code.loc,
                               code.likeType(bits, code.builder.getF32Type()),
                               narrow);
}

Value cpugen::joinPairs(const Code &code, Value first, Value second,
                        Type type) {
  OpBuilder &builder = code.builder;
  Type i32 = code.typed(builder.getI32Type(), code.lanes());
  if (type.isBF16()) {
    // One instruction rounds both, which takes a dozen of integers.
    int64_t lanes = code.lanes();
    Value both =
        LLVM::CallIntrinsicOp::create(
            builder, code.loc, VectorType::get(2 * lanes, type),
            builder.getStringAttr("llvm.x86.avx512bf16.cvtne2ps2bf16.512"),
            ValueRange{second, first})
            .getResult(0);
    SmallVector<int64_t> order;
    for (int64_t lane = 0; lane < lanes; ++lane)
      order.append({lane, lanes + lane});
    return LLVM::BitcastOp::create(
        builder, code.loc, i32,
        vector::ShuffleOp::create(builder, code.loc, both, both, order));
  }
  auto widen = [&](Value value) -> Value {
    return arith::ExtUIOp::create(builder, code.loc, i32,
                                  toBits(code, value, type));
  };
  Value high = arith::ShLIOp::create(builder, code.loc, widen(second),
                                     code.integer(i32, 16));
  return arith::OrIOp::create(builder, code.loc, widen(first), high);
}
