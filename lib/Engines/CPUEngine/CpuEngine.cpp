//===- CpuEngine.cpp - prepares, runs and reports functions ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPUEngine/CpuEngine.h"

#include "TensorMemory.h"
#include "parablock/Engines/CPU/Runtime/ThreadPool.h"
#include "parablock/Engines/CPUEngine/CodeCache.h"
#include "parablock/Engines/CPUEngine/CompileFunction.h"
#include "parablock/Execution/IntegerChecks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"
#include <chrono>
#include <optional>
#include <thread>

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

namespace {
class CpuEngine : public Engine {
public:
  CpuEngine(CpuTarget target, KernelLowering lowering, mpi::World *world,
            std::shared_ptr<CodeCache> cache)
      : target(std::move(target)), lowering(std::move(lowering)), world(world),
        cache(std::move(cache)) {}

  llvm::StringRef name() const override { return "cpu"; }
  bool canPrepack() const override { return true; }
  bool canBeRank() const override { return true; }

  Expected<RunResult> run(mlir::func::FuncOp function,
                          ArrayRef<Tensor> arguments,
                          const RunOptions &options) override;

private:
  unsigned chooseThreads(unsigned wanted) const;

  CpuTarget target;
  KernelLowering lowering;
  mpi::World *world;
  std::shared_ptr<CodeCache> cache;
  /// The code of the latest run with `keepsCode`, and its function.
  std::unique_ptr<CpuExecutable> kept;
  mlir::Operation *keptOf = nullptr;
};

/// One function, compiled, with the memory of one run.
class CpuRun {
public:
  CpuRun(CpuExecutable &executable, ParablockPool &pool)
      : executable(executable), pool(pool) {}

  /// Copies arguments and packs weights.
  Error prepare(ArrayRef<Tensor> arguments, unsigned numResults);
  /// Runs once, with weights packed again if `packs`, and returns the
  /// time.
  Expected<double> run(bool packs);
  /// Runs launch by launch, and records their times.
  Error runTimed();
  /// Returns the times of the launches and of the sums of `world`, of all
  /// ranks.
  Expected<std::vector<StepTime>> gatherTimes(mpi::World *world);
  Expected<std::vector<Tensor>> takeOutputs() {
    return readResults(outputMemory, executable, symbols);
  }
  std::vector<KernelCount> countKernels() const;
  uint64_t getPeakBytes() const;
  uint64_t getTemporaryBytes() const {
    return executable.getTemporaryBytes(symbols);
  }

private:
  CpuExecutable &executable;
  ParablockPool &pool;
  cpu::Symbols symbols;
  TensorMemory inputMemory, outputMemory;
  std::vector<const void *> inputs;
  std::vector<void *> outputs;
  std::vector<StepTime> times;
  int64_t begin = 0;
};
} // namespace

using Clock = std::chrono::steady_clock;

static int64_t getNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             Clock::now().time_since_epoch())
      .count();
}

static double getMillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

Error CpuRun::prepare(ArrayRef<Tensor> arguments, unsigned numResults) {
  Expected<cpu::Symbols> found = findSymbols(executable, arguments);
  if (!found)
    return found.takeError();
  symbols = std::move(*found);
  for (auto [position, argument] : llvm::enumerate(arguments)) {
    if (Error error = inputMemory.add(executable.findArgument(position),
                                      argument, symbols))
      return error;
    inputs.push_back(inputMemory.get(position).data());
  }
  Expected<std::vector<void *>> results =
      addResults(outputMemory, executable, symbols, numResults);
  if (!results)
    return results.takeError();
  outputs = std::move(*results);
  return executable.prepack(inputs, &pool);
}

Expected<double> CpuRun::run(bool packs) {
  Clock::time_point start = Clock::now();
  if (packs)
    if (Error error = executable.prepack(inputs, &pool))
      return error;
  if (Error error = executable.run(inputs, outputs, symbols, &pool))
    return error;
  return getMillisecondsSince(start);
}

Error CpuRun::runTimed() {
  const CpuProgram &program = executable.getProgram();
  cpu::AlignedMemory packed;
  cpu::Workspace workspace;
  if (Error error = executable.prepack(inputs, &pool, packed))
    return error;
  begin = getNanoseconds();
  for (size_t i = 0; i < program.launches.size(); ++i) {
    StepTime time{program.kernels[program.launches[i].kernel]};
    time.layer = program.layers[i];
    time.begin = getNanoseconds();
    if (Error error = executable.run(inputs, outputs, symbols, &pool,
                                     packed.data(), workspace, {i, i + 1}))
      return error;
    time.end = getNanoseconds();
    times.push_back(std::move(time));
  }
  return Error::success();
}

/// Identifies the clock of this machine.
static uint64_t getClock(const mpi::World &world) {
  auto id =
      llvm::MemoryBuffer::getFileAsStream("/proc/sys/kernel/random/boot_id");
  return id ? llvm::xxh3_64bits((*id)->getBuffer()) : world.rank();
}

/// Returns when the first of the ranks that share a rank's clock began, for
/// each rank.
static Expected<std::vector<int64_t>> gatherBegins(mpi::World &world,
                                                   int64_t begin) {
  Expected<std::vector<uint64_t>> all =
      world.gather({getClock(world), static_cast<uint64_t>(begin)});
  if (!all)
    return all.takeError();
  std::vector<int64_t> begins;
  for (size_t rank = 0; rank < all->size(); rank += 2) {
    auto first = static_cast<int64_t>((*all)[rank + 1]);
    for (size_t other = 0; other < all->size(); other += 2)
      if ((*all)[other] == (*all)[rank])
        first = std::min(first, static_cast<int64_t>((*all)[other + 1]));
    begins.push_back(first);
  }
  return begins;
}

