//===- RankSteps.h - steps that are no kernels ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LAUNCH_RANKSTEPS_H
#define PARABLOCK_LIB_LAUNCH_RANKSTEPS_H

#include "Program.h"

namespace parablock::launch {

/// Enqueues the steps of a session that exchange or move parts of tensors of
/// ranks.
class RankSteps {
public:
  /// `sizes` and `addresses` are the session's.
  RankSteps(const Program &program, const BoundPlan &sizes,
            const std::vector<cuda::Pointer> &addresses)
      : program(program), sizes(sizes), addresses(addresses) {}
  ~RankSteps();
  RankSteps(const RankSteps &) = delete;
  RankSteps &operator=(const RankSteps &) = delete;

  /// Creates what collectives need that are started, if there are any.
  Status setUp();
  /// Enqueues step `step` of the plan.
  Status enqueue(size_t step, cuda::Stream on);

private:
  Status enqueueTogether(size_t step, cuda::Stream on);
  Status enqueueStart(size_t step, cuda::Stream on);
  Status enqueueAwait(size_t step, cuda::Stream on);
  Status enqueuePart(const PlanLaunch &step, cuda::Stream on) const;
  /// Enqueue a collective, and the moves of parts around it.
  Status enqueueBefore(const PlanLaunch &step, cuda::Stream on) const;
  Status send(const PlanLaunch &step, cuda::Stream on) const;
  Status enqueueBehind(const PlanLaunch &step, cuda::Stream on) const;
  Status enqueueRows(const PlanLaunch &step, cuda::Stream on) const;
  Status moveParts(unsigned whole, unsigned room, unsigned dim, bool toRoom,
                   cuda::Stream on) const;
  std::optional<unsigned> findMoved(const PlanLaunch &step) const;
  Status record(cuda::Event event, cuda::Stream on) const;
  Status await(cuda::Event event, cuda::Stream on) const;

  const Program &program;
  const BoundPlan &sizes;
  const std::vector<cuda::Pointer> &addresses;
  /// The stream of started collectives; null without any.
  cuda::Stream side = nullptr;
  /// Recorded before each start, and behind each started collective, by step.
  cuda::Event ready = nullptr;
  std::map<size_t, cuda::Event> sent;
  /// Starts by the steps that await them.
  std::map<size_t, size_t> startOf;
  /// The latest start, until it is awaited.
  std::optional<size_t> latest;
};

} // namespace parablock::launch

#endif // PARABLOCK_LIB_LAUNCH_RANKSTEPS_H
