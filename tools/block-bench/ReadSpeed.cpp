//===- ReadSpeed.cpp - reads memory in plain loops ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ReadSpeed.h"

#include "parablock/Engines/CPU/Runtime/AlignedMemory.h"
#include "parablock/Engines/CPU/Runtime/ThreadPool.h"
#include <algorithm>
#include <chrono>
#include <cstring>

using namespace bench;
using namespace parablock;

/// The numbers that a line of the cache holds.
using Line = uint64_t __attribute__((vector_size(64)));

namespace {
struct Reading {
  const Line *lines;
  uint64_t (*sum)(const Line *lines, int64_t count);
};
} // namespace

/// Lines of a turn: as many sums do not wait for each other.
static constexpr int64_t kTogether = 8;

__attribute__((always_inline)) static inline uint64_t
sumLines(const Line *lines, int64_t count) {
  Line sums[kTogether] = {};
  for (int64_t i = 0; i + kTogether <= count; i += kTogether)
    for (int64_t j = 0; j < kTogether; ++j)
      sums[j] += lines[i + j];
  Line sum = {};
  for (const Line &each : sums)
    sum += each;
  return sum[0] ^ sum[7];
}

static uint64_t sumPlain(const Line *lines, int64_t count) {
  return sumLines(lines, count);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static uint64_t sumAvx2(const Line *lines,
                                                        int64_t count) {
  return sumLines(lines, count);
}

__attribute__((target("avx512f"))) static uint64_t sumAvx512(const Line *lines,
                                                             int64_t count) {
  return sumLines(lines, count);
}
#endif

/// With the widest loads that the machine has.
static auto chooseSum() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return &sumAvx512;
  if (__builtin_cpu_supports("avx2"))
    return &sumAvx2;
#endif
  return &sumPlain;
}

static void readPart(void *context, int32_t, int64_t begin, int64_t end) {
  const auto *reading = static_cast<const Reading *>(context);
  [[maybe_unused]] volatile uint64_t seen =
      reading->sum(reading->lines + begin, end - begin);
}

ReadTimes bench::measureReading(uint64_t bytes, unsigned threads,
                                unsigned repeat) {
  cpu::AlignedMemory memory;
  if (!memory.reserve(bytes))
    return {};
  std::memset(memory.data(), 1, bytes);
  cpu::ThreadPool pool(threads);
  Reading reading = {reinterpret_cast<const Line *>(memory.data()),
                     chooseSum()};
  auto lines = static_cast<int64_t>(bytes / sizeof(Line));
  // A part for each thread.
  int64_t grain = (lines + threads - 1) / threads;
  ReadTimes times;
  for (unsigned i = 0; i < repeat; ++i) {
    auto start = std::chrono::steady_clock::now();
    static_cast<ParablockPool &>(pool).run(&pool, lines, grain, readPart,
                                           &reading);
    std::chrono::duration<double, std::milli> time =
        std::chrono::steady_clock::now() - start;
    times.fastest =
        i == 0 ? time.count() : std::min(times.fastest, time.count());
    times.mean += time.count() / repeat;
  }
  return times;
}
