//===- Comparer.h - Comparison of results -----------------------*- C++ -*-===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_COMPARER_H
#define PARABLOCK_SUPPORT_COMPARER_H

#include "parablock/Support/FloatFormats.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parablock {

/// The rules for comparing two tensors.
struct CompareOptions {
  /// One byte per row, zero if the row is ignored (padding). The number of
  /// elements must be a multiple of the number of rows. Empty: every row
  /// counts.
  llvm::ArrayRef<uint8_t> rowMask;
  /// Elements of a row if there is no mask; 0 makes the tensor one row.
  size_t rowLength = 0;
  /// The residual stream x that the update y - x is measured from; empty, or of
  /// the same size as the results.
  llvm::ArrayRef<double> updateBase;
  /// The smallest norm that errors are relative to; a smaller `want` counts as
  /// zero.
  double leastNorm = 0;
};

/// Differences between `got` and `want` over the rows that count. Elements that
/// are the same NaN or infinity on both sides are left out of every sum.
struct ErrorMetrics {
  double maxAbs = 0;
  /// Root mean square of got - want.
  double rms = 0;
  /// |got - want| in the 2-norm.
  double errorNorm = 0;
  /// Error relative to |want|, or the smallest norm; 0 if both are zero,
  /// infinite if only `want` is.
  double relL2 = 0;
  /// |got - want| / |want - x|.
  std::optional<double> relL2Update;
  /// 1 if both are zero, 0 if only one is.
  double cosine = 1;
  /// The row with the largest |got - want| / max(|want|, rms row norm).
  double worstRowRelL2 = 0;
  size_t worstRow = 0;
  /// The element with the largest |got - want| relative to the largest of
  /// |want|, the rms of its row and that of all rows.
  double worstElementError = 0;
  size_t worstElement = 0;

  size_t numCompared = 0;
  /// Elements left out because they are the same NaN or infinity.
  size_t numSameNonFinite = 0;
  /// Other elements that are NaN or infinite; the first one's index.
  size_t numDifferentNonFinite = 0;
  size_t firstDifferentNonFinite = 0;
  bool gotIsZero = true, wantIsZero = true;
  bool gotIsConstant = true, wantIsConstant = true;
};

/// `got` and `want` must have the same size; see CompareOptions for the rest.
ErrorMetrics compare(llvm::ArrayRef<double> got, llvm::ArrayRef<double> want,
                     const CompareOptions &options = {});

/// A named result with its type, for verdicts.
struct ComparedTensor {
  ElementType type = ElementType::F32;
  llvm::ArrayRef<int64_t> shape;
  llvm::ArrayRef<double> values;
};

/// The rounding error of the original function, if known.
struct ErrorFloor {
  double relL2 = 0;
  double relL2Update = 0;
  /// Its error in a row, if that may raise the row's limit.
  double worstRow = 0;
  /// Its error in an element, if that may raise the limit of
  /// elements.
  double worstElement = 0;
  /// Its 2-norm, and the smallest norm that errors are relative to.
  double norm = 0, leastNorm = 0;
};

/// The verdict on one output.
struct Verdict {
  std::string name;
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t, 4> shape;
  ErrorMetrics metrics;
  ErrorFloor floor;
  /// Limits on relL2 and relL2Update; see Tolerances.h.
  double limit = 0, updateLimit = 0;
  /// Why it fails; empty if it passes.
  std::vector<std::string> reasons;

  bool pass() const { return reasons.empty(); }
};

/// Compares and judges. `options.rowLength` of 0 means the last dimension. A
/// comparison without compared elements, of nonempty tensors, fails.
Verdict judge(llvm::StringRef name, const ComparedTensor &got,
              const ComparedTensor &want, CompareOptions options = {},
              ErrorFloor floor = {});

/// Returns the fields of an output in the run report: name, shape, dtype,
/// max_abs, rms, rel_l2, rel_l2_update (null without one), cosine, base, floor,
/// floor_update, least_norm, tolerance, tolerance_update, pass, reasons.
llvm::json::Object toJSON(const Verdict &verdict);

/// Prints one line per output with PASS or FAIL, the errors, base, floor and
/// limit, and below a failed one its reasons.
void printVerdicts(llvm::raw_ostream &os, llvm::ArrayRef<Verdict> verdicts);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_COMPARER_H
