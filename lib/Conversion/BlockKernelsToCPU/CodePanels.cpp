//===- CodePanels.cpp - decodes panels of codes into vectors --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CodePanels.h"

#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Prefetch distance for codes that are converted to f32.
static constexpr int64_t kAheadBytes = 4096;

static int64_t divide(int64_t depth, bool isPacked) {
  return isPacked ? llvm::divideCeil(depth, 2) : depth;
}

/// Sums of products have 32 bits, and scales apply to whole quads. With AVX2,
/// products of bytes fit into 16 bits if codes have 4, which takes a third of
/// the time of converting them to f32; codes of 8 bits are multiplied with
/// words.
static std::optional<DigitForm> chooseDigits(block::UnpackWeightOp unpack,
                                             const CpuTarget &target) {
  bool isInt4 = unpack.getForm() == block::CodeForm::Int4;
  int64_t depth = unpack.getType().getDimSize(1);
  int64_t quad = kQuad * (unpack.isPacked() ? 2 : 1);
  if ((!isInt4 && unpack.getForm() != block::CodeForm::Int8) ||
      unpack.getType().getElementTypeBitWidth() != 16 || depth % quad ||
      unpack.getGroupSize() % quad)
    return std::nullopt;
  constexpr int64_t mostDepth = 65536;
  if (target.hasByteProducts || (isInt4 && target.vectorBits == 256))
    return depth <= mostDepth ? std::optional(kByteDigits) : std::nullopt;
  // Less a zero point, codes have 9 bits.
  int64_t mostWords = unpack.getZeros() ? 4096 : 8192;
  if (target.vectorBits == 256 &&
      std::min<int64_t>(unpack.getGroupSize(), depth) < mostWords)
    return kWordDigits;
  return std::nullopt;
}

PanelLayout cpugen::getCodeLayout(block::UnpackWeightOp unpack,
                                  unsigned operand, PanelLayout layout,
                                  const CpuTarget &target) {
  bool isInQuads = operand == 0 && chooseDigits(unpack, target);
  layout.together = isInQuads ? kQuad : 1;
  layout.depth = operand == 0
                     ? divide(layout.depth, unpack.isPacked())
                     : llvm::divideCeil(layout.depth, unpack.getGroupSize());
  return layout;
}

CodePanels::CodePanels(Code &code, block::UnpackWeightOp unpack,
                       CodeTensors tensors, int64_t columns)
    : code(code), unpack(unpack), tensors(tensors), columns(columns),
      depth(unpack.getType().getDimSize(1)),
      groups(llvm::divideCeil(depth, unpack.getGroupSize())),
      group(unpack.getGroupSize()), steps(divide(depth, unpack.isPacked())),
      digits(chooseDigits(unpack, code.target)) {}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value CodePanels::at(Value panel, int64_t depth, Value step, int64_t v) {
  return place(code.addI(code.mulI(panel, depth), step), v);
}

Value CodePanels::place(Value line, int64_t v) {
  return code.addI(code.mulI(line, columns), v * code.lanes());
}

Value CodePanels::getPanel(Value panel) {
  return code.address(tensors.codes, code.mulI(panel, steps * columns),
                      code.builder.getI8Type());
}

Value CodePanels::loadBytes(Value panel, Value step, int64_t v) {
  if (digits) {
    Type i32 = code.typed(code.builder.getI32Type(), code.lanes());
    Value quads =
        code.loadRaw(tensors.codes, i32,
                     at(panel, steps / kQuad, code.divI(step, kQuad), v));
    Value shift = arith::TruncIOp::create(code.builder, code.loc,
                                          code.builder.getI32Type(),
                                          code.mulI(code.remI(step, kQuad), 8));
    return arith::TruncIOp::create(
        code.builder, code.loc,
        code.typed(code.builder.getI8Type(), code.lanes()),
        arith::ShRUIOp::create(code.builder, code.loc, quads,
                               code.splat(shift, code.lanes())));
  }
  return code.loadRaw(tensors.codes,
                      code.typed(code.builder.getI8Type(), code.lanes()),
                      at(panel, steps, step, v));
}

