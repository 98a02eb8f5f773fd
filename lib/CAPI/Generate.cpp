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
  /// The error of the latest run of the program, with its kind.
  std::optional<Error> runError = std::nullopt;
  std::unique_ptr<generation::Generation> generation = nullptr;

  /// Runs the program on memory by position.
  files::Status run(generation::Inputs &inputs, generation::Outputs &outputs);
  /// Returns the error of a call of the loop.
  Error take(const files::Status &status);
};

static generation::Sampling read(const ParablockSampling &sampling) {
  return {sampling.temperature, sampling.topK, sampling.topP, sampling.minP,
          sampling.repetitionPenalty};
}

//===----------------------------------------------------------------------===//
// Single tokens
//===----------------------------------------------------------------------===//

static Error toError(const files::Status &status) {
  return status ? llvm::createStringError(status->text) : Error::success();
}

files::Status ParablockGeneration::run(generation::Inputs &inputs,
                                       generation::Outputs &outputs) {
  program.fillParameters(inputs);
  Error error = program.engine->run(inputs, outputs);
  if (!error)
    return {};
  runError.emplace(std::move(error));
  return files::fail("the program failed");
}

Error ParablockGeneration::take(const files::Status &status) {
  if (!runError)
    return toError(status);
  Error error = std::move(*runError);
  runError.reset();
  return error;
}

static Error filterLogits(const ParablockSampling *sampling, float *logits,
                          size_t vocabulary, const uint8_t *seen) {
  if (!sampling || !logits || (!seen && sampling->repetitionPenalty != 1))
    return createNullError();
  generation::Sampling known = read(*sampling);
  if (Error error = toError(known.check()))
    return error;
  return toError(generation::Sampler(known, vocabulary).filter(logits, seen));
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
  if (Error error = toError(known.check()))
    return error;
  return toError(
      generation::Sampler(known, vocabulary).choose(scores, point, *token));
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

static generation::PortFacts describe(const runner::Port &port) {
  generation::PortFacts facts;
  facts.name = port.name;
  facts.type = getElementTypeKeyword(port.type).str();
  for (int64_t size : port.shape)
    facts.shape.push_back(mlir::ShapedType::isDynamic(size) ? -1 : size);
  return facts;
}

static Error findPorts(const ParablockProgram &program,
                       generation::TokenPorts &ports) {
  std::vector<generation::PortFacts> arguments, results;
  for (const runner::Argument &argument : program.arguments) {
    generation::PortFacts &facts = arguments.emplace_back(describe(argument));
    facts.dims.assign(argument.dims.begin(), argument.dims.end());
    facts.isParameter = argument.isParameter;
  }
  for (const runner::Port &result : program.results)
    results.push_back(describe(result));
  return toError(generation::findTokenPorts(arguments, results, ports));
}

static Error create(ParablockProgram &program,
                    const ParablockGenerationOptions &options,
                    ParablockGeneration **generation) {
  Expected<generation::Request> request = readRequest(options);
  if (!request)
    return request.takeError();
  generation::TokenPorts ports;
  if (Error error = findPorts(program, ports))
    return error;
  if (Error error = program.checkHasParameters())
    return error;
  auto made =
      std::make_unique<ParablockGeneration>(ParablockGeneration{program});
  auto machine = std::make_unique<generation::HostMachine>(
      [own = made.get()](generation::Inputs &inputs,
                         generation::Outputs &outputs) {
        return own->run(inputs, outputs);
      });
  if (Error error = toError(generation::Generation::create(
          std::move(ports), program.tokenLimits, std::move(*request),
          std::move(machine), made->generation)))
    return error;
  *generation = made.release();
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
  return capi::run(generation, {}, [&] {
    return generation->take(generation->generation->begin());
  });
}

ParablockStatus parablockGenerationStep(ParablockGeneration *generation,
                                        int64_t *tokens, int32_t *hasEnded) {
  return capi::run(generation, {tokens, hasEnded}, [&]() -> Error {
    generation::Generation &loop = *generation->generation;
    if (Error error = generation->take(loop.next()))
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
