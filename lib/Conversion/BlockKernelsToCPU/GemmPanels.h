//===- GemmPanels.h - sums of products, panel by panel ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_GEMMPANELS_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_GEMMPANELS_H

#include "CodePanels.h"
#include "GemmKernel.h"

namespace parablock::cpugen {

/// Rows of a source, as products read them.
struct SourceRows {
  Value pointer;
  /// Distance of rows, and the number of steps.
  int64_t stride, steps;
  mlir::Type type;
  /// The rows as f32, with as many elements as the source's depth, or as
  /// digits with a factor for each row: the factors of codes while rows are
  /// few.
  Value wide, digits = {}, factors = {};
};

/// Steps of a slice: its weights fill a fraction of the second-level cache.
inline constexpr int64_t kMostSteps = 768;
static_assert(kMostSteps % kChainSteps == 0);

/// Returns up to how many rows products read codes directly; for more, the
/// numbers of a slice are written first.
int64_t getFewRows(const GemmLayout &layout);

/// The packed weights of a source, or the weight that they are read from.
struct PackedSource {
  Value weight;
  std::optional<CodePanels> codes;
};

/// Returns the maximum number of rows that digits replace, if the weight of a
/// source supports digits.
int64_t getDigitRows(const GemmLayout &layout,
                     llvm::ArrayRef<PackedSource> weights);

/// Generates products of a block of rows and the panels of a tile. Sums are
/// stored in `buffer`, [row][layout.bufferColumns].
class GemmPanels {
public:
  /// `numbers` holds a slice of a panel, for codes or converted
  /// weights.
  GemmPanels(Code &code, const GemmPlan &plan, const GemmLayout &layout,
             llvm::MutableArrayRef<PackedSource> weights, Value buffer,
             Value numbers)
      : code(code), plan(plan), layout(layout), weights(weights),
        buffer(buffer), numbers(numbers),
        panelColumns(layout.getPanelColumns(code.lanes())) {}

  /// `areFinite` is true if rows, if there are few, have digits.
  void emit(llvm::ArrayRef<SourceRows> left, Value firstPanel, Value numPanels,
            Value numRows, Value areFinite);

private:
  /// Part of the depth of a source: of its weights in one panel.
  struct Slice {
    SourceRows left;
    /// Its weights from the first step on, and their type.
    Value right;
    mlir::Type rightType;
    Value firstStep, numSteps;
    /// The steps of the longest slice.
    int64_t mostSteps;
    /// True where nothing has been summed up before.
    Value isFirst;
    /// The next weights or codes to prefetch, and their bytes per step of the
    /// depth.
    Value next;
    int64_t stepBytes;
  };

  /// Rows that are multiplied together.
  struct Pass {
    int64_t size;
    /// The first of them, and the last row that there is.
    Value row, lastRow;
    /// Passes before it, and whether it has none before or behind.
    Value number, isAlone;
  };

  Value getPanel(unsigned source, Value panel);
  int64_t getStepBytes(unsigned source);
  /// Returns the product operands of rows starting at `firstStep`; `right` is
  /// the first step of their panel.
  ProductOperands getOperands(const SourceRows &left, Value right,
                              mlir::Type rightType, Value firstStep,
                              ValueRange rows);
  Values getRows(Value row, Value lastRow, int64_t count);
  Values getWideRows(const SourceRows &left, int64_t depth, ValueRange rows);
  llvm::SmallVector<DigitRow>
  getDigits(CodePanels &codes, const SourceRows &left, ValueRange rows);
  Value getSum(Value row, Value column, int64_t number);
  void emitOneRow(llvm::ArrayRef<SourceRows> left, Value panel, Value column);
  void emitTogether(llvm::ArrayRef<SourceRows> left, Value panel, Value column,
                    Value row, ValueRange rows, bool byDigits);
  void emitOnePass(llvm::ArrayRef<SourceRows> left, Value panel, Value column,
                   Value numRows);
  void emitFewRows(llvm::ArrayRef<SourceRows> left, Value panel, Value column,
                   Value numRows);
  void emitDigitRows(llvm::ArrayRef<SourceRows> left, Value panel, Value column,
                     Value numRows);
  void emitAllRows(llvm::ArrayRef<SourceRows> left, Value panel, Value column,
                   Value numRows);
  void writeNumbers(const Slice &slice);
  void writeCodes(CodePanels &codes, Value panel, Slice &slice);
  void emitSlice(const Slice &slice, Value column, Value numRows);
  void emitTiles(const Slice &slice, Value column, Value numRows);
  void emitPasses(const Slice &slice, Value column, Value numRows);
  void emitPass(const Slice &slice, Value column, const Pass &pass);

  Code &code;
  const GemmPlan &plan;
  const GemmLayout &layout;
  llvm::MutableArrayRef<PackedSource> weights;
  Value buffer, numbers;
  int64_t panelColumns;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_GEMMPANELS_H
