//===- Session.h - launches of fixed shapes ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LAUNCH_SESSION_H
#define PARABLOCK_LIB_LAUNCH_SESSION_H

#include "InputValues.h"
#include "RankSteps.h"

namespace parablock::launch {

/// Memory of the caller for inputs and results, by name; a session allocates
/// none for these.
struct SessionMemory {
  std::map<std::string, cuda::Pointer> inputs, results;
};

class Session {
public:
  static Status create(const Program &program, const PlanDims &dims,
                       const SessionMemory &memory,
                       std::unique_ptr<Session> &session);
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  const LaunchPlan &plan() const { return *program.plan; }
  const BoundPlan &bound() const { return sizes; }
  /// The kernel of a launch for this session's sizes.
  const PlanKernel &getKernel(const PlanLaunch &launch) const {
    return chooseKernel(launch, sizes.tensors);
  }
  /// Returns whether a launch takes place for this session's sizes.
  bool isLaunched(const PlanLaunch &launch) const {
    return !getKernel(launch).isNone();
  }
  /// Returns whether it is one of a run: a collective in two steps is one.
  bool isCounted(const PlanLaunch &launch) const {
    return isLaunched(launch) && !(launch.rankStep && launch.rankStep->awaits);
  }
  size_t countLaunches() const {
    size_t count = 0;
    for (const PlanLaunch &launch : plan().launches)
      count += isCounted(launch);
    return count;
  }
  bool runsKernel(const PlanLaunch &launch) const {
    return !launch.rankStep && isLaunched(launch);
  }
  /// Returns whether a kernel is what takes place before step `step`.
  bool isBehind(size_t step) const {
    while (step-- > 0)
      if (isLaunched(plan().launches[step]))
        return runsKernel(plan().launches[step]);
    return false;
  }
  uint64_t getBytes() const { return own.size() + arena.size() + ports.size(); }

  /// Binds the caller's memory for an input, and for a result, which may share
  /// a name.
  Status bindInput(const std::string &name, cuda::Pointer pointer);
  Status bindResult(const std::string &name, cuda::Pointer pointer);
  Status setInput(const std::string &name, const void *data, uint64_t bytes);
  Status getResult(const std::string &name, void *data, uint64_t bytes);
  Status getResultBytes(const std::string &name, uint64_t &bytes) const;

  /// Null selects the session's own stream. Neither waits for the device; the
  /// first waits for the other ranks, if any.
  Status launch(cuda::Stream on);
  Status replay(cuda::Stream on);
  Status wait();

  /// Returns the error of the first launch that has reported wrong data since
  /// the last call, without waiting for the device.
  Status takeReports() const;

  /// The same, with an error that names the launch as an earlier one.
  Status takeEarlierReports() const;

  /// Describes the launches, for an error that may be of any of them.
  std::string describeLaunches() const;

  /// Sets whether launches may begin before the previous one has ended, if
  /// their code waits for it.
  void setProgrammatic(bool value);
  /// Sets whether integers in the caller's memory are checked before each
  /// launch.
  void setChecked(bool value) { isChecked = value; }

  const Program &program;

private:
  explicit Session(const Program &program)
      : program(program), values(program, sizes) {}
  Status setUp(const PlanDims &dims, const SessionMemory &memory);
  Status allocate();
  Status allocateReports();
  Status allocatePorts();
  Status bind(const SessionMemory &memory);
  Status clearWorkspaces();
  Status checkBound(cuda::Stream on);
  void addressesChanged();
  Status prepare();
  Status makeSlots();
  uint64_t hashInputs() const;
  Status encode(const PlanArgument &argument, cuda::TensorMap &slot) const;
  Status checkBefore(cuda::Stream on);
  Status enqueue(cuda::Stream on);
  Status enqueueKernel(size_t step, cuda::TensorMap *&slot,
                       std::vector<void *> &parameters, cuda::Stream on);
  Status capture();
  void dropGraph();
  Status findResult(const std::string &name, unsigned &result) const;
  Status checkBytes(const std::string &name, unsigned tensor,
                    uint64_t bytes) const;
  cuda::Stream choose(cuda::Stream on) const { return on ? on : stream; }

  BoundPlan sizes;
  InputValues values;
  /// Workspaces; buffers between launches; inputs and results that are not
  /// bound, from the first use of one of them on.
  DeviceBuffer own, arena, ports;
  bool hasPorts = false;
  /// Words of launches that report, in memory of the host that devices write.
  void *reports = nullptr;
  /// Addresses by tensor. A result that is an argument, or another result, has
  /// its own address in `results`, to which it is copied. Inputs and results
  /// without memory have address 0.
  std::vector<cuda::Pointer> addresses, results;
  /// True for results whose memory is that of their tensor.
  std::vector<bool> resultIsFirst;
  std::vector<bool> inputIsSet, inputIsBound;
  /// Hashes of copied values, which ranks compare.
  std::vector<uint64_t> inputHashes;
  /// One slot per parameter of each launch, in order: tensor maps need their
  /// alignment.
  std::vector<cuda::TensorMap> slots;
  /// The version of the program's addresses that launches were prepared with.
  uint64_t version = 0;
  bool isPrepared = false, isProgrammatic = true, isChecked = true;
  cuda::Stream stream = nullptr;
  cuda::GraphExec graph = nullptr;
  /// Behind the buffers, whose work it waits for in its destructor; null with
  /// one rank.
  std::unique_ptr<RankSteps> rankSteps;
};

} // namespace parablock::launch

#endif // PARABLOCK_LIB_LAUNCH_SESSION_H
