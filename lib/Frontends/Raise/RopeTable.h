//===- RopeTable.h - frequencies from cosines and sines ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_ROPETABLE_H
#define PARABLOCK_LIB_RAISE_ROPETABLE_H

#include "parablock/Dialect/Block/BlockAttrs.h"
#include <optional>
#include <vector>

namespace parablock::raise {

/// Cosines and sines, `[positions, pairs]`.
struct RopeTable {
  int64_t positions = 0, pairs = 0;
  std::vector<double> cosines, sines;

  /// Returns the cosine of all elements if all sines are 0: a table of position
  /// 0 alone, which has no frequencies.
  std::optional<double> getUnturned() const;
  /// Returns the rotation with this table, or null. For f64 tables, `isExact`
  /// requires equal frequencies; others are treated as f32.
  block::RopeAttr fit(mlir::MLIRContext *context, block::RopeStyle style,
                      bool isExact) const;

private:
  std::vector<double> estimateFrequencies() const;
  std::vector<double> roundFrequencies(llvm::ArrayRef<double> estimates,
                                       double scale) const;
  bool holds(block::RopeAttr form, bool isExact) const;
};

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_ROPETABLE_H
