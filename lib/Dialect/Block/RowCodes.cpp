//===- RowCodes.cpp - row models of codes of 8 bits -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Within a row, elements of codes are the numbers that they represent; a store
// turns these into codes. Scales are powers of 2, so divisions and products are
// exact.
//
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/RowCodes.h"

#include "RowModels.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/IntegerLanes.h"
#include <limits>

using namespace mlir;
using namespace parablock;
using namespace parablock::lanes;

/// Returns `value` with elements of `type`, bit for bit.
static Value castBits(const RowCode &code, Value value, Type type) {
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(type);
  return arith::BitcastOp::create(code.builder, code.loc, type, value);
}
static Value toBits(const RowCode &code, Value number) {
  return castBits(code, number, code.builder.getI32Type());
}
static Value fromBits(const RowCode &code, Value bits) {
  return castBits(code, bits, code.builder.getF32Type());
}

/// The bits of an f32: 23 of mantissa, 8 of exponent with this bias, a sign.
static constexpr int64_t mantissaBits = 23, bias = 127;

static Value emitMagnitude(const RowCode &code, Value number) {
  return fromBits(
      code, combine<arith::AndIOp>(code, toBits(code, number), 0x7fffffff));
}
static Value isFinite(const RowCode &code, Value magnitude) {
  return code.less(magnitude,
                   code.f32(std::numeric_limits<double>::infinity()));
}

Value parablock::emitFiniteMagnitude(const RowCode &code, Value number) {
  Value magnitude = emitMagnitude(code, number);
  return code.select(isFinite(code, magnitude), magnitude, code.f32(0));
}

Value parablock::emitGroupScale(const RowCode &code, Value largest) {
  // 448 is 1.75 times 2^8: a mantissa beyond it takes another power of 2.
  constexpr int64_t beyond = (1 << mantissaBits) - (3 << (mantissaBits - 2));
  constexpr int64_t lowest = bias - 116;
  Value bits = combine<arith::AddIOp>(code, toBits(code, largest), beyond - 1);
  Value exponent = combine<arith::ShRUIOp>(code, bits, mantissaBits);
  exponent = combine<arith::AddIOp>(code, exponent, -8);
  exponent = combine<arith::MaxSIOp>(code, exponent, lowest);
  return fromBits(code, combine<arith::ShLIOp>(code, exponent, mantissaBits));
}

Value parablock::emitReciprocal(const RowCode &code, Value scale) {
  // Exponents of a power of 2 and its reciprocal add up to this.
  Value sum = arith::ConstantOp::create(
      code.builder, code.loc,
      code.builder.getI32IntegerAttr(2 * bias << mantissaBits));
  return fromBits(code, combine<arith::SubIOp>(code, sum, toBits(code, scale)));
}

Value parablock::emitNearest(const RowCode &code, Value number) {
  // Adding a power of 2 whose last digit counts as much as that of the result
  // rounds to it, ties to even: 3 digits of the mantissa remain, from 2^-6 on.
  constexpr int64_t lowest = (bias - 6) << mantissaBits;
  constexpr int64_t distance = (mantissaBits - 3) << mantissaBits;
  Value bits = toBits(code, number);
  Value exponent = combine<arith::AndIOp>(code, bits, 0x7f800000);
  exponent = combine<arith::MaxSIOp>(code, exponent, lowest);
  Value power = combine<arith::AddIOp>(code, exponent, distance);
  Value sign = combine<arith::AndIOp>(code, bits, -0x80000000LL);
  power = fromBits(code, combine<arith::OrIOp>(code, power, sign));
  Value nearest = code.sub(code.add(number, power), power);
  nearest = code.max(code.min(nearest, code.f32(448)), code.f32(-448));
  return code.select(isFinite(code, emitMagnitude(code, number)), nearest,
                     code.f32(std::numeric_limits<double>::quiet_NaN()));
}

