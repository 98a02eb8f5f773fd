//===- Generate.cpp - sampling and generation functions -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock-c/Generate.h"

#include "Handles.h"
#include "ProgramHandle.h"
#include "parablock/Engines/Generation/CacheBuffers.h"
#include "parablock/Engines/Generation/Generation.h"

using namespace parablock;
using namespace parablock::capi;
using llvm::Error;
using llvm::Expected;

struct ParablockGeneration {
  ParablockContext &getContext() const { return *program.owner; }

  ParablockProgram &program;
  std::unique_ptr<generation::Generation> generation;
};

static generation::Sampling read(const ParablockSampling &sampling) {
  return {sampling.temperature, sampling.topK, sampling.topP, sampling.minP,
          sampling.repetitionPenalty};
}

//===----------------------------------------------------------------------===//
// Single tokens
//===----------------------------------------------------------------------===//

static Error filterLogits(const ParablockSampling *sampling, float *logits,
                          size_t vocabulary, const uint8_t *seen) {
  if (!sampling || !logits || (!seen && sampling->repetitionPenalty != 1))
    return createNullError();
  generation::Sampling known = read(*sampling);
  if (Error error = known.check())
    return error;
  llvm::ArrayRef<uint8_t> marks(seen, seen ? vocabulary : 0);
  return generation::Sampler(known, vocabulary)
      .filter({logits, vocabulary}, marks);
}

ParablockStatus parablockFilterLogits(ParablockContext *context,
                                      const ParablockSampling *sampling,
                                      float *logits, size_t vocabulary,
                                      const uint8_t *seen) {
  return capi::run(context, {}, [&] {
    return filterLogits(sampling, logits, vocabulary, seen);
  });
}

static Error chooseToken(const ParablockSampling *sampling, double point,
                         const float *scores, size_t vocabulary,
                         int64_t *token) {
  if (!sampling || !scores || !token)
    return createNullError();
  generation::Sampling known = read(*sampling);
  if (Error error = known.check())
    return error;
  return generation::Sampler(known, vocabulary)
      .choose({scores, vocabulary}, point)
      .moveInto(*token);
}

ParablockStatus parablockChooseToken(ParablockContext *context,
                                     const ParablockSampling *sampling,
                                     uint64_t seed, size_t row, size_t step,
                                     const float *scores, size_t vocabulary,
                                     int64_t *token) {
  return capi::run(context, {}, [&] {
    return chooseToken(sampling, generation::drawPoint(seed, row, step), scores,
                       vocabulary, token);
  });
}

//===----------------------------------------------------------------------===//
// Rows of tokens
//===----------------------------------------------------------------------===//

static Expected<generation::Request>
readRequest(const ParablockGenerationOptions &options) {
  if (!options.ids || (options.numStops != 0 && !options.stops))
    return createNullError();
  // Larger sizes cannot be in memory.
  constexpr size_t most = size_t(1) << 48;
  if (options.rows > most || options.width > most / (options.rows + 1))
    return llvm::createStringError("ids: the prompt is too large");
  size_t count = options.rows * options.width;
  generation::Request request;
  request.ids.assign(options.ids, options.ids + count);
  if (options.starts)
    request.starts.assign(options.starts, options.starts + options.rows);
  else
    request.starts.assign(options.rows, 0);
  request.mostTokens = options.maxNewTokens;
  request.sampling = read(options.sampling);
  request.seed = options.seed;
  request.stops.assign(options.stops, options.stops + options.numStops);
  request.padding = options.padding;
  if (options.poolPages != 0)
    request.mostPages = options.poolPages;
  return request;
}

static Error create(ParablockProgram &program,
                    const ParablockGenerationOptions &options,
                    ParablockGeneration **generation) {
  Expected<generation::Request> request = readRequest(options);
  if (!request)
    return request.takeError();
  Expected<generation::TokenPorts> ports =
      generation::findTokenPorts(program.arguments, program.results);
  if (!ports)
    return ports.takeError();
  if (Error error = program.checkHasParameters())
    return error;
  auto run = [&program](llvm::MutableArrayRef<const ParablockTensor *> inputs,
                        llvm::ArrayRef<ParablockTensor> outputs) {
    program.fillParameters(inputs);
    return program.engine->run(inputs, outputs);
  };
  Expected<std::unique_ptr<generation::Generation>> made =
      generation::Generation::create(std::move(*ports), program.tokenLimits,
                                     std::move(*request), run);
  if (!made)
    return made.takeError();
  *generation = new ParablockGeneration{program, std::move(*made)};
  return Error::success();
}

int64_t parablockCountRingRows(int64_t window) {
  return generation::countRingRows(window);
}

ParablockStatus
parablockGenerationCreate(ParablockProgram *program,
                          const ParablockGenerationOptions *options,
                          ParablockGeneration **generation) {
  return capi::run(program, {options, generation},
                   [&] { return create(*program, *options, generation); });
}

void parablockGenerationDestroy(ParablockGeneration *generation) {
  delete generation;
}

ParablockStatus parablockGenerationBegin(ParablockGeneration *generation) {
  return capi::run(generation, {},
                   [&] { return generation->generation->begin(); });
}

ParablockStatus parablockGenerationStep(ParablockGeneration *generation,
                                        int64_t *tokens, int32_t *hasEnded) {
  return capi::run(generation, {tokens, hasEnded}, [&]() -> Error {
    generation::Generation &loop = *generation->generation;
    if (Error error = loop.next())
      return error;
    llvm::copy(loop.getTokens(), tokens);
    *hasEnded = loop.hasEnded();
    return Error::success();
  });
}

ParablockStatus parablockGenerationRun(ParablockGeneration *generation,
                                       ParablockTokenHandler handler,
                                       void *userData, int64_t *tokens,
                                       size_t *steps) {
  ParablockStatus status = parablockGenerationBegin(generation);
  if (status != ParablockSuccess)
    return status;
  if (!steps)
    return generation->program.owner->finish(createNullError());
  size_t rows = generation->generation->getTokens().size();
  int32_t hasEnded = 0;
  for (*steps = 0; !hasEnded; tokens += rows) {
    status = parablockGenerationStep(generation, tokens, &hasEnded);
    if (status != ParablockSuccess)
      return status;
    ++*steps;
    if (handler && handler(tokens, rows, userData) != 0)
      break;
  }
  return ParablockSuccess;
}
