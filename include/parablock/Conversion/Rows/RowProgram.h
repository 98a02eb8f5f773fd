//===- RowProgram.h - the code of one row of tensors ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the steps of a `block.kernel` mean at one row, on every machine: shared
// by the epilogues of products and by kernels of rows. First come the facts
// that all columns of a row, or of a group of them, share; then the elements,
// each computed where it is asked for, from elements of its operands, down to
// those that are given. All in f32; only what the kernel stores is rounded
// before other steps use it, so that statistics describe what is stored.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ROWS_ROWPROGRAM_H
#define PARABLOCK_ROWS_ROWPROGRAM_H

#include "parablock/Dialect/Block/RowInterface.h"
#include "llvm/ADT/SetVector.h"
#include <functional>
#include <vector>

namespace parablock {

/// Gives elements of a tensor.
using ElementLoader = std::function<mlir::Value(
    const RowCode &, mlir::Value row, const Column &column)>;

/// One result of a kernel and where it is stored.
struct RowOutput {
  /// A value inside of the kernel.
  mlir::Value tensor;
  mlir::Value place;
};

/// Abilities of a back end, which decide which steps can be done.
struct RowMachine {
  llvm::StringRef name;
  /// True where code is made for each section between borders of a part.
  bool hasBorders;
  /// True where a row can be read where it was just stored.
  bool readsBack;
};

/// Fails, with an error at the op, where `machine` has no code for a step of
/// `body` before what is given.
mlir::LogicalResult checkRows(mlir::Block &body, const RowMachine &machine,
                              llvm::function_ref<bool(mlir::Value)> isGiven);

/// Tells whether elements of `output` are computed from those in their own
/// place and from facts that are given, up to what is given.
bool staysInPlace(mlir::Value output,
                  llvm::function_ref<bool(mlir::Value)> isGiven);

/// How many columns the loops of an output go over.
int64_t getLoopWidth(mlir::Value output);

class RowProgram final : public RowElements {
public:
  /// Writes code for `row`, one of `sequence` of each batch element.
  RowProgram(RowCode &code, const RowMachine &machine, Value row,
             Value sequence)
      : RowElements(code, row, sequence), machine(machine) {}

  /// Elements of `tensor` come from `loader`.
  void give(Value tensor, ElementLoader loader) {
    loaders[tensor] = std::move(loader);
  }
  /// An argument of the kernel is at `place`.
  void give(mlir::BlockArgument argument, Value place);
  void giveSize(Value size, std::function<Value()> get) {
    sizes[size] = std::move(get);
  }

  /// Computes and stores a range of columns, which begins and ends with a part.
  /// Outputs have one width, but for statistics: those of tiles in the range,
  /// others whole.
  void emit(llvm::ArrayRef<RowOutput> outputs, const ColumnRange &range);

  /// Computes one element of an output that stays in place, and its facts.
  Value emitElement(Value output, const Column &column);

  /// Computes a statistic of the whole row, which is no output.
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
  Moments computeMoments(Value tensor, const ColumnRange &range, Value count,
                         bool centered) override;
  Value getStatistic(Value tensor, Value group) override;

private:
  using Steps = llvm::SmallVector<block::RowStepOpInterface>;

  /// How a tensor is computed.
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

  /// How several are computed in one loop.
  Plan plan(llvm::ArrayRef<Value> tensors) const;
  std::vector<Sheet> makeSheets(llvm::ArrayRef<RowOutput> outputs) const;
  void emitColumns(const Sheet &sheet, const ColumnRange &range);
  void emitStatistics(const Sheet &sheet, Value group);
  void emitTiles(block::RowStepOpInterface op,
                 llvm::ArrayRef<RowOutput> outputs, const ColumnRange &range);
  void emitFacts(const Steps &steps, bool ofGroups, Value group);
  /// Calls `body` for every group of `range`, with facts of its own.
  void forGroups(const Plan &plan, const ColumnRange &range,
                 llvm::function_ref<void(Value, const ColumnRange &)> body);
  void giveStored(llvm::ArrayRef<RowOutput> outputs);

  const RowMachine &machine;
  llvm::DenseMap<Value, ElementLoader> loaders;
  llvm::DenseMap<Value, Value> places;
  llvm::DenseMap<Value, std::function<Value()>> sizes;
  /// Values that were computed of a tensor at a column.
  llvm::DenseMap<std::pair<Value, Value>, Value> elements;
};

} // namespace parablock

#endif // PARABLOCK_ROWS_ROWPROGRAM_H
