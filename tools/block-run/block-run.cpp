//===- block-run.cpp - runs a function of model IR ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Exit codes: 0 done, 1 bad usage or input, 3 numbers out of tolerance, 4 an
// engine that this machine or build lacks.
//
//===----------------------------------------------------------------------===//

#include "PackageRequest.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "parablock/Engines/CPU/Runtime/ThreadPool.h"
#include "parablock/Engines/CPUEngine/CodeCache.h"
#include "parablock/Engines/CPUEngine/CpuEngine.h"
#include "parablock/Engines/CPUEngine/DefaultEngine.h"
#include "parablock/Engines/Device/EmulateEngine.h"
#include "parablock/Engines/Device/PackageEngine.h"
#include "parablock/Engines/MPI/World.h"
#include "parablock/Engines/Package/CudaEngine.h"
#include "parablock/InitAll.h"
#include "parablock/Judges/Compare/ReferenceEngine.h"
#include "parablock/Judges/Compare/RunCommand.h"
#include "parablock/Pipelines/BlockToCPU.h"
#include "parablock/Pipelines/BlockToGPU.h"
#include "parablock/Pipelines/PrepareForDevice.h"
#include "parablock/Support/AtomicOutput.h"
#include "parablock/Support/Chips.h"
#include "parablock/Support/ToolFlags.h"
#include "llvm/Support/InitLLVM.h"

using namespace parablock::runner;
using parablock::ToolFlag;
namespace cl = llvm::cl;

namespace {
enum ExitCode { Done = 0, BadInput = 1, OutOfTolerance = 3, Missing = 4 };

/// Made in main, not statically: see there.
struct Flags {
  cl::OptionCategory engines{"What runs"};
  cl::OptionCategory numbers{"Numbers that go in"};
  cl::OptionCategory comparisons{"What results are compared with"};
  cl::OptionCategory results{"What is written"};

