//===- CompiledProgram.cpp - programs of the engine cpu and their runs ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "ProgramEngines.h"
#include "parablock/Engines/CPU/Runtime/ThreadPool.h"
#include "parablock/Engines/CPUEngine/CodeCache.h"
#include "parablock/Engines/CPUEngine/CompileFunction.h"
#include "parablock/Engines/CPUEngine/WeightCache.h"
#include "parablock/Execution/IntegerChecks.h"
#include "parablock/Pipelines/BlockToCPU.h"
#include "llvm/ADT/MapVector.h"
#include <chrono>

using namespace parablock;
using namespace parablock::capi;
using llvm::Error;
using llvm::Expected;

namespace {
/// Limits shared by all calls whose arguments have the same shapes.
struct KnownCall {
  runner::SizedIntegerLimits limits;
  cpu::Symbols symbols = {};
  /// The shapes of results; none as long as only the limits are known.
  std::vector<Shape> results = {};
};

class CompiledProgram : public ProgramEngine {
public:
  CompiledProgram(const runner::Signature &signature,
                  std::unique_ptr<WeightCache> cache, unsigned threads,
                  std::shared_ptr<cpu::MemoryPool> memory, bool packsInRuns)
      : limits(signature), numResults(signature.results.size()),
        cache(std::move(cache)), pool(threads), memory(std::move(memory)),
        packsInRuns(packsInRuns) {}

  /// Compiles the code; meanwhile packs `parameters`, unless there are none or
  /// runs pack them.
  Error compile(mlir::func::FuncOp function, const CpuTarget &target,
                CodeCache *codes, const ParablockProgramOptions &options,
                std::optional<Arguments> parameters);

  Error setParameters(Arguments arguments) override;
  bool findParameters(llvm::StringRef identity) override;
  void keepParameters(llvm::StringRef identity) override;
  Expected<Shape> findOutputShape(Arguments arguments,
                                  unsigned output) override;
  Error run(Arguments arguments,
            llvm::ArrayRef<ParablockTensor> outputs) override;
  llvm::ArrayRef<CpuSegment> getSegments() const override { return segments; }
  Expected<CpuRunBytes> planMemory(Arguments arguments) override;
  Expected<std::unique_ptr<ProgramRun>> begin(Arguments arguments) override;

private:
  friend class CompiledRun;

  bool findParameters(const CpuExecutable &made, llvm::StringRef identity);
  /// Uses weights cached by `identity`, unless it is null, or packs them on
  /// `threads` threads, all if 0.
  Error packFirst(const CpuExecutable &made, Arguments parameters,
                  const char *identity, unsigned threads);

  void describe(double compileMilliseconds);
  /// Records the cost of the latest run.
  void note(double milliseconds, uint64_t bytes, const cpu::Symbols &symbols);
  static Error checkOutput(unsigned output, llvm::ArrayRef<int64_t> expected,
                           const ParablockTensor &given);
  Expected<cpu::Symbols> findSymbols(Arguments arguments) const;
  Shape getOutputShape(unsigned output, const cpu::Symbols &symbols) const;
  /// Checks inputs and sets `call` for their shapes; reuses the previous call's
  /// if the shapes are equal.
  Error prepare(Arguments arguments);

  /// Limits of ids and lengths, from the original function.
  runner::IntegerLimits limits;
  size_t numResults;
  std::unique_ptr<CpuExecutable> executable;
  /// Cache of packed weights, unless null, and the entry found.
  std::unique_ptr<WeightCache> cache;
  std::optional<KeptWeights> kept;
  std::vector<CpuSegment> segments;
  cpu::ThreadPool pool;
  std::shared_ptr<cpu::MemoryPool> memory;
  bool packsInRuns;
  /// Parameters as read by whole runs, and those of a finished run in segments,
  /// reused by the next one.
  cpu::AlignedMemory packed, sparePacked;
  std::optional<KnownCall> call;
  /// The memory of the latest call, by position.
  std::vector<const void *> argumentData;
  std::vector<void *> resultData;
};

class CompiledRun : public ProgramRun {
public:
  CompiledRun(CompiledProgram &program, std::vector<const void *> arguments,
              const KnownCall &call)
      : program(program), arguments(std::move(arguments)), call(call),
        results(program.numResults),
        packed(std::exchange(program.sparePacked, {})),
        workspace(program.memory->takeWorkspace()) {}
  ~CompiledRun() override {
    program.sparePacked = std::move(packed);
    program.memory->giveBack(std::move(workspace));
  }

