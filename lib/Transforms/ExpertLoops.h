//===- ExpertLoops.h - structured loops over rows ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_EXPERTLOOPS_H
#define PARABLOCK_LIB_TRANSFORMS_EXPERTLOOPS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "parablock/Dialect/Block/ElementCode.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock::block {

/// Numbers of f32 in the body of a structured op.
class ScalarCode final : public ElementCode {
public:
  explicit ScalarCode(mlir::ImplicitLocOpBuilder &builder) : builder(builder) {}

  Value f32(double value) const override;
  Value add(Value a, Value b) const override;
  Value sub(Value a, Value b) const override;
  Value mul(Value a, Value b) const override;
  Value div(Value a, Value b) const override;
  Value fma(Value a, Value b, Value c) const override {
    return add(mul(a, b), c);
  }
  Value max(Value a, Value b) const override;
  Value min(Value a, Value b) const override;
  Value neg(Value a) const override;
  Value exp(Value a) const override;
  Value tanh(Value a) const override;
  Value normalShare(Value a) const override;

  Value sqrt(Value a) const;
  Value compare(mlir::arith::CmpFPredicate predicate, Value a, Value b) const;
  Value select(Value condition, Value a, Value b) const;
  Value both(Value a, Value b) const;
  Value either(Value a, Value b) const;
  /// The nearest number of `type`, as f32.
  Value round(Value a, mlir::Type type) const;

  Value index(int64_t value) const;
  Value addI(Value a, Value b) const;
  Value mulI(Value a, int64_t b) const;
  Value divI(Value a, int64_t b) const;
  Value compareI(mlir::arith::CmpIPredicate predicate, Value a, Value b) const;
  /// An element of floats as f32, or an element of integers as an index.
  Value read(Value tensor, mlir::ValueRange indices) const;

private:
  mlir::ImplicitLocOpBuilder &builder;
};

/// Builds `linalg.generic` whose first two loops are batch and sequence.
class RowLoops {
public:
  using Value = mlir::Value;
  /// Computes an element at these indices.
  using Element =
      llvm::function_ref<Value(const ScalarCode &, mlir::ValueRange)>;

  /// `rows` is a tensor with the rows.
  RowLoops(mlir::OpBuilder &builder, mlir::Location loc, Value rows)
      : builder(loc, builder), rows(rows) {}

  /// A tensor of `element`, of [batch, sequence, sizes...].
  Value map(llvm::ArrayRef<int64_t> sizes, mlir::Type element, Element body);
  /// The same of f32, or of indices as i64, of sums of `body` over `steps`,
  /// whose number is the last index.
  Value sum(llvm::ArrayRef<int64_t> sizes, int64_t steps, mlir::Type element,
            Element body);
  /// The same of the largest f32.
  Value max(llvm::ArrayRef<int64_t> sizes, int64_t steps, Element body);

private:
  Value empty(llvm::ArrayRef<int64_t> sizes, mlir::Type element);
  Value fold(llvm::ArrayRef<int64_t> sizes, int64_t steps,
             mlir::TypedAttr initial, Element body, bool isMax);

  mlir::ImplicitLocOpBuilder builder;
  Value rows;
};

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_EXPERTLOOPS_H
