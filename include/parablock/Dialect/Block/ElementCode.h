//===- ElementCode.h - arithmetic of computed elements ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How an element is computed is said once, in these words, and written by each
// back end in its own way: an element is an f32 of one GPU thread, a vector of
// columns of the CPU, or, for `ElementCode` alone, a whole tensor.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_ELEMENTCODE_H
#define PARABLOCK_IR_ELEMENTCODE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace parablock {

/// Functions of f32 numbers. One number may stand beside many, which it is then
/// repeated for.
class ElementCode {
public:
  using Value = mlir::Value;

  virtual ~ElementCode() = default;

  virtual Value f32(double value) const = 0;
  virtual Value add(Value a, Value b) const = 0;
  virtual Value sub(Value a, Value b) const = 0;
  virtual Value mul(Value a, Value b) const = 0;
  virtual Value div(Value a, Value b) const = 0;
  /// a * b + c, rounded once where that is as fast.
  virtual Value fma(Value a, Value b, Value c) const = 0;
  /// Both keep a NaN of their first operand.
  virtual Value max(Value a, Value b) const = 0;
  virtual Value min(Value a, Value b) const = 0;
  virtual Value neg(Value a) const = 0;
  virtual Value exp(Value a) const = 0;
  virtual Value tanh(Value a) const = 0;
  /// 1 / (1 + exp(-a)).
  virtual Value sigmoid(Value a) const;
  /// (1 + tanh(a)) / 2.
  virtual Value tanhShare(Value a) const;
  /// The share of a normal distribution below `a`.
  virtual Value normalShare(Value a) const = 0;

  /// `a` times a factor that is often 1.
  Value scale(Value a, double factor) const {
    return factor == 1 ? a : mul(a, f32(factor));
  }
  Value activate(block::Activation kind, Value a) const;
};

/// An activation of a number, by the same formula in f64.
double activate(block::Activation kind, double x);

/// Columns of a row that are computed together.
struct Column {
  mlir::Value index;
  /// The last border of the part that is not after them; none where columns are
  /// told from each other at run time.
  std::optional<int64_t> border = 0;
  int64_t lanes = 1;
};

/// Columns [from, to) of a row.
struct ColumnRange {
  mlir::Value from, to;
  /// A number that is known to divide where they begin and how many they are.
  int64_t multiple = 1;
  /// True where they are exactly one part.
  bool isPart = false;
};

/// How the columns of a row are gone through.
struct ColumnOrder {
  /// Columns of a part, beyond which no step looks; 0 where none looks beyond
  /// its own column.
  int64_t part = 0;
  /// Columns of a part where steps begin to treat them otherwise; sorted, the
  /// first is 0.
  llvm::SmallVector<int64_t> borders = {0};
  /// True where columns are computed one by one.
  bool scalar = false;

  bool fits(const ColumnOrder &other) const {
    return part == other.part && borders == other.borders &&
           scalar == other.scalar;
  }
};

/// Code inside of kernels: numbers, places and loops. Writes at the insertion
/// point of `builder`, which bodies find moved to where they are.
class RowCode : public ElementCode {
public:
  RowCode(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}
  RowCode(const RowCode &) = default;

  mlir::OpBuilder &builder;
  mlir::Location loc;

  // More about numbers.
  virtual Value sqrt(Value a) const = 0;
  /// 1 / sqrt(a).
  virtual Value rsqrt(Value a) const = 0;
  virtual Value less(Value a, Value b) const = 0;
  virtual Value select(Value condition, Value a, Value b) const = 0;
  /// The nearest number of `type`, ties to even, as f32.
  virtual Value round(Value a, mlir::Type type) const = 0;

