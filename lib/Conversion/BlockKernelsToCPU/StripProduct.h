//===- StripProduct.h - a block of a product of strips ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Building blocks of sums over the rows of a step: blocks of a product, strip
// of registers by strip, added to a buffer of f32. Factors are f32, or pairs of
// bf16 if the processor multiplies these faster.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_STRIPPRODUCT_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_STRIPPRODUCT_H

#include "Product.h"
#include "parablock/Conversion/CPUCode/Frame.h"

namespace parablock::cpugen {

/// How factors of a type are multiplied.
struct StripForm {
  StripForm(const CpuTarget &target, mlir::Type left, mlir::Type right);

  CpuTile shape;
  bool inPairs;
  /// Columns of a panel.
  int64_t panelColumns;

  /// The type of a unit of a step: f32, or two of bf16 as an integer.
  mlir::Type getUnit(Code &code) const;
  /// Returns the number of steps for that many rows.
  Value countSteps(Code &code, Value rows) const;
};

/// The factors of a block.
struct StripFactors {
  /// Row i has at step k the unit at left + i * rowDistance + k * stepDistance.
  Value left;
  int64_t rowDistance = 1, stepDistance = 1;
  /// Panels are `panelDistance` elements apart; in each, step k is at k *
  /// panelColumns units.
  Value right, panelDistance;
  /// The type of the right side's elements.
  mlir::Type rightType;
  /// The most steps of a call.
  int64_t mostSteps;
};

/// Adds products of `rows` rows and `panels` panels, of `steps` steps, to
/// `sums`, which has `columns` columns and rows for whole strips. Unless
/// `isFirst`, adds to the existing values of `sums`.
void emitStrips(Code &code, const StripForm &form, const StripFactors &factors,
                Value rows, Value panels, Value steps, Value sums,
                int64_t columns, Value isFirst);

/// A rectangle of a matrix in memory.
struct Rectangle {
  Value base;
  mlir::Type type;
  /// Its first element, and the distance of its rows.
  Value first, distance;
  Value rows, columns;
};

/// Copies `from` to units at `to`, [panel][step][panelColumns], with zeros
/// after the last column and, for pairs, the last row. Panels are
/// `panelDistance` units apart.
void emitPacking(Code &code, const StripForm &form, const Rectangle &from,
                 Value to, int64_t panelColumns, int64_t panels,
                 int64_t panelDistance);

/// Stores sums, of rows of `distance` columns, to the rectangle.
void emitSumStore(Code &code, Value sums, int64_t distance,
                  const Rectangle &to);

/// Loads sums stored by emitSumStore.
void emitSumLoad(Code &code, Value sums, int64_t distance,
                 const Rectangle &from);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_STRIPPRODUCT_H
