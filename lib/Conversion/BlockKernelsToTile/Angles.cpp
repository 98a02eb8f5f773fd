//===- Angles.cpp - sines of positions ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Angles.h"

#include "llvm/ADT/SmallVector.h"

using namespace mlir;
using namespace parablock;

static constexpr double twoPi = 6.28318530717958647692;

Value parablock::createFrequencyTable(TileCode code,
                                      ArrayRef<double> frequencies) {
  // Turns per position, as the sum of two f32: together 48 bits.
  SmallVector<float> parts;
  for (double frequency : frequencies) {
    double turns = frequency / twoPi;
    float high = static_cast<float>(turns);
    parts.push_back(high);
    parts.push_back(static_cast<float>(turns - static_cast<double>(high)));
  }
  return code.table(parts, frequencies.size());
}

/// What is left of `turns` without whole ones.
static Value dropWhole(TileCode code, Value turns) {
  return code.sub(turns,
                  math::RoundEvenOp::create(code.builder, code.loc, turns));
}

Value parablock::createPosition(TileCode code, Value index) {
  Value integer = arith::IndexCastOp::create(code.builder, code.loc,
                                             code.builder.getI32Type(), index);
  return arith::SIToFPOp::create(code.builder, code.loc,
                                 code.builder.getF64Type(), integer);
}

Value parablock::createTurns(TileCode code, Value table, Value position,
                             Value pair, Value ahead) {
  Type f64 = code.builder.getF64Type();
  auto widen = [&](int64_t part) -> Value {
    return arith::ExtFOp::create(code.builder, code.loc, f64,
                                 code.load(table, pair, code.index(part)));
  };
  Value turns = code.mul(position, code.add(widen(0), widen(1)));
  turns =
      arith::TruncFOp::create(code.builder, code.loc, code.builder.getF32Type(),
                              dropWhole(code, turns));
  return ahead ? dropWhole(code, code.add(turns, ahead)) : turns;
}

Value parablock::createSine(TileCode code, Value turns) {
  return math::SinOp::create(code.builder, code.loc,
                             code.mul(turns, code.f32(twoPi)));
}

Value parablock::createCosine(TileCode code, Value turns) {
  return math::CosOp::create(code.builder, code.loc,
                             code.mul(turns, code.f32(twoPi)));
}
