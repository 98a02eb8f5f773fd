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
  const Driver &driver = program.device.driver;
  dropSession();
  for (cuda::Event event : events)
    driver.destroyEvent(event);
  for (unsigned char *memory : {slots, logits})
    if (memory)
      driver.releaseHost(memory);
  if (stream)
    driver.destroyStream(stream);
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

Status DeviceMachine::waitForStream() const {
  const Driver &driver = program.device.driver;
  return explain(
      driver.check(driver.waitForStream(stream), "cuStreamSynchronize"));
}

Status DeviceMachine::wait() const {
  if (Status failure = waitForStream())
    return failure;
  return session ? session->takeReports() : Status();
}

Status DeviceMachine::explain(const Status &failure) const {
  if (!failure || !session)
    return failure;
  return fail(session->describeLaunches() + ": " + failure->text);
}

/// Copies from pageable memory, whose values the driver has taken when the call
/// returns.
Status DeviceMachine::send(cuda::Pointer target, const void *data,
                           uint64_t bytes) const {
  const Driver &driver = program.device.driver;
  return driver.check(
      driver.upload(target, data, static_cast<size_t>(bytes), stream),
      "cuMemcpyHtoDAsync");
}

Status DeviceMachine::allocateHost(uint64_t bytes,
                                   unsigned char *&memory) const {
  const Driver &driver = program.device.driver;
  void *made = nullptr;
  if (Status failure =
          driver.check(driver.allocateHost(&made, static_cast<size_t>(bytes)),
                       "cuMemAllocHost"))
    return fail("no pinned memory of " + std::to_string(bytes) +
                " bytes: " + failure->text);
  memory = static_cast<unsigned char *>(made);
  return {};
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
  staged.clear();
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
  // Tokens of a step, lengths and padding are state of a choice.
  hostInputs.clear();
  if (!ports.choice)
    hostInputs = {{ports.ids}, {ports.pastLengths}, {ports.starts}};
  else if (inputs[ports.ids]->shape[1] > 1)
    hostInputs = {{ports.ids}};
  hostInputs.push_back({ports.keptRows});
  if (ports.pages)
    hostInputs.push_back({*ports.pages});
  uint64_t end = 0;
  for (HostInput &input : hostInputs) {
    input.offset = end;
    input.bytes = countBytes(*inputs[input.argument]);
    end += alignForDevice(input.bytes);
  }
  staged.assign(static_cast<size_t>(end), 0);
  logitsOffset = end;
  logitsBytes = countBytes(outputs[ports.logits]);
  isFirst = true;
  if (Status failure =
          values.allocate(program.device, end + alignForDevice(logitsBytes),
                          "ids, lengths and logits"))
    return failure;
  if (ports.choice || logitsBytes <= mostLogitsBytes)
    return {};
  if (logits)
    program.device.driver.releaseHost(logits);
  logits = nullptr;
  mostLogitsBytes = 0;
  if (Status failure = allocateHost(logitsBytes, logits))
    return failure;
  mostLogitsBytes = logitsBytes;
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
  if (ports.choice)
    bindState(memory, inputs[ports.ids]->shape[1] == 1);
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
  // Reports of launches that nothing has waited for would be lost.
  if (session) {
    if (Status failure = waitForStream())
      return failure;
    if (Status failure = session->takeEarlierReports())
      return failure;
  }
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
  uint64_t begin = 0, end = 0;
  auto sendRange = [&]() {
    return begin == end ? Status()
                        : send(values.pointer() + begin, staged.data() + begin,
                               end - begin);
  };
  for (const HostInput &input : hostInputs) {
    const void *data = inputs[input.argument]->data;
    unsigned char *target = staged.data() + input.offset;
    if (!isFirst && std::memcmp(target, data, input.bytes) == 0)
      continue;
    std::memcpy(target, data, input.bytes);
    // Copies of neighbours are one.
    if (end != input.offset) {
      if (Status failure = sendRange())
        return failure;
      begin = input.offset;
    }
    end = input.offset + alignForDevice(input.bytes);
  }
  isFirst = false;
  return sendRange();
}

Status DeviceMachine::launch(Inputs &inputs, Outputs &outputs) {
  if (Status failure = prepare(inputs, outputs))
    return failure;
  if (Status failure = upload(inputs))
    return failure;
  return isStep ? session->replay(stream) : session->launch(stream);
}

Status DeviceMachine::run(Inputs &inputs, Outputs &outputs, bool wantsLogits) {
  CurrentContext current(program.device);
  Status failure = launch(inputs, outputs);
  if (failure || !wantsLogits)
    return failure;
  const Driver &driver = program.device.driver;
  if (Status failure = driver.check(
          driver.download(logits, values.pointer() + logitsOffset,
                          static_cast<size_t>(logitsBytes), stream),
          "cuMemcpyDtoHAsync"))
    return failure;
  if (Status failure = wait())
    return failure;
  outputs[ports.logits].data = logits;
  return {};
}

//===----------------------------------------------------------------------===//
// Calls that choose tokens
//===----------------------------------------------------------------------===//

