//===- RankSteps.h - steps that are no kernels ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LAUNCH_RANKSTEPS_H
#define PARABLOCK_LIB_LAUNCH_RANKSTEPS_H

#include "Program.h"

namespace parablock::launch {

/// Enqueues the steps that exchange or move parts of tensors of ranks. A
/// session makes one where it enqueues a step: it owns nothing.
class RankSteps {
public:
  RankSteps(const Program &program, const BoundPlan &sizes,
            const std::vector<cuda::Pointer> &addresses)
      : program(program), sizes(sizes), addresses(addresses) {}

  Status enqueue(const PlanLaunch &step, cuda::Stream on) const;

private:
  Status enqueueTogether(const PlanLaunch &step, cuda::Stream on) const;
  Status enqueuePart(const PlanLaunch &step, cuda::Stream on) const;
  Status moveParts(unsigned whole, unsigned room, unsigned dim, bool toRoom,
                   cuda::Stream on) const;

  const Program &program;
  const BoundPlan &sizes;
  const std::vector<cuda::Pointer> &addresses;
};

} // namespace parablock::launch

#endif // PARABLOCK_LIB_LAUNCH_RANKSTEPS_H
