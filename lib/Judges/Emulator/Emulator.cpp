//===- Emulator.cpp - launches kernels on worker threads ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Emulator/Emulator.h"
#include "CompiledModule.h"
#include "OpTable.h"
#include "Rewriter.h"
#include "Worker.h"

#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SourceMgr.h"
#include <chrono>
#include <thread>

using namespace parablock;
using namespace parablock::emulator;
using llvm::Twine;

struct Emulator::Implementation {
  Implementation(CompiledModule compiled, DeviceMemory &memory,
                 EmulatorOptions options)
      : compiled(std::move(compiled)), memory(memory), options(options) {}

  llvm::Error checkConfig(const KernelInfo &kernel,
                          const LaunchConfig &config) const;
  llvm::Error packArguments(const KernelInfo &kernel,
                            llvm::ArrayRef<KernelArgument> arguments);
  uint32_t getSharedBytes(const LaunchConfig &config) const {
    return rewriter->staticSharedBytes + config.dynamicSharedBytes;
  }
  /// Runs all clusters on as many host threads as are worth it.
  void runWorkers(LaunchContext &launch, ReportSink &reports,
                  std::vector<uint64_t> &counters);

  CompiledModule compiled;
  DeviceMemory &memory;
  EmulatorOptions options;
  std::unique_ptr<Rewriter> rewriter;
  std::vector<MemoryRange> variables;
  /// Entries by kernel.
  std::vector<void *> entries;
  uint64_t numLaunches = 0;

  /// The parameters of the running launch, each at its alignment.
  std::vector<llvm::SmallVector<char, 0>> parameterMemory;
  std::vector<void *> parameters;
};

Emulator::Emulator(std::unique_ptr<Implementation> implementation)
    : implementation(std::move(implementation)) {}

Emulator::~Emulator() = default;

llvm::Expected<std::unique_ptr<Emulator>>
Emulator::create(llvm::orc::ThreadSafeModule module, DeviceMemory &memory,
                 EmulatorOptions options) {
  auto compiled = CompiledModule::create();
  if (!compiled)
    return compiled.takeError();
  auto implementation =
      std::make_unique<Implementation>(std::move(*compiled), memory, options);
  llvm::Module &code = *module.getModuleUnlocked();
  implementation->compiled.retarget(code);
  implementation->rewriter = std::make_unique<Rewriter>(code, options.checks);
  Rewriter &rewriter = *implementation->rewriter;
  if (llvm::Error error = rewriter.run())
    return error;
  if (llvm::Error error =
          implementation->compiled.add(std::move(module), rewriter.sites))
    return error;
  for (const VariableInfo &variable : rewriter.variables) {
    auto address = implementation->compiled.find(variable.name);
    if (!address)
      return address.takeError();
    implementation->variables.push_back({reinterpret_cast<uint64_t>(*address),
                                         variable.bytes, variable.isConstant});
  }
  for (const KernelInfo &kernel : rewriter.kernels) {
    auto entry = implementation->compiled.find(kernel.entryName);
    if (!entry)
      return entry.takeError();
    implementation->entries.push_back(*entry);
  }
  return std::unique_ptr<Emulator>(new Emulator(std::move(implementation)));
}

llvm::Expected<std::unique_ptr<Emulator>>
Emulator::create(llvm::MemoryBufferRef buffer, DeviceMemory &memory,
                 EmulatorOptions options) {
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module =
      llvm::parseIR(buffer, diagnostic, *context);
  if (!module)
    return llvm::createStringError(buffer.getBufferIdentifier() + ":" +
                                   Twine(diagnostic.getLineNo()) + ": " +
                                   diagnostic.getMessage());
  return create({std::move(module), std::move(context)}, memory, options);
}

static std::string toText(Dim3 value) {
  return ("(" + Twine(value.x) + ", " + Twine(value.y) + ", " + Twine(value.z) +
          ")")
      .str();
}

