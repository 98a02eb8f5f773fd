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
                     const Stream &from, Stream &to, const Stream *older,
                     Stream *middle) {
  return forEachChunk(
      model.data(), splits, [&](size_t index, const Chunk &chunk) -> Error {
        Expected<Tensor> stream = from.get(index);
        if (!stream)
          return stream.takeError();
        std::optional<Tensor> read;
        if (older) {
          Expected<Tensor> tensor = older->get(index);
          if (!tensor)
            return tensor.takeError();
          read = std::move(*tensor);
        }
        Tensor between;
        Expected<Tensor> result = model.getPair(candidate).runResult(
            *stream, weights, model.data(), chunk, read ? &*read : nullptr,
            middle ? &between : nullptr);
        if (!result)
          return result.takeError();
        if (middle)
          if (Error error = middle->set(index, std::move(between)))
            return error;
        return to.set(index, std::move(*result));
      });
}

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

void ChainWalk::prepare() {
  if (own.empty())
    own = model.makeStream();
  if (model.isLadder() && ownOlder.empty())
    ownOlder = model.makeStream();
}

Error ChainWalk::runLink(size_t link, const LinkWeights &weights) {
  prepare();
  if (model.isLadder()) {
    Error error = forEachChunk(
        model.data(), splits, [&](size_t index, const Chunk &) -> Error {
          Expected<Tensor> stream = from->get(index);
          return stream ? ownOlder.set(index, std::move(*stream))
                        : stream.takeError();
        });
    if (error)
      return error;
    before = &ownOlder;
  }
  if (Error error = model.runLink(link, weights, splits, *from, own))
    return error;
  from = &own;
  return Error::success();
}

Error ChainWalk::runPair(const Candidate &candidate,
                         const PairWeights &weights) {
  prepare();
  Stream *middle = model.isLadder() ? &ownOlder : nullptr;
  if (Error error = drift::runPair(model, candidate, weights, splits, *from,
                                   own, before, middle))
    return error;
  from = &own;
  before = middle;
  return Error::success();
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
    walk.emplace(model, splits, scan.originals[link], scan.getOlder(link));
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
    conversion.last = walk->take();
    if (!conversion.last.empty())
      return std::move(conversion);
    // Nothing was converted.
    conversion.last = model.makeStream();
    for (auto [index, chunk] : llvm::enumerate(model.data().chunks()))
      if (llvm::is_contained(splits, chunk.split)) {
        Expected<Tensor> tensor = walk->stream().get(index);
        if (!tensor)
          return tensor.takeError();
        if (Error error = conversion.last.set(index, std::move(*tensor)))
          return error;
      }
    return std::move(conversion);
  }

