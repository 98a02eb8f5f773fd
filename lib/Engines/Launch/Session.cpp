//===- Session.cpp - binds tensors and launches kernels -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Session.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

using namespace parablock;
using namespace parablock::launch;

Status Session::create(const Program &program, const PlanDims &dims,
                       const SessionMemory &memory,
                       std::unique_ptr<Session> &session) {
  std::unique_ptr<Session> made(new Session(program));
  Status failure = made->setUp(dims, memory);
  if (program.group) {
    uint64_t sizes = hashBytes(nullptr, 0);
    for (const auto &[name, size] : dims)
      sizes = hashBytes(&size, sizeof(size),
                        hashBytes(name.data(), name.size(), sizes));
    failure = program.group->meet(failure, {{"dimensions", sizes}});
  }
  if (!failure)
    session = std::move(made);
  return failure;
}

Status Session::setUp(const PlanDims &dims, const SessionMemory &memory) {
  for (const auto &[name, size] : dims)
    if (std::find(program.package.dims.begin(), program.package.dims.end(),
                  name) == program.package.dims.end())
      return fail("no dimension '" + name + "' in " + program.package.path);
  if (Status failure = bindPlan(plan(), dims, sizes))
    return failure;
  if (Status failure = values.collect(dims))
    return failure;
  CurrentContext current(program.device);
  const Driver &driver = program.device.driver;
  if (Status failure = driver.check(
          driver.createStream(&stream, cuda::NonBlocking), "cuStreamCreate"))
    return failure;
  if (Status failure = allocate())
    return failure;
  if (Status failure = bind(memory))
    return failure;
  // Ranks meet at the creation, and then fail together.
  if (!program.group)
    return clearWorkspaces();
  rankSteps = std::make_unique<RankSteps>(program, sizes, addresses);
  Status failure = allocatePorts();
  if (!failure)
    failure = rankSteps->setUp();
  return failure ? failure : clearWorkspaces();
}

