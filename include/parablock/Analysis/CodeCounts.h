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

/// Number of weights stored as codes, and where they are unpacked. The CPU
/// engine reads codes; GPUs have no kernels for them, so @prepack unpacks them
/// and runs read the unpacked numbers.
struct CodeCounts {
  int64_t weights = 0;
  int64_t codeBytes = 0, unpackedBytes = 0;
};

/// Counts the weights stored as codes below `root`.
CodeCounts countCodes(mlir::Operation *root);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_CODECOUNTS_H
