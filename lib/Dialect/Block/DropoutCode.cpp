//===- DropoutCode.cpp - hashes seeds and coordinates in IR ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/DropoutCode.h"

#include "parablock/Dialect/Block/IntegerLanes.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::lanes;

/// The odd number next to 2^64 over the golden ratio.
static constexpr uint64_t kStep = 0x9e3779b97f4a7c15;

/// The 32 bits of each of `wide` from `from` on.
static Value takeHalf(const RowCode &code, Value wide, uint64_t from) {
  if (from)
    wide = combine<arith::ShRUIOp>(code, wide, from);
  Type half = code.builder.getI32Type();
  if (auto vector = dyn_cast<VectorType>(wide.getType()))
    half = vector.clone(half);
  return arith::TruncIOp::create(code.builder, code.loc, half, wide);
}

Value DropoutCode::fold(Value z, int64_t bits) const {
  return combine<arith::XOrIOp>(code, z,
                                combine<arith::ShRUIOp>(code, z, bits));
}

Value DropoutCode::mix(Value z) const {
  z = combine<arith::MulIOp>(code, fold(z, 30), 0xbf58476d1ce4e5b9);
  z = combine<arith::MulIOp>(code, fold(z, 27), 0x94d049bb133111eb);
  return fold(z, 31);
}

DropoutCode::RowKey DropoutCode::createKey(Value seed, Value rows) const {
  uint64_t ofSite = kStep * (static_cast<uint64_t>(form.getSite()) + 1);
  Value start = mix(combine<arith::AddIOp>(code, seed, ofSite));
  Value steps = combine<arith::MulIOp>(
      code, combine<arith::AddIOp>(code, rows, 1), kStep);
  Value key = mix(combine<arith::AddIOp>(code, steps, start));
  return {takeHalf(code, key, 0), takeHalf(code, key, 32)};
}

Value DropoutCode::keep(Value number, const RowKey &key, Value column) const {
  double rate = form.getRate().getValueAsDouble();
  Value h = fold(combine<arith::AddIOp>(code, column, key.low), 16);
  h = fold(combine<arith::MulIOp>(code, h, 0x7feb352d), 15);
  h = combine<arith::AddIOp>(code, h, key.high);
  h = fold(combine<arith::MulIOp>(code, h, 0x846ca68b), 16);
  auto limit = static_cast<uint64_t>(std::round(rate * 4294967296.0));
  // At a rate next to 1 all numbers are below it.
  if (limit > 0xffffffff)
    return code.f32(0);
  Value bound = arith::ConstantOp::create(
      code.builder, code.loc,
      IntegerAttr::get(code.builder.getI32Type(), APInt(32, limit)));
  Value isDropped = compare(code, arith::CmpIPredicate::ult, h, bound);
  return code.select(isDropped, code.f32(0),
                     code.scale(number, 1 / (1 - rate)));
}