private:
  Error walkLink(size_t link) {
    Expected<LinkWeights> weights = model.load(link);
    if (!weights)
      return weights.takeError();
    if (model.getLink(link).sublayer)
      if (Error error = measureBranch(
              link, walk->stream(), weights->sublayer, weights->sublayer,
              [&](const Tensor &stream, const Chunk &) {
                return model.getRunner(link).runHead(stream, weights->sublayer);
              }))
        return error;
    return walk->runLink(link, *weights);
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
                      {walk->stream(), scan.originals[candidate.position + 1],
                       scan.originals[candidate.position + 2], walk->older(),
                       &scan.originals[candidate.position]},
                      options);
      if (!corrected)
        return corrected.takeError();
      converted.corrected = std::move(*corrected);
    }
    const PairWeights &final = converted.corrected.weights;
    const PairRunner &pair = model.getPair(candidate);
    for (bool isFirst : {true, false})
      if (Error error = measureBranch(
              candidate.position + (isFirst ? 0 : 1),
              isFirst && walk->older() ? *walk->older() : walk->stream(),
              isFirst ? weights->first : weights->second,
              isFirst ? final.first : final.second,
              [&](const Tensor &stream, const Chunk &chunk) {
                return isFirst ? pair.first().runHead(stream, final.first)
                               : pair.runRouterHead(stream, final, model.data(),
                                                    chunk);
              }))
        return error;
    if (Error error = walk->runPair(candidate, final))
      return error;
    conversion.pairs.push_back(std::move(converted));
    return Error::success();
  }

  using RunHead = llvm::function_ref<Expected<Tensor>(const Tensor &stream,
                                                      const Chunk &chunk)>;

  /// Compares keys, values and chosen experts of the branch of `link`, which
  /// reads `read`, with those of the original.
  Error measureBranch(size_t link, const Stream &read,
                      const SublayerWeights &original,
                      const SublayerWeights &converted, RunHead runHead) {
    if (model.getRunner(link).sublayer().hasRouter() &&
        measured == Split::Report)
      return measureExperts(link, read, original, converted, runHead);
    return measureKeys(link, read, original, converted, runHead);
  }

  /// Calls `compare` with what the branch of `link` reads behind its head in
  /// the original and in the converted model.
  Error forEachInput(
      size_t link, const Stream &read, const SublayerWeights &original,
      RunHead runHead,
      llvm::function_ref<Error(size_t index, const Chunk &chunk,
                               const Tensor &wanted, const Tensor &got)>
          compare) {
    return forEachChunk(
        model.data(), measured, [&](size_t index, const Chunk &chunk) -> Error {
          Expected<Tensor> wantedStream = scan.originals[link].get(index);
          if (!wantedStream)
            return wantedStream.takeError();
          Expected<Tensor> wanted =
              model.getRunner(link).runHead(*wantedStream, original);
          if (!wanted)
            return wanted.takeError();
          Expected<Tensor> gotStream = read.get(index);
          if (!gotStream)
            return gotStream.takeError();
          Expected<Tensor> got = runHead(*gotStream, chunk);
          if (!got)
            return got.takeError();
          return compare(index, chunk, *wanted, *got);
        });
  }

  Error measureExperts(size_t link, const Stream &read,
                       const SublayerWeights &original,
                       const SublayerWeights &converted, RunHead runHead) {
    const SublayerRunner &runner = model.getRunner(link);
    std::vector<TokenStatistics> byChunk(model.data().chunks().size());
    Error error = forEachInput(
        link, read, original, runHead,
        [&](size_t index, const Chunk &chunk, const Tensor &wanted,
            const Tensor &got) -> Error {
          using Choices = std::vector<reference::Choice>;
          Expected<Choices> before =
              runner.findExperts(wanted, original, model.data(), chunk);
          if (!before)
            return before.takeError();
          Expected<Choices> after =
              runner.findExperts(got, converted, model.data(), chunk);
          if (!after)
            return after.takeError();
          std::vector<uint8_t> valid = model.data().getValid(chunk);
          for (size_t row = 0; row < valid.size(); ++row) {
            bool isChanged = false;
            for (size_t i = row; i < before->size(); i += valid.size())
              isChanged |= (*before)[i] != (*after)[i];
            if (valid[row])
              byChunk[index].add(isChanged);
          }
          return Error::success();
        });
    for (const TokenStatistics &part : byChunk)
      conversion.changedExperts[link].append(part);
    return error;
  }

  /// Compares keys and values, which the attention of `link` writes to caches.
  Error measureKeys(size_t link, const Stream &read,
                    const SublayerWeights &original,
                    const SublayerWeights &converted, RunHead runHead) {
    const SublayerRunner &runner = model.getRunner(link);
    if (!runner.sublayer().isAttention() || original.inputs.size() < 3)
      return Error::success();
    using Pair = std::pair<TokenStatistics, TokenStatistics>;
    std::vector<Pair> byChunk(model.data().chunks().size());
    Error error = forEachInput(
        link, read, original, runHead,
        [&](size_t index, const Chunk &chunk, const Tensor &wanted,
            const Tensor &got) -> Error {
          std::vector<uint8_t> valid = model.data().getValid(chunk);
          for (unsigned i : {1u, 2u}) {
            Tensor a = project(wanted, original.inputs[i]);
            Tensor b = project(got, converted.inputs[i]);
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
  std::optional<ChainWalk> walk;
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

Expected<TokenStatistics> drift::measureLastStream(const Model &model,
                                                   const Scan &scan,
                                                   const Conversion &conversion,
                                                   Split measured) {
  return joinChunks<TokenStatistics>(
      model.data(), measured,
      [&](size_t index, const Chunk &chunk, TokenStatistics &errors) -> Error {
        Expected<Tensor> wanted = scan.originals.back().get(index);
        if (!wanted)
          return wanted.takeError();
        Expected<Tensor> got = conversion.last.get(index);
        if (!got)
          return got.takeError();
        for (auto [row, isValid] :
             llvm::enumerate(model.data().getValid(chunk)))
          if (isValid) {
            RowComparison rows =
                compareRows(getRow(*got, row), getRow(*wanted, row));
            errors.add(getRatio(rows.difference, rows.bNorm));
          }
        return Error::success();
      });
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
  ChainWalk walk(model, splits, scan.originals[link], scan.getOlder(link));
  const Candidate *next = chosen.begin();
  while (link < model.size()) {
    if (next != chosen.end() && next->position == link) {
      Expected<PairWeights> weights = model.load(*next);
      if (!weights)
        return weights.takeError();
      if (Error error = walk.runPair(*next, *weights))
        return error;
      link += 2;
      ++next;
    } else {
      Expected<LinkWeights> weights = model.load(link);
      if (!weights)
        return weights.takeError();
      if (Error error = walk.runLink(link, *weights))
        return error;
      ++link;
    }
  }
  Stream stream = walk.take();
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