Value parablock::emitCode(const RowCode &code, Value number) {
  // Three bits of mantissa are those of the f32, with another bias. Below 2^-6,
  // the code counts units of 2^-9: the last digits of a sum with 2^14.
  constexpr int64_t shift = mantissaBits - 3, leastNormal = (bias - 6)
                                                            << mantissaBits;
  Value bits = toBits(code, number);
  Value magnitude = combine<arith::AndIOp>(code, bits, 0x7fffffff);
  Value normal = combine<arith::AddIOp>(
      code, combine<arith::ShRUIOp>(code, magnitude, shift),
      -((bias - 7) << 3));
  Value sum = code.add(fromBits(code, magnitude), code.f32(16384));
  Value small = combine<arith::AndIOp>(code, toBits(code, sum), 7);
  Value least = arith::ConstantOp::create(
      code.builder, code.loc, code.builder.getI32IntegerAttr(leastNormal));
  Value isSmall = compare(code, arith::CmpIPredicate::slt, magnitude, least);
  Value result = code.select(isSmall, small, normal);
  // The largest code is that of no number.
  result = combine<arith::MinSIOp>(code, result, 127);
  Value sign = combine<arith::AndIOp>(
      code, combine<arith::ShRUIOp>(code, bits, 24), 0x80);
  result = combine<arith::OrIOp>(code, result, sign);
  Type byte = code.builder.getI8Type();
  if (auto vector = dyn_cast<VectorType>(result.getType()))
    byte = vector.clone(byte);
  return arith::TruncIOp::create(code.builder, code.loc, byte, result);
}

/// Returns an element as its tensor holds it.
static Value emitStored(RowElements &rows, Value tensor, const Column &column) {
  return rows.code.round(rows.element(tensor, column),
                         getElementTypeOrSelf(tensor.getType()));
}

namespace {
struct GroupScalesRows
    : block::RowStepOpInterface::ExternalModel<GroupScalesRows,
                                               block::GroupScalesOp> {
  bool yieldsStatistics(Operation *) const { return true; }
  int64_t getGroupSize(Operation *op) const {
    return static_cast<int64_t>(cast<block::GroupScalesOp>(op).getGroup());
  }
  void emitFacts(Operation *op, RowElements &rows, Value group) const {
    auto scales = cast<block::GroupScalesOp>(op);
    const RowCode &code = rows.code;
    int64_t size = getGroupSize(op);
    Value length = code.index(size), from = code.mulIndex(group, length);
    Value largest = rows.maxColumns(
        scales.getInput(),
        {from, code.addIndex(from, length), size, /*isPart=*/true},
        [&](const Column &column) {
          return emitFiniteMagnitude(
              code, emitStored(rows, scales.getInput(), column));
        });
    rows.statistic(scales.getResult()) = emitGroupScale(code, largest);
  }
};

template <typename Model, typename Op> struct GroupModel : RowModel<Model, Op> {
  int64_t getGroupSize(Operation *op) const { return cast<Op>(op).getGroup(); }
  std::optional<int64_t> getColumnReach(Operation *op) const {
    return getGroupSize(op);
  }
};

struct EncodeGroupsRows : GroupModel<EncodeGroupsRows, block::EncodeGroupsOp> {
  void emitFacts(Operation *op, RowElements &rows, Value group) const {
    Value scale =
        rows.getStatistic(cast<block::EncodeGroupsOp>(op).getScales(), group);
    rows.fact(op) = emitReciprocal(rows.code, scale);
  }
  Value emit(block::EncodeGroupsOp op, RowElements &rows,
             const Column &column) const {
    const RowCode &code = rows.code;
    Value number = emitStored(rows, op.getInput(), column);
    return emitNearest(code, code.mul(number, rows.fact(op.getOperation())));
  }
};

struct DecodeGroupsRows : GroupModel<DecodeGroupsRows, block::DecodeGroupsOp> {
  void emitFacts(Operation *op, RowElements &rows, Value group) const {
    rows.getStatistic(cast<block::DecodeGroupsOp>(op).getScales(), group);
  }
  Value emit(block::DecodeGroupsOp op, RowElements &rows,
             const Column &column) const {
    return rows.code.mul(rows.element(op.getCodes(), column),
                         rows.statistic(op.getScales()));
  }
};
} // namespace

void parablock::attachCodeRows(MLIRContext &context) {
  block::GroupScalesOp::attachInterface<GroupScalesRows>(context);
  block::EncodeGroupsOp::attachInterface<EncodeGroupsRows>(context);
  block::DecodeGroupsOp::attachInterface<DecodeGroupsRows>(context);
}
