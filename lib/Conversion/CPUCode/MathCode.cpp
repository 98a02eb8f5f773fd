//===- MathCode.cpp - functions of numbers --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Own polynomials, so that kernels call no library. Coefficients of exp, tanh,
// sine and cosine are those of Cephes; those of the normal distribution
// minimise errors relative to the middle's slope and to the tail.
//
//===----------------------------------------------------------------------===//

#include "parablock/Conversion/CPUCode/Code.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Coefficients of the highest power first.
Value Code::polynomial(Value x, ArrayRef<double> coefficients) const {
  Value result = f32(coefficients.front());
  for (double coefficient : coefficients.drop_front())
    result = fma(result, x, f32(coefficient));
  return result;
}

Value Code::exp(Value x) const {
  constexpr double infinity = std::numeric_limits<float>::infinity();
  constexpr double log2e = 1.44269504088896341;
  // The two parts of ln 2: products with the first are exact.
  constexpr double ln2High = 0.693359375, ln2Low = -2.12194440e-4;
  // Adding it leaves whole numbers only, in the lowest bits.
  constexpr double toWhole = 12582912.0;
  // Beyond these, bits do not hold the exponent.
  constexpr double lowest = -87.3, highest = 88.3;
  Value shifted = fma(x, f32(log2e), f32(toWhole));
  Value whole = sub(shifted, f32(toWhole));
  Value rest = fma(whole, f32(-ln2High), x);
  rest = fma(whole, f32(-ln2Low), rest);
  Value high =
      polynomial(rest, {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3,
                        4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1});
  Value power = add(fma(mul(rest, rest), high, rest), f32(1));
  Type bits = likeType(x, builder.getI32Type());
  auto toBits = [&](Value value) -> Value {
    return arith::BitcastOp::create(builder, loc, bits, value);
  };
  Value exponent =
      arith::ShLIOp::create(builder, loc, toBits(shifted), integer(bits, 23));
  Value scaled = arith::AddIOp::create(builder, loc, toBits(power), exponent);
  Value result = arith::BitcastOp::create(builder, loc, x.getType(), scaled);
  // Values that are not below it are infinite from here on, or NaN.
  Value beyond = add(x, f32(infinity));
  return select(less(x, f32(lowest)), f32(0),
                select(less(x, f32(highest)), result, beyond));
}

Value Code::tanh(Value x) const {
  Value square = mul(x, x);
  Value inner = polynomial(square, {-5.70498872745e-3, 2.06390887954e-2,
                                    -5.37397155531e-2, 1.33314422036e-1,
                                    -3.33332819422e-1});
  Value small = fma(mul(inner, square), x, x);
  Value magnitude = math::AbsFOp::create(builder, loc, x);
  Value large = sub(f32(1), div(f32(2), add(exp(mul(magnitude, 2.0)), f32(1))));
  large = math::CopySignOp::create(builder, loc, large, x);
  return select(less(magnitude, f32(0.625)), small, large);
}

/// Near 0 the share is slightly above a half, further out it is the complement
/// of a tail: each formula is accurate in its range, and for negative numbers
/// the tail itself is accurate everywhere.
Value Code::normalShare(Value x) const {
  Value square = mul(x, x);
  Value middle =
      fma(polynomial(square, {-7.654047722337351e-06, 1.1348600773308792e-04,
                              -1.1863296558229444e-03, 9.973323319333004e-03,
                              -6.649035991363951e-02, 3.989422801174954e-01}),
          x, f32(0.5));
  Value magnitude = math::AbsFOp::create(builder, loc, x);
  Value t = div(f32(1), fma(magnitude, f32(0.4), f32(1)));
  Value tail =
      mul(mul(polynomial(t, {6.81206099338258e-02, -1.864257586756522e-01,
                             1.0536047924806949e-01, 5.554222802124584e-02,
                             1.3900174167936738e-01, 1.5910008903684583e-01,
                             1.5959577610657505e-01}),
              t),
          exp(scale(square, -0.5)));
  Value outer = select(less(x, f32(0)), tail, sub(f32(1), tail));
  return select(less(magnitude, f32(1)), middle, outer);
}

Value Code::toPosition(Value index) const {
  return arith::SIToFPOp::create(builder, loc, builder.getF64Type(), index);
}

Value Code::turn(ArrayRef<double> perPosition, Value position, Value first,
                 int64_t lanes, Value ahead) const {
  Type f64 = builder.getF64Type();
  auto type =
      RankedTensorType::get(static_cast<int64_t>(perPosition.size()), f64);
  Value entries = loadRaw(table(DenseElementsAttr::get(type, perPosition)),
                          typed(f64, lanes), first);
  Value turns =
      arith::MulFOp::create(builder, loc, entries, splat(position, lanes));
  if (!ahead)
    return turns;
  return arith::AddFOp::create(builder, loc, turns,
                               arith::ExtFOp::create(builder, loc,
                                                     typed(f64, lanes),
                                                     splat(ahead, lanes)));
}

std::pair<Value, Value> Code::cosineAndSine(Value turns) const {
  Type f64 = turns.getType();
  auto whole = [&](Value value) -> Value {
    Value toWhole = real(f64, 6755399441055744.0);
    Value shifted = arith::AddFOp::create(builder, loc, value, toWhole);
    return arith::SubFOp::create(builder, loc, shifted, toWhole);
  };
  Value left = arith::SubFOp::create(builder, loc, turns, whole(turns));
  Value quarters =
      whole(arith::MulFOp::create(builder, loc, left, real(f64, 4)));
  Value rest = arith::SubFOp::create(
      builder, loc, left,
      arith::MulFOp::create(builder, loc, quarters, real(f64, 0.25)));
  Value angle =
      arith::MulFOp::create(builder, loc, rest, real(f64, 6.28318530717958648));
  Value x = arith::TruncFOp::create(
      builder, loc, likeType(turns, builder.getF32Type()), angle);
  Value square = mul(x, x);
  Value sine = fma(mul(polynomial(square, {-1.9515295891e-4, 8.3321608736e-3,
                                           -1.6666654611e-1}),
                       square),
                   x, x);
  Value cosine =
      fma(mul(polynomial(square, {2.443315711809948e-5, -1.388731625493765e-3,
                                  4.166664568298827e-2}),
              square),
          square, fma(square, f32(-0.5), f32(1)));
  // Quarter turns, from -2 to 2, swap the two and change their signs.
  Value number = arith::TruncFOp::create(
      builder, loc, likeType(turns, builder.getF32Type()), quarters);
  Value distance = math::AbsFOp::create(builder, loc, number);
  Value isOdd =
      less(math::AbsFOp::create(builder, loc, sub(distance, f32(1))), f32(0.5));
  Value isHalf = less(f32(1.5), distance);
  Value flippedCosine = select(isHalf, neg(cosine), cosine);
  Value flippedSine = select(isHalf, neg(sine), sine);
  // At q = 1: cos = -sin r, sin = cos r; at q = -1 the other way round.
  Value oddCosine = neg(mul(number, sine));
  Value oddSine = mul(number, cosine);
  return {select(isOdd, oddCosine, flippedCosine),
          select(isOdd, oddSine, flippedSine)};
}
