//===- Program.cpp - checks calls and dispatches them to engines ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock-c/Program.h"

#include "ProgramHandle.h"
#include "parablock/Engines/CPU/Runtime/ThreadPool.h"
#include "parablock/Engines/Device/EmulateEngine.h"
#include "parablock/Execution/CacheLimits.h"
#include "parablock/Execution/ModuleLoading.h"
#include "parablock/Execution/Signature.h"
#include "parablock/Judges/Compare/ReferenceEngine.h"
#include "parablock/Pipelines/BlockToGPU.h"
#include "parablock/Support/Chips.h"
#include "parablock/Support/SafeTensors.h"

using namespace parablock;
using namespace parablock::capi;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

struct ParablockRun {
  ParablockContext &getContext() const { return *program.owner; }

  ParablockProgram &program;
  std::unique_ptr<ProgramRun> run;
};

/// Checks that `tensor` fits `port`, as far as possible without sizes.
static Error checkTensor(const runner::Port &port,
                         const ParablockTensor &tensor, bool needsData) {
  auto inTensor = [&](const Twine &message) {
    return llvm::createStringError("tensor '" + port.name + "': " + message);
  };
  // A tensor without elements may have a null pointer.
  needsData &= !llvm::is_contained(port.shape, 0);
  if (!tensor.type || (needsData && !tensor.data) ||
      (tensor.rank != 0 && !tensor.shape))
    return inTensor("a pointer that is needed is null");
  if (getElementTypeKeyword(port.type) != tensor.type)
    return inTensor("expected " + getElementTypeKeyword(port.type) + ", got " +
                    tensor.type);
  llvm::ArrayRef<int64_t> shape(tensor.shape, tensor.rank);
  bool isRight = shape.size() == port.shape.size();
  for (size_t i = 0; isRight && i < shape.size(); ++i)
    isRight = mlir::ShapedType::isDynamic(port.shape[i])
                  ? shape[i] >= 1
                  : shape[i] == port.shape[i];
  if (!isRight)
    return inTensor("expected shape " + runner::formatDims(port.shape) +
                    ", got " + runner::formatDims(shape));
  if (!countBytes(port.type, shape))
    return inTensor("shape " + runner::formatDims(shape) + " is too large");
  return Error::success();
}

Expected<std::vector<const ParablockTensor *>>
ParablockProgram::collect(const ParablockTensor *tensors, size_t count,
                          bool wantParameters) {
  size_t expected = llvm::count_if(arguments, [&](const auto &argument) {
    return argument.isParameter == wantParameters;
  });
  StringRef noun = wantParameters ? "parameters" : "inputs";
  if (count != expected || (count != 0 && !tensors))
    return llvm::createStringError("expected " + Twine(expected) + " " + noun +
                                   ", got " + Twine(tensors ? count : 0));
  std::vector<const ParablockTensor *> list(arguments.size());
  if (!wantParameters)
    fillParameters(list);
  for (auto [given, argument] : llvm::zip_equal(list, arguments)) {
    if (argument.isParameter != wantParameters)
      continue;
    if (Error error = checkTensor(argument, *tensors, wantParameters))
      return error;
    given = tensors++;
  }
  return list;
}

void ParablockProgram::fillParameters(
    llvm::MutableArrayRef<const ParablockTensor *> list) const {
  if (!hasParameters)
    return;
  const ParablockTensor *next = parameters.data();
  for (auto [given, argument] : llvm::zip_equal(list, arguments))
    if (argument.isParameter)
      given = next++;
}

static Error createMissingError() {
  return llvm::createStringError("the program has no parameters yet");
}

bool ParablockProgram::wantsParameters() const {
  return llvm::any_of(arguments, [](const runner::Argument &argument) {
    return argument.isParameter;
  });
}

Error ParablockProgram::checkHasParameters() const {
  return wantsParameters() && !hasParameters ? createMissingError()
                                             : Error::success();
}

/// Records the pointers of parameters, whose memory remains the caller's.
void ParablockProgram::note(const ParablockTensor *tensors, size_t count) {
  parameters.assign(tensors, tensors + count);
  parameterShapes.clear();
  for (ParablockTensor &parameter : parameters)
    parameter.shape =
        parameterShapes
            .emplace_back(parameter.shape, parameter.shape + parameter.rank)
            .data();
}

