//===- DeviceMachine.cpp - calls and caches of token loops ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This file implements the machine that lib/Engines/Generation runs on a
// device: memory of caches, and one session at a time, which is created anew
// when sizes or caches change.
//
//===----------------------------------------------------------------------===//

#include "DeviceMachine.h"

#include <algorithm>
#include <cstring>

using namespace parablock;
using namespace parablock::launch;
using generation::Inputs;
using generation::Outputs;

//===----------------------------------------------------------------------===//
// Ports
//===----------------------------------------------------------------------===//

static generation::PortFacts describe(const PackagePort &port) {
  generation::PortFacts facts;
  facts.name = port.tensor.name;
  facts.type = port.tensor.type;
  facts.isParameter = port.isParameter;
  for (const PlanSize &size : port.tensor.shape) {
    facts.shape.push_back(size.isNumber() ? size.value : -1);
    facts.dims.push_back(size.name);
  }
  return facts;
}

/// The largest number of keys that a query reads of paged caches; none if an
/// attention reads all.
static std::optional<int64_t> findTableWindow(const CacheRoom &room) {
  std::optional<int64_t> widest;
  for (const CacheRoom::Table &table : room.tables) {
    if (!table.window)
      return std::nullopt;
    widest = std::max(widest.value_or(0), *table.window);
  }
  return widest;
}

