//===- RopeTables.h - cosines and sines of positions ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_ROPETABLES_H
#define PARABLOCK_IR_ROPETABLES_H

#include "parablock/Dialect/Block/BlockAttrs.h"
#include <vector>

namespace parablock {

/// Factors of a rotation: a row for each position, with a column for
/// each pair.
struct RopeTables {
  std::vector<double> cosines, sines;
};

/// The elements of the largest table that is made.
constexpr uint64_t mostRopeElements = 1 << 22;

/// Returns the elements of a table of `positions` positions; the largest number
/// stands for all that are larger.
uint64_t countRopeElements(block::RopeAttr form, int64_t positions);

/// Computes the tables of `positions` positions from `first` on, scaled and
/// rounded by the form.
RopeTables makeRopeTables(block::RopeAttr form, int64_t first,
                          int64_t positions);

} // namespace parablock

#endif // PARABLOCK_IR_ROPETABLES_H