Error ParablockProgram::setParameters(const ParablockTensor *tensors,
                                      size_t count) {
  Expected<std::vector<const ParablockTensor *>> list =
      collect(tensors, count, /*wantParameters=*/true);
  if (!list)
    return list.takeError();
  note(tensors, count);
  Error error = engine->setParameters(*list);
  hasParameters = !error;
  return error;
}

Expected<bool> ParablockProgram::findParameters(const ParablockTensor *tensors,
                                                size_t count,
                                                StringRef identity) {
  Expected<std::vector<const ParablockTensor *>> list =
      collect(tensors, count, /*wantParameters=*/true);
  if (!list)
    return list.takeError();
  if (!engine->findParameters(identity))
    return false;
  note(tensors, count);
  hasParameters = true;
  return true;
}

Error ParablockProgram::checkOutputs(
    const ParablockTensor *outputs, size_t count,
    std::optional<llvm::ArrayRef<unsigned>> positions) const {
  size_t expected = positions ? positions->size() : results.size();
  if (count != expected || (count != 0 && !outputs))
    return llvm::createStringError("expected " + Twine(expected) +
                                   " outputs, got " +
                                   Twine(outputs ? count : 0));
  for (size_t i = 0; i < count; ++i)
    if (Error error = checkTensor(results[positions ? (*positions)[i] : i],
                                  outputs[i], /*needsData=*/true))
      return error;
  return Error::success();
}

/// The reference without roundings, on the caller's f64.
static constexpr llvm::StringLiteral kExact = "exact";

static StringRef getEngineName(const ParablockProgramOptions &options) {
  return options.engine ? options.engine : "cpu";
}

static Expected<std::unique_ptr<ProgramEngine>>
createEngine(mlir::func::FuncOp function,
             const ParablockProgramOptions &options,
             std::optional<Arguments> parameters) {
  StringRef name = getEngineName(options);
  if (name == "cpu")
    return createCompiledProgram(function, options, parameters);
  if (name == "plan")
    return createPlannedProgram(function, options);
  if (name == "reference" || name == kExact)
    return createInterpretedProgram(function, runner::createReferenceEngine(),
                                    options.threads, name == kExact);
  if (name != "emulate")
    return llvm::createStringError("unknown engine '" + name +
                                   "': expected cpu, plan, reference, "
                                   "exact or emulate");
  std::string chip = options.chip ? options.chip : "sm_90a";
  if (Expected<const Chip &> known = findDeviceChip(chip); !known)
    return known.takeError();
  return createInterpretedProgram(
      function, createEmulateEngine({chip, ""}, lowerToDevice),
      options.threads);
}

Expected<std::unique_ptr<ProgramRun>> capi::ProgramEngine::begin(Arguments) {
  return llvm::createStringError("the engine has no segments of a run: "
                                 "expected cpu");
}

Expected<CpuRunBytes> capi::ProgramEngine::planMemory(Arguments) {
  return llvm::createStringError("the engine has no plan of memory: expected "
                                 "cpu");
}

Error ParablockProgram::create(mlir::func::FuncOp function,
                               const ParablockProgramOptions &options) {
  std::vector<const ParablockTensor *> list;
  std::optional<Arguments> parameters;
  // A program without any may have constants to pack.
  if (options.parameters || !wantsParameters()) {
    Expected<std::vector<const ParablockTensor *>> known =
        collect(options.parameters, options.numParameters,
                /*wantParameters=*/true);
    if (!known)
      return known.takeError();
    list = std::move(*known);
    parameters = list;
    note(options.parameters, options.numParameters);
  }
  Expected<std::unique_ptr<ProgramEngine>> made =
      createEngine(function, options, parameters);
  if (!made)
    return made.takeError();
  engine = std::move(*made);
  hasParameters = parameters.has_value();
  return hasParameters && getEngineName(options) != "cpu"
             ? engine->setParameters(list)
             : Error::success();
}