Status DeviceMachine::createState(const Inputs &inputs) {
  const generation::ChoicePorts &choice = *ports.choice;
  // The first two are an outcome, which one copy moves.
  stateInputs = {{ports.ids},       {choice.pastEnded}, {ports.pastLengths},
                 {choice.pastStep}, {ports.starts},     {choice.sampling},
                 {choice.random},   {choice.stops},     {choice.padding},
                 {choice.pastSeen}};
  uint64_t end = 0;
  for (HostInput &input : stateInputs) {
    input.offset = end;
    input.bytes = countBytes(*inputs[input.argument]);
    // One token a row.
    if (input.argument == ports.ids)
      input.bytes /= static_cast<uint64_t>(inputs[ports.ids]->shape[1]);
    end += alignForDevice(input.bytes);
  }
  outcomeBytes = stateInputs[1].offset + stateInputs[1].bytes;
  if (Status failure =
          state.allocate(program.device, end, "the state of tokens"))
    return failure;
  if (Status failure = createSlots())
    return failure;
  return uploadState(inputs);
}

Status DeviceMachine::uploadState(const Inputs &inputs) {
  const Driver &driver = program.device.driver;
  if (Status failure =
          driver.check(driver.fill(state.pointer(), 0,
                                   static_cast<size_t>(state.size()), stream),
                       "cuMemsetD8Async"))
    return failure;
  for (const HostInput &input : stateInputs) {
    const ParablockTensor &tensor = *inputs[input.argument];
    bool isPrompt = input.argument == ports.ids && tensor.shape[1] > 1;
    if (!tensor.data || isPrompt)
      continue;
    if (Status failure =
            send(state.pointer() + input.offset, tensor.data, input.bytes))
      return failure;
  }
  return {};
}

bool DeviceMachine::hasOtherRows(const Inputs &inputs) const {
  return state.pointer() &&
         stateInputs[1].bytes != countBytes(*inputs[stateInputs[1].argument]);
}

void DeviceMachine::dropState() {
  dropSession();
  state.release();
  const Driver &driver = program.device.driver;
  for (cuda::Event event : events)
    driver.destroyEvent(event);
  events.clear();
  if (slots)
    driver.releaseHost(slots);
  slots = nullptr;
}

Status DeviceMachine::createSlots() {
  if (Status failure =
          allocateHost(outcomeBytes * static_cast<uint64_t>(numSlots), slots))
    return failure;
  const Driver &driver = program.device.driver;
  for (int64_t slot = 0; slot < numSlots; ++slot) {
    cuda::Event event = nullptr;
    if (Status failure = driver.check(
            driver.createEvent(&event, cuda::DisableTiming), "cuEventCreate"))
      return failure;
    events.push_back(event);
  }
  return {};
}

cuda::Pointer DeviceMachine::getState(unsigned argument) const {
  auto found = std::find_if(
      stateInputs.begin(), stateInputs.end(),
      [&](const HostInput &input) { return input.argument == argument; });
  return state.pointer() + found->offset;
}

/// The tokens of a longer prompt are no state.
void DeviceMachine::bindState(SessionMemory &memory, bool isOneToken) const {
  const generation::ChoicePorts &choice = *ports.choice;
  for (const HostInput &input : stateInputs)
    if (input.argument != ports.ids || isOneToken)
      memory.inputs[getName(input.argument)] = getState(input.argument);
  const std::pair<unsigned, unsigned> moved[] = {
      {choice.tokens, ports.ids},
      {choice.seen, choice.pastSeen},
      {choice.ended, choice.pastEnded},
      {choice.lengths, ports.pastLengths},
      {choice.step, choice.pastStep}};
  for (auto [result, argument] : moved)
    memory.results[program.package.results[result].tensor.name] =
        getState(argument);
}

Status DeviceMachine::enqueue(Inputs &inputs, Outputs &outputs,
                              int64_t number) {
  CurrentContext current(program.device);
  if (hasOtherRows(inputs))
    dropState();
  if (!state.pointer())
    if (Status failure = createState(inputs)) {
      dropState();
      return failure;
    }
  if (Status failure = launch(inputs, outputs))
    return failure;
  if (number < 0)
    return {};
  const Driver &driver = program.device.driver;
  auto slot = static_cast<size_t>(number % numSlots);
  if (Status failure = driver.check(
          driver.download(slots + slot * outcomeBytes, state.pointer(),
                          static_cast<size_t>(outcomeBytes), stream),
          "cuMemcpyDtoHAsync"))
    return failure;
  return driver.check(driver.recordEvent(events[slot], stream),
                      "cuEventRecord");
}

Status DeviceMachine::take(int64_t number, Outcome &outcome) {
  CurrentContext current(program.device);
  const Driver &driver = program.device.driver;
  auto slot = static_cast<size_t>(number % numSlots);
  if (Status failure = explain(driver.check(driver.waitForEvent(events[slot]),
                                            "cuEventSynchronize")))
    return failure;
  if (Status failure = session ? session->takeReports() : Status())
    return failure;
  const unsigned char *own = slots + slot * outcomeBytes;
  outcome.tokens = reinterpret_cast<const int64_t *>(own);
  outcome.ended =
      reinterpret_cast<const int64_t *>(own + stateInputs[1].offset);
  return {};
}

Status DeviceMachine::setLength(size_t row, int64_t length) {
  CurrentContext current(program.device);
  return send(getState(ports.pastLengths) + row * sizeof(length), &length,
              sizeof(length));
}