  Error pack();
  Error proceed(llvm::ArrayRef<ParablockTensor> outputs) override;

private:
  CompiledProgram &program;
  std::vector<const void *> arguments;
  KnownCall call;
  std::vector<void *> results;
  cpu::AlignedMemory packed;
  cpu::Workspace workspace;
  double milliseconds = 0;
};
} // namespace

using Clock = std::chrono::steady_clock;

static double getMillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

static std::vector<const void *> getData(Arguments arguments) {
  std::vector<const void *> data;
  for (const ParablockTensor *argument : arguments)
    data.push_back(argument ? argument->data : nullptr);
  return data;
}

static llvm::ArrayRef<int64_t> getShape(const ParablockTensor &tensor) {
  return {tensor.shape, tensor.rank};
}

void CompiledProgram::describe(double compileMilliseconds) {
  report.engine = "cpu";
  report.result.compileMilliseconds = compileMilliseconds;
  report.result.threads = pool.numWorkers;
  llvm::MapVector<llvm::StringRef, uint64_t> counts;
  const CpuProgram &program = executable->getProgram();
  for (const cpu::LaunchData &launch : program.launches)
    ++counts[program.kernels[launch.kernel]];
  for (auto &[name, count] : counts)
    report.result.kernels.push_back({name.str(), count});
}

Error CompiledProgram::setParameters(Arguments arguments) {
  kept.reset();
  return executable->prepack(getData(arguments), &pool, packed);
}

/// Ties weights to the code that packed them and reads them.
static std::string makeWeightKey(const CpuExecutable &executable,
                                 llvm::StringRef identity) {
  const std::string &code = executable.getKey();
  return (llvm::Twine(code.size()) + " " + code + identity).str();
}

bool CompiledProgram::findParameters(const CpuExecutable &made,
                                     llvm::StringRef identity) {
  if (!cache || made.getKey().empty())
    return false;
  std::optional<KeptWeights> found =
      cache->find(makeWeightKey(made, identity), made.getPackedBytes(), pool);
  countWeightCacheUse(found.has_value());
  if (!found)
    return false;
  kept = std::move(found);
  packed = {};
  return true;
}

bool CompiledProgram::findParameters(llvm::StringRef identity) {
  return findParameters(*executable, identity);
}

Error CompiledProgram::packFirst(const CpuExecutable &made,
                                 Arguments parameters, const char *identity,
                                 unsigned threads) {
  if (identity && findParameters(made, identity))
    return Error::success();
  if (threads == 0 || threads >= static_cast<unsigned>(pool.numWorkers))
    return made.prepack(getData(parameters), &pool, packed);
  cpu::ThreadPool some(threads);
  return made.prepack(getData(parameters), &some, packed);
}

Error CompiledProgram::compile(mlir::func::FuncOp function,
                               const CpuTarget &target, CodeCache *codes,
                               const ParablockProgramOptions &options,
                               std::optional<Arguments> parameters) {
  Clock::time_point start = Clock::now();
  CompileOptions wanted{/*world=*/nullptr, codes, options.threads,
                        packsInRuns ? pool.numWorkers : 0};
  auto pack = [&](CpuExecutable &made, unsigned threads) {
    return packFirst(made, *parameters, options.identity, threads);
  };
  if (parameters && !packsInRuns)
    wanted.pack = pack;
  if (Error error = compileFunction(function, target, lowerToKernels, wanted)
                        .moveInto(executable))
    return error;
  segments = listSegments(executable->getProgram());
  describe(getMillisecondsSince(start));
  return Error::success();
}

