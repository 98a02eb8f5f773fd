//===- DigitRows.cpp - splits rows of floats into digits ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DigitRows.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// The place of the exponent among the bits of f32.
static constexpr int64_t kMantissaBits = 23;

namespace {
/// Works on vectors of i32.
struct Bits {
  Code &code;

  Type type(Value like) {
    return code.likeType(like, code.builder.getI32Type());
  }
  Value of(Value number) {
    return arith::BitcastOp::create(code.builder, code.loc, type(number),
                                    number);
  }
  Value toF32(Value bits) {
    return arith::BitcastOp::create(
        code.builder, code.loc, code.likeType(bits, code.builder.getF32Type()),
        bits);
  }
  Value number(Value like, int64_t value) {
    return code.integer(type(like), value);
  }
  template <typename OpT> Value apply(Value a, Value b) {
    return OpT::create(code.builder, code.loc, a, b);
  }
  template <typename OpT> Value apply(Value a, int64_t b) {
    return apply<OpT>(a, number(a, b));
  }
};
} // namespace

/// Calls `body` with each vector of a row, then with the remainder in parts of
/// 8 and 4.
static Values
forVectors(Code &code, int64_t depth, Values carried,
           llvm::function_ref<Values(Value, int64_t, ValueRange)> body) {
  int64_t lanes = code.lanes(), whole = depth / lanes * lanes;
  carried = code.loop(
      code.index(0), code.index(whole), lanes, carried,
      [&](Value at, ValueRange before) { return body(at, lanes, before); });
  for (int64_t done = whole; done < depth; done += lanes) {
    while (done + lanes > depth)
      lanes /= 2;
    carried = body(code.index(done), lanes, carried);
  }
  return carried;
}

/// Returns the largest bits of a row's magnitudes, which have the order of the
/// magnitudes; NaN is largest.
static Value findLargest(Code &code, Value input, Type type, int64_t depth) {
  Bits bits{code};
  Value zero =
      code.integer(code.typed(code.builder.getI32Type(), code.lanes()), 0);
  Value narrowZero = code.integer(code.builder.getI32Type(), 0);
  Values found = forVectors(
      code, depth, {zero, narrowZero},
      [&](Value at, int64_t lanes, ValueRange before) -> Values {
        Value magnitudes = bits.apply<arith::AndIOp>(
            bits.of(code.load(input, type, at, lanes)), 0x7FFFFFFF);
        if (lanes == code.lanes())
          return {bits.apply<arith::MaxSIOp>(before[0], magnitudes), before[1]};
        Value most = vector::ReductionOp::create(
            code.builder, code.loc, vector::CombiningKind::MAXSI, magnitudes);
        return {before[0], bits.apply<arith::MaxSIOp>(before[1], most)};
      });
  Value most = vector::ReductionOp::create(
      code.builder, code.loc, vector::CombiningKind::MAXSI, found[0]);
  return bits.apply<arith::MaxSIOp>(most, found[1]);
}

Value cpugen::writeDigits(Code &code, const DigitForm &form, Value input,
                          Type type, int64_t depth, bool inHalves,
                          Value digits) {
  Bits bits{code};
  Value largest = findLargest(code, input, type, depth);
  // All are below 2^22 once the largest exponent is that of 2^21; exponents of
  // both factors stay in the range of normal numbers.
  constexpr int64_t least = 22, bias = 127, wanted = 21;
  Value exponent = bits.apply<arith::MaxSIOp>(
      bits.apply<arith::ShRUIOp>(largest, kMantissaBits), least);
  auto power = [&](Value biased) {
    return bits.toF32(bits.apply<arith::ShLIOp>(biased, kMantissaBits));
  };
  Value toWhole = power(bits.apply<arith::SubIOp>(
      bits.number(exponent, 2 * bias + wanted), exponent));
  Value factor = power(bits.apply<arith::SubIOp>(exponent, wanted));
  constexpr double aligned = 12582912.0; // 1.5 * 2^23: whole numbers only
  constexpr int64_t alignedBits = 0x4B400000;
  forVectors(code, depth, {}, [&](Value at, int64_t lanes, ValueRange) {
    Value number = code.load(input, type, at, lanes);
    Value rest = bits.apply<arith::SubIOp>(
        bits.of(
            code.fma(number, code.splat(toWhole, lanes), code.f32(aligned))),
        alignedBits);
    for (int64_t digit = 0; digit < form.count; ++digit) {
      int64_t above = 32 - form.bits;
      Value own = bits.apply<arith::ShRSIOp>(
          bits.apply<arith::ShLIOp>(rest, above), above);
      rest = bits.apply<arith::ShRSIOp>(bits.apply<arith::SubIOp>(rest, own),
                                        form.bits);
      Value narrow = arith::TruncIOp::create(
          code.builder, code.loc,
          code.typed(code.builder.getIntegerType(8 * form.bytes), lanes), own);
      Value line = code.index(digit * depth);
      if (!inHalves) {
        code.storeRaw(narrow, digits, code.addI(line, at));
        continue;
      }
      for (int64_t half = 0; half < 2; ++half) {
        SmallVector<int64_t> places;
        for (int64_t lane = half; lane < lanes; lane += 2)
          places.push_back(lane);
        code.storeRaw(
            vector::ShuffleOp::create(code.builder, code.loc, narrow, narrow,
                                      places),
            digits,
            code.addI(code.addI(line, half * depth / 2), code.divI(at, 2)));
      }
    }
    return Values();
  });
  // Infinity minus infinity is NaN.
  Value spread = bits.toF32(largest);
  return code.add(factor, code.sub(spread, spread));
}

/// A vector of integers as wide as registers.
static Type getWide(Code &code, unsigned bits) {
  return code.typed(code.builder.getIntegerType(bits),
                    32 / bits * code.lanes());
}

static Value call(Code &code, StringRef name, unsigned bits,
                  ValueRange arguments) {
  return LLVM::CallIntrinsicOp::create(
             code.builder, code.loc, getWide(code, bits),
             code.builder.getStringAttr(name), arguments)
      .getResult(0);
}

Value cpugen::addWordProducts(Code &code, Value sums, Value left, Value right) {
  return arith::AddIOp::create(
      code.builder, code.loc, sums,
      call(code, "llvm.x86.avx2.pmadd.wd", 32, {left, right}));
}

void ByteSums::add(unsigned number, Value unsignedBytes, Value signedBytes) {
  auto toBytes = [&](Value vector) -> Value {
    return LLVM::BitcastOp::create(code.builder, code.loc, getWide(code, 8),
                                   vector);
  };
  Value left = toBytes(unsignedBytes), right = toBytes(signedBytes);
  if (code.target.hasByteProducts) {
    sums[number] = call(code, "llvm.x86.avx512.vpdpbusd.512", 32,
                        {sums[number], left, right});
    return;
  }
  Value products = call(code, "llvm.x86.avx2.pmadd.ub.sw", 16, {left, right});
  Value &sum = narrow[number];
  sum = sum ? arith::AddIOp::create(code.builder, code.loc, sum, products)
                  .getResult()
            : products;
}

Values ByteSums::finish() {
  for (auto [sum, part] : llvm::zip_equal(sums, narrow))
    if (part)
      sum =
          addWordProducts(code, sum, part, code.integer(getWide(code, 16), 1));
  return sums;
}
