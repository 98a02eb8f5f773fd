//===- ColumnMap.cpp - arithmetic on column ranges of ranks ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Shard/ColumnMap.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace parablock::block;

ColumnMap ColumnMap::whole(int64_t width) {
  ColumnMap map;
  map.runs = {{0, width, 0, 1}};
  return map;
}

ColumnMap ColumnMap::fixed(int64_t base, int64_t size) {
  ColumnMap map;
  map.runs = {{base, size, 0, 1}};
  return map;
}

ColumnMap ColumnMap::split(int64_t width, int64_t unit, int64_t ranks) {
  int64_t size = llvm::divideCeil(width / unit, ranks) * unit;
  ColumnMap map;
  map.runs = {{0, size, size, 1}};
  return map;
}

ColumnMap ColumnMap::replicated(int64_t unit, int64_t repeat) {
  ColumnMap map;
  map.runs = {{0, unit, unit, repeat}};
  return map;
}

int64_t ColumnMap::getWidth() const {
  int64_t width = 0;
  for (const ColumnRun &run : runs)
    width += run.size;
  return width;
}

bool ColumnMap::isWhole(int64_t width) const {
  int64_t next = 0;
  for (const ColumnRun &run : runs) {
    if (run.step != 0 || run.base != next)
      return false;
    next += run.size;
  }
  return next == width;
}

bool ColumnMap::isPartition() const {
  return llvm::all_of(runs, [](const ColumnRun &run) {
    return run.repeat == 1 && run.step >= run.size;
  });
}

int64_t ColumnMap::getEnd(int64_t ranks) const {
  int64_t end = 0;
  for (const ColumnRun &run : runs)
    end = std::max(end, run.getEnd(ranks));
  return end;
}

ColumnMap ColumnMap::dividedBy(int64_t unit) const {
  ColumnMap map;
  for (const ColumnRun &run : runs)
    map.runs.push_back(
        {run.base / unit, run.size / unit, run.step / unit, run.repeat});
  return map;
}

void ColumnMap::append(const ColumnMap &other, int64_t offset) {
  for (ColumnRun run : other.runs) {
    run.base += offset;
    runs.push_back(run);
  }
}
