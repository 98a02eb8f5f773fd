//===- Product.cpp - emits the innermost loop of a product ----------------===//
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

Values cpugen::loadSums(Code &code, CpuTile shape, Value isFirst, Value memory,
                        llvm::function_ref<Value(int64_t)> getPlace) {
  int64_t count = shape.rows * shape.vectors;
  Type wide = code.f32Type(code.lanes());
  return code.ifElse(
      isFirst, SmallVector<Type>(count, wide),
      [&] { return zeroSums(code, shape); },
      [&] {
        Values known;
        for (int64_t number = 0; number < count; ++number)
          known.push_back(code.loadRaw(memory, wide, getPlace(number)));
        return known;
      });
}

Value cpugen::addPairProducts(Code &code, Value sums, Value left, Value right) {
  return LLVM::CallIntrinsicOp::create(
             code.builder, code.loc, sums.getType(),
             code.builder.getStringAttr("llvm.x86.avx512bf16.dpbf16ps.512"),
             ValueRange{sums, left, right})
      .getResult(0);
}

Values cpugen::takePairsApart(Code &code, Value pairs, Type type) {
  Value half = code.integer(pairs.getType(), 16);
  Value second = arith::ShRUIOp::create(code.builder, code.loc, pairs, half);
  Values elements;
  for (Value wide : {pairs, second})
    elements.push_back(fromBits(
        code,
        arith::TruncIOp::create(code.builder, code.loc,
                                code.likeType(wide, code.builder.getI16Type()),
                                wide),
        type));
  return elements;
}

namespace {
/// Writes steps.
class StepCode {
public:
  StepCode(Code &code, const ProductOperands &operands, int64_t vectors)
      : code(code), operands(operands), vectors(vectors) {}

  /// Generates the adjacent steps starting at `step`. `getSums` returns the
  /// sums that each of them adds to.
  void emit(Value step,
            llvm::function_ref<MutableArrayRef<Value>(int64_t)> getSums) {
    Value at = code.mulI(step, operands.rightStep);
    int64_t lanes = code.lanes();
    int64_t elements = operands.inPairs ? 2 : operands.rightSteps;
    SmallVector<Values> right;
    for (int64_t v = 0; v < vectors; ++v)
      right.push_back(loadRight(code.addI(at, v * lanes * elements)));
    prefetch(step);
    for (int64_t own = 0; own < operands.rightSteps; ++own) {
      MutableArrayRef<Value> sums = getSums(own);
      Value leftAt = code.mulI(code.addI(step, own), operands.leftStep);
      for (auto [i, leftRow] : llvm::enumerate(operands.leftRows)) {
        Values left = loadLeft(leftRow, leftAt);
        for (int64_t v = 0; v < vectors; ++v) {
          Value &sum = sums[i * vectors + v];
          for (auto [a, b] : llvm::zip_equal(
                   left, ArrayRef(right[v]).slice(own, left.size())))
            sum = multiplyAdd(a, b, sum);
        }
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

  /// Returns true if an instruction multiplies pairs; otherwise they are split.
  bool isDot() const { return operands.inPairs && operands.rightType.isBF16(); }

  Values loadRight(Value position) {
    if (isDot())
      return {code.loadRaw(operands.right, pairType(), position)};
    if (operands.inPairs || operands.rightSteps == 2)
      return takePairsApart(
          code,
          code.loadRaw(operands.right,
                       code.typed(code.builder.getI32Type(), code.lanes()),
                       code.divI(position, 2)),
          operands.rightType);
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
    return takePairsApart(code, pair, operands.rightType);
  }

  Value multiplyAdd(Value left, Value right, Value sum) {
    return isDot() ? addPairProducts(code, sum, left, right)
                   : code.fma(left, right, sum);
  }

  Code &code;
  const ProductOperands &operands;
  int64_t vectors;
};
} // namespace

/// Moves addresses to step `first`: inner loops that begin at 0 have fewer
/// instructions per iteration.
static ProductOperands startAt(Code &code, ProductOperands operands,
                               Value first) {
  for (Value &row : operands.leftRows)
    row =
        code.address(row, code.mulI(first, operands.leftStep), code.f32Type(1));
  operands.right = code.address(
      operands.right, code.mulI(first, operands.rightStep), operands.rightType);
  if (operands.ahead)
    operands.ahead =
        code.address(operands.ahead, code.mulI(first, operands.aheadStep),
                     code.builder.getI8Type());
  return operands;
}

Values cpugen::emitProduct(Code &code, const ProductOperands &operands,
                           Value steps, int64_t mostSteps, int64_t vectors,
                           llvm::function_ref<Values()> getBefore,
                           int64_t unroll) {
  size_t count = operands.leftRows.size() * vectors;
  Value zero = code.real(code.f32Type(code.lanes()), 0);
  int64_t turn = std::max(unroll, operands.rightSteps);
  auto addUp = [&](const ProductOperands &chain, Value steps) {
    StepCode stepCode(code, chain, vectors);
    Values result =
        code.loop(code.index(0), steps, turn, Values(count * unroll, zero),
                  [&](Value step, ValueRange carried) -> Values {
                    Values next(carried);
                    for (int64_t u = 0; u < turn; u += chain.rightSteps)
                      stepCode.emit(code.addI(step, u), [&](int64_t own) {
                        return MutableArrayRef(next).slice(
                            (u + own) % unroll * count, count);
                      });
                    return next;
                  });
    for (int64_t u = 1; u < unroll; ++u)
      for (size_t i = 0; i < count; ++i)
        result[i] = code.add(result[i], result[u * count + i]);
    result.resize(count);
    return result;
  };
  int64_t chainSteps = kChainSteps * unroll;
  if (mostSteps <= chainSteps) {
    Values own = addUp(operands, steps);
    return getBefore ? addSums(code, getBefore(), own) : own;
  }
  return code.loop(code.index(0), steps, chainSteps,
                   getBefore ? getBefore() : Values(count, zero),
                   [&](Value first, ValueRange before) {
                     Value left = code.subI(steps, first);
                     Value number = code.minI(left, code.index(chainSteps));
                     return addSums(
                         code, before,
                         addUp(startAt(code, operands, first), number));
                   });
}

Values cpugen::addSums(Code &code, ValueRange known, ValueRange own) {
  Values sums;
  for (auto [before, added] : llvm::zip_equal(known, own))
    sums.push_back(code.add(before, added));
  return sums;
}