Value CodePanels::getScale(Value panel, Value group, int64_t v) {
  Type type = getElementTypeOrSelf(unpack.getScales().getType());
  Value place = at(panel, groups, group, v);
  if (!type.isInteger())
    return code.load(tensors.scales, type, place, code.lanes());
  // A power of 2 by its exponent; the smallest one has a mantissa instead.
  Type wide = code.typed(code.builder.getI32Type(), code.lanes());
  Value bytes =
      code.loadRaw(tensors.scales, code.typed(type, code.lanes()), place);
  Value bits = arith::ExtUIOp::create(code.builder, code.loc, wide, bytes);
  auto is = [&](int64_t value) -> Value {
    return arith::CmpIOp::create(code.builder, code.loc,
                                 arith::CmpIPredicate::eq, bits,
                                 code.integer(wide, value));
  };
  Value power = arith::ShLIOp::create(code.builder, code.loc, bits,
                                      code.integer(wide, 23));
  auto choose = [&](Value condition, int64_t value) {
    power = code.select(condition, code.integer(wide, value), power);
  };
  choose(is(0), 0x00400000);
  choose(is(255), 0x7FC00000);
  return arith::BitcastOp::create(code.builder, code.loc,
                                  code.f32Type(code.lanes()), power);
}

Value CodePanels::getZero(Value panel, Value group, int64_t v) {
  if (!tensors.zeros)
    return {};
  Type i8 = code.builder.getI8Type();
  Value bytes = code.loadRaw(tensors.zeros, code.typed(i8, code.lanes()),
                             at(panel, groups, group, v));
  Type wide = code.typed(code.builder.getI32Type(), code.lanes());
  return arith::SIToFPOp::create(
      code.builder, code.loc, code.f32Type(code.lanes()),
      arith::ExtSIOp::create(code.builder, code.loc, wide, bytes));
}

/// Decodes a float of few bits into the bits of an f16, whose exponent differs
/// by a constant that restore() corrects. The magnitude `number` is NaN.
Value CodePanels::decodeFloat(Value bytes, int64_t shift, int64_t number,
                              int64_t signBit) {
  Type i16 = code.typed(code.builder.getI16Type(), code.lanes());
  OpBuilder &builder = code.builder;
  auto mask = [&](Value value, int64_t bits) -> Value {
    return arith::AndIOp::create(builder, code.loc, value,
                                 code.integer(i16, bits));
  };
  auto left = [&](Value value, int64_t by) -> Value {
    return arith::ShLIOp::create(builder, code.loc, value,
                                 code.integer(i16, by));
  };
  Value wide = arith::ExtUIOp::create(builder, code.loc, i16, bytes);
  Value sign = left(mask(wide, signBit), 15 - llvm::Log2_64(signBit));
  Value magnitude = mask(wide, signBit - 1);
  Value bits = left(magnitude, shift);
  if (number) {
    Value isNone =
        arith::CmpIOp::create(builder, code.loc, arith::CmpIPredicate::eq,
                              magnitude, code.integer(i16, number));
    bits = code.select(isNone, code.integer(i16, 0x7E00), bits);
  }
  bits = arith::OrIOp::create(builder, code.loc, bits, sign);
  return fromBits(code, bits, builder.getF16Type());
}

Value CodePanels::restore(Value value) {
  if (hasTable())
    return value;
  switch (unpack.getForm()) {
  case block::CodeForm::Int8:
  case block::CodeForm::Int4:
    return value;
  case block::CodeForm::MxFp4:
    return code.mul(value, 0x1p14);
  case block::CodeForm::Fp8:
    return code.mul(value, 0x1p8);
  }
  llvm_unreachable("unknown form");
}

/// The registers of AVX-512 hold a number for each code of four bits.
bool CodePanels::hasTable() {
  return isPacked() && code.target.vectorBits == 512;
}

