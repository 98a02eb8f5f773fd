//===- MathFunctions.cpp - exp, log, tanh and erf as f32 programs ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Coefficients are minimax fits of the relative error of the result on the
// named interval, each rounded to f32 before the next was fitted.
//
//===----------------------------------------------------------------------===//

#include "MathFunctions.h"

#include <limits>

using namespace mlir;
using namespace parablock::tile;

static constexpr float log2E = 1.44269504f;
/// The rest that is missing in log2E.
static constexpr float log2ERest = 1.92596303e-8f;
static constexpr float infinity = std::numeric_limits<float>::infinity();

Value parablock::tile::createFastExp2(FloatBuilder &builder, Value x) {
  return builder.approximate("llvm.nvvm.ex2.approx.ftz.f32", x);
}

Value parablock::tile::createReciprocal(FloatBuilder &builder, Value x) {
  return builder.approximate("llvm.nvvm.rcp.approx.ftz.f", x);
}

/// value * 2^exponent, for exponents from -252 to 254, rounded once at most.
static Value scale(FloatBuilder &builder, Value value, Value exponent) {
  auto power = [&](Value n) {
    return builder.fromBits(
        builder.shiftLeft(builder.addIntegers(n, builder.integer(127)), 23));
  };
  Value half = builder.shiftRight(exponent, 1);
  Value rest = builder.subtractIntegers(exponent, half);
  return builder.multiply(builder.multiply(value, power(half)), power(rest));
}

Value parablock::tile::createExp(FloatBuilder &builder, Value x) {
  // Outside, the result is 0 or infinity.
  x = builder.clamp(x, -104.0f, 89.0f);
  FloatBuilder::Rounded n = builder.roundProduct(x, log2E);
  Value rest = builder.fma(x, builder.real(log2E), builder.negate(n.real));
  rest = builder.fma(x, builder.real(log2ERest), rest);
  return scale(builder, createFastExp2(builder, rest), n.integer);
}

Value parablock::tile::createExp2(FloatBuilder &builder, Value x) {
  x = builder.clamp(x, -151.0f, 129.0f);
  FloatBuilder::Rounded n = builder.roundProduct(x, 1.0f);
  Value rest = builder.subtract(x, n.real);
  return scale(builder, createFastExp2(builder, rest), n.integer);
}

namespace {
/// x = 2^exponent * (1 + rest), and the natural logarithm of 1 + rest; for
/// positive finite x.
struct LogParts {
  Value exponent, log;
};
} // namespace

static LogParts createLogParts(FloatBuilder &builder, Value x) {
  // Below the normal numbers there is no leading bit to count from.
  Value isTiny = builder.isBelow(x, std::numeric_limits<float>::min());
  x = builder.select(isTiny, builder.multiply(x, builder.real(0x1p23f)), x);
  Value lift = builder.select(isTiny, builder.real(-23.0f), builder.real(0.0f));
  // 1 + rest from 2/3 to 4/3.
  Value bits = builder.toBits(x);
  Value exponent = builder.shiftRight(
      builder.subtractIntegers(bits, builder.integer(0x3F2AAAAB)), 23);
  Value mantissa = builder.fromBits(
      builder.subtractIntegers(bits, builder.shiftLeft(exponent, 23)));
  Value rest = builder.subtract(mantissa, builder.real(1.0f));
  // rest - rest^2 / 2 + rest^3 P(rest)
  Value cubic = builder.polynomial(rest, {3.333321512e-01f, -2.499980479e-01f,
                                          2.001043856e-01f, -1.668020785e-01f,
                                          1.400547624e-01f, -1.218774915e-01f,
                                          1.398596019e-01f, -1.287769973e-01f});
  Value square = builder.multiply(rest, rest);
  Value tail = builder.fma(cubic, rest, builder.real(-0.5f));
  return {builder.add(builder.toReal(exponent), lift),
          builder.fma(tail, square, rest)};
}

/// Corrects the logarithm of values without one, or without a finite one.
static Value limitLog(FloatBuilder &builder, Value x, Value log) {
  Value special =
      builder.select(builder.isBelow(x, 0.0f),
                     builder.real(std::numeric_limits<float>::quiet_NaN()), x);
  special = builder.select(builder.isEqual(x, 0.0f), builder.real(-infinity),
                           special);
  Value isFinite = builder.isBelow(x, infinity);
  log = builder.select(isFinite, log, special);
  return builder.select(builder.isAbove(x, 0.0f), log, special);
}

Value parablock::tile::createLog(FloatBuilder &builder, Value x) {
  LogParts parts = createLogParts(builder, x);
  return limitLog(
      builder, x,
      builder.fma(parts.exponent, builder.real(0.693147181f), parts.log));
}