  cl::opt<std::string> irPath{cl::Positional, cl::desc("<IR file or package>"),
                              cl::init("-")};
  ToolFlag<std::string> engine{
      engines, "engine",
      "what runs it: cpu, reference, emulate or cuda; by default "
      "cpu, and reference for what it alone can do",
      cl::value_desc("name")};
  ToolFlag<std::string> function{
      engines, "function",
      "which function to run; by default the model: main or the only one",
      cl::value_desc("name")};
  ToolFlag<std::string> chip{engines, "chip",
                             "what emulate compiles for, such as sm_90a; of a "
                             "package, by default its first",
                             cl::value_desc("name"), cl::init("sm_90a")};
  ToolFlag<std::string> cpu{engines, "cpu",
                            "what cpu compiles for: native, x86-64, x86-64-v3, "
                            "x86-64-v4 or another that LLVM knows",
                            cl::value_desc("name"), cl::init("native")};
  ToolFlag<bool> emulateTiles{
      engines, "emulate-tiles",
      "cpu: calls functions in place of instructions on tiles, to run code of "
      "a --cpu= that has them elsewhere"};
  ToolFlag<std::string> codeCache{
      engines, "code-cache",
      "cpu: a folder to keep compiled code in; without a value, that of the "
      "environment",
      cl::value_desc("folder"), cl::ValueOptional};
  ToolFlag<std::string> mutate{
      engines, "mutate",
      "emulate: a defect to put into the device code, to "
      "see that it is found",
      cl::value_desc("kind:seed")};
  ToolFlag<std::string> dims{numbers, "dims", "sizes of dynamic dimensions",
                             cl::value_desc("batch=2,seq=65")};
  ToolFlag<std::string> weights{
      numbers, "weights", "parameters, as safetensors", cl::value_desc("file")};
  ToolFlag<std::string> inputs{numbers, "inputs", "inputs, as safetensors",
                               cl::value_desc("file")};
  ToolFlag<uint64_t> seed{numbers, "seed",
                          "draws the inputs that no file gives, and without "
                          "--weights the parameters",
                          cl::value_desc("N"), cl::init(0)};
  ToolFlag<std::string> outputs{
      results, "outputs",
      "where to write the outputs; not written if they "
      "are out of tolerance",
      cl::value_desc("file")};
  ToolFlag<std::string> checkAgainst{comparisons, "check-against",
                                     "compare with this engine's outputs",
                                     cl::value_desc("engine")};
  ToolFlag<std::string> expect{comparisons, "expect",
                               "compare with the outputs in this file",
                               cl::value_desc("file")};
  ToolFlag<std::string> baseline{comparisons, "baseline",
                                 "compare with this function, exact, on the "
                                 "reference engine",
                                 cl::value_desc("IR file")};
  ToolFlag<int64_t> steps{
      comparisons, "steps",
      "of a function with caches: run so many tokens, one call for each, and "
      "hold them against one call for all",
      cl::value_desc("N"), cl::init(0)};
  ToolFlag<int64_t> stepTokens{comparisons, "step-tokens",
                               "tokens of a call of --steps",
                               cl::value_desc("N"), cl::init(1)};
  ToolFlag<bool> checkGradients{
      comparisons, "check-gradients",
      "compare the results that are gradients with central differences of the "
      "others, exact, on the reference engine"};
  ToolFlag<int64_t> ranks{engines, "ranks",
                          "reference: ranks to simulate of a module that "
                          "block-shard has split",
                          cl::value_desc("N"), cl::init(1)};
  ToolFlag<unsigned> rankTimeout{
      engines, "rank-timeout",
      "seconds that ranks wait for each other, where "
      "mpirun started several",
      cl::value_desc("N"), cl::init(120)};
  ToolFlag<unsigned> threads{engines, "threads",
                             "worker threads, 0 for as many as fit",
                             cl::value_desc("N"), cl::init(0)};
  ToolFlag<unsigned> repeat{results, "repeat", "how often to run, for times",
                            cl::value_desc("N"), cl::init(1)};
  ToolFlag<bool> exactArithmetic{
      engines, "exact-arithmetic",
      "do not round to element types; outputs are f64"};
  ToolFlag<bool> trace{results, "trace",
                       "list the size of stream and updates per layer"};
  ToolFlag<std::string> timeline{
      results, "timeline",
      "cpu: where to write the times of kernels and of sums over ranks in one "
      "more run, as events of Chrome's trace viewers",
      cl::value_desc("file")};
  ToolFlag<std::string> json{results, "json", "where to write the report",
                             cl::value_desc("file")};
};
} // namespace

static int fail(llvm::Error error) {
  ExitCode code = BadInput;
  llvm::handleAllErrors(
      std::move(error), [](const DiagnosedError &) {},
      [&](const MissingError &missing) {
        llvm::errs() << "error: " << missing.message() << "\n";
        code = Missing;
      },
      [](const llvm::ErrorInfoBase &other) {
        llvm::errs() << "error: " << other.message() << "\n";
      });
  return code;
}

/// Returns the requested engine, or the fastest one that supports the request.
static std::string chooseEngine(const Flags &flags) {
  if (!flags.engine.empty())
    return flags.engine;
  bool isReference = flags.exactArithmetic || flags.trace ||
                     flags.checkGradients || flags.ranks > 1;
  return isReference ? "reference" : "cpu";
}

