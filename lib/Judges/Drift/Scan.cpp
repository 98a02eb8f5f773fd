//===- Scan.cpp - walks the model with each candidate ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Scan.h"

#include "Convert.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

double CandidateReport::getKl(Correction correction) const {
  for (const Recovery &recovery : recoveries)
    if (recovery.correction == correction)
      return recovery.logits.kl.getMean();
  return 0;
}

namespace {
/// A variant of a candidate that is advanced to the end of the model.
struct Live {
  size_t report, recovery;
  Stream stream;
};

class Scanner {
public:
  Scanner(const Model &model, const ScanRequest &request, Progress &progress)
      : model(model), request(request), progress(progress) {}

  Expected<Scan> run() {
    scan.isLadder = model.isLadder();
    if (Error error = walkOriginal())
      return error;
    Expected<std::vector<ScreenRecord>> screened =
        screenCandidates(model, request.candidates, scan.originals,
                         request.klSplit, request.screen, request.drops);
    if (!screened)
      return screened.takeError();
    for (size_t link = 0; link < model.size(); ++link) {
      if (Error error = walkVariants(link))
        return error;
      for (auto [candidate, record] :
           llvm::zip_equal(request.candidates, *screened))
        if (candidate.position + 1 == link)
          if (Error error = measureCandidate(candidate, record))
            return error;
    }
    if (Error error = compareEnds())
      return error;
    return std::move(scan);
  }

private:
  Error walkOriginal() {
    scan.originals.push_back(model.makeStream());
    if (Error error = model.runStart(allSplits, scan.originals.back()))
      return error;
    for (size_t link = 0; link < model.size(); ++link) {
      progress.show("running the original: sublayer " + llvm::Twine(link + 1) +
                    " of " + llvm::Twine(model.size()));
      Expected<LinkWeights> weights = model.load(link);
      if (!weights)
        return weights.takeError();
      scan.originals.push_back(model.makeStream());
      if (Error error =
              model.runLink(link, *weights, allSplits, scan.originals[link],
                            scan.originals.back()))
        return error;
      if (Error error = checkFinite(link))
        return error;
    }
    return Error::success();
  }

  /// Returns an error if the stream after a link is not finite, since all later
  /// values would be NaN.
  Error checkFinite(size_t link) {
    return forEachChunk(
        model.data(), allSplits,
        [&](size_t index, const Chunk &chunk) -> Error {
          Expected<Tensor> stream = scan.originals[link + 1].get(index);
          if (!stream)
            return stream.takeError();
          for (auto [row, isValid] :
               llvm::enumerate(model.data().getValid(chunk)))
            if (isValid && !llvm::all_of(getRow(*stream, row), [](double x) {
                  return std::isfinite(x);
                }))
              return llvm::createStringError(
                  "layer " +
                  llvm::Twine(
                      block::LayerOp(model.getLink(link).whole).getIndex()) +
                  ": the original model makes a stream that is not finite: "
                  "weights or data hold NaN, infinities or numbers too large");
          return Error::success();
        });
  }

  /// Advances every started variant past one link.
  Error walkVariants(size_t link) {
    progress.show("measuring: sublayer " + llvm::Twine(link + 1) + " of " +
                  llvm::Twine(model.size()));
    if (live.empty())
      return Error::success();
    Expected<LinkWeights> weights = model.load(link);
    if (!weights)
      return weights.takeError();
    for (Live &variant : live)
      if (Error error = model.runLink(link, *weights, request.klSplit,
                                      variant.stream, variant.stream))
        return error;
    return Error::success();
  }

  Error measureCandidate(const Candidate &candidate,
                         const ScreenRecord &record) {
    Expected<PairWeights> weights = model.load(candidate);
    if (!weights)
      return weights.takeError();
    PairStreams streams = scan.getStreams(candidate);
    CandidateReport report;
    report.candidate = candidate;
    report.screen = record;
    Expected<PairMetrics> metrics =
        measurePair(model, candidate, *weights, streams, Split::Report);
    if (!metrics)
      return metrics.takeError();
    report.metrics = std::move(*metrics);
    report.recoveries.emplace_back();
    report.recoveries.back().updateError = report.metrics.updateError;
    report.recoveries.back().pair.weights = std::move(*weights);
    if (!record.isDropped)
      if (Error error = startVariants(candidate, report))
        return error;
    // The weights have done their work; models do not fit twice.
    for (Recovery &recovery : report.recoveries)
      recovery.pair.weights = {};
    scan.candidates.push_back(std::move(report));
    return Error::success();
  }

  Error startVariants(const Candidate &candidate, CandidateReport &report) {
    for (Correction correction : request.corrections)
      if (Error error = addCorrection(candidate, correction, report))
        return error;
    for (auto [index, recovery] : llvm::enumerate(report.recoveries)) {
      if (Error error = startVariant(candidate, recovery.pair.weights, index))
        return error;
      if (Error error = request.judge(candidate, recovery))
        return error;
    }
    return Error::success();
  }

  Error addCorrection(const Candidate &candidate, Correction correction,
                      CandidateReport &report) {
    progress.show("fitting " + getEnumName(correction) + " of pair " +
                  candidate.pair.getName());
    PairStreams streams = scan.getStreams(candidate);
    Expected<CorrectedPair> corrected = correctPair(
        model, candidate, correction, report.recoveries.front().pair.weights,
        streams, request.options);
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
    return runPair(model, candidate, weights, request.klSplit,
                   scan.originals[candidate.position], live.back().stream,
                   scan.getOlder(candidate.position));
  }

  Error compareEnds() {
    if (live.empty())
      return Error::success();
    progress.show("comparing logits");
    std::vector<const Stream *> ends;
    for (const Live &variant : live)
      ends.push_back(&variant.stream);
    Expected<std::vector<LogitDrift>> drifts =
        compareLogits(model, request.klSplit, scan.originals.back(), ends);
    if (!drifts)
      return drifts.takeError();
    for (auto [variant, drift] : llvm::zip_equal(live, *drifts))
      scan.candidates[variant.report].recoveries[variant.recovery].logits =
          std::move(drift);
    return Error::success();
  }

  const Model &model;
  const ScanRequest &request;
  Progress &progress;
  Scan scan;
  std::vector<Live> live;
};
} // namespace

Expected<Scan> drift::scanModel(const Model &model, const ScanRequest &request,
                                Progress &progress) {
  return Scanner(model, request, progress).run();
}