Session::~Session() {
  CurrentContext current(program.device);
  const Driver &driver = program.device.driver;
  dropGraph();
  if (stream) {
    wait();
    driver.destroyStream(stream);
  }
  if (reports)
    driver.releaseHost(reports);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Places tensors one behind the other in one allocation.
static uint64_t place(uint64_t &bytes, const BoundTensor &tensor) {
  return std::exchange(bytes, bytes + alignForDevice(tensor.bytes));
}

/// Allocates the words of reports, which the host reads without a copy.
Status Session::allocateReports() {
  // Kernels expect tensors to be aligned.
  constexpr size_t bytes = 16;
  std::vector<unsigned> words;
  for (const PlanLaunch &launch : plan().launches)
    if (launch.reports)
      words.push_back(launch.reports->word);
  if (words.empty())
    return {};
  const Driver &driver = program.device.driver;
  if (Status failure =
          driver.check(driver.allocateHost(&reports, words.size() * bytes),
                       "cuMemAllocHost"))
    return fail("no pinned memory for what kernels report: " + failure->text);
  std::memset(reports, 0, words.size() * bytes);
  // Devices have the host's addresses.
  auto next = reinterpret_cast<cuda::Pointer>(reports);
  for (unsigned word : words)
    addresses[word] = std::exchange(next, next + bytes);
  return {};
}

Status Session::takeReports() const {
  Status first;
  // A session whose memory could not be allocated has none, and launched none.
  if (!reports)
    return first;
  for (const PlanLaunch &launch : plan().launches) {
    if (!launch.reports)
      continue;
    // Launches that run may write it. One that does so at this moment may
    // restore the word, which is then reported once more.
    auto *word = reinterpret_cast<uint64_t *>(addresses[launch.reports->word]);
    uint64_t value = __atomic_exchange_n(word, 0, __ATOMIC_ACQ_REL);
    Status own = describeReport(launch, value);
    if (!first)
      first = own;
  }
  return first;
}

/// Allocates everything but inputs and results.
Status Session::allocate() {
  const LaunchPlan &plan = this->plan();
  std::map<unsigned, uint64_t> offsets;
  uint64_t bytes = 0;
  for (unsigned workspace : plan.workspaces)
    if (!plan.isReport(workspace))
      offsets[workspace] = place(bytes, sizes.tensors[workspace]);
  if (bytes)
    if (Status failure = own.allocate(program.device, bytes, "workspaces"))
      return failure;
  if (Status failure = arena.allocate(program.device, sizes.arena.peakBytes,
                                      "what lies between launches"))
    return failure;
  std::vector<bool> isResult(plan.tensors.size());
  for (unsigned tensor : plan.results) {
    bool isFirst = tensor >= plan.numArguments && !offsets.count(tensor) &&
                   !plan.tensors[tensor].viewOf && !isResult[tensor];
    isResult[tensor] = isResult[tensor] || isFirst;
    resultIsFirst.push_back(isFirst);
  }
  for (unsigned i = 0; i < plan.tensors.size(); ++i) {
    if (plan.tensors[i].viewOf)
      addresses.push_back(addresses[*plan.tensors[i].viewOf]);
    else if (auto found = offsets.find(i); found != offsets.end())
      addresses.push_back(own.pointer() + found->second);
    else if (i < plan.numArguments)
      addresses.push_back(program.getWeight(i));
    else
      addresses.push_back(
          isResult[i] ? 0 : arena.pointer() + sizes.arena.offsets[i]);
  }
  if (Status failure = allocateReports())
    return failure;
  results.resize(plan.results.size());
  inputIsSet.resize(plan.numArguments);
  inputIsBound.resize(plan.numArguments);
  inputHashes.resize(plan.numArguments);
  return {};
}

/// Allocates inputs and results that are in no memory of the caller, once.
Status Session::allocatePorts() {
  if (hasPorts)
    return {};
  const LaunchPlan &plan = this->plan();
  std::map<unsigned, uint64_t> inputOffsets, resultOffsets;
  uint64_t bytes = 0;
  for (unsigned i = 0; i < plan.numArguments; ++i)
    if (!program.package.arguments[i].isParameter && !inputIsBound[i])
      inputOffsets[i] = place(bytes, sizes.tensors[i]);
  for (unsigned result = 0; result < results.size(); ++result)
    if (!results[result])
      resultOffsets[result] = place(bytes, sizes.tensors[plan.results[result]]);
  if (bytes)
    if (Status failure =
            ports.allocate(program.device, bytes, "inputs and results"))
      return failure;
  for (auto [input, offset] : inputOffsets)
    addresses[input] = ports.pointer() + offset;
  for (auto [result, offset] : resultOffsets) {
    results[result] = ports.pointer() + offset;
    if (resultIsFirst[result])
      addresses[plan.results[result]] = results[result];
  }
  hasPorts = true;
  addressesChanged();
  return {};
}

Status Session::bind(const SessionMemory &memory) {
  for (const auto &[name, pointer] : memory.inputs)
    if (Status failure = bindInput(name, pointer))
      return failure;
  for (const auto &[name, pointer] : memory.results)
    if (Status failure = bindResult(name, pointer))
      return failure;
  return {};
}

/// Kernels leave them as they found them: zero.
Status Session::clearWorkspaces() {
  const Driver &driver = program.device.driver;
  for (unsigned workspace : plan().workspaces) {
    if (plan().isReport(workspace))
      continue;
    if (Status failure = driver.check(
            driver.fill(addresses[workspace], 0,
                        static_cast<size_t>(sizes.tensors[workspace].bytes),
                        stream),
            "cuMemsetD8Async"))
      return failure;
  }
  return driver.check(driver.waitForStream(stream), "cuStreamSynchronize");
}

Status Session::findResult(const std::string &name, unsigned &result) const {
  const std::vector<PackagePort> &ports = program.package.results;
  for (result = 0; result < ports.size(); ++result)
    if (ports[result].tensor.name == name)
      return {};
  return fail("no result '" + name + "' in " + program.package.path);
}

Status Session::bindInput(const std::string &name, cuda::Pointer pointer) {
  unsigned tensor = 0;
  if (Status failure = program.findInput(name, tensor))
    return failure;
  bool isSame = inputIsBound[tensor] && addresses[tensor] == pointer;
  addresses[tensor] = pointer;
  inputIsSet[tensor] = inputIsBound[tensor] = true;
  inputHashes[tensor] = 0;
  if (!isSame || program.group) // the members meet before new launches
    addressesChanged();
  return {};
}

Status Session::bindResult(const std::string &name, cuda::Pointer pointer) {
  unsigned result = 0;
  if (Status failure = findResult(name, result))
    return failure;
  if (results[result] == pointer && !program.group)
    return {};
  unsigned tensor = plan().results[result];
  if (resultIsFirst[result])
    addresses[tensor] = pointer;
  results[result] = pointer;
  addressesChanged();
  return {};
}

/// Updates addresses of views, and prepares launches again.
void Session::addressesChanged() {
  for (unsigned tensor = 0; tensor < addresses.size(); ++tensor)
    addresses[tensor] = addresses[plan().getOwner(tensor)];
  isPrepared = false;
}

Status Session::checkBytes(const std::string &name, unsigned tensor,
                           uint64_t bytes) const {
  if (bytes == sizes.tensors[tensor].bytes)
    return {};
  return fail("'" + name + "': expected " +
              std::to_string(sizes.tensors[tensor].bytes) + " bytes, got " +
              std::to_string(bytes));
}

Status Session::setInput(const std::string &name, const void *data,
                         uint64_t bytes) {
  unsigned tensor = 0;
  if (Status failure = program.findInput(name, tensor))
    return failure;
  if (Status failure = checkBytes(name, tensor, bytes))
    return failure;
  if (Status failure = values.check(tensor, data))
    return failure;
  CurrentContext current(program.device);
  if (Status failure = inputIsBound[tensor] ? Status() : allocatePorts())
    return failure;
  const Driver &driver = program.device.driver;
  // Copies from and to the host wait for earlier work, without a limit.
  if (Status failure = wait())
    return failure;
  if (Status failure =
          driver.check(driver.upload(addresses[tensor], data,
                                     static_cast<size_t>(bytes), stream),
                       "cuMemcpyHtoDAsync"))
    return failure;
  inputIsSet[tensor] = true;
  if (program.group && !program.package.arguments[tensor].isOfRank)
    inputHashes[tensor] = hashBytes(data, static_cast<size_t>(bytes));
  return wait();
}

Status Session::getResultBytes(const std::string &name, uint64_t &bytes) const {
  unsigned result = 0;
  if (Status failure = findResult(name, result))
    return failure;
  bytes = sizes.tensors[plan().results[result]].bytes;
  return {};
}

Status Session::getResult(const std::string &name, void *data, uint64_t bytes) {
  unsigned result = 0;
  if (Status failure = findResult(name, result))
    return failure;
  if (Status failure = checkBytes(name, plan().results[result], bytes))
    return failure;
  CurrentContext current(program.device);
  if (Status failure = results[result] ? Status() : allocatePorts())
    return failure;
  const Driver &driver = program.device.driver;
  if (Status failure = wait())
    return failure;
  if (Status failure =
          driver.check(driver.download(data, results[result],
                                       static_cast<size_t>(bytes), stream),
                       "cuMemcpyDtoHAsync"))
    return failure;
  return wait();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static int getMapType(const std::string &type) {
  static const std::map<std::string, int> types = {
      {"f64", cuda::MapFloat64},   {"f32", cuda::MapFloat32},
      {"bf16", cuda::MapBfloat16}, {"f16", cuda::MapFloat16},
      {"i64", cuda::MapInt64},     {"i32", cuda::MapInt32},
      {"i16", cuda::MapUint16}};
  auto found = types.find(type);
  return found == types.end() ? cuda::MapUint8 : found->second;
}

Status Session::encode(const PlanArgument &argument,
                       cuda::TensorMap &slot) const {
  const PlanTensor &tensor = plan().tensors[argument.tensor];
  const BoundTensor &bound = sizes.tensors[argument.tensor];
  cuda::Pointer address = addresses[argument.tensor];
  if (argument.kind == PlanArgument::Pointer) {
    std::memcpy(slot.bytes, &address, sizeof(address));
    return {};
  }
  if (argument.kind == PlanArgument::Dim) {
    int32_t size = static_cast<int32_t>(bound.shape[argument.dim]);
    std::memcpy(slot.bytes, &size, sizeof(size));
    return {};
  }
  const TensorMapShape shape(argument, bound, getPlanElementSize(tensor.type));
  const unsigned ones[] = {1, 1, 1};
  const Driver &driver = program.device.driver;
  Status failure = driver.check(
      driver.encodeTensorMap(&slot, getMapType(tensor.type), shape.rank,
                             address, shape.dims, shape.strides, shape.box,
                             ones, cuda::InterleaveNone, cuda::Swizzle128,
                             cuda::PromotionL2Bytes256, cuda::FillZeros),
      "cuTensorMapEncodeTiled");
  if (!failure)
    return {};
  return fail("tensor '" + tensor.name + "' of " + formatPlanType(tensor) +
              ": " + failure->text);
}

uint64_t Session::hashInputs() const {
  return hashBytes(inputHashes.data(), inputHashes.size() * sizeof(uint64_t));
}

/// Everything that does not change from launch to launch.
Status Session::prepare() {
  uint64_t current = program.getVersion();
  if (isPrepared && version == current)
    return {};
  Status failure = allocatePorts();
  if (!failure)
    failure = makeSlots();
  if (program.group)
    failure = program.group->meet(failure, {{"inputs", hashInputs()}});
  isPrepared = !failure;
  version = current;
  return failure;
}

Status Session::makeSlots() {
  if (Status failure = program.checkWeights())
    return failure;
  for (unsigned i = 0; i < inputIsSet.size(); ++i)
    if (!program.package.arguments[i].isParameter && !inputIsSet[i])
      return fail("input '" + program.package.arguments[i].tensor.name +
                  "' has no value");
  for (unsigned i = 0; i < plan().numArguments; ++i)
    if (program.package.arguments[i].isParameter)
      addresses[i] = program.getWeight(i);
  addressesChanged();
  dropGraph();
  size_t count = 0;
  for (const PlanLaunch &launch : plan().launches)
    count += getKernel(launch).arguments.size();
  slots.resize(count);
  size_t next = 0;
  for (const PlanLaunch &launch : plan().launches)
    for (const PlanArgument &argument : getKernel(launch).arguments)
      if (Status failure = encode(argument, slots[next++]))
        return fail("kernel '" + getKernel(launch).kernel +
                    "': " + failure->text);
  return {};
}

/// `slot` is that of its first parameter, and then of the next kernel's.
Status Session::enqueueKernel(size_t step, cuda::TensorMap *&slot,
                              std::vector<void *> &parameters,
                              cuda::Stream on) {
  const Driver &driver = program.device.driver;
  const PlanKernel &kernel = getKernel(plan().launches[step]);
  parameters.clear();
  for (size_t i = 0; i < kernel.arguments.size(); ++i)
    parameters.push_back(slot++);
  // The code itself defines the size of its clusters, and waits for a launch
  // before it that still runs; steps other than launches do not wait.
  cuda::LaunchAttribute early = {
      cuda::LaunchAttribute::ProgrammaticStreamSerialization, {}, 1, {}};
  bool isEarly = isProgrammatic && kernel.isProgrammatic && isBehind(step);
  cuda::KernelLaunch config = {
      program.getGrid(kernel), 1,  1,      kernel.threads,   1, 1,
      kernel.sharedBytes,      on, &early, isEarly ? 1u : 0u};
  if (Status failure =
          driver.check(driver.launchKernel(&config, program.getFunction(kernel),
                                           parameters.data(), nullptr),
                       "cuLaunchKernelEx"))
    return fail("kernel '" + kernel.kernel + "': " + failure->text);
  return {};
}

Status Session::enqueue(cuda::Stream on) {
  const Driver &driver = program.device.driver;
  cuda::TensorMap *slot = slots.data();
  std::vector<void *> parameters;
  for (size_t step = 0; step < plan().launches.size(); ++step) {
    const PlanLaunch &launch = plan().launches[step];
    if (!isLaunched(launch))
      continue;
    if (Status failure = launch.rankStep
                             ? rankSteps->enqueue(step, on)
                             : enqueueKernel(step, slot, parameters, on))
      return failure;
  }
  for (size_t i = 0; i < results.size(); ++i) {
    unsigned tensor = plan().results[i];
    if (addresses[tensor] == results[i])
      continue;
    if (Status failure = driver.check(
            driver.copy(results[i], addresses[tensor],
                        static_cast<size_t>(sizes.tensors[tensor].bytes), on),
            "cuMemcpyDtoDAsync"))
      return failure;
  }
  return {};
}

/// Checks values in the caller's memory, which may change before each launch,
/// and are valid at this point of the stream.
Status Session::checkBound(cuda::Stream on) {
  const Driver &driver = program.device.driver;
  for (unsigned input = 0; isChecked && input < plan().numArguments; ++input) {
    if (!inputIsBound[input] || !values.areLimited(input))
      continue;
    auto explain = [&](const Status &failure) {
      return fail("input '" + plan().tensors[input].name +
                  "': cannot look at its values: " + failure->text);
    };
    std::vector<unsigned char> bytes(
        static_cast<size_t>(sizes.tensors[input].bytes));
    if (Status failure = driver.check(
            driver.download(bytes.data(), addresses[input], bytes.size(), on),
            "cuMemcpyDtoHAsync"))
      return explain(failure);
    if (Status failure = program.group ? program.group->wait(on)
                                       : driver.check(driver.waitForStream(on),
                                                      "cuStreamSynchronize"))
      return explain(failure);
    if (Status failure = values.check(input, bytes.data()))
      return failure;
  }
  return values.checkCaches(
      [&](unsigned input) { return inputIsBound[input] && !isChecked; });
}

Status Session::takeEarlierReports() const {
  Status failure = takeReports();
  return failure ? fail("an earlier launch: " + failure->text) : failure;
}

/// Reports of earlier launches come first: later ones may have read their NaN.
/// Ranks see them at different times: a group reads them where all ranks wait.
Status Session::checkBefore(cuda::Stream on) {
  if (!program.group)
    if (Status failure = takeEarlierReports())
      return failure;
  if (Status failure = prepare())
    return failure;
  return checkBound(choose(on));
}

Status Session::launch(cuda::Stream on) {
  CurrentContext current(program.device);
  if (Status failure = checkBefore(on))
    return failure;
  return enqueue(choose(on));
}

void Session::dropGraph() {
  if (graph)
    program.device.driver.destroyGraphExec(graph);
  graph = nullptr;
}

void Session::setProgrammatic(bool value) {
  isProgrammatic = value;
  dropGraph();
}

Status Session::capture() {
  const Driver &driver = program.device.driver;
  if (Status failure =
          driver.check(driver.beginCapture(stream, cuda::ThreadLocal),
                       "cuStreamBeginCapture"))
    return failure;
  Status failure = enqueue(stream);
  cuda::Graph captured = nullptr;
  Status ended =
      driver.check(driver.endCapture(stream, &captured), "cuStreamEndCapture");
  if (!failure)
    failure = ended;
  if (!failure)
    failure = driver.check(driver.instantiateGraph(&graph, captured, 0),
                           "cuGraphInstantiateWithFlags");
  if (captured)
    driver.destroyGraph(captured);
  return failure;
}

Status Session::replay(cuda::Stream on) {
  CurrentContext current(program.device);
  if (Status failure = checkBefore(on))
    return failure;
  // No graph waits for the host, or is part of a capture: launches are.
  const Driver &driver = program.device.driver;
  cuda::CaptureStatus status = cuda::NotCaptured;
  if (Status failure = driver.check(
          driver.getCaptureStatus(choose(on), &status), "cuStreamIsCapturing"))
    return failure;
  if (status != cuda::NotCaptured || waitsOnHost(plan()))
    return enqueue(choose(on));
  if (!graph) {
    Status failure = capture();
    // Drivers before that of CUDA 12.3 capture no launches that begin early.
    if (failure && isProgrammatic) {
      isProgrammatic = false;
      failure = capture();
    }
    if (failure)
      return failure;
  }
  if (Status failure =
          driver.check(driver.launchGraph(graph, choose(on)), "cuGraphLaunch"))
    return fail(describeLaunches() + ": " + failure->text);
  return {};
}

Status Session::wait() {
  CurrentContext current(program.device);
  if (program.group) {
    if (Status failure = program.group->wait(stream))
      return failure;
    return takeReports();
  }
  const Driver &driver = program.device.driver;
  if (Status failure =
          driver.check(driver.waitForStream(stream), "cuStreamSynchronize"))
    return fail(describeLaunches() + ": " + failure->text);
  return takeReports();
}

/// Returns "a launch of p.pbk (5 from 'rows_0' to 'head_0')": in a graph, and
/// in work that nothing waited for, which one failed is unknown.
std::string Session::describeLaunches() const {
  const std::vector<PlanLaunch> &launches = plan().launches;
  std::string text = "a launch of " + program.package.path;
  auto isKernel = [&](const PlanLaunch &launch) { return runsKernel(launch); };
  auto first = std::find_if(launches.begin(), launches.end(), isKernel);
  if (first == launches.end())
    return text;
  auto last = std::find_if(launches.rbegin(), launches.rend(), isKernel);
  return text + " (" + std::to_string(countLaunches()) + " from '" +
         getKernel(*first).kernel + "' to '" + getKernel(*last).kernel + "')";
}
