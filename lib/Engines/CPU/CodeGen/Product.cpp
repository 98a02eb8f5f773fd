//===- Product.cpp - the innermost loop of matrix products ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Product.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

Values cpugen::zeroSums(Code &code, CpuTile shape) {
  return Values(shape.rows * shape.vectors,
                code.real(code.f32Type(code.lanes()), 0));
}

namespace {
/// Writes one step.
class StepCode {
public:
  StepCode(Code &code, const ProductOperands &operands, int64_t vectors)
      : code(code), operands(operands), vectors(vectors) {}

  void emit(Value step, MutableArrayRef<Value> sums) {
    Value at = code.mulI(step, operands.rightStep);
    int64_t lanes = code.lanes();
    SmallVector<Values> right;
    for (int64_t v = 0; v < vectors; ++v)
      right.push_back(
          loadRight(code.addI(at, v * lanes * (operands.inPairs ? 2 : 1))));
    prefetch(step);
    Value leftAt = code.mulI(step, operands.leftStep);
    for (auto [i, leftRow] : llvm::enumerate(operands.leftRows)) {
      Values left = loadLeft(leftRow, leftAt);
      for (int64_t v = 0; v < vectors; ++v) {
        Value &sum = sums[i * vectors + v];
        for (auto [a, b] : llvm::zip_equal(left, right[v]))
          sum = multiplyAdd(a, b, sum);
      }
    }
  }

private:
  Type pairType() {
    return VectorType::get(2 * code.lanes(), code.builder.getBF16Type());
  }

  void prefetch(Value step) {
    if (!operands.ahead)
      return;
    Value first = code.mulI(step, operands.aheadStep);
    for (int64_t line = 0; line < operands.aheadLines; ++line)
      code.prefetch(code.address(operands.ahead,
                                 code.addI(first, line * kLineBytes),
                                 code.builder.getI8Type()));
  }

  /// True where an instruction multiplies pairs; others are taken apart.
  bool isDot() const { return operands.inPairs && operands.rightType.isBF16(); }

  Values loadRight(Value position) {
    if (isDot())
      return {code.loadRaw(operands.right, pairType(), position)};
    if (operands.inPairs)
      return takeApart(code.loadRaw(
          operands.right, code.typed(code.builder.getI32Type(), code.lanes()),
          code.divI(position, 2)));
    return {
        code.load(operands.right, operands.rightType, position, code.lanes())};
  }

  Values loadLeft(Value row, Value position) {
    if (!operands.inPairs)
      return {code.splat(code.loadRaw(row, code.f32Type(1), position),
                         code.lanes())};
    Value pair = code.loadRaw(row, code.builder.getI32Type(), position);
    if (isDot())
      return {LLVM::BitcastOp::create(code.builder, code.loc, pairType(),
                                      code.splat(pair, code.lanes()))};
    return takeApart(pair);
  }

  /// Both elements of pairs, which are i32, as f32.
  Values takeApart(Value pairs) {
    Value half = code.integer(pairs.getType(), 16);
    Value second = arith::ShRUIOp::create(code.builder, code.loc, pairs, half);
    Values elements;
    for (Value wide : {pairs, second})
      elements.push_back(
          fromBits(code,
                   arith::TruncIOp::create(
                       code.builder, code.loc,
                       code.likeType(wide, code.builder.getI16Type()), wide),
                   operands.rightType));
    return elements;
  }

  Value multiplyAdd(Value left, Value right, Value sum) {
    if (!isDot())
      return code.fma(left, right, sum);
    return LLVM::CallIntrinsicOp::create(
               code.builder, code.loc, sum.getType(),
               code.builder.getStringAttr("llvm.x86.avx512bf16.dpbf16ps.512"),
               ValueRange{sum, left, right})
        .getResult(0);
  }

  Code &code;
  const ProductOperands &operands;
  int64_t vectors;
};
} // namespace

Values cpugen::emitProduct(Code &code, const ProductOperands &operands,
                           Value steps, const Values &sums, int64_t unroll) {
  size_t count = sums.size();
  Values initial = sums;
  Value zero = code.real(code.f32Type(code.lanes()), 0);
  initial.resize(count * unroll, zero);
  StepCode stepCode(code, operands, count / operands.leftRows.size());
  Values result = code.loop(
      code.index(0), steps, unroll, initial,
      [&](Value step, ValueRange carried) -> Values {
        Values next(carried);
        for (int64_t u = 0; u < unroll; ++u)
          stepCode.emit(code.addI(step, u),
                        MutableArrayRef(next).slice(u * count, count));
        return next;
      });
  for (int64_t u = 1; u < unroll; ++u)
    for (size_t i = 0; i < count; ++i)
      result[i] = code.add(result[i], result[u * count + i]);
  result.resize(count);
  return result;
}
