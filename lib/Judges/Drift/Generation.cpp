//===- Generation.cpp - compares greedy tokens of two models --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Generation.h"

#include <algorithm>

using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

/// Sequences that are continued: every token costs a run of the whole model.
static constexpr int64_t maxSequences = 8;

/// The stream behind the last link, of the original or with pairs.
static Error runAll(const Model &model, const Conversion *conversion,
                    Stream &stream) {
  if (Error error = model.runStart(Split::Report, stream))
    return error;
  for (size_t link = 0; link < model.size(); ++link) {
    const ConvertedPair *pair = nullptr;
    if (conversion)
      for (const ConvertedPair &candidate : conversion->pairs)
        if (candidate.candidate.position == link)
          pair = &candidate;
    if (pair) {
      if (Error error = runPair(model, pair->candidate, pair->corrected.weights,
                                Split::Report, stream, stream))
        return error;
      ++link;
      continue;
    }
    Expected<LinkWeights> weights = model.load(link);
    if (!weights)
      return weights.takeError();
    if (Error error =
            model.runLink(link, *weights, Split::Report, stream, stream))
      return error;
  }
  return Error::success();
}

/// The most likely next token of every sequence of `ids`, `[rows, length]`.
static Expected<std::vector<double>> predictNext(const Model &parent,
                                                 const Conversion *conversion,
                                                 const std::vector<double> &ids,
                                                 int64_t length) {
  Dataset data = parent.data().withIds(ids, length);
  Expected<std::unique_ptr<Model>> model = parent.withData(data);
  if (!model)
    return model.takeError();
  Stream stream = (*model)->makeStream();
  if (Error error = runAll(**model, conversion, stream))
    return error;
  Expected<Tensors> weights = (*model)->loadEnd();
  if (!weights)
    return weights.takeError();
  std::vector<double> next(data.numRows());
  Error error = forEachChunk(
      data, Split::Report, [&](size_t index, const Chunk &chunk) -> Error {
        Expected<Tensor> hidden = stream.get(index);
        if (!hidden)
          return hidden.takeError();
        Expected<Tensor> logits = (*model)->runEnd(*hidden, *weights, chunk);
        if (!logits)
          return logits.takeError();
        llvm::ArrayRef<double> last = getRow(*logits, length - 1);
        next[index] = static_cast<double>(
            std::max_element(last.begin(), last.end()) - last.begin());
        return Error::success();
      });
  if (error)
    return error;
  return next;
}

/// Each row of `ids` with another token behind it.
static std::vector<double> append(const std::vector<double> &ids,
                                  int64_t length,
                                  const std::vector<double> &next) {
  std::vector<double> result;
  for (size_t row = 0; row < next.size(); ++row) {
    auto begin = ids.begin() + static_cast<int64_t>(row) * length;
    result.insert(result.end(), begin, begin + length);
    result.push_back(next[row]);
  }
  return result;
}

Expected<Divergence> drift::compareGeneration(const Model &model,
                                              const Conversion &conversion,
                                              int64_t tokens,
                                              Progress &progress) {
  if (!model.hasLogits() || !model.isCausal() || !model.data().hasOnlyIds())
    return llvm::createStringError(
        "--generate: expected a causal model that reads ids alone and gives "
        "logits");
  Divergence result;
  result.tokens = tokens;
  result.prompt = std::max<int64_t>(1, model.data().numTokensPerRow() / 2);
  std::vector<double> prompts;
  for (const Chunk &chunk : model.data().chunks()) {
    if (chunk.split != Split::Report)
      continue;
    Tensor ids = *model.data().getIds(chunk);
    for (int64_t row = 0; row < chunk.rows && result.sequences < maxSequences;
         ++row, ++result.sequences) {
      llvm::ArrayRef<double> start = getRow(ids, row).take_front(result.prompt);
      prompts.insert(prompts.end(), start.begin(), start.end());
    }
  }
  std::vector<int64_t> same(result.sequences, tokens);
  std::vector<double> original = prompts, converted = prompts;
  for (int64_t step = 0; step < tokens; ++step) {
    progress.show("generating: token " + llvm::Twine(step + 1) + " of " +
                  llvm::Twine(tokens));
    int64_t length = result.prompt + step;
    Expected<std::vector<double>> wanted =
        predictNext(model, nullptr, original, length);
    if (!wanted)
      return wanted.takeError();
    Expected<std::vector<double>> got =
        predictNext(model, &conversion, converted, length);
    if (!got)
      return got.takeError();
    for (int64_t row = 0; row < result.sequences; ++row)
      if ((*wanted)[row] != (*got)[row])
        same[row] = std::min(same[row], step);
    original = append(original, length, *wanted);
    converted = append(converted, length, *got);
  }
  for (int64_t count : same) {
    if (count == tokens)
      ++result.same;
    else
      result.firstDifference.add(static_cast<double>(count));
  }
  return result;
}
