//===- NormStatisticsFile.h - measured streams of norms ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_NORMSTATISTICSFILE_H
#define PARABLOCK_LIB_TRANSFORMS_NORMSTATISTICSFILE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace parablock::block {

/// The measurements of block-drift of the rows that norms read.
class NormStatisticsFile {
public:
  /// Reads and checks the file; every error begins with the path.
  static llvm::Expected<NormStatisticsFile> read(llvm::StringRef path);

  /// Returns the largest |mean| / standard deviation of any row that a norm of
  /// the layer reads; none for a layer that the file lacks.
  std::optional<double> lookupMaxMeanOverStd(int64_t layer) const;

private:
  llvm::DenseMap<int64_t, double> maxOfLayer;
};

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_NORMSTATISTICSFILE_H
