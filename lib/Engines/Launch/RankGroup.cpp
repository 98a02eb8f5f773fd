//===- RankGroup.cpp - collectives with timeouts --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RankGroup.h"

#include <thread>

using namespace parablock;
using namespace parablock::launch;
using Clock = std::chrono::steady_clock;

/// One word for whether a rank has failed, the others for facts.
static constexpr size_t numWords = 8;

Status launch::checkRank(RankOf own) {
  if (own.count >= 1 && own.rank >= 0 && own.rank < own.count)
    return {};
  return fail("expected a rank below the number of ranks, got rank " +
              std::to_string(own.rank) + " of " + std::to_string(own.count));
}

Status RankGroup::makeId(nccl::UniqueId &id) {
  Nccl library;
  if (Status failure = library.load())
    return failure;
  return library.check(library.getUniqueId(&id), "ncclGetUniqueId");
}

Status RankGroup::join(const DeviceContext &device, RankOf own,
                       std::chrono::milliseconds limit,
                       const nccl::UniqueId &id,
                       std::unique_ptr<RankGroup> &group) {
  std::unique_ptr<RankGroup> made(new RankGroup(device, own, limit));
  CurrentContext current(device);
  if (Status failure = made->start(id))
    return failure;
  group = std::move(made);
  return {};
}

Status RankGroup::start(const nccl::UniqueId &id) {
  if (Status failure = library.load())
    return failure;
  const Driver &driver = device.driver;
  if (Status failure = driver.check(
          driver.createStream(&stream, cuda::NonBlocking), "cuStreamCreate"))
    return failure;
  uint64_t words = numWords * static_cast<uint64_t>(own.count + 1);
  if (Status failure =
          mail.allocate(device, words * sizeof(uint64_t), "what ranks say"))
    return failure;
  nccl::Config config;
  return finish(library.initRank(&comm, own.count, id, own.rank, &config),
                "ncclCommInitRankConfig");
}

