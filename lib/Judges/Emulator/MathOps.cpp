//===- MathOps.cpp - Arithmetic and its approximations --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The approximate instructions have documented error bounds, not documented
// results. Here each returns the exact value rounded to as few bits as its
// bound allows, so that code which relies on more accuracy fails:
//
//   ex2, rcp, sqrt, div.full   2 ulp at worst: 23 significant bits
//   lg2, rsqrt                 2^-22 at worst: 23 significant bits
//   sin, cos                   2^-20.5 absolute: a multiple of 2^-21
//   tanh                       2^-11 relative: 11 significant bits
//
// The .ftz forms treat subnormal inputs and results as zeros.
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include "OpTable.h"
#include "Worker.h"

#include <cmath>

using namespace parablock;
using namespace parablock::emulator;

static constexpr int32_t flushes = 1;

static float flush(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value)
                                                : value;
}

/// `value` with `bits` significant bits.
static float keepBits(double value, int bits) {
  if (value == 0 || !std::isfinite(value))
    return static_cast<float>(value);
  int exponent;
  double fraction = std::frexp(value, &exponent);
  double scale = std::ldexp(1.0, bits);
  return static_cast<float>(
      std::ldexp(std::nearbyint(fraction * scale) / scale, exponent));
}

static double exactExp2(double x) { return std::exp2(x); }
static double exactLog2(double x) { return std::log2(x); }
static double exactReciprocal(double x) { return 1 / x; }
static double exactRsqrt(double x) { return 1 / std::sqrt(x); }
static double exactSqrt(double x) { return std::sqrt(x); }
static double exactTanh(double x) { return std::tanh(x); }

template <double (*exact)(double), int bits>
static void approximate(OpCall &call) {
  float x = call.arguments[0].f32;
  bool flushing = call.parameter() == flushes;
  if (flushing)
    x = flush(x);
  float result = keepBits(exact(x), bits);
  call.setResult(flushing ? flush(result) : result);
}

template <double (*exact)(double)> static void approximateWave(OpCall &call) {
  static constexpr double grid = 1 << 21;
  float x = call.arguments[0].f32;
  if (call.parameter() == flushes)
    x = flush(x);
  call.setResult(static_cast<float>(std::nearbyint(exact(x) * grid) / grid));
}
static double exactSin(double x) { return std::sin(x); }
static double exactCos(double x) { return std::cos(x); }

static void approximateQuotient(OpCall &call) {
  float a = call.arguments[0].f32, b = call.arguments[1].f32;
  bool flushing = call.parameter() == flushes;
  if (flushing) {
    a = flush(a);
    b = flush(b);
  }
  float result = keepBits(double(a) / double(b), 23);
  call.setResult(flushing ? flush(result) : result);
}

/// tanh.approx on two bf16 or f16 values in one register, rounded to them.
template <NumberFormat format> static void approximateTanhPair(OpCall &call) {
  uint32_t pair = call.arguments[0].u32, result = 0;
  for (int half = 0; half < 2; ++half) {
    float x = from16(uint16_t(pair >> 16 * half), format);
    float y = keepBits(std::tanh(double(x)), 11);
    uint32_t bits = format == BF16 ? toBF16(y) : toF16(y);
    result |= bits << 16 * half;
  }
  call.setResult(result);
}

