//===- Code.h - builder of CPU kernels --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sizes and positions are i64. Numbers are f32, scalars or vectors of all
// lanes; functions of two numbers widen the narrower one. Memory is accessed
// through pointers, whatever its element type.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_CPUCODE_CODE_H
#define PARABLOCK_CONVERSION_CPUCODE_CODE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "parablock/Dialect/Block/ElementCode.h"
#include "parablock/Engines/CPU/CpuTarget.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock::cpugen {

using mlir::Value;
using mlir::ValueRange;
using Values = llvm::SmallVector<Value>;

/// Bytes of a line of the cache.
inline constexpr int64_t kLineBytes = 64;

/// Code for rows, in vectors of columns, and helpers for other kernels.
class Code final : public RowCode {
public:
  Code(mlir::OpBuilder &builder, mlir::Location loc, const CpuTarget &target)
      : RowCode(builder, loc), target(target) {}

  const CpuTarget &target;

  int64_t lanes() const { return target.getLanes(); }

  // Sizes and positions.
  Value index(int64_t value) const override;
  Value addI(Value a, Value b) const;
  Value addI(Value a, int64_t b) const { return addI(a, index(b)); }
  Value subI(Value a, Value b) const;
  Value mulI(Value a, Value b) const;
  Value mulI(Value a, int64_t b) const { return mulI(a, index(b)); }
  /// Divides numbers that are not negative.
  Value divI(Value a, Value b) const;
  Value divI(Value a, int64_t b) const { return divI(a, index(b)); }
  Value remI(Value a, Value b) const;
  Value remI(Value a, int64_t b) const { return remI(a, index(b)); }
  Value ceilDivI(Value a, int64_t b) const { return divI(addI(a, b - 1), b); }
  Value minI(Value a, Value b) const;
  Value maxI(Value a, Value b) const;
  Value compareI(mlir::arith::CmpIPredicate predicate, Value a, Value b) const;
  Value lessI(Value a, Value b) const {
    return compareI(mlir::arith::CmpIPredicate::slt, a, b);
  }
  Value equalI(Value a, Value b) const {
    return compareI(mlir::arith::CmpIPredicate::eq, a, b);
  }

  Value addIndex(Value a, Value b) const override { return addI(a, b); }
  Value subIndex(Value a, Value b) const override { return subI(a, b); }
  Value mulIndex(Value a, Value b) const override { return mulI(a, b); }
  Value divIndex(Value a, Value b) const override { return divI(a, b); }
  Value remIndex(Value a, Value b) const override { return remI(a, b); }
  Value minIndex(Value a, Value b) const override { return minI(a, b); }
  Value maxIndex(Value a, Value b) const override { return maxI(a, b); }
  Value lessIndex(Value a, Value b) const override { return lessI(a, b); }
  Value equalIndex(Value a, Value b) const override { return equalI(a, b); }

  // Control flow.
  void loop(Value from, Value to, int64_t step,
            llvm::function_ref<void(Value)> body) const;
  Values loop(Value from, Value to, int64_t step, ValueRange initial,
              llvm::function_ref<Values(Value, ValueRange)> body) const;
  /// Calls `body` with its previous results while `condition` is true.
  Values loopWhile(ValueRange initial,
                   llvm::function_ref<Value(ValueRange)> condition,
                   llvm::function_ref<Values(ValueRange)> body) const;
  void ifThen(Value condition, llvm::function_ref<void()> then) const;
  Values ifElse(Value condition, mlir::TypeRange types,
                llvm::function_ref<Values()> then,
                llvm::function_ref<Values()> otherwise) const;

  using RowCode::ifElse;
  Value sumOf(Value from, Value to,
              llvm::function_ref<Value(Value)> body) const override;

  // Columns (ColumnCode.cpp).
  Value addProducts(Value sum, int64_t size,
                    llvm::function_ref<std::pair<Value, Value>(Value, int64_t)>
                        body) const override;
  void forColumns(const ColumnRange &range, const ColumnOrder &order,
                  llvm::function_ref<void(const Column &)> body) const override;
  Value
  sumColumns(const ColumnRange &range, const ColumnOrder &order,
             llvm::function_ref<Value(const Column &)> body) const override;
  Value
  maxColumns(const ColumnRange &range, const ColumnOrder &order,
             llvm::function_ref<Value(const Column &)> body) const override;
  Value
  swapPairs(Value own, const Column &column, Value place,
            llvm::function_ref<Value(const Column &)> element) const override;
  Value isFirst(Value place, int64_t lanes) const override;
  Value load(Value place, mlir::RankedTensorType type, Value row,
             const Column &column) const override;
  Value loadForPairs(Value place, mlir::RankedTensorType type, Value row,
                     const Column &column) const override;
  Value loadInteger(Value place, Value row, Value column,
                    Value width) const override;
  void store(Value value, Value place, mlir::RankedTensorType type, Value row,
             const Column &column) const override;
  /// Sizes of tensors are passed to the launch.
  Value getFirstSize(Value) const override { return {}; }