  // Places and sizes; what is divided is never negative.
  virtual Value index(int64_t value) const = 0;
  virtual Value addIndex(Value a, Value b) const = 0;
  virtual Value subIndex(Value a, Value b) const = 0;
  virtual Value mulIndex(Value a, Value b) const = 0;
  virtual Value divIndex(Value a, Value b) const = 0;
  virtual Value remIndex(Value a, Value b) const = 0;
  virtual Value minIndex(Value a, Value b) const = 0;
  virtual Value maxIndex(Value a, Value b) const = 0;
  virtual Value lessIndex(Value a, Value b) const = 0;
  virtual Value equalIndex(Value a, Value b) const = 0;
  /// Exact below 2^24.
  virtual Value toF32(Value index) const = 0;
  /// The index that a whole number is.
  virtual Value toWhole(Value number) const = 0;

  // Integers.
  virtual Value toI64(Value index) const = 0;
  /// The numbers of columns, as i32.
  virtual Value toIntegers(const Column &column) const = 0;
  /// A number, or an integer, for so many lanes.
  virtual Value repeat(Value scalar, int64_t lanes) const = 0;

  // Memory. `place` is where a tensor is, of type `type`; all dimensions but
  // the last are rows, and tensors of one dimension ignore the row.
  virtual Value load(Value place, mlir::RankedTensorType type, Value row,
                     const Column &column) const = 0;
  /// Those of half as many columns from `column` on, each for a pair of lanes.
  virtual Value loadForPairs(Value place, mlir::RankedTensorType type,
                             Value row, const Column &column) const = 0;
  /// An integer of a tensor that has `width` columns.
  virtual Value loadInteger(Value place, Value row, Value column,
                            Value width) const = 0;
  virtual void store(Value value, Value place, mlir::RankedTensorType type,
                     Value row, const Column &column) const = 0;
  /// How many the first dimension has; null where only its type tells.
  virtual Value getFirstSize(Value place) const = 0;

  // Pairs of neighbours.
  /// Where the first of a pair is, from `place` on in a part.
  virtual Value isFirst(Value place, int64_t lanes) const = 0;
  /// The other ones of the pairs that `own`, at `column`, are of.
  virtual Value
  swapPairs(Value own, const Column &column, Value isFirst,
            llvm::function_ref<Value(const Column &)> element) const = 0;

  // Angles.
  /// A place in a sequence, as `turn` takes it: exact.
  virtual Value toPosition(Value index) const = 0;
  /// The angles at `position`, in turns without whole ones, of those that grow
  /// by `perPosition` turns from entry `first` on; `ahead` turns are added.
  virtual Value turn(llvm::ArrayRef<double> perPosition, Value position,
                     Value first, int64_t lanes, Value ahead = {}) const = 0;
  virtual std::pair<Value, Value> cosineAndSine(Value turns) const = 0;
  virtual Value sine(Value turns) const = 0;

  // Control flow.
  Value ifElse(Value condition, llvm::function_ref<Value()> then,
               llvm::function_ref<Value()> otherwise) const;
  void forEach(Value from, Value to,
               llvm::function_ref<void(Value)> body) const;
  /// Gives what `body` makes of the index and of what it made before.
  Value fold(Value from, Value to, Value initial,
             llvm::function_ref<Value(Value, Value)> body) const;
  /// The sum of what `body` gives, in any order.
  virtual Value sumOf(Value from, Value to,
                      llvm::function_ref<Value(Value)> body) const = 0;
  /// `sum` and the products of `size` pairs that `body` gives from an index on,
  /// so many lanes of them.
  virtual Value
  addProducts(Value sum, int64_t size,
              llvm::function_ref<std::pair<Value, Value>(Value, int64_t)> body)
      const = 0;
  virtual void
  forColumns(const ColumnRange &range, const ColumnOrder &order,
             llvm::function_ref<void(const Column &)> body) const = 0;
  virtual Value
  sumColumns(const ColumnRange &range, const ColumnOrder &order,
             llvm::function_ref<Value(const Column &)> body) const = 0;
  /// The largest of what `body` gives, numbers of 0 and more; 0 for no columns.
  virtual Value
  maxColumns(const ColumnRange &range, const ColumnOrder &order,
             llvm::function_ref<Value(const Column &)> body) const = 0;
};

} // namespace parablock

#endif // PARABLOCK_IR_ELEMENTCODE_H