Status launch::readTokenPorts(const Package &package,
                              generation::TokenPorts &ports,
                              generation::TokenLimits &limits) {
  std::vector<generation::PortFacts> arguments, results;
  for (const PackagePort &port : package.arguments)
    arguments.push_back(describe(port));
  for (const PackagePort &port : package.results)
    results.push_back(describe(port));
  if (Status failure = generation::findTokenPorts(arguments, results, ports))
    return fail(package.path + ": " + failure->text);
  const std::optional<PackageCaches> &caches =
      package.arguments[ports.pastLengths].caches;
  if (!caches)
    return fail(package.path + ": expected limits of '" +
                package.arguments[ports.pastLengths].tensor.name +
                "', which count rows of caches, got none");
  limits.mostPositions = caches->room.positions;
  limits.countsPadding = caches->room.countsPadding;
  limits.window = findTableWindow(caches->room);
  return {};
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Status DeviceMachine::create(const Program &program,
                             const generation::TokenPorts &ports,
                             std::unique_ptr<DeviceMachine> &machine) {
  if (program.group)
    return fail("generation: expected a package of one rank, got " +
                std::to_string(program.package.numRanks()));
  std::unique_ptr<DeviceMachine> made(new DeviceMachine(program, ports));
  CurrentContext current(program.device);
  const Driver &driver = program.device.driver;
  if (Status failure =
          driver.check(driver.createStream(&made->stream, cuda::NonBlocking),
                       "cuStreamCreate"))
    return failure;
  machine = std::move(made);
  return {};
}

DeviceMachine::~DeviceMachine() {
  CurrentContext current(program.device);
  dropSession();
  if (stream)
    program.device.driver.destroyStream(stream);
}

static cuda::Pointer toDevice(const void *memory) {
  return reinterpret_cast<cuda::Pointer>(memory);
}

Status DeviceMachine::allocate(const Need &need, void *&memory) {
  CurrentContext current(program.device);
  const Driver &driver = program.device.driver;
  const std::string &first = getName(ports.caches.front().argument),
                    &last = getName(ports.caches.back().argument);
  std::string what = need.what + " ('" + first + "' to '" + last + "', " +
                     std::to_string(need.together) + " bytes together)";
  cuda::Pointer made = 0;
  if (Status failure =
          allocateOn(program.device, need.bytes, what.c_str(), made))
    return failure;
  memory = reinterpret_cast<void *>(made);
  if (Status failure = driver.check(driver.fill(made, 0, need.bytes, stream),
                                    "cuMemsetD8Async")) {
    driver.release(made);
    return failure;
  }
  return {};
}

void DeviceMachine::release(void *memory) {
  CurrentContext current(program.device);
  // Launches may still read it.
  (void)wait();
  program.device.driver.release(toDevice(memory));
}

Status DeviceMachine::copy(Strips target, Strips source, uint64_t bytes,
                           uint64_t count) {
  CurrentContext current(program.device);
  const Driver &driver = program.device.driver;
  for (uint64_t strip = 0; strip < count; ++strip)
    if (Status failure = driver.check(
            driver.copy(toDevice(target.memory) + strip * target.stride,
                        toDevice(source.memory) + strip * source.stride,
                        static_cast<size_t>(bytes), stream),
            "cuMemcpyDtoDAsync"))
      return failure;
  return {};
}

Status DeviceMachine::wait() const {
  const Driver &driver = program.device.driver;
  return driver.check(driver.waitForStream(stream), "cuStreamSynchronize");
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void DeviceMachine::dropSession() {
  if (stream)
    (void)wait();
  session.reset();
  key.clear();
  values.release();
  if (staged)
    program.device.driver.releaseHost(staged);
  staged = nullptr;
}

static uint64_t countBytes(const ParablockTensor &tensor) {
  uint64_t bytes = getPlanElementSize(tensor.type);
  for (size_t dim = 0; dim < tensor.rank; ++dim)
    bytes *= static_cast<uint64_t>(tensor.shape[dim]);
  return bytes;
}

/// The inputs that change with each call come first, so that one copy moves
/// them.
Status DeviceMachine::placeValues(const Inputs &inputs,
                                  const Outputs &outputs) {
  hostInputs = {
      {ports.ids}, {ports.pastLengths}, {ports.starts}, {ports.keptRows}};
  if (ports.pages)
    hostInputs.push_back({*ports.pages});
  uint64_t end = 0;
  for (HostInput &input : hostInputs) {
    input.offset = end;
    input.bytes = countBytes(*inputs[input.argument]);
    end += alignForDevice(input.bytes);
  }
  logitsOffset = end;
  logitsBytes = countBytes(outputs[ports.logits]);
  end += alignForDevice(logitsBytes);
  if (Status failure =
          values.allocate(program.device, end, "ids, lengths and logits"))
    return failure;
  const Driver &driver = program.device.driver;
  void *memory = nullptr;
  if (Status failure =
          driver.check(driver.allocateHost(&memory, static_cast<size_t>(end)),
                       "cuMemAllocHost"))
    return failure;
  staged = static_cast<unsigned char *>(memory);
  std::memset(staged, 0, static_cast<size_t>(end));
  isFirst = true;
  return {};
}

Status DeviceMachine::createSession(const Inputs &inputs,
                                    const Outputs &outputs) {
  if (Status failure = placeValues(inputs, outputs))
    return failure;
  PlanDims dims;
  SessionMemory memory;
  for (unsigned argument = 0; argument < inputs.size(); ++argument) {
    const ParablockTensor *tensor = inputs[argument];
    if (!tensor)
      continue;
    std::vector<int64_t> shape(tensor->shape, tensor->shape + tensor->rank);
    if (Status failure =
            matchShape(program.package.arguments[argument].tensor, shape, dims))
      return failure;
  }
  for (const HostInput &input : hostInputs)
    memory.inputs[getName(input.argument)] = values.pointer() + input.offset;
  auto getResult = [&](unsigned result) -> cuda::Pointer & {
    return memory.results[program.package.results[result].tensor.name];
  };
  for (const generation::CachePort &cache : ports.caches) {
    cuda::Pointer pointer = toDevice(inputs[cache.argument]->data);
    memory.inputs[getName(cache.argument)] = pointer;
    getResult(cache.result) = pointer;
  }
  getResult(ports.logits) = values.pointer() + logitsOffset;
  if (Status failure = Session::create(program, dims, memory, session))
    return failure;
  session->setChecked(false);
  return {};
}

Status DeviceMachine::prepare(const Inputs &inputs, const Outputs &outputs) {
  std::vector<int64_t> wanted;
  for (const ParablockTensor *tensor : inputs)
    if (tensor)
      wanted.insert(wanted.end(), tensor->shape, tensor->shape + tensor->rank);
  for (const generation::CachePort &cache : ports.caches)
    wanted.push_back(
        static_cast<int64_t>(toDevice(inputs[cache.argument]->data)));
  if (session && wanted == key)
    return {};
  // Two sessions would need memory for two.
  dropSession();
  if (Status failure = createSession(inputs, outputs)) {
    dropSession();
    return failure;
  }
  key = std::move(wanted);
  isStep = inputs[ports.ids]->shape[1] == 1;
  return {};
}

Status DeviceMachine::upload(const Inputs &inputs) {
  const Driver &driver = program.device.driver;
  uint64_t begin = 0, end = 0;
  auto send = [&]() -> Status {
    if (begin == end)
      return {};
    return driver.check(driver.upload(values.pointer() + begin, staged + begin,
                                      static_cast<size_t>(end - begin), stream),
                        "cuMemcpyHtoDAsync");
  };
  for (const HostInput &input : hostInputs) {
    const void *data = inputs[input.argument]->data;
    unsigned char *target = staged + input.offset;
    if (!isFirst && std::memcmp(target, data, input.bytes) == 0)
      continue;
    std::memcpy(target, data, input.bytes);
    // Copies of neighbours are one.
    if (end != input.offset) {
      if (Status failure = send())
        return failure;
      begin = input.offset;
    }
    end = input.offset + alignForDevice(input.bytes);
  }
  isFirst = false;
  return send();
}

Status DeviceMachine::run(Inputs &inputs, Outputs &outputs) {
  CurrentContext current(program.device);
  if (Status failure = prepare(inputs, outputs))
    return failure;
  if (Status failure = upload(inputs))
    return failure;
  if (Status failure =
          isStep ? session->replay(stream) : session->launch(stream))
    return failure;
  const Driver &driver = program.device.driver;
  if (Status failure = driver.check(
          driver.download(staged + logitsOffset,
                          values.pointer() + logitsOffset,
                          static_cast<size_t>(logitsBytes), stream),
          "cuMemcpyDtoHAsync"))
    return failure;
  if (Status failure = wait())
    return failure;
  outputs[ports.logits].data = staged + logitsOffset;
  return {};
}
