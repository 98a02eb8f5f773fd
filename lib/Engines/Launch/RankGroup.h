//===- RankGroup.h - the ranks of a run, by NCCL ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each rank is a process, or a thread, with its own device. No call waits for
// others longer than the limit; after a timeout, or a fault reported by NCCL,
// the group is closed, and every later call is an error.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LAUNCH_RANKGROUP_H
#define PARABLOCK_LIB_LAUNCH_RANKGROUP_H

#include "DeviceContext.h"
#include "parablock/Engines/Launch/Nccl.h"
#include <chrono>
#include <vector>

namespace parablock::launch {

/// A rank and the number of ranks.
struct RankOf {
  int rank = 0, count = 1;
};

Status checkRank(RankOf own);

/// A fact that must be equal on all ranks.
struct RankFact {
  const char *name;
  uint64_t value;
};

class RankGroup {
public:
  /// Creates the id for all, on the first rank.
  static Status makeId(nccl::UniqueId &id);
  static Status join(const DeviceContext &device, RankOf own,
                     std::chrono::milliseconds limit, const nccl::UniqueId &id,
                     std::unique_ptr<RankGroup> &group);
  ~RankGroup();
  RankGroup(const RankGroup &) = delete;
  RankGroup &operator=(const RankGroup &) = delete;

  /// Waits for all ranks, which must call it in the same order. Fails with
  /// `failure`, if given, or if another rank has one, or has other facts.
  Status meet(Status failure, const std::vector<RankFact> &facts = {});

  /// Enqueue on `stream`; `count` is of the input, or of the output if that is
  /// smaller.
  Status allReduce(cuda::Pointer input, cuda::Pointer output, uint64_t count,
                   nccl::DataType type, cuda::Stream stream);
  Status reduceScatter(cuda::Pointer input, cuda::Pointer output,
                       uint64_t count, nccl::DataType type,
                       cuda::Stream stream);
  Status allGather(cuda::Pointer input, cuda::Pointer output, uint64_t count,
                   nccl::DataType type, cuda::Stream stream);

  /// A message of elements at `address`, to or from another rank.
  struct Message {
    cuda::Pointer address;
    uint64_t count;
    int peer;
    bool isSent;
  };
  /// Enqueues all at once, so that no rank waits for one that waits for it.
  Status exchange(const std::vector<Message> &messages, nccl::DataType type,
                  cuda::Stream stream);

  /// Until all that was enqueued on `stream` is done.
  Status wait(cuda::Stream stream);

  const DeviceContext &device;
  const RankOf own;

private:
  RankGroup(const DeviceContext &device, RankOf own,
            std::chrono::milliseconds limit)
      : device(device), own(own), limit(limit) {}
  Status start(const nccl::UniqueId &id);
  /// Returns the outcome of a call of NCCL.
  Status finish(nccl::Result result, const char *symbol);
  /// Polls until `isDone` or a fault.
  template <typename IsDone>
  Status poll(const char *what, const IsDone &isDone);
  Status giveUp(const std::string &text);
  Status checkGoesOn() const;
  Status refuse(const std::string &text) const;
  Status exchange(const std::vector<uint64_t> &words,
                  std::vector<uint64_t> &all);

  std::chrono::milliseconds limit;
  Nccl library;
  nccl::Comm comm = nullptr;
  cuda::Stream stream = nullptr;
  /// The words that ranks exchange.
  DeviceBuffer mail;
  bool isOver = false;
};

} // namespace parablock::launch

#endif // PARABLOCK_LIB_LAUNCH_RANKGROUP_H