static llvm::Expected<RunRequest> readFlags(const Flags &flags) {
  RunRequest request;
  llvm::Expected<DimSizes> sizes = parseDimSizes(flags.dims);
  if (!sizes)
    return sizes.takeError();
  if (flags.ranks < 1)
    return llvm::createStringError("--ranks: expected at least 1, got " +
                                   llvm::Twine(flags.ranks));
  if (flags.repeat < 1)
    return llvm::createStringError("--repeat: expected at least 1, got 0");
  if (flags.threads > parablock::cpu::ThreadPool::mostWorkers)
    return llvm::createStringError(
        "--threads: expected at most " +
        llvm::Twine(parablock::cpu::ThreadPool::mostWorkers) + ", got " +
        llvm::Twine(flags.threads));
  if (!flags.checkAgainst.empty() && !flags.expect.empty())
    return llvm::createStringError(
        "expected --check-against or --expect, got both");
  if (flags.checkGradients && chooseEngine(flags) != "reference")
    return llvm::createStringError(
        "--check-gradients: expected --engine=reference, got '" + flags.engine +
        "'");
  if (!flags.timeline.empty() && chooseEngine(flags) != "cpu")
    return llvm::createStringError("--timeline: expected --engine=cpu, got '" +
                                   chooseEngine(flags) + "'");
  if (flags.checkGradients && flags.ranks > 1)
    return llvm::createStringError(
        "--check-gradients: expected a function of one rank, got --ranks=" +
        llvm::Twine(flags.ranks));
  for (const ToolFlag<int64_t> *flag : {&flags.steps, &flags.stepTokens})
    if (flag->getNumOccurrences() && *flag < 1)
      return llvm::createStringError("--" + flag->ArgStr +
                                     ": expected at least 1, got " +
                                     llvm::Twine(*flag));
  if (flags.stepTokens.getNumOccurrences() && !flags.steps)
    return llvm::createStringError(
        "expected --steps with --step-tokens, got none");
  if (flags.steps)
    for (auto [name, isGiven] :
         {std::pair("--check-against", !flags.checkAgainst.empty()),
          std::pair("--expect", !flags.expect.empty()),
          std::pair("--baseline", !flags.baseline.empty()),
          std::pair("--check-gradients", bool(flags.checkGradients)),
          std::pair("--trace", bool(flags.trace)),
          std::pair("--timeline", !flags.timeline.empty())})
      if (isGiven)
        return llvm::createStringError(
            "--steps: expected to be the only comparison, got " +
            llvm::StringRef(name));
  request.steps = flags.steps;
  request.stepTokens = flags.stepTokens;
  request.irPath = flags.irPath;
  request.functionName = flags.function;
  request.engine = chooseEngine(flags);
  request.dims = std::move(*sizes);
  request.weightsPath = flags.weights;
  request.inputsPath = flags.inputs;
  request.seed = flags.seed;
  request.isSeedGiven = flags.seed.getNumOccurrences() != 0;
  request.checkAgainst = flags.checkAgainst;
  request.expectPath = flags.expect;
  request.baselinePath = flags.baseline;
  request.ranks = flags.ranks;
  request.threads = flags.threads;
  request.repeat = flags.repeat;
  request.exactArithmetic = flags.exactArithmetic;
  request.trace = flags.trace;
  request.checkGradients = flags.checkGradients;
  request.outputsPath = flags.outputs;
  request.jsonPath = flags.json;
  request.timelinePath = flags.timeline;
  return request;
}

/// The other ranks, where mpirun started several; else null.
static llvm::Expected<std::unique_ptr<parablock::mpi::World>>
joinRanks(const Flags &flags) {
  if (flags.rankTimeout < 1)
    return llvm::createStringError(
        "--rank-timeout: expected at least 1 second, got 0");
  if (!parablock::mpi::isLaunched())
    return nullptr;
  return parablock::mpi::World::join(std::chrono::seconds(flags.rankTimeout));
}

