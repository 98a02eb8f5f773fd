//===- RunReport.h - results of a run ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_COMPARE_RUNREPORT_H
#define PARABLOCK_COMPARE_RUNREPORT_H

#include "parablock/Judges/Compare/Comparison.h"
#include "parablock/Judges/Compare/GradientCheck.h"
#include "parablock/Judges/Compare/Trace.h"
#include "llvm/Support/JSON.h"

namespace parablock::runner {

/// The verdicts of one comparison.
struct Comparison {
  /// A file or an engine.
  std::string against;
  std::vector<Verdict> verdicts;

  bool pass() const;
};

struct RunReport {
  std::string engine;
  uint64_t seed = 0;
  RunResult result;
  Outputs outputs;
  std::vector<Comparison> comparisons;
  std::optional<std::vector<LayerTrace>> trace;
  std::optional<GradientCheck> gradients;

  bool pass() const;
};

/// Returns the fields of the run report (schema 1). Compared outputs have an
/// entry per comparison, with `against`; others have null for all errors.
llvm::json::Object toJSON(const RunReport &report);

/// Prints outputs, trace, comparisons, gradients and time.
void printReport(llvm::raw_ostream &os, const RunReport &report);

} // namespace parablock::runner

#endif // PARABLOCK_COMPARE_RUNREPORT_H
