//===- FakeStream.cpp - runs enqueued work in order -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"

using namespace parablock;
using namespace parablock::fake;

FakeStream::~FakeStream() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isEnding = true;
  }
  changed.notify_all();
  if (thread.joinable())
    thread.join();
}

void FakeStream::runInThread() {
  if (!thread.joinable())
    thread = std::thread([this] { runAll(); });
}

void FakeStream::runAll() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return isEnding || !waiting.empty(); });
    if (isEnding)
      return;
    Work work = std::move(waiting.front());
    waiting.pop_front();
    // As on a device, nothing runs behind a fault.
    cuda::Result result = failure;
    if (!failure) {
      isBusy = true;
      lock.unlock();
      result = work();
      lock.lock();
      isBusy = false;
    }
    failure = result;
    changed.notify_all();
  }
}

cuda::Result FakeStream::run(Work work) {
  if (!thread.joinable())
    return work();
  {
    std::lock_guard<std::mutex> lock(mutex);
    waiting.push_back(std::move(work));
  }
  changed.notify_all();
  return cuda::Success;
}

cuda::Result FakeStream::query() {
  std::lock_guard<std::mutex> lock(mutex);
  return isBusy || !waiting.empty() ? cuda::NotReady : failure;
}

cuda::Result FakeStream::wait() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return !isBusy && waiting.empty(); });
  return failure;
}
