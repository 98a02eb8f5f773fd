//===- RowProgram.h - code of one row of tensors ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The semantics of the steps of a `block.kernel` for one row, on every machine:
// shared by epilogues of products and by kernels of rows. The facts that all
// columns of a row or group share are computed first; elements are then
// computed on demand from elements of their operands, down to the given values.
// All arithmetic is f32; only values that the kernel stores are rounded before
// other steps use them, so statistics describe the stored values.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ROWS_ROWPROGRAM_H
#define PARABLOCK_ROWS_ROWPROGRAM_H

#include "parablock/Dialect/Block/RowInterface.h"
#include "llvm/ADT/SetVector.h"
#include <functional>
#include <vector>

namespace parablock {

/// Loads elements of a tensor.
using ElementLoader = std::function<mlir::Value(
    const RowCode &, mlir::Value row, const Column &column)>;

/// One result of a kernel and where it is stored.
struct RowOutput {
  /// A value inside the kernel.
  mlir::Value tensor;
  mlir::Value place;
  /// The row of `place`; null for the computed row's own number.
  mlir::Value row = {};
};

/// Returns what a kernel computes of the value that it yields: the new rows of
/// a cache, or all of it.
mlir::Value getComputed(mlir::Value yielded);

/// Capabilities of a backend, which determine the supported steps.
struct RowMachine {
  llvm::StringRef name;
  /// True if code is generated for each section between borders of a part.
  bool hasBorders;
  /// True if a row can be read back after it was stored.
  bool readsBack;
};

/// Fails, with an error at the op, if `machine` has no code for a step that
/// `output` is computed by from the given values.
mlir::LogicalResult checkRow(mlir::Value output, const RowMachine &machine,
                             llvm::function_ref<bool(mlir::Value)> isGiven);

/// Fails, with an error at the op, if `machine` has no code for a step of
/// `body` that is computed from the given values.
mlir::LogicalResult checkRows(mlir::Block &body, const RowMachine &machine,
                              llvm::function_ref<bool(mlir::Value)> isGiven);

/// Returns whether each element of `output` depends only on given values in the
/// same place and on given facts.
bool staysInPlace(mlir::Value output,
                  llvm::function_ref<bool(mlir::Value)> isGiven);

/// Returns how many columns the loops of an output cover.
int64_t getLoopWidth(mlir::Value output);

class RowProgram final : public RowElements {
public:
  /// Generates code for `row`, one of `sequence` rows of each batch element.
  RowProgram(RowCode &code, const RowMachine &machine, Value row,
             Value sequence)
      : RowElements(code, row, sequence), machine(machine) {}

  /// Registers `loader` for the elements of `tensor`.
  void give(Value tensor, ElementLoader loader) {
    loaders[tensor] = std::move(loader);
  }
  /// Registers `place` for an argument of the kernel.
  void give(mlir::BlockArgument argument, Value place);
  void giveSize(Value size, std::function<Value()> get) {
    sizes[size] = std::move(get);
  }

  /// Computes and stores a range of columns, which begins and ends with a part.
  /// Outputs have one width, except statistics: those of tiles cover the range,
  /// others are whole.
  void emit(llvm::ArrayRef<RowOutput> outputs, const ColumnRange &range);

  /// Computes one element of an output that stays in place, and its facts.
  Value emitElement(Value output, const Column &column);

  /// Computes a statistic of the whole row that is not an output.
  Value emitStatistic(Value tensor);

  Value element(Value tensor, const Column &column) override;
  bool isGiven(Value tensor) const override { return loaders.contains(tensor); }
  Value load(Value tensor, Value row, const Column &column) override {
    return loaders.lookup(tensor)(code, row, column);
  }
  Value getPlace(Value tensor) const override { return places.lookup(tensor); }
  Value getSize(Value size) override;
  Value sumColumns(llvm::ArrayRef<Value> tensors, const ColumnRange &range,
                   llvm::function_ref<Value(const Column &)> body) override;
  Value maxColumns(Value tensor, const ColumnRange &range,
                   llvm::function_ref<Value(const Column &)> body) override;
  Moments computeMoments(Value tensor, const ColumnRange &range, Value count,
                         bool centered) override;
  Value getStatistic(Value tensor, Value group) override;

private:
  using Steps = llvm::SmallVector<block::RowStepOpInterface>;

  /// The steps to compute a tensor.
  struct Plan {
    /// In program order.
    Steps steps;
    ColumnOrder order;
    int64_t groupSize = 0;
  };
  /// Outputs that are computed in the same loops.
  struct Sheet {
    Plan plan;
    llvm::SmallVector<RowOutput> columns, statistics;
  };

  /// Returns a plan that computes several tensors in one loop.
  Plan plan(llvm::ArrayRef<Value> tensors) const;
  std::vector<Sheet> makeSheets(llvm::ArrayRef<RowOutput> outputs) const;
  void emitColumns(const Sheet &sheet, const ColumnRange &range);
  void emitStatistics(const Sheet &sheet, Value group);
  void emitTiles(block::RowStepOpInterface op,
                 llvm::ArrayRef<RowOutput> outputs, const ColumnRange &range);
  void emitFacts(const Steps &steps, bool ofGroups, Value group);
  /// Calls `body` for every group of `range`, with the facts of that group.
  void forGroups(const Plan &plan, const ColumnRange &range,
                 llvm::function_ref<void(Value, const ColumnRange &)> body);
  /// Folds columns of `range`: `fold` those of one part, or of all if no step
  /// has groups, whose results `join` combines.
  Value foldColumns(
      llvm::ArrayRef<Value> tensors, const ColumnRange &range,
      llvm::function_ref<Value(const ColumnRange &, const ColumnOrder &)> fold,
      llvm::function_ref<Value(Value, Value)> join);
  void giveStored(llvm::ArrayRef<RowOutput> outputs);

  const RowMachine &machine;
  llvm::DenseMap<Value, ElementLoader> loaders;
  llvm::DenseMap<Value, Value> places;
  llvm::DenseMap<Value, std::function<Value()>> sizes;
  /// Computed values of a tensor at a column.
  llvm::DenseMap<std::pair<Value, Value>, Value> elements;
};

} // namespace parablock

#endif // PARABLOCK_ROWS_ROWPROGRAM_H
