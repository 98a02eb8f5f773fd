//===- RopeDigits.h - digits of rotations -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_ROPEDIGITS_H
#define PARABLOCK_LIB_RAISE_ROPEDIGITS_H

#include "Algebra.h"
#include "RopeTable.h"

namespace parablock::raise {

/// A part of the rotated value times a table.
struct Turn {
  Term part;
  Product table;
};

/// The two products that each half of a rotation is the sum of.
using Turns = std::vector<Turn>[2];

/// The digits of a rotation: those of tables, sorted as in the value.
struct TableDigits {
  Aligned aligned;
  llvm::SmallVector<unsigned> all, positions;
  unsigned pairDigit = 0;
  int64_t pairs = 1;
  int64_t getPositions() const { return aligned.getSize(positions); }
};

/// Layouts from the third to `end` are of tables, the first is of the value.
std::optional<TableDigits> findTableDigits(llvm::ArrayRef<Layout> layouts,
                                           bool isInterleaved, size_t end);

/// True where all tables are constants.
bool areConstant(const Turns &turns);

/// Reads the numbers of constant tables; returns false if the halves
/// differ.
bool readTable(const Turns &turns, const TableDigits &digits, RopeTable &table);

/// Returns how many leading digits that look like pairs belong to position 0:
/// there all sines are 0, and the first one of the next position is not. 0 if
/// all sines are 0.
int64_t countPairs(const Turns &turns, const TableDigits &digits);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_ROPEDIGITS_H
