//===- TileRows.cpp - row vocabulary on lanes of a warp -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TileCode.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace parablock;

//===----------------------------------------------------------------------===//
// Angles
//===----------------------------------------------------------------------===//

/// In f64, as f32 has gaps from 2^24 on.
Value TileCode::toPosition(Value index) const {
  Value integer =
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), index);
  return arith::SIToFPOp::create(builder, loc, builder.getF64Type(), integer);
}

Value TileCode::turn(ArrayRef<double> perPosition, Value position, Value first,
                     int64_t, Value ahead) const {
  // Turns per position, as the sum of two f32: together 48 bits.
  SmallVector<float> parts;
  for (double turns : perPosition) {
    auto high = static_cast<float>(turns);
    parts.push_back(high);
    parts.push_back(static_cast<float>(turns - static_cast<double>(high)));
  }
  Value entries = table(parts, static_cast<int64_t>(perPosition.size()));
  auto widen = [&](int64_t part) -> Value {
    return arith::ExtFOp::create(builder, loc, builder.getF64Type(),
                                 load(entries, first, index(part)));
  };
  auto dropWhole = [&](Value turns) {
    return sub(turns, math::RoundEvenOp::create(builder, loc, turns));
  };
  Value turns = mul(position, add(widen(0), widen(1)));
  turns = arith::TruncFOp::create(builder, loc, builder.getF32Type(),
                                  dropWhole(turns));
  return ahead ? dropWhole(add(turns, ahead)) : turns;
}

static Value toRadians(const TileCode &code, Value turns) {
  return code.mul(turns, code.f32(6.28318530717958647692));
}

std::pair<Value, Value> TileCode::cosineAndSine(Value turns) const {
  return {math::CosOp::create(builder, loc, toRadians(*this, turns)),
          sine(turns)};
}

Value TileCode::sine(Value turns) const {
  return math::SinOp::create(builder, loc, toRadians(*this, turns));
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

Value TileCode::swapPairs(
    Value, const Column &column, Value isFirst,
    llvm::function_ref<Value(const Column &)> element) const {
  Value one = index(1);
  Value partner =
      select(isFirst, addIndex(column.index, one), subIndex(column.index, one));
  return element({partner, std::nullopt, 1});
}

Value TileCode::isFirst(Value place, int64_t) const {
  return lessIndex(remIndex(place, index(2)), index(1));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// While it lives, `outer` writes where `inner` does.
class Moved {
public:
  Moved(const TileCode &outer, const TileCode &inner) : guard(outer.builder) {
    outer.builder.setInsertionPoint(inner.builder.getInsertionBlock(),
                                    inner.builder.getInsertionPoint());
  }

private:
  OpBuilder::InsertionGuard guard;
};
} // namespace

Value TileCode::sumOf(Value from, Value to,
                      llvm::function_ref<Value(Value)> body) const {
  return reduce(tile::Reduction::Add, from, to,
                [&](TileCode inner, Value index) {
                  Moved moved(*this, inner);
                  return body(index);
                });
}

Value TileCode::addProducts(
    Value sum, int64_t size,
    llvm::function_ref<std::pair<Value, Value>(Value, int64_t)> body) const {
  return fold(index(0), index(size), sum, [&](Value at, Value before) {
    auto [a, b] = body(at, 1);
    return fma(a, b, before);
  });
}

namespace {
/// A range of columns counted from its first, if their number is known:
/// addresses by that count then have no dynamic part.
class CountedRange {
public:
  CountedRange(const TileCode &code, const ColumnRange &range)
      : code(code), from(range.from), to(range.to) {
    // The backend analyses a single round anyway.
    constexpr int64_t round = 128;
    auto sum = range.to.getDefiningOp<arith::AddIOp>();
    if (getConstantIntValue(from) || !sum || sum.getLhs() != from ||
        getConstantIntValue(sum.getRhs()).value_or(0) <= round)
      return;
    offset = from;
    from = code.index(0);
    to = sum.getRhs();
  }

  Column getColumn(Value counted) const {
    if (!offset)
      return {counted, std::nullopt, 1};
    Value column =
        arith::AddIOp::create(code.builder, code.loc, counted, offset,
                              arith::IntegerOverflowFlags::nsw);
    return {column, std::nullopt, 1};
  }

  const TileCode &code;
  Value from, to;

private:
  Value offset;
};
} // namespace

void TileCode::forColumns(const ColumnRange &range, const ColumnOrder &,
                          llvm::function_ref<void(const Column &)> body) const {
  CountedRange counted(*this, range);
  columns(counted.from, counted.to, [&](TileCode inner, Value column) {
    Moved moved(*this, inner);
    body(counted.getColumn(column));
  });
}

Value TileCode::sumColumns(
    const ColumnRange &range, const ColumnOrder &,
    llvm::function_ref<Value(const Column &)> body) const {
  CountedRange counted(*this, range);
  return sumOf(counted.from, counted.to,
               [&](Value column) { return body(counted.getColumn(column)); });
}

Value TileCode::maxColumns(
    const ColumnRange &range, const ColumnOrder &,
    llvm::function_ref<Value(const Column &)> body) const {
  CountedRange counted(*this, range);
  Value largest = reduce(tile::Reduction::Max, counted.from, counted.to,
                         [&](TileCode inner, Value column) {
                           Moved moved(*this, inner);
                           return body(counted.getColumn(column));
                         });
  return max(f32(0), largest);
}