  // Memory.
  /// `elements` elements of `type` after `base`.
  Value address(Value base, Value elements, mlir::Type type) const;
  Value loadPointer(Value base, int64_t position) const;
  Value loadI64(Value base, Value position) const;
  /// `lanes` elements of a float type from `position` on, as f32.
  Value load(Value base, mlir::Type type, Value position, int64_t lanes) const;
  /// Rounds to `type`.
  void store(Value value, Value base, mlir::Type type, Value position) const;
  /// As they are in memory.
  Value loadRaw(Value base, mlir::Type type, Value position) const;
  void storeRaw(Value value, Value base, Value position) const;
  /// Zeros in so many elements of f32.
  void fillZeros(Value base, Value count) const;
  void fillZeros(Value base, int64_t count) const {
    fillZeros(base, index(count));
  }
  /// Prefetches the cache line at `pointer` into the second-level cache, if the
  /// memory exists: the processor handles the first level better itself.
  void prefetch(Value pointer) const;
  /// A table of constants.
  Value table(mlir::DenseElementsAttr elements) const;

  // Numbers.
  Value f32(double value) const override;
  Value splat(Value scalar, int64_t lanes) const;
  int64_t lanesOf(Value value) const;
  Value add(Value a, Value b) const override;
  Value sub(Value a, Value b) const override;
  Value mul(Value a, Value b) const override;
  Value mul(Value a, double factor) const;
  Value div(Value a, Value b) const override;
  /// a * b + c.
  Value fma(Value a, Value b, Value c) const override;
  Value max(Value a, Value b) const override;
  Value min(Value a, Value b) const override;
  Value neg(Value a) const override;
  Value sqrt(Value a) const override;
  Value rsqrt(Value a) const override { return div(f32(1), sqrt(a)); }
  Value less(Value a, Value b) const override;
  Value select(Value condition, Value a, Value b) const override;
  Value toF32(Value integer) const override;
  Value toWhole(Value number) const override;
  Value toI64(Value index) const override { return index; }
  Value toIntegers(const Column &column) const override;
  Value repeat(Value scalar, int64_t lanes) const override {
    return splat(scalar, lanes);
  }
  Value sum(Value vector) const;
  /// To the nearest value that `type` has, ties to even.
  Value round(Value value, mlir::Type type) const override;

  // Functions (MathCode.cpp), with their errors.
  /// Relative 9e-8; 0 below -87.3, infinity from 88.3 on.
  Value exp(Value x) const override;
  /// Relative 1.4e-7.
  Value tanh(Value x) const override;
  /// Absolute 2.6e-7.
  Value normalShare(Value x) const override;
  Value toPosition(Value index) const override;
  Value turn(llvm::ArrayRef<double> perPosition, Value position, Value first,
             int64_t lanes, Value ahead) const override;
  /// Computes both of `turns` in f64; absolute 1e-7.
  std::pair<Value, Value> cosineAndSine(Value turns) const override;
  Value sine(Value turns) const override { return cosineAndSine(turns).second; }

  mlir::Type f32Type(int64_t lanes) const {
    return typed(builder.getF32Type(), lanes);
  }
  /// A vector, or the type itself for one lane.
  mlir::Type typed(mlir::Type element, int64_t lanes) const;
  /// Like `value` with other elements.
  mlir::Type likeType(Value value, mlir::Type element) const;
  /// Returns a constant of integers or floats with the shape of `type`.
  Value constant(mlir::Type type, mlir::TypedAttr element) const;
  Value integer(mlir::Type type, int64_t value) const;
  Value real(mlir::Type type, double value) const;

private:
  void widen(Value &a, Value &b) const;
  Value polynomial(Value x, llvm::ArrayRef<double> coefficients) const;
  Value shuffle(Value value, int64_t lanes,
                llvm::function_ref<int64_t(int64_t)> source) const;
  Value createVariable(mlir::Type type) const;
  /// Combines what `body` gives of all columns by `join`, of lanes by `reduce`,
  /// from 0 on.
  Value foldColumns(const ColumnRange &range, const ColumnOrder &order,
                    llvm::function_ref<Value(const Column &)> body,
                    llvm::function_ref<Value(Value, Value)> join,
                    llvm::function_ref<Value(Value)> reduce) const;
};

// Formats.cpp: between f32 values and the bits of `type`, an i16 each.
Value toBits(const Code &code, Value value, mlir::Type type);
Value fromBits(const Code &code, Value bits, mlir::Type type);

/// Joins vectors of f32, as wide as registers, into pairs of `type` in i32, on
/// processors that multiply such pairs.
Value joinPairs(const Code &code, Value first, Value second, mlir::Type type);

} // namespace parablock::cpugen

#endif // PARABLOCK_CONVERSION_CPUCODE_CODE_H
