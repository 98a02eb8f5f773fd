//===- GemmPanels.h - sums of products, panel by panel ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_GEMMPANELS_H
#define PARABLOCK_LIB_CPU_GEMMPANELS_H

#include "GemmKernel.h"

namespace parablock::cpugen {

/// Rows of a source, as products read them.
struct SourceRows {
  Value pointer;
  /// Distance of rows, and the number of steps.
  int64_t stride, steps;
  mlir::Type type;
};

/// Writes products of a block of rows and the panels of a tile. Sums are left
/// in `buffer`, [row][layout.bufferColumns].
class GemmPanels {
public:
  /// `weights` are the packed ones of each source.
  GemmPanels(Code &code, const GemmPlan &plan, const GemmLayout &layout,
             ValueRange weights, Value buffer)
      : code(code), plan(plan), layout(layout), weights(weights),
        buffer(buffer), panelColumns(layout.getPanelColumns(code.lanes())) {}

  void emit(llvm::ArrayRef<SourceRows> left, Value firstPanel, Value numPanels,
            Value numRows);

private:
  /// Part of the depth of a source: of its weights in one panel.
  struct Slice {
    SourceRows left;
    Value right, firstStep, numSteps;
    /// True where nothing has been summed up before.
    Value isFirst;
    /// The weights that are needed next.
    Value next;
  };

  Value getPanel(unsigned source, Value panel);
  int64_t getStepBytes() const;
  ProductOperands getOperands(const SourceRows &left, Value right,
                              Value firstStep, ValueRange rows);
  Value getSum(Value row, Value column, int64_t number);
  void emitOneRow(llvm::ArrayRef<SourceRows> left, Value panel, Value column);
  void emitAllRows(llvm::ArrayRef<SourceRows> left, Value panel, Value column,
                   Value numRows);
  void emitRows(const Slice &slice, Value column, Value row, Value lastRow);

  Code &code;
  const GemmPlan &plan;
  const GemmLayout &layout;
  Values weights;
  Value buffer;
  int64_t panelColumns;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_GEMMPANELS_H