void CompiledProgram::keepParameters(llvm::StringRef identity) {
  if (cache && !executable->getKey().empty() && !kept)
    cache->keep(
        makeWeightKey(*executable, identity),
        {packed.data(), static_cast<size_t>(executable->getPackedBytes())},
        pool);
}

Expected<cpu::Symbols> CompiledProgram::findSymbols(Arguments arguments) const {
  std::vector<CpuShape> shapes;
  for (auto [position, argument] : llvm::enumerate(arguments)) {
    CpuShape &shape = shapes.emplace_back();
    if (argument)
      llvm::append_range(shape, getShape(*argument));
    else if (const CpuTensor *known = executable->findArgument(position))
      for (const cpu::ExtentData &extent : known->shape)
        shape.push_back(extent.value);
  }
  return executable->findSymbols(shapes);
}

Shape CompiledProgram::getOutputShape(unsigned output,
                                      const cpu::Symbols &symbols) const {
  return Shape(executable->findResult(output)->getShape(symbols));
}

Expected<Shape> CompiledProgram::findOutputShape(Arguments arguments,
                                                 unsigned output) {
  Expected<cpu::Symbols> symbols = findSymbols(arguments);
  if (!symbols)
    return symbols.takeError();
  return getOutputShape(output, *symbols);
}

static int64_t getInteger(const ParablockTensor &tensor, size_t at) {
  llvm::StringRef type = tensor.type;
  if (type == "i64")
    return static_cast<const int64_t *>(tensor.data)[at];
  if (type == "i32")
    return static_cast<const int32_t *>(tensor.data)[at];
  if (type == "i16")
    return static_cast<const int16_t *>(tensor.data)[at];
  if (type == "i8")
    return static_cast<const int8_t *>(tensor.data)[at];
  return static_cast<const uint8_t *>(tensor.data)[at];
}

Error CompiledProgram::prepare(Arguments arguments) {
  auto hasShape = [](const Shape &shape, const ParablockTensor *argument) {
    return llvm::ArrayRef<int64_t>(shape) == getShape(*argument);
  };
  if (!call || !llvm::equal(call->limits.getShapes(), arguments, hasShape)) {
    std::vector<Shape> shapes;
    for (const ParablockTensor *argument : arguments)
      shapes.emplace_back(getShape(*argument));
    call = KnownCall{runner::SizedIntegerLimits(limits, std::move(shapes))};
  }
  // Kernels use ids as indices without checks.
  auto getValue = [&](unsigned argument, size_t at) {
    return getInteger(*arguments[argument], at);
  };
  if (Error error = call->limits.check(getValue))
    return error;
  if (!call->results.empty())
    return Error::success();
  if (Error error = findSymbols(arguments).moveInto(call->symbols))
    return error;
  for (unsigned output = 0; output < numResults; ++output)
    call->results.push_back(getOutputShape(output, call->symbols));
  return Error::success();
}

Error CompiledProgram::checkOutput(unsigned output,
                                   llvm::ArrayRef<int64_t> expected,
                                   const ParablockTensor &given) {
  if (expected == getShape(given))
    return Error::success();
  return llvm::createStringError("output " + llvm::Twine(output) +
                                 ": expected shape " +
                                 runner::formatDims(expected) + ", got " +
                                 runner::formatDims(getShape(given)));
}

void CompiledProgram::note(double milliseconds, uint64_t bytes,
                           const cpu::Symbols &symbols) {
  report.result.milliseconds = {milliseconds};
  report.result.peakBytes = bytes;
  report.result.temporaryBytes = executable->getTemporaryBytes(symbols);
}

