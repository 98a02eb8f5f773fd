//===- Generation.cpp - compares greedy tokens of two models --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Generation.h"
#include "LogitComparison.h"

#include <algorithm>

using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

/// Maximum number of sequences that are continued.
static constexpr int64_t maxSequences = 32;

Error drift::runAllLinks(const Model &model, const Conversion *conversion,
                         Stream &stream) {
  if (Error error = model.runStart(Split::Report, stream))
    return error;
  ChainWalk walk(model, Split::Report, stream, nullptr);
  for (size_t link = 0; link < model.size(); ++link) {
    const ConvertedPair *pair = nullptr;
    if (conversion)
      for (const ConvertedPair &candidate : conversion->pairs)
        if (candidate.candidate.position == link)
          pair = &candidate;
    if (pair) {
      if (Error error = walk.runPair(pair->candidate, pair->corrected.weights))
        return error;
      ++link;
      continue;
    }
    Expected<LinkWeights> weights = model.load(link);
    if (!weights)
      return weights.takeError();
    if (Error error = walk.runLink(link, *weights))
      return error;
  }
  stream = walk.take();
  return Error::success();
}

Expected<std::vector<size_t>>
drift::chooseTokens(const Model &model, const Conversion *conversion,
                    llvm::ArrayRef<TokenSpan> spans) {
  Stream stream = model.makeStream();
  if (Error error = runAllLinks(model, conversion, stream))
    return error;
  Expected<Tensors> weights = model.loadEnd();
  if (!weights)
    return weights.takeError();
  std::vector<std::vector<size_t>> byRow(spans.size());
  Error error = forEachChunk(
      model.data(), Split::Report,
      [&](size_t index, const Chunk &chunk) -> Error {
        Expected<Tensor> hidden = stream.get(index);
        if (!hidden)
          return hidden.takeError();
        TokenSpan span = spans[chunk.firstRow];
        int64_t first = span.begin - 1, tokens = span.end - span.begin;
        if (model.hasRowWiseEnd()) {
          int64_t width = hidden->shape.back();
          llvm::ArrayRef<double> rows =
              hidden->data().slice(first * width, tokens * width);
          hidden = makeTensor(hidden->type, {1, tokens, width}, rows.vec());
          first = 0;
        }
        Expected<Tensor> logits = model.runEnd(*hidden, *weights, chunk);
        if (!logits)
          return logits.takeError();
        for (int64_t token = 0; token < tokens; ++token)
          byRow[chunk.firstRow].push_back(
              getLargest(getRow(*logits, first + token)));
        return Error::success();
      });
  if (error)
    return error;
  std::vector<size_t> chosen;
  for (const std::vector<size_t> &row : byRow)
    llvm::append_range(chosen, row);
  return chosen;
}

std::string drift::findGenerationObstacle(const Model &model) {
  if (!model.hasLogits())
    return "it gives no logits";
  if (!model.isCausal())
    return "its tokens attend to later ones";
  if (!model.data().hasOnlyIds())
    return "it reads more than ids, or batches of a fixed size";
  return "";
}

/// The first halves of some sequences of a split.
static std::vector<double> takePrompts(const Dataset &data, Split split,
                                       int64_t length) {
  std::vector<double> prompts;
  int64_t sequences = 0;
  for (const Chunk &chunk : data.chunks()) {
    if (chunk.split != split)
      continue;
    Tensor ids = *data.getIds(chunk);
    for (int64_t row = 0; row < chunk.rows && sequences < maxSequences;
         ++row, ++sequences) {
      llvm::ArrayRef<double> start = getRow(ids, row).take_front(length);
      prompts.insert(prompts.end(), start.begin(), start.end());
    }
  }
  return prompts;
}

Expected<std::unique_ptr<GenerationJudge>>
GenerationJudge::create(const Model &parent, Split split, int64_t tokens,
                        Preparation &preparation, llvm::raw_ostream &remarks,
                        Progress &progress) {
  int64_t prompt = std::max<int64_t>(1, parent.data().numTokensPerRow() / 2);
  Expected<std::vector<double>> texts =
      continueGreedily(parent, takePrompts(parent.data(), split, prompt),
                       prompt, tokens, preparation, remarks, progress);
  if (!texts)
    return texts.takeError();
  std::unique_ptr<GenerationJudge> judge(
      new GenerationJudge(parent.data().withIds(*texts, prompt + tokens)));
  judge->prompt = prompt;
  judge->tokens = tokens;
  Expected<std::unique_ptr<Model>> model = parent.withData(judge->data);
  if (!model)
    return model.takeError();
  judge->model = std::move(*model);
  // Not the continuations themselves: among tokens that are equally likely,
  // code with caches may choose another one than code without.
  Expected<std::vector<size_t>> original = judge->choose(nullptr);
  if (!original)
    return original.takeError();
  judge->original = std::move(*original);
  return judge;
}

Expected<std::vector<size_t>>
GenerationJudge::choose(const Conversion *conversion) const {
  std::vector<TokenSpan> spans(data.numRows(), {prompt, prompt + tokens});
  return chooseTokens(*model, conversion, spans);
}

Expected<Divergence>
GenerationJudge::judge(const Conversion &conversion) const {
  Expected<std::vector<size_t>> converted = choose(&conversion);
  if (!converted)
    return converted.takeError();
  Divergence result;
  result.sequences = data.numRows();
  result.prompt = prompt;
  result.tokens = tokens;
  for (int64_t row = 0; row < result.sequences; ++row) {
    auto begin = original.begin() + row * tokens, end = begin + tokens;
    auto [different, other] =
        std::mismatch(begin, end, converted->begin() + row * tokens);
    if (different == end) {
      ++result.same;
      continue;
    }
    int64_t count = different - begin;
    result.firstDifference.add(static_cast<double>(count));
    result.earliest = std::min(result.earliest.value_or(count), count);
  }
  return result;
}
