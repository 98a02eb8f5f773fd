//===- Comparer.h - Judging one result by another ---------------*- C++ -*-===//
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

/// The rules that two tensors are compared by.
struct CompareOptions {
  /// One byte per row, zero where the row is not looked at (padding). The
  /// number of elements must be a multiple of the number of rows. Empty: every
  /// row counts.
  llvm::ArrayRef<uint8_t> rowMask;
  /// Elements of a row where there is no mask; 0 makes it one row.
  size_t rowLength = 0;
  /// The residual stream x that the update y - x is measured from; empty where
  /// there is none, otherwise of the same size as the results.
  llvm::ArrayRef<double> updateBase;
  /// The least norm that errors are relative to; `want` is as good as zero
  /// where it is smaller.
  double leastNorm = 0;
};

/// How far `got` is from `want` over the rows that count. Elements that are
/// the same NaN or infinity on both sides are left out of every sum.
struct ErrorMetrics {
  double maxAbs = 0;
  /// Root mean square of got - want.
  double rms = 0;
  /// |got - want| in the 2-norm.
  double errorNorm = 0;
  /// The same relative to |want|, or the least norm; 0 where both are zero,
  /// infinite where only `want` is.
  double relL2 = 0;
  /// |got - want| / |want - x|.
  std::optional<double> relL2Update;
  /// 1 where both are zero, 0 where only one is.
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
  /// Elements that are NaN or infinite otherwise; the first one's index.
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

/// The error that the original function makes by rounding, where it is known.
struct ErrorFloor {
  double relL2 = 0;
  double relL2Update = 0;
  /// The error that it makes in a row, where that may raise the row's limit.
  double worstRow = 0;
  /// The error that it makes in an element, where that may raise the limit of
  /// elements.
  double worstElement = 0;
  /// Its 2-norm, and the least norm that errors are relative to.
  double norm = 0, leastNorm = 0;
};

/// The judgement of one output.
struct Verdict {
  std::string name;
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t, 4> shape;
  ErrorMetrics metrics;
  ErrorFloor floor;
  /// Limits on relL2 and relL2Update; see Tolerances.h.
  double limit = 0, updateLimit = 0;
  /// Why it does not pass; empty where it does.
  std::vector<std::string> reasons;

  bool pass() const { return reasons.empty(); }
};

/// Compares and judges. `options.rowLength` of 0 means the last dimension. A
/// comparison of no element at all, of tensors that have some, does not pass.
Verdict judge(llvm::StringRef name, const ComparedTensor &got,
              const ComparedTensor &want, CompareOptions options = {},
              ErrorFloor floor = {});

/// The fields of an output in the run report: name, shape, dtype, max_abs,
/// rms, rel_l2, rel_l2_update (null without one), cosine, base, floor,
/// floor_update, least_norm, tolerance, tolerance_update, pass, reasons.
llvm::json::Object toJSON(const Verdict &verdict);

/// One line per output with PASS or FAIL, the errors, base, floor and limit,
/// and below a failed one its reasons.
void printVerdicts(llvm::raw_ostream &os, llvm::ArrayRef<Verdict> verdicts);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_COMPARER_H