Error CompiledProgram::run(Arguments arguments,
                           llvm::ArrayRef<ParablockTensor> outputs) {
  if (Error error = prepare(arguments))
    return error;
  resultData.clear();
  for (auto [index, output] : llvm::enumerate(outputs)) {
    if (Error error = checkOutput(index, call->results[index], output))
      return error;
    resultData.push_back(output.data);
  }
  argumentData.clear();
  for (const ParablockTensor *argument : arguments)
    argumentData.push_back(argument->data);
  Clock::time_point start = Clock::now();
  cpu::Workspace workspace = memory->takeWorkspace();
  Error error = executable->run(argumentData, resultData, call->symbols, &pool,
                                kept ? kept->data() : packed.data(), workspace);
  uint64_t bytes = executable->getPackedBytes() + workspace.getBytes();
  memory->giveBack(std::move(workspace));
  if (!error)
    note(getMillisecondsSince(start), bytes, call->symbols);
  return error;
}

Expected<CpuRunBytes> CompiledProgram::planMemory(Arguments arguments) {
  if (!packsInRuns)
    return llvm::createStringError("expected a program with a memory");
  Expected<cpu::Symbols> symbols = findSymbols(arguments);
  if (!symbols)
    return symbols.takeError();
  return executable->getRunBytes(*symbols, &pool);
}

//===----------------------------------------------------------------------===//
// Runs in segments
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<ProgramRun>>
CompiledProgram::begin(Arguments arguments) {
  if (Error error = prepare(arguments))
    return error;
  auto run = std::make_unique<CompiledRun>(*this, getData(arguments), *call);
  if (Error error = run->pack())
    return error;
  return run;
}

Error CompiledRun::pack() {
  Clock::time_point start = Clock::now();
  Error error = program.executable->prepack(arguments, &program.pool, packed);
  milliseconds += getMillisecondsSince(start);
  return error;
}

Error CompiledRun::proceed(llvm::ArrayRef<ParablockTensor> outputs) {
  const CpuSegment &segment = program.segments[done];
  for (auto [output, given] : llvm::zip_equal(segment.begun, outputs)) {
    if (Error error =
            CompiledProgram::checkOutput(output, call.results[output], given))
      return error;
    results[output] = given.data;
  }
  Clock::time_point start = Clock::now();
  if (Error error = program.executable->run(arguments, results, call.symbols,
                                            &program.pool, packed.data(),
                                            workspace, segment.launches))
    return error;
  milliseconds += getMillisecondsSince(start);
  if (++done == program.segments.size())
    program.note(milliseconds, packed.getBytes() + workspace.getBytes(),
                 call.symbols);
  return Error::success();
}

Expected<std::unique_ptr<ProgramEngine>>
capi::createCompiledProgram(mlir::func::FuncOp function,
                            const ParablockProgramOptions &options,
                            std::optional<Arguments> parameters) {
  Expected<CpuTarget> target = findCpuTarget(options.cpu ? options.cpu : "");
  if (!target)
    return target.takeError();
  Expected<runner::Signature> signature = runner::readSignature(function);
  if (!signature)
    return signature.takeError();
  std::unique_ptr<CodeCache> cache;
  std::unique_ptr<WeightCache> weights;
  if (options.cache) {
    Expected<std::unique_ptr<CodeCache>> opened = openCodeCache(options.cache);
    if (!opened)
      return opened.takeError();
    cache = std::move(*opened);
  }
  // Runs that pack weights themselves have none to keep.
  if (options.cache && !options.memory) {
    Expected<std::unique_ptr<WeightCache>> opened =
        WeightCache::open(options.cache, options.keepWeights != 0);
    if (!opened)
      return opened.takeError();
    weights = std::move(*opened);
  }
  auto result = std::make_unique<CompiledProgram>(
      *signature, std::move(weights), options.threads,
      options.memory ? options.memory->pool
                     : std::make_shared<cpu::MemoryPool>(),
      /*packsInRuns=*/options.memory != nullptr);
  if (Error error =
          result->compile(function, *target, cache.get(), options, parameters))
    return error;
  return result;
}

ParablockCacheCounts parablockGetCacheCounts() {
  CodeCacheCounts code = getCodeCacheCounts();
  WeightCacheCounts weights = getWeightCacheCounts();
  return {code.hits, code.misses, weights.hits, weights.misses};
}
