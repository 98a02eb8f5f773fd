//===- Product.cpp - the innermost loop of matrix products ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Product.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

TileShape TileShape::forGemm(const CpuTarget &target) {
  switch (target.vectorBits) {
  case 512:
    return {6, 4};
  case 256:
    return {6, 2};
  default:
    return {4, 2};
  }
}

TileShape TileShape::forAttention(const CpuTarget &target) {
  return {target.vectorBits == 512 ? 8 : 4, 2};
}

Values cpugen::zeroSums(Code &code, TileShape shape) {
  return Values(shape.rows * shape.vectors,
                code.real(code.f32Type(code.lanes()), 0));
}

/// Bytes of a line of the cache.
static constexpr int64_t kLineBytes = 64;

namespace {
/// Writes one step.
class StepCode {
public:
  StepCode(Code &code, const ProductOperands &operands, int64_t vectors)
      : code(code), operands(operands), vectors(vectors) {}

  void emit(Value step, MutableArrayRef<Value> sums) {
    Value at = code.mulI(step, operands.rightStep);
    int64_t lanes = code.lanes();
    Values right;
    for (int64_t v = 0; v < vectors; ++v)
      right.push_back(
          loadRight(code.addI(at, v * lanes * (operands.inPairs ? 2 : 1))));
    prefetch(step);
    Value leftAt = code.mulI(step, operands.leftStep);
    for (auto [i, leftRow] : llvm::enumerate(operands.leftRows)) {
      Value left = loadLeft(leftRow, leftAt);
      for (int64_t v = 0; v < vectors; ++v) {
        Value &sum = sums[i * vectors + v];
        sum = multiplyAdd(left, right[v], sum);
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
    Value first = code.mulI(step, operands.aheadBytes);
    for (int64_t line = 0; line < operands.aheadBytes; line += kLineBytes)
      code.prefetch(code.address(operands.ahead, code.addI(first, line),
                                 code.builder.getI8Type()));
  }

  Value loadRight(Value position) {
    if (operands.inPairs)
      return code.loadRaw(operands.right, pairType(), position);
    return code.load(operands.right, operands.rightType, position,
                     code.lanes());
  }

  Value loadLeft(Value row, Value position) {
    if (!operands.inPairs)
      return code.splat(code.loadRaw(row, code.f32Type(1), position),
                        code.lanes());
    Value pair = code.loadRaw(row, code.builder.getI32Type(), position);
    return LLVM::BitcastOp::create(code.builder, code.loc, pairType(),
                                   code.splat(pair, code.lanes()));
  }

  Value multiplyAdd(Value left, Value right, Value sum) {
    if (!operands.inPairs)
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
