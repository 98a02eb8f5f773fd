//===- RowInterface.h - steps that rows are enough for ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_ROWINTERFACE_H
#define PARABLOCK_IR_ROWINTERFACE_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpDefinition.h"
#include "parablock/Dialect/Block/ElementCode.h"
#include "llvm/ADT/DenseSet.h"

namespace parablock {

namespace block {
class HeadOp;
} // namespace block

/// The row that steps are written for, as they ask about it.
class RowElements {
public:
  using Value = mlir::Value;
  struct Moments {
    /// Null where squares are not of distances to it.
    Value mean;
    /// The sum of squared distances.
    Value squares;
  };

  RowElements(RowCode &code, Value row, Value sequence)
      : code(code), row(row), sequence(sequence) {}
  virtual ~RowElements() = default;

  /// Gives what `tensor` is at `column`, computed where it is not given.
  virtual Value element(Value tensor, const Column &column) = 0;
  /// The same of a vector that is repeated until it has `width` columns.
  Value repeatedElement(Value vector, const Column &column, int64_t width);
  /// Tells whether elements are read rather than computed.
  virtual bool isGiven(Value tensor) const = 0;
  /// Gives what is given of another row than the one at hand.
  virtual Value load(Value tensor, Value row, const Column &column) = 0;
  /// Where a tensor that the kernel reads is.
  virtual Value getPlace(Value tensor) const = 0;
  /// The value of an operand that is a size.
  virtual Value getSize(Value size) = 0;
  /// The sum over columns of what `body` makes of elements of `tensors`.
  virtual Value sumColumns(llvm::ArrayRef<Value> tensors,
                           const ColumnRange &range,
                           llvm::function_ref<Value(const Column &)> body) = 0;
  /// The largest of what `body` makes of elements of `tensor`, numbers of 0 and
  /// more.
  virtual Value maxColumns(Value tensor, const ColumnRange &range,
                           llvm::function_ref<Value(const Column &)> body) = 0;
  virtual Moments computeMoments(Value tensor, const ColumnRange &range,
                                 Value count, bool centered) = 0;
  /// The statistic of the group at hand, a fact or given.
  virtual Value getStatistic(Value tensor, Value group) = 0;

  /// Gives what was found out about the row, or a group of its columns.
  Value &fact(const void *about, unsigned number = 0) {
    return facts[{about, number}];
  }
  Value &statistic(Value tensor) { return fact(tensor.getAsOpaquePointer()); }
  /// Notes that `product` is that of the row without its mean.
  void noteCentred(Value product) { centred.insert(product); }
  bool isCentred(Value product) const { return centred.contains(product); }
  /// The row within its sequence, and the number of the sequence.
  Value getTime() { return code.remIndex(row, sequence); }
  Value getBatch() { return code.divIndex(row, sequence); }

  RowCode &code;
  const Value row, sequence;

protected:
  using Facts = llvm::DenseMap<std::pair<const void *, unsigned>, Value>;
  Facts facts;

private:
  llvm::SmallDenseSet<Value, 4> centred;
};

/// The last dimension.
int64_t getRowWidth(mlir::Value tensor);

/// Scale and soft cap of a head, if there is one, on what its product gave.
mlir::Value emitLogit(const ElementCode &code, llvm::APFloat scale,
                      std::optional<llvm::APFloat> cap, mlir::Value product);

} // namespace parablock

#include "parablock/Dialect/Block/RowInterface.h.inc"

#endif // PARABLOCK_IR_ROWINTERFACE_H