Value parablock::tile::createLog2(FloatBuilder &builder, Value x) {
  LogParts parts = createLogParts(builder, x);
  Value fraction = builder.multiply(parts.log, builder.real(log2E));
  return limitLog(builder, x, builder.add(parts.exponent, fraction));
}

Value parablock::tile::createTanh(FloatBuilder &builder, Value x) {
  Value size = builder.absolute(x);
  // 1 - 2 / (exp(2 |x|) + 1) from 0.6 on
  Value power =
      createFastExp2(builder, builder.multiply(size, builder.real(2 * log2E)));
  Value inverse =
      createReciprocal(builder, builder.add(power, builder.real(1.0f)));
  Value large = builder.copySign(
      builder.fma(inverse, builder.real(-2.0f), builder.real(1.0f)), x);
  // x + x^3 P(x^2) below
  Value square = builder.multiply(x, x);
  Value cubic = builder.polynomial(square, {-3.333329856e-01f, 1.333193630e-01f,
                                            -5.378471687e-02f, 2.079862542e-02f,
                                            -5.897966679e-03f});
  Value small = builder.fma(builder.multiply(cubic, square), x, x);
  return builder.select(builder.isBelow(size, 0.6f), small, large);
}

Value parablock::tile::createErf(FloatBuilder &builder, Value x) {
  // 1 - 2^(-t P(t)) from 0.9 on; at 4, the rest is below half of the last bit.
  Value size = builder.clamp(builder.absolute(x), 0.0f, 4.0f);
  Value exponent = builder.multiply(
      size, builder.polynomial(size, {1.628110170e+00f, 9.171202183e-01f,
                                      1.518969685e-01f, -3.304651380e-02f,
                                      4.645474721e-03f, -3.095995926e-04f}));
  Value rest = createFastExp2(builder, builder.negate(exponent));
  Value large = builder.copySign(builder.subtract(builder.real(1.0f), rest), x);
  // x + x P(x^2) below
  Value square = builder.multiply(x, x);
  Value factor = builder.polynomial(
      square, {1.283791512e-01f, -3.761250079e-01f, 1.128187701e-01f,
               -2.676858008e-02f, 4.995853174e-03f, -6.003794842e-04f});
  Value small = builder.fma(factor, x, x);
  return builder.select(builder.isBelow(size, 0.9f), small, large);
}

Value parablock::tile::createRsqrt(FloatBuilder &builder, Value x) {
  Value first = builder.approximate("llvm.nvvm.rsqrt.approx.f", x);
  // One step of Newton: first + first / 2 * (1 - x first^2).
  Value product = builder.multiply(x, first);
  Value defect =
      builder.fma(builder.negate(product), first, builder.real(1.0f));
  Value half = builder.multiply(first, builder.real(0.5f));
  Value better = builder.fma(half, defect, first);
  // At 0 and infinity the defect is a NaN, and the first value is right.
  return builder.select(builder.isBelow(builder.absolute(defect), 1.0f), better,
                        first);
}

/// sin(x + quarters * pi / 2).
static Value createWave(FloatBuilder &builder, Value x, int32_t quarters) {
  FloatBuilder::Rounded n = builder.roundProduct(x, 0.636619772f);
  // pi / 2 in three parts
  Value rest = x;
  Value turns = builder.negate(n.real);
  for (float part : {1.57079637f, -4.37113883e-8f, -1.71512489e-15f})
    rest = builder.fma(turns, builder.real(part), rest);
  Value square = builder.multiply(rest, rest);
  // rest + rest^3 P(rest^2)
  Value cubic =
      builder.polynomial(square, {-1.666666716e-01f, 8.333378471e-03f,
                                  -1.985256531e-04f, 2.826414857e-06f});
  Value sine = builder.fma(builder.multiply(cubic, square), rest, rest);
  // 1 - rest^2 / 2 + rest^4 P(rest^2)
  Value quartic =
      builder.polynomial(square, {4.166666791e-02f, -1.388897770e-03f,
                                  2.482097443e-05f, -2.876805922e-07f});
  Value flat = builder.fma(quartic, square, builder.real(-0.5f));
  Value cosine = builder.fma(flat, square, builder.real(1.0f));

  Value quarter = builder.addIntegers(n.integer, builder.integer(quarters));
  Value value = builder.select(
      builder.isNonZero(builder.conjunction(quarter, 1)), cosine, sine);
  Value sign = builder.shiftLeft(builder.conjunction(quarter, 2), 30);
  return builder.fromBits(builder.exclusiveOr(builder.toBits(value), sign));
}

Value parablock::tile::createSin(FloatBuilder &builder, Value x) {
  return createWave(builder, x, 0);
}

Value parablock::tile::createCos(FloatBuilder &builder, Value x) {
  return createWave(builder, x, 1);
}