RankGroup::~RankGroup() {
  CurrentContext current(device);
  if (comm && !isOver)
    library.destroy(comm);
  if (stream)
    device.driver.destroyStream(stream);
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

Status RankGroup::refuse(const std::string &text) const {
  return fail("rank " + std::to_string(own.rank) + " of " +
              std::to_string(own.count) + ": " + text);
}

Status RankGroup::checkGoesOn() const {
  return isOver ? refuse("the group of ranks is over") : Status();
}

Status RankGroup::giveUp(const std::string &text) {
  isOver = true;
  // Kernels that wait for other ranks end by this.
  if (comm)
    library.abort(comm);
  return refuse(text);
}

template <typename IsDone>
Status RankGroup::poll(const char *what, const IsDone &isDone) {
  auto begin = Clock::now();
  while (true) {
    nccl::Result state = nccl::Success;
    library.getAsyncError(comm, &state);
    if (Status failure = library.check(state, what))
      return giveUp("stopped, as another rank failed: " + failure->text);
    if (isDone(state))
      return {};
    auto waited = Clock::now() - begin;
    if (waited > limit)
      return giveUp(
          "waited " +
          std::to_string(
              std::chrono::duration_cast<std::chrono::seconds>(limit).count()) +
          " s for the other ranks in " + what);
    // Long waits are polled less often.
    if (waited > std::chrono::milliseconds(2))
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    else
      std::this_thread::yield();
  }
}

Status RankGroup::finish(nccl::Result result, const char *symbol) {
  if (Status failure = library.check(result, symbol))
    return giveUp(failure->text);
  return poll(symbol,
              [](nccl::Result state) { return state == nccl::Success; });
}

Status RankGroup::wait(cuda::Stream on) {
  if (Status failure = checkGoesOn())
    return failure;
  const Driver &driver = device.driver;
  cuda::Result result = cuda::NotReady;
  Status failure = poll("a run", [&](nccl::Result) {
    result = driver.queryStream(on);
    return result != cuda::NotReady;
  });
  return failure ? failure : driver.check(result, "cuStreamQuery");
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

static void *toAddress(cuda::Pointer pointer) {
  return reinterpret_cast<void *>(pointer);
}

Status RankGroup::allReduce(cuda::Pointer input, cuda::Pointer output,
                            uint64_t count, nccl::DataType type,
                            cuda::Stream on) {
  if (Status failure = checkGoesOn())
    return failure;
  return finish(library.allReduce(toAddress(input), toAddress(output),
                                  static_cast<size_t>(count), type, nccl::Sum,
                                  comm, on),
                "ncclAllReduce");
}

Status RankGroup::reduceScatter(cuda::Pointer input, cuda::Pointer output,
                                uint64_t count, nccl::DataType type,
                                cuda::Stream on) {
  if (Status failure = checkGoesOn())
    return failure;
  return finish(library.reduceScatter(toAddress(input), toAddress(output),
                                      static_cast<size_t>(count), type,
                                      nccl::Sum, comm, on),
                "ncclReduceScatter");
}

Status RankGroup::allGather(cuda::Pointer input, cuda::Pointer output,
                            uint64_t count, nccl::DataType type,
                            cuda::Stream on) {
  if (Status failure = checkGoesOn())
    return failure;
  return finish(library.allGather(toAddress(input), toAddress(output),
                                  static_cast<size_t>(count), type, comm, on),
                "ncclAllGather");
}

Status RankGroup::exchange(const std::vector<Message> &messages,
                           nccl::DataType type, cuda::Stream on) {
  if (Status failure = checkGoesOn(); failure || messages.empty())
    return failure;
  if (Status failure = library.check(library.startGroup(), "ncclGroupStart"))
    return giveUp(failure->text);
  Status failure;
  for (const Message &message : messages) {
    void *address = toAddress(message.address);
    auto count = static_cast<size_t>(message.count);
    nccl::Result result =
        message.isSent
            ? library.send(address, count, type, message.peer, comm, on)
            : library.receive(address, count, type, message.peer, comm, on);
    failure = library.check(result, message.isSent ? "ncclSend" : "ncclRecv");
    if (failure)
      break;
  }
  // A group that was begun is ended.
  Status ended = finish(library.endGroup(), "ncclGroupEnd");
  return failure ? giveUp(failure->text) : ended;
}

//===----------------------------------------------------------------------===//
// Meetings
//===----------------------------------------------------------------------===//

Status RankGroup::exchange(const std::vector<uint64_t> &words,
                           std::vector<uint64_t> &all) {
  const Driver &driver = device.driver;
  size_t bytes = words.size() * sizeof(uint64_t);
  all.resize(words.size() * static_cast<size_t>(own.count));
  cuda::Pointer everyone = mail.pointer() + bytes;
  if (Status failure = driver.check(
          driver.upload(mail.pointer(), words.data(), bytes, stream),
          "cuMemcpyHtoDAsync"))
    return failure;
  if (Status failure =
          allGather(mail.pointer(), everyone, bytes, nccl::Uint8, stream))
    return failure;
  // A copy to the host would wait for others without a limit.
  if (Status failure = wait(stream))
    return failure;
  if (Status failure = driver.check(
          driver.download(all.data(), everyone,
                          bytes * static_cast<size_t>(own.count), stream),
          "cuMemcpyDtoHAsync"))
    return failure;
  return driver.check(driver.waitForStream(stream), "cuStreamSynchronize");
}

Status RankGroup::meet(Status failure, const std::vector<RankFact> &facts) {
  // No rank is left to receive the failure.
  if (Status over = checkGoesOn())
    return failure ? failure : over;
  CurrentContext current(device);
  std::vector<uint64_t> words(numWords), all;
  words[0] = failure.has_value();
  for (size_t i = 0; i < facts.size(); ++i)
    words[i + 1] = facts[i].value;
  Status met = exchange(words, all);
  if (failure)
    return failure;
  if (met)
    return met;
  auto getWord = [&](int rank, size_t word) {
    return all[static_cast<size_t>(rank) * numWords + word];
  };
  for (int rank = 0; rank < own.count; ++rank)
    if (getWord(rank, 0))
      return refuse("stopped, as rank " + std::to_string(rank) + " failed");
  for (size_t i = 0; i < facts.size(); ++i)
    for (int rank = 1; rank < own.count; ++rank)
      if (getWord(rank, i + 1) != getWord(0, i + 1))
        return refuse("expected the same " + std::string(facts[i].name) +
                      " on all ranks, but rank " + std::to_string(rank) +
                      " has other than rank 0");
  return {};
}
