//===- RowCode.h - the code of one row of tensors ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Steps on rows, in vectors of columns. What all columns of a row share
// (statistics, positions, tokens) is computed first. Steps that look at other
// columns (rotations, norms of heads) do so within parts of the row; columns
// are gone through part by part and, in a part, from one static border to the
// next, so that no vector crosses a border.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_ROWCODE_H
#define PARABLOCK_LIB_CPU_ROWCODE_H

#include "Code.h"
#include "parablock/IR/BlockOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <functional>
#include <optional>

namespace parablock::cpugen {

/// Where a vector of columns begins.
struct Column {
  /// In the row.
  Value index;
  /// The part's border before it, counted from the begin of the part.
  int64_t border = 0;
  int64_t lanes = 1;
};

/// Gives elements of a tensor of the kernel.
using ColumnLoader = std::function<Value(Value row, const Column &column)>;

/// Whether the results of `op` are statistics, rather than rows.
bool isStatisticsStep(mlir::Operation *op);

struct RowOutput {
  /// What the kernel yields.
  Value tensor;
  /// Where it goes.
  Value pointer;
};

/// How a step rotates the columns of a row.
struct Rotation {
  /// Columns of a head, and how many of them are rotated.
  int64_t headSize, dim;
  block::RopeStyle style;

  bool inHalves() const { return style == block::RopeStyle::Half; }
  /// Whether a column is the first of its pair, where these are of halves.
  bool isFirst(const Column &column) const { return column.border < dim / 2; }
};

/// None where `op` is no rotation.
std::optional<Rotation> findRotation(mlir::Operation *op);

/// How the columns of a row are gone through.
struct ColumnOrder {
  /// Columns of a part; 0 where no step looks beyond its own column.
  int64_t part = 0;
  /// Multiples of the part excluded; sorted, the first is 0.
  llvm::SmallVector<int64_t> borders = {0};
  /// No vectors of columns.
  bool scalar = false;
  /// Steps that are prepared once per part, in program order.
  llvm::SetVector<mlir::Operation *> groupSteps;

  /// Whether columns can be gone through together.
  bool fits(const ColumnOrder &other) const {
    return part == other.part && borders == other.borders &&
           scalar == other.scalar;
  }
};

class RowCode {
public:
  /// `sequence` is the number of rows of each batch element.
  RowCode(Code &code, Value sequence) : code(code), sequence(sequence) {}

  void bind(Value tensor, ColumnLoader loader) {
    loaders[tensor] = std::move(loader);
  }
  /// Binds an argument of the kernel to its memory.
  void bindMemory(mlir::BlockArgument argument, Value pointer);
  /// Binds the value of a size.
  void bindSize(Value size, Value value) { sizes[size] = value; }

  /// Fails, with an error at the op, where a step cannot be done on rows.
  static mlir::LogicalResult check(mlir::Block &body);
  /// The last dimension.
  static int64_t widthOf(Value tensor);
  /// How the columns that `tensor` is computed from are gone through, up to
  /// bound tensors.
  ColumnOrder findOrder(Value tensor) const;

  /// Writes columns [from, to) of `row`, which begin and end with a part. A
  /// multiple of `multiple` columns is known to be between them.
  void emit(Value row, llvm::ArrayRef<RowOutput> outputs, Value from, Value to,
            int64_t multiple);

private:
  using Steps = llvm::SetVector<mlir::Operation *>;
  using Body = llvm::function_ref<void(const Column &)>;

  Steps collectSteps(Value tensor) const;
  mlir::Type elementOf(Value tensor) const;

  // Columns (RowColumns.cpp).
  void forColumns(const ColumnOrder &order, Value from, Value to,
                  int64_t multiple, Body body);
  void forSection(Value from, int64_t border, int64_t length, int64_t lanes,
                  Body body);
  /// The sum over columns of what `body` gives.
  Value sumColumns(const ColumnOrder &order, Value from, Value to,
                   int64_t multiple,
                   llvm::function_ref<Value(const Column &)> body);

  // Facts of the row, or of a group of its columns (RowStats.cpp).
  void prepareRow(const Steps &steps);
  void prepareGroup(mlir::Operation *op, Value group);
  void prepareNormStats(block::NormStatsOp op, Value group);
  void prepareMergeStats(block::MergeStatsOp op);
  void prepareFactor(mlir::Operation *op, Value mean, Value moment, Value group,
                     block::NormAttr form, int64_t size);
  Value statistic(Value tensor, Value group);
  struct Moments {
    Value mean, squares;
  };
  Moments computeMoments(Value tensor, Value from, Value to, int64_t multiple,
                         Value count, bool centered);
  void emitPartialStats(block::PartialStatsOp op,
                        llvm::ArrayRef<RowOutput> outputs, Value from, Value to,
                        int64_t multiple);

  // Elements (RowCode.cpp and others).
  void bindStored(llvm::ArrayRef<RowOutput> outputs);
  Value element(Value tensor, const Column &column);
  Value compute(mlir::OpResult value, const Column &column);
  Value vectorElement(Value vector, const Column &column, int64_t width);
  Value evaluate(block::NormalizeOp op, const Column &column);
  Value evaluate(block::DeferredNormOp op, const Column &column);
  Value evaluate(block::ResidualOp op, const Column &column);
  Value evaluate(block::ScaleOp op, const Column &column);
  Value evaluate(block::ClampOp op, const Column &column);
  // RowRope.cpp
  Value evaluate(block::RopeOp op, const Column &column);
  Value evaluate(block::RotateOp op, const Column &column);
  Value rotate(Value input, const Rotation &form, const Column &column,
               Value cosine, Value sine);
  Value tableEntry(Value table, const Rotation &form, const Column &column);
  void preparePosition(Value offset);
  Value turnsOf(llvm::ArrayRef<double> frequencies, Value position, Value first,
                int64_t lanes);
  // RowEmbedding.cpp
  void prepareToken(block::EmbeddingOp op);
  Value sinusoid(block::EmbeddingOp op, Value position, const Column &column);
  Value evaluate(block::EmbeddingOp op, const Column &column);
  Value evaluate(block::PatchEmbeddingOp op, const Column &column);

  Code &code;
  Value sequence;
  Value row;
  llvm::DenseMap<Value, ColumnLoader> loaders;
  llvm::DenseMap<Value, Value> memory, sizes;

  llvm::DenseMap<Value, Value> statistics;
  llvm::DenseMap<mlir::Operation *, Value> factors;
  llvm::DenseMap<Value, Value> positions;
  struct Token {
    Value id, position, type;
    /// The row of the table, and whether it is the id's; null where it always
    /// is.
    Value tableRow, isHere;
  };
  llvm::DenseMap<mlir::Operation *, Token> tokens;
  /// What was computed of a tensor at the vector of columns at hand.
  llvm::DenseMap<std::pair<Value, Value>, Value> elements;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_ROWCODE_H
