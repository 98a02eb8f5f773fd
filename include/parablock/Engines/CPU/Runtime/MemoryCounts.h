//===- MemoryCounts.h - counts of memory by use -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_RUNTIME_MEMORYCOUNTS_H
#define PARABLOCK_CPU_RUNTIME_MEMORYCOUNTS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <numeric>

namespace parablock::cpu {

/// The uses of memory: buffers between launches (temporaries and weights that a
/// run packs), scratch of a launch, and results of functions.
enum class MemoryUse { Arena, Scratch, Result, Saved, Gradient };
inline constexpr size_t numMemoryUses = 5;

/// Counts of allocated memory by use. Thread-safe.
class MemoryCounts {
public:
  /// The bytes of each MemoryUse.
  using Bytes = std::array<uint64_t, numMemoryUses>;

  void addTaken(MemoryUse use, uint64_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    now[static_cast<size_t>(use)] += bytes;
    if (sum(now) > sum(peak))
      peak = now;
  }
  void addGivenBack(MemoryUse use, uint64_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    now[static_cast<size_t>(use)] -= bytes;
  }

  Bytes getNow() const {
    std::lock_guard<std::mutex> lock(mutex);
    return now;
  }
  /// Returns the counts at the moment of the largest sum over all uses.
  Bytes getPeak() const {
    std::lock_guard<std::mutex> lock(mutex);
    return peak;
  }
  /// Resets the peak.
  void forgetPeak() {
    std::lock_guard<std::mutex> lock(mutex);
    peak = now;
  }

  static uint64_t sum(const Bytes &bytes) {
    return std::accumulate(bytes.begin(), bytes.end(), uint64_t(0));
  }

private:
  mutable std::mutex mutex;
  Bytes now{}, peak{};
};

} // namespace parablock::cpu

#endif // PARABLOCK_CPU_RUNTIME_MEMORYCOUNTS_H
