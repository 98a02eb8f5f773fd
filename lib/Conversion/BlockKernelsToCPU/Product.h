//===- Product.h - the innermost loop of matrix products --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_PRODUCT_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_PRODUCT_H

#include "parablock/Conversion/CPUCode/Code.h"

namespace parablock::cpugen {

/// One step adds left[i] * right[v] to the sum of row i and vector v.
struct ProductOperands {
  /// The type of the right side in memory; the left side is f32, or if
  /// `inPairs` pairs of that type, as i32.
  mlir::Type rightType;
  bool inPairs = false;
  /// Steps of the right side that are adjacent, a divisor of their number: two
  /// if it has pairs of bf16 while the left side has f32.
  int64_t rightSteps = 1;
  /// The element of row i at step k is at leftRows[i] + k * leftStep.
  Values leftRows;
  int64_t leftStep = 1;
  /// The first vector at step k is at right + k * rightStep; others follow it.
  Value right;
  int64_t rightStep = 0;
  /// Every first of the adjacent steps k prefetches `aheadLines`
  /// lines starting at byte ahead + k * aheadStep. Null for
  /// none.
  Value ahead, aheadStep;
  int64_t aheadLines = 0;
};

/// Maximum number of steps that are accumulated sequentially: each rounds to
/// the magnitude of the sum so far. Longer sums are sums of such sums.
inline constexpr int64_t kChainSteps = 256;

/// Accumulates `steps` steps (an i64, at most `mostSteps`), row by row, of
/// `vectors` vectors each, on top of the results of `getBefore`, if given.
/// `unroll` sums of each are kept separately, and added at the end of a chain;
/// it divides the number of steps.
Values emitProduct(Code &code, const ProductOperands &operands, Value steps,
                   int64_t mostSteps, int64_t vectors,
                   llvm::function_ref<Values()> getBefore = nullptr,
                   int64_t unroll = 1);

/// Adds `own` to the known sums, one by one.
Values addSums(Code &code, ValueRange known, ValueRange own);

/// Adds the products of vectors of pairs of bf16, two to a sum of f32, on
/// processors with an instruction for it.
Value addPairProducts(Code &code, Value sums, Value left, Value right);

/// Both elements of pairs of `type`, which are i32, as f32.
Values takePairsApart(Code &code, Value pairs, mlir::Type type);

/// As many zeros as the tile has sums.
Values zeroSums(Code &code, CpuTile shape);

/// Loads a tile's sums, each from its place in memory; zeros where `isFirst`.
Values loadSums(Code &code, CpuTile shape, Value isFirst, Value memory,
                llvm::function_ref<Value(int64_t)> getPlace);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_PRODUCT_H
