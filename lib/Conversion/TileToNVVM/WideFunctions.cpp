//===- WideFunctions.cpp - expm1, log1p, cbrt and others through f64 ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rare in models, so short programs are preferred to fast ones: series where
// they converge quickly, in f64, with one rounding of the result.
//
//===----------------------------------------------------------------------===//

#include "WideFunctions.h"

#include <limits>

using namespace mlir;
using namespace parablock::tile;

static constexpr double wideInfinity = std::numeric_limits<double>::infinity();
static constexpr double quietNaN = std::numeric_limits<double>::quiet_NaN();
static constexpr double pi = 3.14159265358979323846;
static constexpr double ln2 = 0.69314718055994530942;

//===----------------------------------------------------------------------===//
// Powers of e and logarithms
//===----------------------------------------------------------------------===//

/// 1 / 1!, 1 / 2!, 1 / 3!, ...
static constexpr double inverseFactorials[] = {
    1.0,          1.0 / 2,       1.0 / 6,        1.0 / 24,
    1.0 / 120,    1.0 / 720,     1.0 / 5040,     1.0 / 40320,
    1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600};

/// exp(x) - 1 where |x| is at most 0.4.
static Value createSmallExpM1(WideBuilder &builder, Value x) {
  return builder.multiply(builder.polynomial(x, inverseFactorials), x);
}

static Value createExp(WideBuilder &builder, Value x) {
  // Outside, an f32 is 0 or infinity.
  x = builder.clamp(x, -600, 600);
  WideBuilder::Rounded n =
      builder.round(builder.multiply(x, builder.real(1 / ln2)));
  Value rest = builder.fma(n.real, builder.real(-ln2), x);
  Value power = builder.add(createSmallExpM1(builder, rest), builder.real(1));
  Value exponent = arith::ShLIOp::create(
      builder, arith::AddIOp::create(builder, n.integer, builder.integer(1023)),
      builder.integer(52));
  return builder.multiply(power, builder.fromBits(exponent));
}

/// log(1 + x) = 2 artanh(s), s = x / (2 + x), where |s| is at most 0.18.
static Value createSmallLog1p(WideBuilder &builder, Value x) {
  Value s = builder.divide(x, builder.add(x, builder.real(2)));
  Value series = builder.polynomial(builder.multiply(s, s),
                                    {2.0, 2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9,
                                     2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17});
  return builder.multiply(series, s);
}

static Value createLog(WideBuilder &builder, Value x) {
  // 2^exponent * mantissa, the mantissa between the roots of 1/2 and 2.
  Value xBits = builder.toBits(x);
  Value least = builder.integer(0x3FE6A09E00000000);
  Value exponent = arith::ShRSIOp::create(
      builder, arith::SubIOp::create(builder, xBits, least),
      builder.integer(52));
  Value mantissa = builder.fromBits(arith::SubIOp::create(
      builder, xBits,
      arith::ShLIOp::create(builder, exponent, builder.integer(52))));
  Value log =
      createSmallLog1p(builder, builder.subtract(mantissa, builder.real(1)));
  Value whole =
      arith::SIToFPOp::create(builder, builder.getF64Type(), exponent);
  log = builder.fma(whole, builder.real(ln2), log);
  // Values without a logarithm, or without a finite one.
  Value special =
      builder.select(builder.isBelow(x, 0), builder.real(quietNaN), x);
  special = builder.select(builder.isEqual(x, builder.real(0)),
                           builder.real(-wideInfinity), special);
  Value isFinite = builder.both(builder.isBelow(x, wideInfinity),
                                builder.isBelow(builder.negate(x), 0));
  return builder.select(isFinite, log, special);
}

Value parablock::tile::createWideExpM1(WideBuilder &builder, Value x) {
  Value large = builder.subtract(createExp(builder, x), builder.real(1));
  return builder.select(builder.isBelow(builder.absolute(x), 0.4),
                        createSmallExpM1(builder, x), large);
}

Value parablock::tile::createWideLog1p(WideBuilder &builder, Value x) {
  Value large = createLog(builder, builder.add(x, builder.real(1)));
  return builder.select(builder.isBelow(builder.absolute(x), 0.25),
                        createSmallLog1p(builder, x), large);
}

Value parablock::tile::createWideLog10(WideBuilder &builder, Value x) {
  return builder.multiply(createLog(builder, x),
                          builder.real(0.43429448190325182765));
}

Value parablock::tile::createWideCbrt(WideBuilder &builder, Value x) {
  Value log = createLog(builder, builder.absolute(x));
  Value root = createExp(builder, builder.multiply(log, builder.real(1.0 / 3)));
  Value isSpecial = builder.either(
      builder.isEqual(x, builder.real(0)),
      builder.isEqual(builder.absolute(x), builder.real(wideInfinity)));
  return builder.select(isSpecial, x, builder.copySign(root, x));
}

Value parablock::tile::createWideCosh(WideBuilder &builder, Value x) {
  Value power = createExp(builder, x);
  Value sum = builder.add(power, builder.divide(builder.real(1), power));
  return builder.multiply(sum, builder.real(0.5));
}

Value parablock::tile::createWideSinh(WideBuilder &builder, Value x) {
  Value power = createExp(builder, x);
  Value difference =
      builder.subtract(power, builder.divide(builder.real(1), power));
  Value square = builder.multiply(x, x);
  Value small = builder.multiply(
      builder.polynomial(square, {1, 1.0 / 6, 1.0 / 120, 1.0 / 5040,
                                  1.0 / 362880, 1.0 / 39916800}),
      x);
  return builder.select(builder.isBelow(builder.absolute(x), 0.5), small,
                        builder.multiply(difference, builder.real(0.5)));
}