llvm::Error
Emulator::Implementation::checkConfig(const KernelInfo &kernel,
                                      const LaunchConfig &config) const {
  auto complain = [&](const Twine &message) {
    return llvm::createStringError("kernel '" + kernel.name + "': " + message);
  };
  uint64_t numThreads = config.block.volume();
  if (numThreads == 0 || numThreads > 1024 || config.block.z > 64)
    return complain("expected a block of 1 to 1024 threads, got " +
                    toText(config.block));
  if (kernel.block && !(*kernel.block == config.block))
    return complain("expected a block of " + toText(*kernel.block) + ", got " +
                    toText(config.block));
  if (kernel.cluster && !(*kernel.cluster == config.cluster))
    return complain("expected a cluster of " + toText(*kernel.cluster) +
                    ", got " + toText(config.cluster));
  if (config.cluster.volume() == 0 || config.cluster.volume() > maxClusterSize)
    return complain("expected a cluster of 1 to " + Twine(maxClusterSize) +
                    " CTAs, got " + toText(config.cluster));
  if (config.grid.volume() == 0 || config.grid.x % config.cluster.x != 0 ||
      config.grid.y % config.cluster.y != 0 ||
      config.grid.z % config.cluster.z != 0)
    return complain("expected a grid of whole clusters of " +
                    toText(config.cluster) + ", got " + toText(config.grid));
  if (config.grid.volume() >= UINT32_MAX)
    return complain("the grid " + toText(config.grid) + " is too large");
  uint64_t sharedBytes =
      uint64_t(rewriter->staticSharedBytes) + config.dynamicSharedBytes;
  if (sharedBytes > std::min(options.maxSharedBytes, sharedWindowBytes))
    return complain("expected at most " +
                    Twine(std::min(options.maxSharedBytes, sharedWindowBytes)) +
                    " bytes of shared memory, got " + Twine(sharedBytes));
  return llvm::Error::success();
}

llvm::Error Emulator::Implementation::packArguments(
    const KernelInfo &kernel, llvm::ArrayRef<KernelArgument> arguments) {
  if (arguments.size() != kernel.parameterBytes.size())
    return llvm::createStringError(
        "kernel '" + kernel.name + "': expected " +
        Twine(uint64_t(kernel.parameterBytes.size())) + " arguments, got " +
        Twine(uint64_t(arguments.size())));
  parameterMemory.clear();
  parameterMemory.reserve(arguments.size()); // places must not move
  parameters.clear();
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    llvm::ArrayRef<char> bytes = argument.data();
    if (bytes.size() != kernel.parameterBytes[i])
      return llvm::createStringError(
          "kernel '" + kernel.name + "': expected argument " +
          Twine(uint64_t(i)) + " of " + Twine(kernel.parameterBytes[i]) +
          " bytes, got " + Twine(uint64_t(bytes.size())));
    uint64_t align = kernel.parameterAligns[i];
    auto &memory = parameterMemory.emplace_back(bytes.size() + align);
    char *place = reinterpret_cast<char *>(llvm::alignTo(
        reinterpret_cast<uint64_t>(memory.data()), llvm::Align(align)));
    std::memcpy(place, bytes.data(), bytes.size());
    parameters.push_back(place);
  }
  return llvm::Error::success();
}

void Emulator::Implementation::runWorkers(LaunchContext &launch,
                                          ReportSink &reports,
                                          std::vector<uint64_t> &counters) {
  uint64_t numClusters = launch.clusterGrid().volume();
  uint64_t numWorkers = options.hostThreads != 0
                            ? options.hostThreads
                            : std::thread::hardware_concurrency();
  numWorkers = std::max<uint64_t>(1, std::min(numWorkers, numClusters));
  if (launch.usesAtomics)
    numWorkers = 1;
  launch.hasManyWorkers = numWorkers > 1;
  std::vector<std::unique_ptr<Worker>> workers;
  for (uint64_t i = 0; i < numWorkers; ++i)
    workers.push_back(std::make_unique<Worker>(launch));
  std::vector<std::thread> threads;
  for (uint64_t i = 1; i < numWorkers; ++i)
    threads.emplace_back([&, i] { workers[i]->run(); });
  workers[0]->run();
  for (std::thread &thread : threads)
    thread.join();
  for (std::unique_ptr<Worker> &worker : workers) {
    reports.merge(std::move(worker->reports));
    for (auto [i, count] : llvm::enumerate(worker->counters))
      counters[i] += count;
  }
}

