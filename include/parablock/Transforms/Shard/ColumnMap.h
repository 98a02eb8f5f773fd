//===- ColumnMap.h - the columns that each rank holds -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Upstream shardings cut a dimension into equal consecutive parts. A merged
// projection needs more: each of its segments q, k, v, up and gate is cut for
// itself, and a key head that several ranks read is on all of them. A column
// map describes the columns of every rank as a function of the rank, so that
// all ranks run one function.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_SHARD_COLUMNMAP_H
#define PARABLOCK_TRANSFORMS_SHARD_COLUMNMAP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <tuple>

namespace parablock::block {

/// On rank r, the `size` columns from `base + (r / repeat) * step` on.
struct ColumnRun {
  int64_t base = 0, size = 0, step = 0, repeat = 1;

  /// Returns the end of the columns of the last of `ranks` ranks.
  int64_t getEnd(int64_t ranks) const {
    return base + (ranks - 1) / repeat * step + size;
  }
  bool operator==(const ColumnRun &other) const {
    return asTuple() == other.asTuple();
  }
  bool operator<(const ColumnRun &other) const {
    return asTuple() < other.asTuple();
  }

private:
  std::tuple<int64_t, int64_t, int64_t, int64_t> asTuple() const {
    return {base, size, step, repeat};
  }
};

/// Columns of a value, in the order in which a rank holds them.
class ColumnMap {
public:
  /// Returns the map of a rank that holds all columns.
  static ColumnMap whole(int64_t width);
  /// Returns the map by which every rank holds `size` columns from `base` on.
  static ColumnMap fixed(int64_t base, int64_t size);
  /// Divides the width into parts of `unit` columns (a head, or 1), with the
  /// same number of parts on every rank. If the parts do not divide evenly, the
  /// columns of the last ranks exceed the width; these are padding.
  static ColumnMap split(int64_t width, int64_t unit, int64_t ranks);
  /// One part of `unit` columns per rank, each on `repeat` neighbouring ranks.
  static ColumnMap replicated(int64_t unit, int64_t repeat);

  llvm::ArrayRef<ColumnRun> getRuns() const { return runs; }
  /// Returns the number of columns of a rank.
  int64_t getWidth() const;
  /// Returns whether every rank holds all of `width` columns.
  bool isWhole(int64_t width) const;
  /// Returns whether every column is on one rank only.
  bool isPartition() const;
  /// Returns the largest end of the last rank's columns.
  int64_t getEnd(int64_t ranks) const;

  /// Returns the same map in units of `unit` columns.
  ColumnMap dividedBy(int64_t unit) const;
  /// Appends the columns of `other`, which begin at `offset`.
  void append(const ColumnMap &other, int64_t offset);

  bool operator==(const ColumnMap &other) const { return runs == other.runs; }

private:
  llvm::SmallVector<ColumnRun, 1> runs;
};

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_SHARD_COLUMNMAP_H
