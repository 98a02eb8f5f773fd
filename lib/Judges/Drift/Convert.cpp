//===- Convert.cpp - converts and measures chains of pairs ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Convert.h"

#include "llvm/ADT/STLExtras.h"

using namespace parablock;
using namespace parablock::drift;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

Error drift::runPair(const Model &model, const Candidate &candidate,
                     const PairWeights &weights, ArrayRef<Split> splits,
                     const Stream &from, Stream &to) {
  return forEachChunk(
      model.data(), splits, [&](size_t index, const Chunk &chunk) -> Error {
        Expected<Tensor> stream = from.get(index);
        if (!stream)
          return stream.takeError();
        Expected<Tensor> result = model.getPair(candidate).runResult(
            *stream, weights, model.data(), chunk);
        if (!result)
          return result.takeError();
        return to.set(index, std::move(*result));
      });
}

namespace {
class Converter {
public:
  Converter(const Model &model, const Scan &scan, ArrayRef<Candidate> chosen,
            Correction correction, const CorrectionOptions &options,
            Split measured, Progress &progress)
      : model(model), scan(scan), chosen(chosen), correction(correction),
        options(options), measured(measured), progress(progress) {
    splits.push_back(measured);
    if (measured != Split::Select)
      splits.push_back(Split::Select);
    if (correction != Correction::None)
      splits.push_back(Split::Fit);
  }

  Expected<Conversion> run() {
    // Before the first pair, the converted model is the original.
    size_t link = chosen.empty() ? model.size() : chosen.front().position;
    from = &scan.originals[link];
    const Candidate *next = chosen.begin();
    while (link < model.size()) {
      progress.show("converting " + llvm::Twine(chosen.size()) +
                    " pairs: sublayer " + llvm::Twine(link + 1) + " of " +
                    llvm::Twine(model.size()));
      bool isPair = next != chosen.end() && next->position == link;
      if (Error error = isPair ? walkPair(*next) : walkLink(link))
        return error;
      link += isPair ? 2 : 1;
      next += isPair;
    }
    if (from == &conversion.last)
      return std::move(conversion);
    // Nothing was converted.
    conversion.last = model.makeStream();
    for (auto [index, chunk] : llvm::enumerate(model.data().chunks()))
      if (llvm::is_contained(splits, chunk.split)) {
        Expected<Tensor> tensor = from->get(index);
        if (!tensor)
          return tensor.takeError();
        if (Error error = conversion.last.set(index, std::move(*tensor)))
          return error;
      }
    return std::move(conversion);
  }

private:
  /// Chunks of the stream are replaced one by one; each is read only before.
  Stream &makeTarget() {
    if (conversion.last.empty())
      conversion.last = model.makeStream();
    return conversion.last;
  }

  Error walkLink(size_t link) {
    Expected<LinkWeights> weights = model.load(link);
    if (!weights)
      return weights.takeError();
    if (model.getLink(link).sublayer)
      if (Error error = measureKeys(link, weights->sublayer, weights->sublayer,
                                    [&](const Tensor &stream) {
                                      return model.getRunner(link).runHead(
                                          stream, weights->sublayer);
                                    }))
        return error;
    Stream &to = makeTarget();
    if (Error error = model.runLink(link, *weights, splits, *from, to))
      return error;
    from = &to;
    return Error::success();
  }

  Error walkPair(const Candidate &candidate) {
    Expected<PairWeights> weights = model.load(candidate);
    if (!weights)
      return weights.takeError();
    ConvertedPair converted{candidate, {}};
    if (options.given) {
      Expected<PairWeights> given = options.given->load(model, candidate);
      if (!given)
        return given.takeError();
      converted.corrected.weights = std::move(*given);
    } else if (correction == Correction::None) {
      converted.corrected.weights = *weights;
    } else {
      Expected<CorrectedPair> corrected =
          correctPair(model, candidate, correction, *weights,
                      {*from, scan.originals[candidate.position + 1],
                       scan.originals[candidate.position + 2]},
                      options);
      if (!corrected)
        return corrected.takeError();
      converted.corrected = std::move(*corrected);
    }
    const PairWeights &final = converted.corrected.weights;
    const PairRunner &pair = model.getPair(candidate);
    bool attentionFirst = pair.first().sublayer().isAttention();
    size_t link = candidate.position + (attentionFirst ? 0 : 1);
    if (Error error =
            measureKeys(link, attentionFirst ? weights->first : weights->second,
                        attentionFirst ? final.first : final.second,
                        [&](const Tensor &stream) {
                          return attentionFirst
                                     ? pair.first().runHead(stream, final.first)
                                     : pair.runSecondHead(stream, final);
                        }))
      return error;
    Stream &to = makeTarget();
    if (Error error = runPair(model, candidate, final, splits, *from, to))
      return error;
    from = &to;
    conversion.pairs.push_back(std::move(converted));
    return Error::success();
  }

