//===- TileProduct.h - products on tiles ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_TILEPRODUCT_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_TILEPRODUCT_H

#include "parablock/Conversion/CPUCode/Code.h"

namespace parablock::cpugen {

/// Pairs of inputs that a tile has in a row: steps come in multiples of it.
inline constexpr int64_t kTilePairs = 16;

/// Columns that a product processes at a time.
inline constexpr int64_t kTileProductColumns = 32;

/// Rows times a panel, both in pairs of inputs, summed in memory. Strides are
/// in bytes.
struct TileOperands {
  Value left;
  int64_t leftStride;
  Value right;
  int64_t rightStride;
  Value sums;
  int64_t sumsStride;
  /// Columns of the panel, and pairs of the depth.
  int64_t columns;
  Value steps, numRows;
  /// True where the sums hold nothing yet.
  Value isFirst;
  /// The next memory to prefetch, as large as the panel's steps, or null.
  Value next;
};

/// Adds products up by the instructions of `path`.
void emitTileProduct(Code &code, CpuPath path, const TileOperands &operands);

/// Ends the use of tiles by this thread, which makes it cheap to switch from.
void emitTileRelease(Code &code);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_TILEPRODUCT_H
