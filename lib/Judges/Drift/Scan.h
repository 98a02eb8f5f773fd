//===- Scan.h - measurement of candidates -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_SCAN_H
#define PARABLOCK_LIB_DRIFT_SCAN_H

#include "Corrections.h"
#include "LogitComparison.h"
#include "Progress.h"
#include "Screen.h"

namespace parablock::drift {

/// The gain of one correction on a pair that is converted alone.
struct Recovery {
  Correction correction = Correction::None;
  TokenStatistics updateError;
  /// At the end of the model; empty without logits.
  LogitDrift logits;
  /// Shares of continuations that stay the same, on the split of KL, and of
  /// tasks that stay solved, on the report split.
  std::optional<double> generation, tasks;
  CorrectedPair pair;
};

struct CandidateReport {
  Candidate candidate;
  ScreenRecord screen;
  PairMetrics metrics;
  /// The uncorrected pair first. Dropped candidates have no logits and no
  /// correction.
  std::vector<Recovery> recoveries;

  /// The mean KL divergence under `correction`, in nats a token.
  double getKl(Correction correction) const;
};

/// The original model's streams at every point of the chain, and its
/// candidates, each measured alone.
struct Scan {
  std::vector<Stream> originals;
  std::vector<CandidateReport> candidates;
  bool isLadder = false;

  PairStreams getStreams(const Candidate &candidate) const {
    return {originals[candidate.position], originals[candidate.position + 1],
            originals[candidate.position + 2], getOlder(candidate.position),
            &originals[candidate.position]};
  }
  /// Returns the stream one sum older than the input of a link; null if pairs
  /// do not read it, or there is none.
  const Stream *getOlder(size_t link) const {
    return isLadder && link > 0 ? &originals[link - 1] : nullptr;
  }
};

/// The subject of a scan.
struct ScanRequest {
  llvm::ArrayRef<Candidate> candidates;
  llvm::ArrayRef<Correction> corrections;
  CorrectionOptions options;
  Split klSplit;
  Screen screen;
  /// True where it drops candidates.
  bool drops = false;
  /// Judges what the model says with one converted pair.
  llvm::function_ref<llvm::Error(const Candidate &, Recovery &)> judge;
};

/// Walks the original model, screens its candidates, and walks it again with
/// every converted variant of each. Errors are measured on the report split, KL
/// and the criteria of the screen on `klSplit`.
llvm::Expected<Scan> scanModel(const Model &model, const ScanRequest &request,
                               Progress &progress);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_SCAN_H