/// Rounded-to-nearest arithmetic.
template <float (*exact)(float, float, float)>
static void compute(OpCall &call) {
  float operands[3] = {};
  bool flushing = call.parameter() == flushes;
  for (unsigned i = 0; i < 3; ++i) {
    operands[i] = call.arguments[i].f32;
    if (flushing)
      operands[i] = flush(operands[i]);
  }
  float result = exact(operands[0], operands[1], operands[2]);
  call.setResult(flushing ? flush(result) : result);
}
static float add(float a, float b, float) { return a + b; }
static float multiply(float a, float b, float) { return a * b; }
static float divide(float a, float b, float) { return a / b; }
static float fusedAdd(float a, float b, float c) { return std::fma(a, b, c); }
static float reciprocal(float a, float, float) { return 1 / a; }
static float squareRoot(float a, float, float) { return std::sqrt(a); }
static float absolute(float a, float, float) { return std::fabs(a); }
static float saturate(float a, float, float) {
  return a >= 0 ? (a < 1 ? a : 1.0f) : 0.0f; // a NaN gives 0
}
static float maximum(float a, float b, float) { return std::fmax(a, b); }
static float minimum(float a, float b, float) { return std::fmin(a, b); }
static float maximumNaN(float a, float b, float) {
  return std::isnan(a) || std::isnan(b) ? llvm::bit_cast<float>(0x7FFFFFFF)
                                        : std::fmax(a, b);
}
static float minimumNaN(float a, float b, float) {
  return std::isnan(a) || std::isnan(b) ? llvm::bit_cast<float>(0x7FFFFFFF)
                                        : std::fmin(a, b);
}

#define MATH(name) "llvm.nvvm." name
/// The form without and the one with .ftz.
#define BOTH(stem, suffix, function)                                           \
  {MATH(stem suffix), function}, { MATH(stem ".ftz" suffix), function, flushes }
#define BOTH_ASM(stem, function)                                               \
  {"asm:" stem ".f32", function}, { "asm:" stem ".ftz.f32", function, flushes }

llvm::ArrayRef<OpRow> parablock::emulator::getMathOps() {
  static const OpRow rows[] = {
      BOTH("ex2.approx", "", (approximate<exactExp2, 23>)),
      BOTH("lg2.approx", ".f", (approximate<exactLog2, 23>)),
      {MATH("rcp.approx.ftz.f"), approximate<exactReciprocal, 23>, flushes},
      BOTH("rsqrt.approx", ".f", (approximate<exactRsqrt, 23>)),
      BOTH("sqrt.approx", ".f", (approximate<exactSqrt, 23>)),
      BOTH("sin.approx", ".f", approximateWave<exactSin>),
      BOTH("cos.approx", ".f", approximateWave<exactCos>),
      BOTH("div.approx", ".f", approximateQuotient),
      {MATH("div.full"), approximateQuotient},
      {MATH("div.full.ftz"), approximateQuotient, flushes},
      BOTH_ASM("ex2.approx", (approximate<exactExp2, 23>)),
      BOTH_ASM("lg2.approx", (approximate<exactLog2, 23>)),
      BOTH_ASM("rcp.approx", (approximate<exactReciprocal, 23>)),
      BOTH_ASM("rsqrt.approx", (approximate<exactRsqrt, 23>)),
      BOTH_ASM("sqrt.approx", (approximate<exactSqrt, 23>)),
      BOTH_ASM("sin.approx", approximateWave<exactSin>),
      BOTH_ASM("cos.approx", approximateWave<exactCos>),
      {"asm:tanh.approx.f32", approximate<exactTanh, 11>},
      {"asm:tanh.approx.bf16x2", approximateTanhPair<BF16>},
      {"asm:tanh.approx.f16x2", approximateTanhPair<F16>},
      BOTH("add.rn", ".f", compute<add>),
      BOTH("mul.rn", ".f", compute<multiply>),
      BOTH("div.rn", ".f", compute<divide>),
      BOTH("fma.rn", ".f", compute<fusedAdd>),
      BOTH("rcp.rn", ".f", compute<reciprocal>),
      BOTH("sqrt.rn", ".f", compute<squareRoot>),
      BOTH("saturate", ".f", compute<saturate>),
      BOTH("fmax", ".f", compute<maximum>),
      BOTH("fmin", ".f", compute<minimum>),
      {MATH("fmax.nan.f"), compute<maximumNaN>},
      {MATH("fmin.nan.f"), compute<minimumNaN>},
      {MATH("fmax.ftz.nan.f"), compute<maximumNaN>, flushes},
      {MATH("fmin.ftz.nan.f"), compute<minimumNaN>, flushes},
      BOTH("fabs", "", compute<absolute>),
  };
  return rows;
}
