//===- Code.h - writes the operations of CPU kernels ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sizes and positions are i64. Numbers are f32, one or as many as a vector has
// lanes; functions of two numbers widen the narrower one. Memory is reached by
// pointers, whatever type its elements have there.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_CODE_H
#define PARABLOCK_LIB_CPU_CODE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "parablock/CPU/CpuTarget.h"
#include "parablock/IR/BlockAttrs.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock::cpugen {

using mlir::Value;
using mlir::ValueRange;
using Values = llvm::SmallVector<Value>;

class Code {
public:
  Code(mlir::OpBuilder &builder, mlir::Location loc, const CpuTarget &target)
      : builder(builder), loc(loc), target(target) {}

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const CpuTarget &target;

  int64_t lanes() const { return target.getLanes(); }

  // Sizes and positions.
  Value index(int64_t value);
  Value addI(Value a, Value b);
  Value addI(Value a, int64_t b) { return addI(a, index(b)); }
  Value subI(Value a, Value b);
  Value mulI(Value a, Value b);
  Value mulI(Value a, int64_t b) { return mulI(a, index(b)); }
  /// Of numbers that are not negative.
  Value divI(Value a, Value b);
  Value divI(Value a, int64_t b) { return divI(a, index(b)); }
  Value remI(Value a, Value b);
  Value remI(Value a, int64_t b) { return remI(a, index(b)); }
  Value ceilDivI(Value a, int64_t b) { return divI(addI(a, b - 1), b); }
  Value minI(Value a, Value b);
  Value maxI(Value a, Value b);
  Value compareI(mlir::arith::CmpIPredicate predicate, Value a, Value b);
  Value lessI(Value a, Value b) {
    return compareI(mlir::arith::CmpIPredicate::slt, a, b);
  }
  Value equalI(Value a, Value b) {
    return compareI(mlir::arith::CmpIPredicate::eq, a, b);
  }

  // Control flow.
  void loop(Value from, Value to, int64_t step,
            llvm::function_ref<void(Value)> body);
  Values loop(Value from, Value to, int64_t step, ValueRange initial,
              llvm::function_ref<Values(Value, ValueRange)> body);
  void ifThen(Value condition, llvm::function_ref<void()> then);
  Values ifElse(Value condition, mlir::TypeRange types,
                llvm::function_ref<Values()> then,
                llvm::function_ref<Values()> otherwise);

  // Memory.
  /// `elements` elements of `type` after `base`.
  Value address(Value base, Value elements, mlir::Type type);
  Value loadPointer(Value base, int64_t position);
  Value loadI64(Value base, Value position);
  /// `lanes` elements of a float type from `position` on, as f32.
  Value load(Value base, mlir::Type type, Value position, int64_t lanes);
  /// Rounds to `type`.
  void store(Value value, Value base, mlir::Type type, Value position);
  /// As they are in memory.
  Value loadRaw(Value base, mlir::Type type, Value position);
  void storeRaw(Value value, Value base, Value position);
  /// Brings the cache line at `pointer` into the second-level cache, if there
  /// is memory: the processor itself sees to the first level, and better.
  void prefetch(Value pointer);
  /// A table of constants.
  Value table(mlir::DenseElementsAttr elements);

  // Numbers.
  Value f32(double value);
  Value splat(Value scalar, int64_t lanes);
  int64_t lanesOf(Value value);
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value mul(Value a, double factor);
  Value div(Value a, Value b);
  /// a * b + c.
  Value fma(Value a, Value b, Value c);
  Value max(Value a, Value b);
  Value min(Value a, Value b);
  Value neg(Value a);
  Value sqrt(Value a);
  Value less(Value a, Value b);
  Value select(Value condition, Value a, Value b);
  Value toF32(Value integer);
  Value sum(Value vector);
  /// To the nearest value that `type` has, ties to even.
  Value round(Value value, mlir::Type type);

  // Functions (MathCode.cpp), with their errors.
  /// Relative 9e-8; 0 below -87.3, infinity from 88.3 on.
  Value exp(Value x);
  /// Relative 1.4e-7.
  Value tanh(Value x);
  /// Relative 1.3e-7.
  Value sigmoid(Value x);
  /// The share of a normal distribution below x; absolute 2.6e-7.
  Value normalShare(Value x);
  Value activate(block::Activation kind, Value x);
  /// Cosine and sine of 2 pi `turns`, an f64; absolute 1e-7.
  std::pair<Value, Value> cosineAndSine(Value turns);

  mlir::Type f32Type(int64_t lanes) {
    return typed(builder.getF32Type(), lanes);
  }
  /// A vector, or the type itself for one lane.
  mlir::Type typed(mlir::Type element, int64_t lanes);
  /// Like `value` with other elements.
  mlir::Type likeType(Value value, mlir::Type element);
  /// A constant of integers or floats like those of `type`.
  Value constant(mlir::Type type, mlir::TypedAttr element);
  Value integer(mlir::Type type, int64_t value);
  Value real(mlir::Type type, double value);

private:
  void widen(Value &a, Value &b);
  Value polynomial(Value x, llvm::ArrayRef<double> coefficients);
};

// Formats.cpp: between f32 values and the bits of `type`, an i16 each.
Value toBits(Code &code, Value value, mlir::Type type);
Value fromBits(Code &code, Value bits, mlir::Type type);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_CODE_H