static Error createProgram(ParablockModule &module, const char *function,
                           const ParablockProgramOptions &options,
                           ParablockProgram **program) {
  if (options.threads > cpu::ThreadPool::mostWorkers)
    return llvm::createStringError("expected at most " +
                                   Twine(cpu::ThreadPool::mostWorkers) +
                                   " threads, got " + Twine(options.threads));
  if (options.memory && getEngineName(options) != "cpu")
    return llvm::createStringError("memory: expected it with the engine cpu, "
                                   "got '" +
                                   getEngineName(options) + "'");
  if (options.keepWeights != 0 &&
      (getEngineName(options) != "cpu" || !options.cache || options.memory))
    return llvm::createStringError("keepWeights: expected it with the engine "
                                   "cpu, a cache, and no memory");
  Expected<mlir::func::FuncOp> found =
      runner::findFunction(*module.module, function, "the module");
  if (!found)
    return found.takeError();
  Expected<runner::Signature> signature = runner::readSignature(*found);
  if (!signature)
    return signature.takeError();
  auto widen = [&](runner::Port &port) {
    port.type = getCallersType(port.type, getEngineName(options) == kExact);
  };
  llvm::for_each(signature->arguments, widen);
  llvm::for_each(signature->results, widen);
  generation::TokenLimits limits;
  if (std::optional<runner::CacheLimits> caches =
          runner::collectCacheLimits(*signature))
    limits = {caches->positions, caches->countsPadding,
              caches->findTableWindow()};
  std::unique_ptr<ParablockProgram> made(new ParablockProgram{
      module.owner, /*engine=*/nullptr, std::move(signature->arguments),
      std::move(signature->results), limits});
  if (Error error = made->create(*found, options))
    return error;
  *program = made.release();
  return Error::success();
}

ParablockStatus parablockProgramCreate(ParablockModule *module,
                                       const char *function,
                                       const ParablockProgramOptions *options,
                                       ParablockProgram **program) {
  return capi::run(module, {function, program}, [&] {
    return createProgram(*module, function,
                         options ? *options : ParablockProgramOptions{},
                         program);
  });
}

void parablockProgramDestroy(ParablockProgram *program) { delete program; }

ParablockStatus parablockProgramSetParameters(ParablockProgram *program,
                                              const ParablockTensor *parameters,
                                              size_t count) {
  return capi::run(program, {},
                   [&] { return program->setParameters(parameters, count); });
}

ParablockStatus
parablockProgramFindParameters(ParablockProgram *program,
                               const ParablockTensor *parameters, size_t count,
                               const char *identity, int *found) {
  return capi::run(program, {identity, found}, [&]() -> Error {
    Expected<bool> isFound =
        program->findParameters(parameters, count, identity);
    if (!isFound)
      return isFound.takeError();
    *found = *isFound;
    return Error::success();
  });
}

ParablockStatus parablockProgramKeepParameters(ParablockProgram *program,
                                               const char *identity) {
  return capi::run(program, {identity}, [&]() -> Error {
    if (!program->hasParameters)
      return createMissingError();
    program->engine->keepParameters(identity);
    return Error::success();
  });
}

ParablockStatus parablockProgramGetOutputShape(ParablockProgram *program,
                                               const ParablockTensor *inputs,
                                               size_t count, size_t output,
                                               size_t rank, int64_t *shape) {
  return capi::run(program, {}, [&]() -> Error {
    if (output >= program->results.size() || (rank != 0 && !shape))
      return llvm::createStringError("no output " + Twine(output));
    Expected<std::vector<const ParablockTensor *>> list =
        program->collect(inputs, count, /*wantParameters=*/false);
    if (!list)
      return list.takeError();
    Expected<Shape> found = program->engine->findOutputShape(*list, output);
    if (!found)
      return found.takeError();
    if (found->size() != rank)
      return llvm::createStringError("expected room for " +
                                     Twine(found->size()) + " sizes, got " +
                                     Twine(rank));
    llvm::copy(*found, shape);
    return Error::success();
  });
}

static Expected<CpuRunBytes> planMemory(ParablockProgram &program,
                                        const ParablockTensor *inputs,
                                        size_t count) {
  Expected<std::vector<const ParablockTensor *>> list =
      program.collect(inputs, count, /*wantParameters=*/false);
  if (!list)
    return list.takeError();
  return program.engine->planMemory(*list);
}

ParablockStatus parablockProgramPlanMemory(ParablockProgram *program,
                                           const ParablockTensor *inputs,
                                           size_t count, char **json) {
  return capi::run(program, {json}, [&]() -> Error {
    Expected<CpuRunBytes> bytes = planMemory(*program, inputs, count);
    if (!bytes)
      return bytes.takeError();
    *json = capi::copyJSON(llvm::json::Object{{"arena_bytes", bytes->arena},
                                              {"scratch_bytes", bytes->scratch},
                                              {"packed_bytes", bytes->packed}});
    return Error::success();
  });
}

static Error checkInputData(const ParablockTensor *inputs, size_t count) {
  return llvm::all_of(llvm::ArrayRef(inputs, count),
                      [](const ParablockTensor &input) { return input.data; })
             ? Error::success()
             : createNullError();
}