Expected<std::vector<StepTime>> CpuRun::gatherTimes(mpi::World *world) {
  std::vector<StepTime> own = std::move(times);
  if (world)
    for (const mpi::SumTime &sum : world->takeTimes())
      own.push_back({"sum", 0, -1, /*isSum=*/true, sum.begin, sum.end});
  if (!world) {
    for (StepTime &time : own) {
      time.begin -= begin;
      time.end -= begin;
    }
    return own;
  }
  std::vector<uint64_t> ends;
  for (const StepTime &time : own) {
    ends.push_back(static_cast<uint64_t>(time.begin));
    ends.push_back(static_cast<uint64_t>(time.end));
  }
  Expected<std::vector<int64_t>> begins = gatherBegins(*world, begin);
  if (!begins)
    return begins.takeError();
  // Ranks run one function: their steps have the same names.
  uint64_t count = own.size();
  Expected<std::vector<uint64_t>> counts = world->gather(count);
  if (!counts)
    return counts.takeError();
  if (!llvm::all_equal(*counts))
    return llvm::createStringError("ranks have different numbers of steps");
  Expected<std::vector<uint64_t>> all = world->gather(ends);
  if (!all)
    return all.takeError();
  std::vector<StepTime> result;
  for (int64_t rank = 0; rank < world->size(); ++rank)
    for (size_t i = 0; i < own.size(); ++i) {
      StepTime time = own[i];
      time.rank = rank;
      const uint64_t *at = all->data() + 2 * (rank * own.size() + i);
      time.begin = static_cast<int64_t>(at[0]) - (*begins)[rank];
      time.end = static_cast<int64_t>(at[1]) - (*begins)[rank];
      result.push_back(std::move(time));
    }
  return result;
}

std::vector<KernelCount> CpuRun::countKernels() const {
  llvm::MapVector<llvm::StringRef, uint64_t> counts;
  const CpuProgram &program = executable.getProgram();
  for (const cpu::LaunchData &launch : program.launches)
    ++counts[program.kernels[launch.kernel]];
  std::vector<KernelCount> result;
  for (auto &[name, count] : counts)
    result.push_back({name.str(), count});
  return result;
}

uint64_t CpuRun::getPeakBytes() const {
  return inputMemory.getBytes() + outputMemory.getBytes() +
         executable.getPackedBytes() + executable.getWorkspaceBytes();
}

/// Ranks on one machine share its cores.
unsigned CpuEngine::chooseThreads(unsigned wanted) const {
  if (wanted != 0 || !world)
    return wanted;
  return std::max(1u, std::thread::hardware_concurrency() /
                          mpi::World::countRanksHere());
}

Expected<RunResult> CpuEngine::run(mlir::func::FuncOp function,
                                   ArrayRef<Tensor> arguments,
                                   const RunOptions &options) {
  if (options.exactArithmetic)
    return llvm::createStringError(
        "engine cpu: machine code rounds, expected no exact arithmetic");
  if (options.observer)
    return llvm::createStringError(
        "engine cpu: kernels show no single steps, expected no trace");
  RunResult result;
  cpu::ThreadPool pool(chooseThreads(options.threads));
  std::unique_ptr<CpuExecutable> executable = std::move(kept);
  bool isKnown = executable && options.keepsCode && keptOf == function;
  std::optional<CpuRun> run;
  auto prepare = [&]() -> Error {
    if (Error error = checkIntegerInputs(function, arguments))
      return error;
    Clock::time_point start = Clock::now();
    if (!isKnown) {
      Expected<std::unique_ptr<CpuExecutable>> compiled =
          compileFunction(function, target, lowering,
                          {world, cache.get(), chooseThreads(options.threads)});
      if (!compiled)
        return compiled.takeError();
      result.compileMilliseconds = getMillisecondsSince(start);
      executable = std::move(*compiled);
    }
    run.emplace(*executable, pool);
    return run->prepare(arguments, function.getNumResults());
  };
  Error ready = prepare();
  if (world)
    ready = world->beginRuns(std::move(ready));
  if (ready)
    return ready;
  for (unsigned i = 0; i < options.repeat; ++i) {
    Expected<double> milliseconds = run->run(options.packsInRuns);
    if (!milliseconds)
      return milliseconds.takeError();
    result.milliseconds.push_back(*milliseconds);
  }
  if (options.recordsTimes) {
    if (world)
      world->recordTimes();
    if (Error error = run->runTimed())
      return error;
  }
  result.kernels = run->countKernels();
  if (world) {
    mpi::SumCounts sums = world->endRuns();
    for (auto [name, count] : {std::pair("MPI_Allreduce", sums.awaited),
                               std::pair("MPI_Iallreduce", sums.started),
                               std::pair("MPI_Alltoallv", sums.exchanged)})
      if (count)
        result.kernels.push_back(
            {name, count / (options.repeat + options.recordsTimes)});
  }
  if (options.recordsTimes)
    if (Error error = run->gatherTimes(world).moveInto(result.times))
      return error;
  Expected<std::vector<Tensor>> outputs = run->takeOutputs();
  if (!outputs)
    return outputs.takeError();
  result.outputs = std::move(*outputs);
  result.peakBytes = run->getPeakBytes();
  result.temporaryBytes = run->getTemporaryBytes();
  result.threads = pool.numWorkers;
  if (options.keepsCode) {
    run.reset();
    kept = std::move(executable);
    keptOf = function;
  }
  return result;
}

std::unique_ptr<Engine>
parablock::createCpuEngine(CpuTarget target, KernelLowering lowering,
                           mpi::World *world,
                           std::shared_ptr<CodeCache> cache) {
  return std::make_unique<CpuEngine>(std::move(target), std::move(lowering),
                                     world, std::move(cache));
}
