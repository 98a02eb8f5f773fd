//===- DigitProducts.cpp - multiplies codes with digits by bytes or words -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CodePanels.h"

#include <numeric>

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Prefetch distance for codes that become words: they are consumed faster than
/// the processor prefetches itself.
static constexpr int64_t kWordsAheadBytes = 2048;

Value CodePanels::getBias(Value panel, Value group, int64_t v) {
  Type i32 = code.typed(code.builder.getI32Type(), code.lanes());
  bool hasSigns = digits->bytes == 2;
  Value own = code.integer(i32, isPacked() || hasSigns ? 0 : 128);
  if (!tensors.zeros && hasSigns)
    return {};
  if (!tensors.zeros)
    return isPacked() ? code.integer(i32, 8) : own;
  Value bytes = code.loadRaw(tensors.zeros,
                             code.typed(code.builder.getI8Type(), code.lanes()),
                             at(panel, groups, group, v));
  return arith::AddIOp::create(
      code.builder, code.loc, own,
      arith::ExtSIOp::create(code.builder, code.loc, i32, bytes));
}

int64_t CodePanels::getDigitBytes() {
  return digits->count *
         (depth * digits->bytes + groups * int64_t(sizeof(int32_t)));
}

Value CodePanels::getQuad(const DigitRow &row, Value quad, int64_t digit,
                          int64_t half) {
  int64_t line = digit * depth + half * depth / 2;
  return code.splat(code.loadRaw(row.digits, code.builder.getI32Type(),
                                 code.addI(quad, line / kQuad)),
                    code.lanes());
}

Value CodePanels::getQuadOfWords(const DigitRow &row, Value quad,
                                 int64_t digit) {
  Value words = code.loadRaw(row.digits, code.builder.getI64Type(),
                             code.addI(quad, digit * depth / kQuad));
  return LLVM::BitcastOp::create(
      code.builder, code.loc,
      code.typed(code.builder.getI16Type(), 2 * code.lanes()),
      code.splat(words, code.lanes() / 2));
}

/// Behind the digits: for each of them, one per group.
Value CodePanels::getDigitSum(Value number, int64_t digit) {
  int64_t size = digits->count * depth * digits->bytes;
  return code.addI(number, size / int64_t(sizeof(int32_t)) + digit * groups);
}

std::pair<Value, Value> CodePanels::getQuads(Value number) {
  int64_t together = std::min(group, depth) / (getInputs() * kQuad);
  Value first = code.mulI(number, together);
  return {first, code.minI(code.subI(code.index(steps / kQuad), first),
                           code.index(together))};
}

/// As many as sums of 16 bits hold, and every group has a multiple of.
int64_t CodePanels::getQuadsTogether() {
  if (code.target.hasByteProducts)
    return 1;
  int64_t inputs = getInputs() * kQuad, most = kMostNarrowPairs / getInputs();
  int64_t whole = std::min(group, depth) / inputs,
          last = depth % group / inputs;
  return std::gcd(std::gcd(whole, last), most);
}

void CodePanels::writeDigitSums(const DigitRow &row) {
  OpBuilder &builder = code.builder;
  bool areWords = digits->bytes == 2;
  if (areWords && !tensors.zeros)
    return;
  Type i32 = code.typed(builder.getI32Type(), code.lanes());
  code.loop(code.index(0), code.index(groups), 1, [&](Value number) {
    auto [first, count] = getQuads(number);
    Value start = first;
    Values sums = code.loop(
        code.index(0), count, 1, Values(digits->count, code.integer(i32, 0)),
        [&](Value place, ValueRange carried) -> Values {
          Value quad = code.addI(start, place);
          if (areWords) {
            Values next(carried);
            for (int64_t digit = 0; digit < digits->count; ++digit) {
              Value words = getQuadOfWords(row, quad, digit);
              next[digit] = addWordProducts(code, next[digit], words,
                                            code.integer(words.getType(), 1));
            }
            return next;
          }
          ByteSums next(code, carried);
          for (int64_t digit = 0; digit < digits->count; ++digit)
            for (int64_t half = 0; half < getInputs(); ++half)
              next.add(digit, code.integer(i32, 0x01010101),
                       getQuad(row, quad, digit, half));
          return next.finish();
        });
    for (int64_t digit = 0; digit < digits->count; ++digit) {
      Value sum = vector::ExtractOp::create(builder, code.loc, sums[digit], 0);
      if (areWords)
        sum = arith::AddIOp::create(
            builder, code.loc, sum,
            vector::ExtractOp::create(builder, code.loc, sums[digit], 1));
      code.storeRaw(sum, row.digits, getDigitSum(number, digit));
    }
  });
}

