//===- CodeCounts.h - counts of weights stored as codes ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_CODECOUNTS_H
#define PARABLOCK_ANALYSIS_CODECOUNTS_H

#include <cstdint>

namespace mlir {
class Operation;
} // namespace mlir

namespace parablock {

/// Number of weights stored as codes, and what reads them. The CPU engine reads
/// codes. So do products of GPUs that there is code for; @prepack unpacks other
/// weights, and runs read the numbers.
struct CodeCounts {
  int64_t weights = 0;
  int64_t codeBytes = 0, unpackedBytes = 0;
  /// Number of elements of codes, scales and zero points.
  int64_t elements = 0;
  /// Bytes of codes and scales that GPUs read, and of numbers.
  int64_t readBytes = 0, readNumberBytes = 0;

  /// Returns the bytes that a run reads for these weights.
  int64_t getRunBytes(bool isOnDevice) const {
    return isOnDevice ? readBytes + readNumberBytes : codeBytes;
  }
};

/// Counts the weights stored as codes below `root`.
CodeCounts countCodes(mlir::Operation *root);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_CODECOUNTS_H