/// Returns the engines of this build. The others exist in other builds or on
/// other machines.
static EngineRegistry
makeRegistry(const Flags &flags,
             const std::shared_ptr<const parablock::Package> &package,
             parablock::mpi::World *world) {
  EngineRegistry engines;
  engines.add("reference", [] { return createReferenceEngine(); });
  std::string cpu = flags.cpu;
  bool areTilesEmulated = flags.emulateTiles;
  bool keepsCode = flags.codeCache.getNumOccurrences() != 0;
  std::string folder = flags.codeCache;
  // No other engine can take the place of one of several ranks.
  bool isAsked =
      world || !flags.engine.empty() || flags.cpu.getNumOccurrences() != 0;
  engines.add("cpu", [=]() -> llvm::Expected<std::unique_ptr<Engine>> {
    llvm::Expected<parablock::CpuTarget> target = parablock::findCpuTarget(cpu);
    if (target && areTilesEmulated)
      target = parablock::emulateTiles(*target);
    if (!target)
      return target.takeError();
    if (llvm::Error error = parablock::checkRunsHere(*target))
      return error;
    std::shared_ptr<parablock::CodeCache> cache;
    if (keepsCode) {
      auto opened = parablock::openCodeCache(folder);
      if (!opened)
        return opened.takeError();
      cache = std::move(*opened);
    }
    auto engine = parablock::createCpuEngine(*target, parablock::lowerToKernels,
                                             world, std::move(cache));
    if (isAsked)
      return engine;
    return parablock::createDefaultEngine(
        std::move(engine), createReferenceEngine(), llvm::errs());
  });
  parablock::EmulateOptions options{flags.chip, flags.mutate};
  if (package && flags.chip.getNumOccurrences() == 0)
    options.chip = package->chips.front().chip;
  engines.add(
      "emulate",
      [options, package]() -> llvm::Expected<std::unique_ptr<Engine>> {
        if (package && !options.mutation.empty())
          return llvm::createStringError(
              "--mutate: expected IR, got a package, whose code stays as it "
              "is");
        if (package)
          return parablock::createPackageEmulateEngine(package, options.chip);
        if (auto known = parablock::findDeviceChip(options.chip); !known)
          return known.takeError();
        return parablock::createEmulateEngine(options,
                                              parablock::lowerToDevice);
      });
  // A device runs the best that it can of these.
  parablock::PackageOptions codes{{"sm_90a", parablock::getForwardChip().str()},
                                  ""};
  engines.add("cuda", [=]() -> llvm::Expected<std::unique_ptr<Engine>> {
    auto prepare = [](mlir::ModuleOp module, llvm::StringRef chip,
                      llvm::StringRef recipePath) {
      return parablock::prepareForDevice(module, chip, recipePath);
    };
    return parablock::createCudaEngine(package, codes, prepare,
                                       parablock::lowerToDevice);
  });
  return engines;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // LLVM's own flags, of which --threads is one, are of no use here.
  cl::ResetCommandLineParser();
  Flags flags;
  parablock::parseToolFlags(
      argc, argv,
      {"runs model IR and packages, and compares what comes out",
       "block-gen --family=gpt2 --layers=2 --width=64 --heads=4 --vocab=97 "
       "--seq=9 -o m.mlir\n"
       "block-opt m.mlir --block-optimize -o fused.mlir\n"
       "block-run fused.mlir --seed=1 --baseline=m.mlir",
       "3 numbers out of tolerance\n"
       "4 an engine that this machine or build does not have"});

  llvm::Expected<RunRequest> request = readFlags(flags);
  if (!request)
    return fail(request.takeError());
  llvm::Expected<std::shared_ptr<const parablock::Package>> package =
      openPackage(*request);
  if (!package)
    return fail(package.takeError());
  llvm::Expected<std::unique_ptr<parablock::mpi::World>> world =
      joinRanks(flags);
  if (!world)
    return fail(world.takeError());
  request->group = world->get();
  mlir::DialectRegistry registry;
  parablock::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  llvm::Expected<RunReport> report =
      runRequest(*request, makeRegistry(flags, *package, world->get()), context,
                 llvm::errs());
  if (!report) {
    int code = fail(report.takeError());
    // Only now, as launchers end the others when one is gone with an error.
    if (*world)
      llvm::consumeError((*world)->leave());
    return code;
  }
  if (*world && !(*world)->isFirst())
    return Done;
  // Standard output is the file's where a file goes there.
  bool isTaken = request->outputsPath == "-" || request->jsonPath == "-" ||
                 request->timelinePath == "-";
  auto write = [&](llvm::raw_ostream &os) { printReport(os, *report); };
  if (llvm::Error error = parablock::printOutput(write, isTaken))
    return fail(std::move(error));
  return report->pass() ? Done : OutOfTolerance;
}
