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

Value parablock::createTurns(TileCode code, Value table, Value position,
                             Value pair, Value ahead) {
  Value high = code.load(table, pair, code.index(0));
  Value low = code.load(table, pair, code.index(1));
  // The rounded product only finds the whole turns; what is left comes from the
  // exact one, which fma sees.
  Value whole = math::RoundEvenOp::create(code.builder, code.loc,
                                          code.mul(position, high));
  Value left = code.fma(position, high, code.sub(code.f32(0), whole));
  Value turns = code.fma(position, low, left);
  if (ahead)
    turns = code.add(turns, ahead);
  return dropWhole(code, turns);
}

Value parablock::createSine(TileCode code, Value turns) {
  return math::SinOp::create(code.builder, code.loc,
                             code.mul(turns, code.f32(twoPi)));
}

Value parablock::createCosine(TileCode code, Value turns) {
  return math::CosOp::create(code.builder, code.loc,
                             code.mul(turns, code.f32(twoPi)));
}
