//===- Scan.cpp - every candidate alone -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Scan.h"

#include "Convert.h"
#include "llvm/ADT/STLExtras.h"

using namespace parablock;
using namespace parablock::drift;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

double CandidateReport::getKl(Correction correction) const {
  for (const Recovery &recovery : recoveries)
    if (recovery.correction == correction)
      return recovery.logits.kl.getMean();
  return 0;
}

namespace {
/// A variant of a candidate on its way to the end of the model.
struct Live {
  size_t report, recovery;
  Stream stream;
};

class Scanner {
public:
  Scanner(const Model &model, ArrayRef<Candidate> candidates,
          ArrayRef<Correction> corrections, const CorrectionOptions &options,
          Split klSplit, Progress &progress)
      : model(model), candidates(candidates), corrections(corrections),
        options(options), klSplit(klSplit), progress(progress) {}

  Expected<Scan> run() {
    scan.originals.push_back(model.makeStream());
    if (Error error = model.runStart(allSplits, scan.originals.back()))
      return error;
    for (size_t link = 0; link < model.size(); ++link)
      if (Error error = walkLink(link))
        return error;
    if (Error error = compareEnds())
      return error;
    return std::move(scan);
  }

private:
  Error walkLink(size_t link) {
    progress.show("measuring: sublayer " + llvm::Twine(link + 1) + " of " +
                  llvm::Twine(model.size()));
    Expected<LinkWeights> weights = model.load(link);
    if (!weights)
      return weights.takeError();
    for (Live &variant : live)
      if (Error error = model.runLink(link, *weights, klSplit, variant.stream,
                                      variant.stream))
        return error;
    scan.originals.push_back(model.makeStream());
    if (Error error =
            model.runLink(link, *weights, allSplits, scan.originals[link],
                          scan.originals.back()))
      return error;
    for (const Candidate &candidate : candidates)
      if (candidate.position + 1 == link)
        if (Error error = measureCandidate(candidate))
          return error;
    return Error::success();
  }

  Error measureCandidate(const Candidate &candidate) {
    Expected<PairWeights> weights = model.load(candidate);
    if (!weights)
      return weights.takeError();
    PairStreams streams = scan.getStreams(candidate);
    CandidateReport report;
    report.candidate = candidate;
    Expected<PairMetrics> metrics =
        measurePair(model, candidate, *weights, streams, Split::Report);
    if (!metrics)
      return metrics.takeError();
    report.metrics = std::move(*metrics);
    report.recoveries.emplace_back();
    report.recoveries.back().updateError = report.metrics.updateError;
    report.recoveries.back().pair.weights = std::move(*weights);
    for (Correction correction : corrections)
      if (Error error = addCorrection(candidate, correction, report))
        return error;
    for (auto [index, recovery] : llvm::enumerate(report.recoveries)) {
      if (Error error = startVariant(candidate, recovery.pair.weights, index))
        return error;
    }
    // The weights have done their work; models do not fit twice.
    for (Recovery &recovery : report.recoveries)
      recovery.pair.weights = {};
    scan.candidates.push_back(std::move(report));
    return Error::success();
  }

  Error addCorrection(const Candidate &candidate, Correction correction,
                      CandidateReport &report) {
    progress.show("fitting " + getName(correction) + " of pair " +
                  candidate.pair.getName());
    PairStreams streams = scan.getStreams(candidate);
    Expected<CorrectedPair> corrected =
        correctPair(model, candidate, correction,
                    report.recoveries.front().pair.weights, streams, options);
    if (!corrected)
      return corrected.takeError();
    Expected<TokenStatistics> error = measureUpdateError(
        model, candidate, corrected->weights, streams, Split::Report);
    if (!error)
      return error.takeError();
    Recovery recovery;
    recovery.correction = correction;
    recovery.updateError = std::move(*error);
    recovery.pair = std::move(*corrected);
    report.recoveries.push_back(std::move(recovery));
    return Error::success();
  }

  Error startVariant(const Candidate &candidate, const PairWeights &weights,
                     size_t recovery) {
    if (!model.hasLogits())
      return Error::success();
    live.push_back({scan.candidates.size(), recovery, model.makeStream()});
    return runPair(model, candidate, weights, klSplit,
                   scan.originals[candidate.position], live.back().stream);
  }

  Error compareEnds() {
    if (live.empty())
      return Error::success();
    progress.show("comparing logits");
    std::vector<const Stream *> ends;
    for (const Live &variant : live)
      ends.push_back(&variant.stream);
    Expected<std::vector<LogitDrift>> drifts =
        compareLogits(model, klSplit, scan.originals.back(), ends);
    if (!drifts)
      return drifts.takeError();
    for (auto [variant, drift] : llvm::zip_equal(live, *drifts))
      scan.candidates[variant.report].recoveries[variant.recovery].logits =
          std::move(drift);
    return Error::success();
  }

  const Model &model;
  ArrayRef<Candidate> candidates;
  ArrayRef<Correction> corrections;
  const CorrectionOptions &options;
  const Split klSplit;
  Progress &progress;
  Scan scan;
  std::vector<Live> live;
};
} // namespace

Expected<Scan> drift::scanModel(const Model &model,
                                ArrayRef<Candidate> candidates,
                                ArrayRef<Correction> corrections,
                                const CorrectionOptions &options, Split klSplit,
                                Progress &progress) {
  return Scanner(model, candidates, corrections, options, klSplit, progress)
      .run();
}