Value parablock::tile::createWideErfc(WideBuilder &builder, Value x) {
  // A fit of the relative error, 1.2e-7 at most: Press et al., Numerical
  // Recipes, erfcc.
  Value size = builder.clamp(builder.absolute(x), 0, 30);
  Value t = builder.divide(
      builder.real(1), builder.fma(size, builder.real(0.5), builder.real(1)));
  Value fit = builder.polynomial(
      t, {-1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806,
          0.27886807, -1.13520398, 1.48851587, -0.82215223, 0.17087277});
  Value exponent = builder.fma(builder.negate(size), size, fit);
  Value tail = builder.multiply(t, createExp(builder, exponent));
  return builder.select(builder.isBelow(x, 0),
                        builder.subtract(builder.real(2), tail), tail);
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

static Value isWhole(WideBuilder &builder, Value x) {
  return builder.isEqual(builder.truncate(x), x);
}

Value parablock::tile::createWidePow(WideBuilder &builder, Value x, Value y) {
  Value zero = builder.real(0), one = builder.real(1);
  Value size = builder.absolute(x);
  Value log = createLog(builder, size);
  Value power = createExp(builder, builder.multiply(log, y));
  // The product above is NaN if one factor is 0 and the other infinite.
  Value isHuge =
      builder.isEqual(builder.absolute(y), builder.real(wideInfinity));
  power = builder.select(builder.both(isHuge, builder.isEqual(size, one)), one,
                         power);
  Value isOdd =
      builder.both(isWhole(builder, y),
                   builder.inverse(isWhole(
                       builder, builder.multiply(y, builder.real(0.5)))));
  Value signedPower = builder.copySign(power, x);
  power = builder.select(isOdd, signedPower, power);
  // Below 0, only whole numbers have a power.
  Value hasNone = builder.both(
      builder.both(builder.isBelow(x, 0), builder.isBelow(size, wideInfinity)),
      builder.inverse(isWhole(builder, y)));
  power = builder.select(hasNone, builder.real(quietNaN), power);
  Value isOne =
      builder.either(builder.isEqual(y, zero), builder.isEqual(x, one));
  return builder.select(isOne, one, power);
}

//===----------------------------------------------------------------------===//
// Angles
//===----------------------------------------------------------------------===//

Value parablock::tile::createWideTan(WideBuilder &builder, Value x) {
  WideBuilder::Rounded n =
      builder.round(builder.multiply(x, builder.real(2 / pi)));
  // pi / 2 in two parts
  Value turns = builder.negate(n.real);
  Value rest = builder.fma(turns, builder.real(pi / 2), x);
  rest = builder.fma(turns, builder.real(6.123233995736766e-17), rest);
  Value square = builder.multiply(rest, rest);
  Value sine = builder.multiply(
      builder.polynomial(square, {1, -1.0 / 6, 1.0 / 120, -1.0 / 5040,
                                  1.0 / 362880, -1.0 / 39916800}),
      rest);
  Value cosine = builder.polynomial(square, {1, -1.0 / 2, 1.0 / 24, -1.0 / 720,
                                             1.0 / 40320, -1.0 / 3628800,
                                             1.0 / 479001600});
  Value odd = arith::AndIOp::create(builder, n.integer, builder.integer(1));
  Value isOdd = arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, odd,
                                      builder.integer(0));
  Value above = builder.select(isOdd, builder.negate(cosine), sine);
  Value below = builder.select(isOdd, sine, cosine);
  return builder.divide(above, below);
}

/// Computes it for a number from 0 to 1.
static Value createSmallATan(WideBuilder &builder, Value x) {
  // From tan(pi / 8) on, the distance to pi / 4.
  Value one = builder.real(1);
  Value isSmall = builder.isBelow(x, 0.41421356237309503);
  Value turned = builder.divide(builder.subtract(x, one), builder.add(x, one));
  Value z = builder.select(isSmall, x, turned);
  Value series = builder.polynomial(builder.multiply(z, z),
                                    {1, -1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9,
                                     -1.0 / 11, 1.0 / 13, -1.0 / 15, 1.0 / 17,
                                     -1.0 / 19, 1.0 / 21, -1.0 / 23, 1.0 / 25});
  Value angle = builder.multiply(series, z);
  return builder.select(isSmall, angle,
                        builder.add(angle, builder.real(pi / 4)));
}

Value parablock::tile::createWideATan(WideBuilder &builder, Value x) {
  Value size = builder.absolute(x);
  Value isSmall = builder.isBelow(size, 1);
  Value inverse = builder.divide(builder.real(1), size);
  Value angle =
      createSmallATan(builder, builder.select(isSmall, size, inverse));
  angle = builder.select(isSmall, angle,
                         builder.subtract(builder.real(pi / 2), angle));
  return builder.copySign(angle, x);
}

Value parablock::tile::createWideATan2(WideBuilder &builder, Value y, Value x) {
  Value zero = builder.real(0), one = builder.real(1);
  Value height = builder.absolute(y), width = builder.absolute(x);
  // Equal ones are a quotient of 1, infinite ones too; of zeros it is 0.
  Value quotient = builder.select(builder.isEqual(height, width), one,
                                  builder.divide(height, width));
  Value isZero = builder.isEqual(height, zero);
  Value hasNumber = builder.isEqual(width, width);
  quotient = builder.select(builder.both(isZero, hasNumber), zero, quotient);
  Value angle = builder.absolute(createWideATan(builder, quotient));
  // -0 is on the left, too.
  Value isLeft = builder.isBelow(builder.copySign(one, x), 0);
  angle = builder.select(builder.both(isLeft, hasNumber),
                         builder.subtract(builder.real(pi), angle), angle);
  return builder.copySign(angle, y);
}