  /// Compares values for the cache with those of the original.
  Error measureKeys(
      size_t link, const SublayerWeights &original,
      const SublayerWeights &converted,
      llvm::function_ref<Expected<Tensor>(const Tensor &stream)> runHead) {
    const SublayerRunner &runner = model.getRunner(link);
    if (!runner.sublayer().isAttention() || original.inputs.size() < 3)
      return Error::success();
    using Pair = std::pair<TokenStatistics, TokenStatistics>;
    std::vector<Pair> byChunk(model.data().chunks().size());
    Error error = forEachChunk(
        model.data(), measured, [&](size_t index, const Chunk &chunk) -> Error {
          Expected<Tensor> wantedStream = scan.originals[link].get(index);
          if (!wantedStream)
            return wantedStream.takeError();
          Expected<Tensor> wanted = runner.runHead(*wantedStream, original);
          if (!wanted)
            return wanted.takeError();
          Expected<Tensor> gotStream = from->get(index);
          if (!gotStream)
            return gotStream.takeError();
          Expected<Tensor> got = runHead(*gotStream);
          if (!got)
            return got.takeError();
          std::vector<uint8_t> valid = model.data().getValid(chunk);
          for (unsigned i : {1u, 2u}) {
            Tensor a = project(*wanted, original.inputs[i]);
            Tensor b = project(*got, converted.inputs[i]);
            TokenStatistics &to =
                i == 1 ? byChunk[index].first : byChunk[index].second;
            for (size_t row = 0; row < valid.size(); ++row)
              if (valid[row]) {
                RowComparison rows =
                    compareRows(getRow(b, row), getRow(a, row));
                to.add(getRatio(rows.difference, rows.bNorm));
              }
          }
          return Error::success();
        });
    for (const Pair &part : byChunk) {
      conversion.keys.append(part.first);
      conversion.values.append(part.second);
    }
    return error;
  }

  const Model &model;
  const Scan &scan;
  ArrayRef<Candidate> chosen;
  const Correction correction;
  const CorrectionOptions &options;
  const Split measured;
  Progress &progress;
  llvm::SmallVector<Split> splits;
  const Stream *from = nullptr;
  Conversion conversion;
};
} // namespace

Expected<Conversion> drift::convertModel(const Model &model, const Scan &scan,
                                         ArrayRef<Candidate> chosen,
                                         Correction correction,
                                         const CorrectionOptions &options,
                                         Split measured, Progress &progress) {
  return Converter(model, scan, chosen, correction, options, measured, progress)
      .run();
}

Expected<LogitDrift> drift::measureConversion(const Model &model,
                                              const Scan &scan,
                                              const Conversion &conversion,
                                              Split measured) {
  Expected<std::vector<LogitDrift>> drifts =
      compareLogits(model, measured, scan.originals.back(), &conversion.last);
  if (!drifts)
    return drifts.takeError();
  return std::move(drifts->front());
}

Expected<double> drift::predictKl(const Model &model, const Scan &scan,
                                  ArrayRef<Candidate> chosen, double selected,
                                  Progress &progress) {
  constexpr Split splits[] = {Split::Fit, Split::Select};
  if (chosen.empty())
    return selected;
  progress.show("measuring " + llvm::Twine(chosen.size()) +
                " uncorrected pairs");
  size_t link = chosen.front().position;
  const Stream *from = &scan.originals[link];
  Stream stream = model.makeStream();
  const Candidate *next = chosen.begin();
  while (link < model.size()) {
    if (next != chosen.end() && next->position == link) {
      Expected<PairWeights> weights = model.load(*next);
      if (!weights)
        return weights.takeError();
      if (Error error = runPair(model, *next, *weights, splits, *from, stream))
        return error;
      link += 2;
      ++next;
    } else {
      Expected<LinkWeights> weights = model.load(link);
      if (!weights)
        return weights.takeError();
      if (Error error = model.runLink(link, *weights, splits, *from, stream))
        return error;
      ++link;
    }
    from = &stream;
  }
  double plain = 0, sum = 0, tokens = 0;
  for (Split split : splits) {
    Expected<std::vector<LogitDrift>> drifts =
        compareLogits(model, split, scan.originals.back(), &stream);
    if (!drifts)
      return drifts.takeError();
    plain = drifts->front().kl.getMean();
    double count = static_cast<double>(model.data().countTokens(split));
    sum += plain * count;
    tokens += count;
  }
  return plain > 0 ? selected * (sum / tokens) / plain : selected;
}
