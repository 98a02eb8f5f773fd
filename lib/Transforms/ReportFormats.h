//===- ReportFormats.h - a model's counts as text and JSON ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_REPORTFORMATS_H
#define PARABLOCK_LIB_TRANSFORMS_REPORTFORMATS_H

#include "MachineReport.h"
#include "parablock/Analysis/CodeCounts.h"
#include "parablock/Analysis/Collectives.h"
#include "parablock/Analysis/ModelCounts.h"
#include "parablock/Support/Chips.h"
#include "parablock/Transforms/StepMemory.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace parablock {

/// The needs of a step, the function with gradients.
struct StepReport {
  block::StepMemory memory;
  /// Counts of the function, whose layers are forward and backward ones.
  ModelCounts counts;
};

/// The subject of a report.
struct ReportSubject {
  llvm::StringRef function;
  const ModelCounts &model;
  const Chip &chip;
  /// Where the function is that of one of several devices; the counts are then
  /// that device's.
  std::optional<int64_t> ranks;
  /// None where no machine code was given.
  std::optional<std::vector<MachineKernel>> machineCode = std::nullopt;
  /// None of a module without one.
  std::optional<StepReport> step = std::nullopt;
  /// Weights of few bits.
  CodeCounts codes = {};
  /// Sums that nothing can be computed beside.
  OpSet exposedSums = {};
};

void writeReportText(llvm::raw_ostream &os, const ReportSubject &subject);
void writeReportJSON(llvm::raw_ostream &os, const ReportSubject &subject);

/// As block-report and block-explain have them.
llvm::json::Object describeLeftovers(const LeftoverCounts &leftovers);

/// The stamps of a layer; null for none.
llvm::json::Value describeApprox(block::ApproxAttr approx);

} // namespace parablock

#endif // PARABLOCK_LIB_TRANSFORMS_REPORTFORMATS_H