/// Only the low four bits of each index count.
Value CodePanels::lookUp(Value indices) {
  static constexpr float magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  SmallVector<float> numbers;
  for (int number = 0; number < 16; ++number)
    if (unpack.getForm() == block::CodeForm::MxFp4)
      numbers.push_back(number < 8 ? magnitudes[number]
                                   : -magnitudes[number - 8]);
    else
      numbers.push_back(
          static_cast<float>(tensors.zeros ? number : number - 8));
  auto type = cast<VectorType>(code.f32Type(16));
  Value table = arith::ConstantOp::create(
      code.builder, code.loc,
      DenseElementsAttr::get(type, ArrayRef<float>(numbers)));
  return LLVM::CallIntrinsicOp::create(
             code.builder, code.loc, type,
             code.builder.getStringAttr("llvm.x86.avx512.permvar.sf.512"),
             ValueRange{table, indices})
      .getResult(0);
}

/// Four bits from bit `shift` on, of a table's numbers or whole ones.
Value CodePanels::decodeHalf(Value wide, int64_t shift, Value zero) {
  OpBuilder &builder = code.builder;
  Type i32 = wide.getType();
  if (shift)
    wide = arith::ShRUIOp::create(builder, code.loc, wide,
                                  code.integer(i32, shift));
  if (hasTable()) {
    Value number = lookUp(wide);
    return zero ? code.sub(number, zero) : number;
  }
  Type f32 = code.f32Type(code.lanes());
  Value own =
      arith::AndIOp::create(builder, code.loc, wide, code.integer(i32, 15));
  if (zero)
    return code.sub(arith::SIToFPOp::create(builder, code.loc, f32, own), zero);
  return arith::SIToFPOp::create(
      builder, code.loc, f32,
      arith::SubIOp::create(builder, code.loc, own, code.integer(i32, 8)));
}