/// Returns [row][digit][vector].
Values CodePanels::sumBytes(Value panel, Value number,
                            ArrayRef<DigitRow> rows) {
  OpBuilder &builder = code.builder;
  Type i32 = code.typed(builder.getI32Type(), code.lanes());
  int64_t inputs = getInputs(), quads = steps / kQuad, width = vectors();
  auto [firstQuad, count] = getQuads(number);
  Value first = firstQuad;
  auto bits = [&](int64_t value) { return code.integer(i32, value); };
  auto getCodes = [&](Value bytes, int64_t half) -> Value {
    if (!isPacked())
      return arith::XOrIOp::create(builder, code.loc, bytes,
                                   bits(int32_t(0x80808080)));
    if (half == 1)
      bytes = arith::ShRUIOp::create(builder, code.loc, bytes, bits(4));
    return arith::AndIOp::create(builder, code.loc, bytes, bits(0x0F0F0F0F));
  };
  auto addQuad = [&](Value quad, ByteSums &sums) {
    if (int64_t ahead = code.target.codesAhead)
      prefetch(code.addI(code.mulI(at(panel, quads, quad, 0), kQuad), ahead),
               kQuad * columns);
    Values bytes;
    for (int64_t v = 0; v < width; ++v)
      bytes.push_back(
          code.loadRaw(tensors.codes, i32, at(panel, quads, quad, v)));
    for (int64_t half = 0; half < inputs; ++half) {
      Values codes;
      for (Value both : bytes)
        codes.push_back(getCodes(both, half));
      int64_t sum = 0;
      for (const DigitRow &row : rows)
        for (int64_t digit = 0; digit < digits->count; ++digit) {
          Value signedBytes = getQuad(row, quad, digit, half);
          for (int64_t v = 0; v < width; ++v)
            sums.add(sum++, codes[v], signedBytes);
        }
    }
  };
  int64_t together = getQuadsTogether();
  int64_t numSums = int64_t(rows.size()) * digits->count * width;
  return code.loop(code.index(0), count, together, Values(numSums, bits(0)),
                   [&](Value place, ValueRange carried) -> Values {
                     ByteSums next(code, carried);
                     for (int64_t q = 0; q < together; ++q)
                       addQuad(code.addI(first, code.addI(place, q)), next);
                     return next.finish();
                   });
}

/// A register holds the words of a quad for half as many columns, and their
/// products form two sums for each.
Values CodePanels::sumWords(Value panel, Value number, const DigitRow &row) {
  OpBuilder &builder = code.builder;
  int64_t lanes = code.lanes(), quads = steps / kQuad, width = vectors();
  Value zero = code.integer(code.typed(builder.getI32Type(), lanes), 0);
  auto [firstQuad, count] = getQuads(number);
  Value first = firstQuad;
  Values parts = code.loop(
      code.index(0), count, 1, Values(2 * digits->count * width, zero),
      [&](Value place, ValueRange carried) -> Values {
        Values next(carried);
        Value quad = code.addI(first, place);
        Value start = code.mulI(at(panel, quads, quad, 0), kQuad);
        prefetch(code.addI(start, kWordsAheadBytes), kQuad * columns);
        Values words;
        for (int64_t half = 0; half < 2 * width; ++half)
          words.push_back(arith::ExtSIOp::create(
              builder, code.loc, code.typed(builder.getI16Type(), 2 * lanes),
              code.loadRaw(tensors.codes,
                           code.typed(builder.getI8Type(), 2 * lanes),
                           code.addI(start, half * 2 * lanes))));
        for (int64_t digit = 0; digit < digits->count; ++digit) {
          Value factors = getQuadOfWords(row, quad, digit);
          for (int64_t half = 0; half < 2 * width; ++half) {
            Value &sum = next[digit * 2 * width + half];
            sum = addWordProducts(code, sum, words[half], factors);
          }
        }
        return next;
      });
  Values sums;
  for (int64_t i = 0; i < digits->count * width; ++i) {
    auto every = [&](int64_t from) -> Value {
      SmallVector<int64_t> order;
      for (int64_t lane = from; lane < 2 * lanes; lane += 2)
        order.push_back(lane);
      return vector::ShuffleOp::create(builder, code.loc, parts[2 * i],
                                       parts[2 * i + 1], order);
    };
    sums.push_back(
        arith::AddIOp::create(builder, code.loc, every(0), every(1)));
  }
  return sums;
}

/// Adds the scaled sums of a group. The common offset of all codes is
/// multiplied by the sum of the digits.
Values CodePanels::addDigitGroup(Value panel, Value number,
                                 ArrayRef<DigitRow> rows, Values sums) {
  OpBuilder &builder = code.builder;
  int64_t width = vectors();
  Values own = digits->bytes == 1 ? sumBytes(panel, number, rows)
                                  : sumWords(panel, number, rows.front());
  auto getTotal = [&](const DigitRow &row, ArrayRef<Value> ofRow,
                      int64_t v) -> Value {
    Value bias = getBias(panel, number, v), total;
    for (int64_t digit = digits->count; digit-- > 0;) {
      Value sum = ofRow[digit * width + v];
      if (bias) {
        Value all = code.splat(code.loadRaw(row.digits, builder.getI32Type(),
                                            getDigitSum(number, digit)),
                               code.lanes());
        sum = arith::SubIOp::create(
            builder, code.loc, sum,
            arith::MulIOp::create(builder, code.loc, bias, all));
      }
      Value exact = arith::SIToFPOp::create(builder, code.loc,
                                            code.f32Type(code.lanes()), sum);
      total =
          total ? code.fma(total, code.f32(1 << digits->bits), exact) : exact;
    }
    return code.mul(total, code.splat(row.factor, code.lanes()));
  };
  int64_t perRow = digits->count * width;
  for (auto [place, row] : llvm::enumerate(rows))
    for (int64_t v = 0; v < width; ++v) {
      Value &sum = sums[place * width + v];
      sum = code.fma(
          getTotal(row, ArrayRef(own).slice(place * perRow, perRow), v),
          getScale(panel, number, v), sum);
    }
  return sums;
}

int64_t CodePanels::getDigitRowsTogether() const {
  return digits->bytes == 1 && code.target.vectorBits == 512 ? 2 : 1;
}

Values CodePanels::addDigits(Value panel, ArrayRef<DigitRow> rows,
                             const Values &sums) {
  if (groups == 1)
    return addDigitGroup(panel, code.index(0), rows, sums);
  return code.loop(code.index(0), code.index(groups), 1, sums,
                   [&](Value number, ValueRange carried) {
                     return addDigitGroup(panel, number, rows, Values(carried));
                   });
}
