//===- FakeStream.cpp - runs enqueued work in order -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"

#include <algorithm>

using namespace parablock;
using namespace parablock::fake;

void FakeStream::end() {
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
    changed.wait(lock, [&] {
      return isEnding || (!waiting.empty() && (!isLate || wanted > numDone));
    });
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
    ++numDone;
    changed.notify_all();
  }
}

cuda::Result FakeStream::run(Work work) {
  if (!thread.joinable()) {
    ++numDone;
    return work();
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    waiting.push_back(std::move(work));
  }
  changed.notify_all();
  return cuda::Success;
}

cuda::Result FakeStream::add(Work work) {
  ++numWork;
  if (!root)
    return run(std::move(work));
  captured.push_back(std::move(work));
  return cuda::Success;
}

cuda::Result FakeStream::query() {
  std::lock_guard<std::mutex> lock(mutex);
  wanted = numWork;
  changed.notify_all();
  return isBusy || !waiting.empty() ? cuda::NotReady : failure;
}

cuda::Result FakeStream::wait() { return waitFor(numWork); }

cuda::Result FakeStream::waitFor(uint64_t count) {
  std::unique_lock<std::mutex> lock(mutex);
  wanted = std::max(wanted, count);
  changed.notify_all();
  changed.wait(lock, [&] { return isEnding || numDone >= count; });
  return failure;
}

//===----------------------------------------------------------------------===//
// Several streams
//===----------------------------------------------------------------------===//

cuda::Result FakeStream::await(FakeStream *other, uint64_t count) {
  behind[other] = std::max(behind[other], count);
  // The other stream must wait for later work of this one.
  other->behind.try_emplace(this, 0);
  isLate |= !other->isLate;
  if (!other->root) {
    runInThread();
    return add([other, count] { return other->waitFor(count); });
  }
  if (!root)
    join(other->root);
  // Captured work of others runs here, unless it was awaited before.
  while (!other->captured.empty() && this != other && root != other &&
         other->numWork - other->captured.size() < count) {
    add(std::move(other->captured.front()));
    other->captured.pop_front();
  }
  return cuda::Success;
}

bool FakeStream::isBehindOthers() const {
  return std::all_of(behind.begin(), behind.end(), [](const auto &each) {
    return each.second >= each.first->numWork;
  });
}

void FakeStream::beginCapture() {
  root = this;
  numBefore = numWork;
}

void FakeStream::join(FakeStream *capturing) {
  beginCapture();
  root = capturing;
  capturing->joined.push_back(this);
}

/// Ends the part of a capture: its works are no works of this stream.
void FakeStream::leave() {
  captured.clear();
  behind.clear();
  numWork = numBefore;
  root = nullptr;
}

cuda::Result FakeStream::endCapture(std::vector<Work> &work) {
  if (root != this)
    return cuda::InvalidValue;
  bool isWhole = true;
  for (FakeStream *other : joined) {
    isWhole &= other->captured.empty();
    other->leave();
  }
  joined.clear();
  work.assign(captured.begin(), captured.end());
  leave();
  return isWhole ? cuda::Success : cuda::StreamCaptureUnjoined;
}