llvm::Expected<LaunchResult>
Emulator::launch(llvm::StringRef name, const LaunchConfig &config,
                 llvm::ArrayRef<KernelArgument> arguments) {
  Implementation &self = *implementation;
  auto kernel = llvm::find_if(self.rewriter->kernels, [&](const auto &entry) {
    return entry.name == name;
  });
  if (kernel == self.rewriter->kernels.end())
    return llvm::createStringError("the module has no kernel '" + name + "'");
  if (llvm::Error error = self.checkConfig(*kernel, config))
    return error;
  if (llvm::Error error = self.packArguments(*kernel, arguments))
    return error;
  void *entry = self.entries[kernel - self.rewriter->kernels.begin()];
  std::vector<MemoryRange> ranges = self.variables;
  for (auto [i, place] : llvm::enumerate(self.parameters))
    ranges.push_back({reinterpret_cast<uint64_t>(place),
                      kernel->parameterBytes[i], /*isConstant=*/true});
  GlobalShadow &shadow = self.memory.shadow();
  const Rewriter &rewriter = *self.rewriter;
  LaunchContext launch = {self.options,
                          config,
                          reinterpret_cast<void (*)(void **)>(entry),
                          self.parameters.data(),
                          shadow,
                          rewriter.sites,
                          ranges,
                          self.getSharedBytes(config),
                          static_cast<uint32_t>(rewriter.counterNames.size()),
                          rewriter.usesAtomics};
  ReportSink reports;
  std::vector<uint64_t> counters(rewriter.counterNames.size());
  auto start = std::chrono::steady_clock::now();
  self.runWorkers(launch, reports, counters);
  std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - start;
  ++self.numLaunches;
  // The next launch may begin before this one has ended; and before the
  // previous one has, unless this one waited before it let the next begin.
  bool isBehind =
      !config.mayBeginEarly || (launch.hasWaited && !launch.signalsTooEarly);
  if (isBehind)
    shadow.unfinishedEpoch = shadow.firstEpoch;
  shadow.firstEpoch = std::max(shadow.firstEpoch, launch.lastEpoch.load()) + 1;
  if (!self.options.checks)
    shadow.setAllInitialized();

  LaunchResult result;
  result.kernel = name.str();
  result.grid = config.grid;
  result.block = config.block;
  result.cluster = config.cluster;
  result.sharedBytes = launch.sharedBytes;
  result.hostSeconds = taken.count();
  reports.moveTo(result, name, self.options.maxReports);
  if (config.mayBeginEarly && !launch.hasWaited && self.options.checks)
    result.reports.push_back(
        {ReportKind::MissingWait, name.str(), Dim3{0, 0, 0}, 0,
         "griddepcontrol.wait", "",
         "no thread waits for the launch before, so that those after do not "
         "wait for it either"});
  for (auto [i, count] : llvm::enumerate(counters))
    if (count != 0)
      result.opCounts[rewriter.counterNames[i]] = count;
  return result;
}

llvm::SmallVector<std::string, 4> Emulator::getKernelNames() const {
  llvm::SmallVector<std::string, 4> names;
  for (const KernelInfo &kernel : implementation->rewriter->kernels)
    names.push_back(kernel.name);
  return names;
}

uint64_t Emulator::getNumLaunches() const {
  return implementation->numLaunches;
}

llvm::SmallVector<std::string, 0> Emulator::getKnownOps() {
  llvm::SmallVector<std::string, 0> names;
  for (llvm::ArrayRef<OpRow> list : getAllOps())
    for (const OpRow &row : list)
      names.push_back(row.name);
  llvm::sort(names);
  return names;
}