Value CodePanels::decode(Value bytes, bool isHigh, Value zero) {
  OpBuilder &builder = code.builder;
  Type i32 = code.typed(builder.getI32Type(), code.lanes());
  Type f32 = code.f32Type(code.lanes());
  auto shiftRight = [&](Value value, int64_t by) -> Value {
    return arith::ShRUIOp::create(builder, code.loc, value,
                                  code.integer(value.getType(), by));
  };
  auto takeHalf = [&] {
    return decodeHalf(arith::ExtUIOp::create(builder, code.loc, i32, bytes),
                      isHigh ? 4 : 0, zero);
  };
  if (hasTable())
    return takeHalf();
  switch (unpack.getForm()) {
  case block::CodeForm::Int8: {
    Value number = arith::SIToFPOp::create(
        builder, code.loc, f32,
        arith::ExtSIOp::create(builder, code.loc, i32, bytes));
    return zero ? code.sub(number, zero) : number;
  }
  case block::CodeForm::Int4:
    return takeHalf();
  case block::CodeForm::MxFp4:
    // For the low half, the bits above it are masked.
    return decodeFloat(
        isHigh ? shiftRight(bytes, 4)
               : arith::AndIOp::create(builder, code.loc, bytes,
                                       code.integer(bytes.getType(), 15))
                     .getResult(),
        /*shift=*/9, /*number=*/0, /*signBit=*/8);
  case block::CodeForm::Fp8:
    return decodeFloat(bytes, /*shift=*/7, /*number=*/127, /*signBit=*/128);
  }
  llvm_unreachable("unknown form");
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void CodePanels::prefetch(Value first, int64_t bytes) {
  for (int64_t line = 0; line < bytes; line += 64)
    code.prefetch(code.address(tensors.codes, code.addI(first, line),
                               code.builder.getI8Type()));
}

/// Sums of a group are scaled at its end if there is one row or one group;
/// otherwise the weights are scaled, since registers cannot hold a second set
/// of sums.
Values CodePanels::addGroup(Value panel, const Group &group, ValueRange rows,
                            Values sums) {
  int64_t inputs = isPacked() ? 2 : 1;
  bool scalesSums = rows.size() == 1 || groups == 1;
  Values scales, zeros;
  for (int64_t v = 0; v < vectors(); ++v) {
    scales.push_back(getScale(panel, group.number, v));
    zeros.push_back(getZero(panel, group.number, v));
  }
  auto multiply = [&](Value step, int64_t half, MutableArrayRef<Value> own) {
    Value input =
        code.addI(group.first, code.addI(code.mulI(step, inputs), half));
    Value line =
        code.addI(isPacked() ? code.divI(group.first, 2) : group.first, step);
    Values numbers;
    for (int64_t v = 0; v < vectors(); ++v) {
      Value number = decode(loadBytes(panel, line, v), half == 1, zeros[v]);
      numbers.push_back(scalesSums ? number
                                   : code.mul(restore(number), scales[v]));
    }
    for (auto [i, row] : llvm::enumerate(rows)) {
      Value left =
          code.splat(code.loadRaw(row, code.f32Type(1), input), code.lanes());
      for (int64_t v = 0; v < vectors(); ++v) {
        Value &sum = own[i * vectors() + v];
        sum = code.fma(left, numbers[v], sum);
      }
    }
  };
  // One row has registers for several sums that do not wait for each other.
  size_t count = sums.size();
  int64_t whole = group.steps / inputs;
  int64_t unroll =
      rows.size() == 1 || digits ? std::gcd<int64_t>(whole, kQuad) : 1;
  int64_t sets = rows.size() == 1 ? std::max(unroll, inputs) : 1;
  Value zero = code.real(code.f32Type(code.lanes()), 0);
  Values own = scalesSums ? Values() : sums;
  own.resize(count * sets, zero);
  own = code.loop(
      code.index(0), code.index(whole), unroll, own,
      [&](Value step, ValueRange carried) -> Values {
        Values next(carried);
        for (int64_t u = 0; u < unroll; ++u) {
          Value place = code.addI(step, u);
          if (rows.size() == 1) {
            Value line = code.addI(
                isPacked() ? code.divI(group.first, 2) : group.first, place);
            prefetch(code.addI(at(panel, steps, line, 0), kAheadBytes),
                     columns);
          }
          for (int64_t half = 0; half < inputs; ++half)
            multiply(place, half,
                     MutableArrayRef(next).slice(
                         (u * inputs + half) % sets * count, count));
        }
        return next;
      });
  if (whole * inputs < group.steps)
    multiply(code.index(whole), 0, MutableArrayRef(own).take_front(count));
  for (int64_t set = 1; set < sets; ++set)
    for (size_t i = 0; i < count; ++i)
      own[i] = code.add(own[i], own[set * count + i]);
  own.resize(count);
  if (!scalesSums)
    return own;
  for (size_t i = 0; i < count; ++i)
    own[i] = code.fma(restore(own[i]), scales[i % vectors()], sums[i]);
  return own;
}

Values CodePanels::addProducts(Value panel, ValueRange rows, Values sums) {
  int64_t whole = depth / group;
  if (whole == 1)
    sums = addGroup(panel, {code.index(0), code.index(0), group}, rows, sums);
  else if (whole > 1)
    sums = code.loop(code.index(0), code.index(whole), 1, sums,
                     [&](Value number, ValueRange carried) {
                       return addGroup(
                           panel, {number, code.mulI(number, group), group},
                           rows, Values(carried));
                     });
  if (int64_t rest = depth % group)
    sums = addGroup(panel, {code.index(whole), code.index(whole * group), rest},
                    rows, sums);
  return sums;
}

Value CodePanels::getWeights(Value panel, Value step, bool isHigh, int64_t v) {
  // Groups are even where a byte holds two codes.
  Value number = code.divI(code.mulI(step, isPacked() ? 2 : 1), group);
  Value codes =
      decode(loadBytes(panel, step, v), isHigh, getZero(panel, number, v));
  return code.mul(restore(codes), getScale(panel, number, v));
}

/// The bytes of a quad are in one integer, and are used in place: an index into
/// a table depends on its low bits alone.
Values CodePanels::getQuadWeights(Value panel, Value quad, int64_t v) {
  OpBuilder &builder = code.builder;
  Type i32 = code.typed(builder.getI32Type(), code.lanes());
  Value number = code.divI(code.mulI(quad, kQuad * getInputs()), group);
  Value scale = getScale(panel, number, v), zero = getZero(panel, number, v);
  Value bytes =
      code.loadRaw(tensors.codes, i32, at(panel, steps / kQuad, quad, v));
  auto getNumber = [&](int64_t shift) -> Value {
    if (isPacked())
      return decodeHalf(bytes, shift, zero);
    Value top = arith::ShLIOp::create(builder, code.loc, bytes,
                                      code.integer(i32, 24 - shift));
    Value own = arith::SIToFPOp::create(
        builder, code.loc, code.f32Type(code.lanes()),
        arith::ShRSIOp::create(builder, code.loc, top, code.integer(i32, 24)));
    return zero ? code.sub(own, zero) : own;
  };
  Values weights;
  for (int64_t shift = 0; shift < 32; shift += 8 / getInputs())
    weights.push_back(code.mul(getNumber(shift), scale));
  return weights;
}

/// Calls `write` with each vector of the weights of a quad, and the index of
/// its first input relative to `first`.
void CodePanels::forQuads(
    Value panel, Value first, Value count,
    llvm::function_ref<void(Value, int64_t, Values)> write) {
  int64_t inputs = kQuad * getInputs();
  Value firstQuad = code.divI(first, inputs);
  code.loop(code.index(0), code.ceilDivI(count, inputs), 1, [&](Value quad) {
    for (int64_t v = 0; v < vectors(); ++v)
      write(code.mulI(quad, inputs), v,
            getQuadWeights(panel, code.addI(firstQuad, quad), v));
  });
}

void CodePanels::writeNumbers(Value panel, Value first, Value count,
                              Value buffer) {
  if (digits) {
    forQuads(panel, first, count, [&](Value input, int64_t v, Values weights) {
      for (auto [number, weight] : llvm::enumerate(weights))
        code.storeRaw(weight, buffer, place(code.addI(input, number), v));
    });
    return;
  }
  int64_t inputs = isPacked() ? 2 : 1;
  Value firstStep = code.divI(first, inputs);
  auto write = [&](Value step) {
    Value own = code.addI(firstStep, step);
    for (int64_t v = 0; v < vectors(); ++v) {
      Values weights;
      for (int64_t half = 0; half < inputs; ++half)
        weights.push_back(getWeights(panel, own, half == 1, v));
      for (auto [half, weight] : llvm::enumerate(weights)) {
        Value line = code.addI(code.mulI(step, inputs), half);
        code.storeRaw(weight, buffer, place(line, v));
      }
    }
  };
  code.loop(code.index(0), code.ceilDivI(count, inputs), 1, write);
}

void CodePanels::writePairs(Value panel, Value first, Value count, Value buffer,
                            Type type) {
  if (digits) {
    forQuads(panel, code.mulI(first, 2), code.mulI(count, 2),
             [&](Value input, int64_t v, Values weights) {
               Value pair = code.divI(input, 2);
               for (size_t i = 0; i < weights.size(); i += 2)
                 code.storeRaw(
                     joinPairs(code, weights[i], weights[i + 1], type), buffer,
                     place(code.addI(pair, i / 2), v));
             });
    return;
  }
  code.loop(code.index(0), count, 1, [&](Value pair) {
    Value own = code.addI(first, pair);
    for (int64_t v = 0; v < vectors(); ++v) {
      Value step = isPacked() ? own : code.mulI(own, 2);
      Value even = getWeights(panel, step, /*isHigh=*/false, v);
      Value odd = isPacked() ? getWeights(panel, step, /*isHigh=*/true, v)
                             : getWeights(panel, code.addI(step, 1), false, v);
      code.storeRaw(joinPairs(code, even, odd, type), buffer, place(pair, v));
    }
  });
}
