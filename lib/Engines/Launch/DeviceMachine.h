//===- DeviceMachine.h - token loops on a device ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LAUNCH_DEVICEMACHINE_H
#define PARABLOCK_LIB_LAUNCH_DEVICEMACHINE_H

#include "Session.h"
#include "parablock/Engines/Generation/Generation.h"

namespace parablock::launch {

/// Finds the ports of a package's function, and its limits of tokens.
Status readTokenPorts(const Package &package, generation::TokenPorts &ports,
                      generation::TokenLimits &limits);

/// Memory of a device, and calls of a program. A call of one token a row is a
/// replay of one CUDA graph. Values of the host are copied to memory that this
/// object owns; the loop has checked them, so no launch reads indices back.
class DeviceMachine final : public generation::Machine {
public:
  static Status create(const Program &program,
                       const generation::TokenPorts &ports,
                       std::unique_ptr<DeviceMachine> &machine);
  ~DeviceMachine() override;

  Status allocate(const Need &need, void *&memory) override;
  void release(void *memory) override;
  Status copy(Strips target, Strips source, uint64_t bytes,
              uint64_t count) override;
  Status run(generation::Inputs &inputs, generation::Outputs &outputs,
             bool wantsLogits) override;
  bool hasLogits() const override { return true; }

  bool runsChoice() const override { return true; }
  Status enqueue(generation::Inputs &inputs, generation::Outputs &outputs,
                 int64_t number) override;
  Status take(int64_t number, Outcome &outcome) override;
  Status setLength(size_t row, int64_t length) override;

  /// The latest session; null before the first call.
  const Session *getSession() const { return session.get(); }
  /// The bytes of ids, lengths, logits and state.
  uint64_t getBytes() const { return values.size() + state.size(); }

private:
  DeviceMachine(const Program &program, const generation::TokenPorts &ports)
      : program(program), ports(ports) {}

  /// An input that the host writes, and its place in `values` or `state`.
  struct HostInput {
    unsigned argument;
    uint64_t offset = 0, bytes = 0;
  };

  /// Creates the session for the sizes of a call, unless it is there.
  Status prepare(const generation::Inputs &inputs,
                 const generation::Outputs &outputs);
  Status createSession(const generation::Inputs &inputs,
                       const generation::Outputs &outputs);
  Status placeValues(const generation::Inputs &inputs,
                     const generation::Outputs &outputs);
  /// Copies the inputs of the host that have changed.
  Status upload(const generation::Inputs &inputs);
  /// Launches the kernels of the session of these sizes, on these inputs.
  Status launch(generation::Inputs &inputs, generation::Outputs &outputs);
  /// Allocates the state of the choice of tokens, and copies its first values.
  Status createState(const generation::Inputs &inputs);
  Status uploadState(const generation::Inputs &inputs);
  /// Returns whether the state is that of another number of rows.
  bool hasOtherRows(const generation::Inputs &inputs) const;
  /// Releases the state, and the session that is bound to it.
  void dropState();
  void bindState(SessionMemory &memory, bool isOneToken) const;
  Status createSlots();
  /// Returns the place of an input in `state`.
  cuda::Pointer getState(unsigned argument) const;
  Status send(cuda::Pointer target, const void *data, uint64_t bytes) const;
  Status allocateHost(uint64_t bytes, unsigned char *&memory) const;
  Status wait() const;
  /// The same, without what kernels report.
  Status waitForStream() const;
  /// Adds the launches that an error may be of.
  Status explain(const Status &failure) const;
  void dropSession();
  const std::string &getName(unsigned argument) const {
    return program.package.arguments[argument].tensor.name;
  }

  const Program &program;
  generation::TokenPorts ports;
  cuda::Stream stream = nullptr;
  std::unique_ptr<Session> session;
  /// The sizes and the memory of caches that the session is for.
  std::vector<int64_t> key;
  /// True for a session of one token a row.
  bool isStep = false;
  /// The host's inputs and the logits on the device, the latest values of the
  /// former, and the latter in pinned memory.
  DeviceBuffer values;
  std::vector<unsigned char> staged;
  unsigned char *logits = nullptr;
  std::vector<HostInput> hostInputs;
  uint64_t logitsOffset = 0, logitsBytes = 0, mostLogitsBytes = 0;
  /// True before the first upload to `values`.
  bool isFirst = true;

  /// State of the choice of tokens, which launches move: the latest tokens, the
  /// ends of rows, and the rest.
  DeviceBuffer state;
  std::vector<HostInput> stateInputs;
  uint64_t outcomeBytes = 0;
  /// Tokens and ends of the latest calls in pinned memory, by number modulo
  /// `numSlots`.
  static constexpr int64_t numSlots = mostAhead + 1;
  unsigned char *slots = nullptr;
  std::vector<cuda::Event> events;
};

} // namespace parablock::launch

#endif // PARABLOCK_LIB_LAUNCH_DEVICEMACHINE_H