ParablockStatus parablockProgramRun(ParablockProgram *program,
                                    const ParablockTensor *inputs,
                                    size_t numInputs,
                                    const ParablockTensor *outputs,
                                    size_t numOutputs) {
  return capi::run(program, {}, [&]() -> Error {
    Expected<std::vector<const ParablockTensor *>> list =
        program->collect(inputs, numInputs, /*wantParameters=*/false);
    if (!list)
      return list.takeError();
    if (Error error = checkInputData(inputs, numInputs))
      return error;
    if (Error error = program->checkOutputs(outputs, numOutputs))
      return error;
    if (Error error = program->checkHasParameters())
      return error;
    return program->engine->run(*list, llvm::ArrayRef(outputs, numOutputs));
  });
}

ParablockStatus parablockProgramReport(ParablockProgram *program, char **json) {
  return capi::run(program, {json}, [&]() -> Error {
    if (program->engine->report.result.milliseconds.empty())
      return llvm::createStringError("the program has not run yet");
    *json = capi::copyJSON(runner::toJSON(program->engine->report));
    return Error::success();
  });
}

//===----------------------------------------------------------------------===//
// Runs in segments
//===----------------------------------------------------------------------===//

/// The names of the `ports` at `positions`.
template <typename Ports>
static llvm::json::Array listNames(const Ports &ports,
                                   llvm::ArrayRef<unsigned> positions) {
  llvm::json::Array names;
  for (unsigned position : positions)
    names.push_back(ports[position].name);
  return names;
}

ParablockStatus parablockProgramListSegments(ParablockProgram *program,
                                             char **json) {
  return capi::run(program, {json}, [&]() -> Error {
    llvm::json::Array segments;
    for (const CpuSegment &segment : program->engine->getSegments()) {
      const cpu::LaunchRange &launches = segment.launches;
      segments.push_back(llvm::json::Object{
          {"launches", static_cast<int64_t>(launches.end - launches.begin)},
          {"begins", listNames(program->results, segment.begun)},
          {"finishes", listNames(program->results, segment.finished)},
          {"leaves", listNames(program->arguments, segment.left)}});
    }
    *json = capi::copyJSON(std::move(segments));
    return Error::success();
  });
}

static Expected<std::unique_ptr<ProgramRun>>
beginRun(ParablockProgram &program, const ParablockTensor *inputs,
         size_t numInputs, const ParablockTensor *parameters,
         size_t numParameters) {
  Expected<std::vector<const ParablockTensor *>> list =
      program.collect(inputs, numInputs, /*wantParameters=*/false);
  if (!list)
    return list.takeError();
  Expected<std::vector<const ParablockTensor *>> others =
      program.collect(parameters, numParameters, /*wantParameters=*/true);
  if (!others)
    return others.takeError();
  if (Error error = checkInputData(inputs, numInputs))
    return error;
  for (auto [argument, own, other] :
       llvm::zip_equal(program.arguments, *list, *others))
    if (argument.isParameter)
      own = other;
  return program.engine->begin(*list);
}

ParablockStatus parablockRunCreate(ParablockProgram *program,
                                   const ParablockTensor *inputs,
                                   size_t numInputs,
                                   const ParablockTensor *parameters,
                                   size_t numParameters, ParablockRun **run) {
  return capi::run(program, {run}, [&]() -> Error {
    Expected<std::unique_ptr<ProgramRun>> begun =
        beginRun(*program, inputs, numInputs, parameters, numParameters);
    if (!begun)
      return begun.takeError();
    *run = new ParablockRun{*program, std::move(*begun)};
    return Error::success();
  });
}

ParablockStatus parablockRunProceed(ParablockRun *run,
                                    const ParablockTensor *outputs,
                                    size_t numOutputs) {
  return capi::run(run, {}, [&]() -> Error {
    llvm::ArrayRef<CpuSegment> segments = run->program.engine->getSegments();
    if (run->run->done == segments.size())
      return llvm::createStringError("all " + Twine(segments.size()) +
                                     " segments of the run are done");
    if (Error error = run->program.checkOutputs(
            outputs, numOutputs,
            llvm::ArrayRef<unsigned>(segments[run->run->done].begun)))
      return error;
    return run->run->proceed(llvm::ArrayRef(outputs, numOutputs));
  });
}

void parablockRunDestroy(ParablockRun *run) { delete run; }
