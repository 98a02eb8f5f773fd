//===- AlignedMemory.h - aligned memory -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_RUNTIME_ALIGNEDMEMORY_H
#define PARABLOCK_CPU_RUNTIME_ALIGNEDMEMORY_H

#include "parablock/Engines/CPU/Runtime/MemoryCounts.h"
#include "parablock/Engines/CPU/Runtime/Program.h"

#include <cstdlib>
#include <memory>
#include <sys/mman.h>
#include <utility>

namespace parablock::cpu {

/// Memory aligned to `alignment`, not initialized. Uses large pages where the
/// system supports them: otherwise page table walks cost as much as the memory
/// reads of weights that are read once, in order.
class AlignedMemory {
public:
  AlignedMemory() = default;
  /// Allocates nothing; later allocations are counted.
  AlignedMemory(std::shared_ptr<MemoryCounts> counts, MemoryUse use)
      : counts(std::move(counts)), use(use) {}
  AlignedMemory(AlignedMemory &&other) noexcept { *this = std::move(other); }
  AlignedMemory &operator=(AlignedMemory &&other) noexcept {
    std::swap(bytes, other.bytes);
    std::swap(size, other.size);
    std::swap(counts, other.counts);
    std::swap(use, other.use);
    return *this;
  }
  ~AlignedMemory() { release(); }

  /// Returns the number of bytes allocated for a request of `wanted` bytes.
  static uint64_t round(uint64_t wanted) {
    return (wanted + alignment - 1) / alignment * alignment;
  }

  /// Ensures at least that many bytes; growing discards the contents. Returns
  /// false if the allocation fails.
  bool reserve(uint64_t wanted) {
    if (wanted <= size)
      return true;
    release();
    wanted = round(wanted);
    bytes = allocate(wanted);
    if (!bytes)
      return false;
    size = wanted;
    if (counts)
      counts->addTaken(use, size);
    return true;
  }

  char *data() const { return bytes; }
  uint64_t getBytes() const { return size; }

private:
  static constexpr uint64_t largePage = uint64_t(1) << 21;

  static char *allocate(uint64_t size) {
    bool isLarge = size >= 2 * largePage;
    void *memory = nullptr;
    if (posix_memalign(&memory, isLarge ? largePage : alignment, size) != 0)
      return nullptr;
    if (isLarge)
      madvise(memory, size, MADV_HUGEPAGE); // best effort
    return static_cast<char *>(memory);
  }

  void release() {
    std::free(bytes);
    if (counts && size != 0)
      counts->addGivenBack(use, size);
    bytes = nullptr;
    size = 0;
  }

  char *bytes = nullptr;
  uint64_t size = 0;
  std::shared_ptr<MemoryCounts> counts;
  MemoryUse use = MemoryUse::Arena;
};

/// Memory of a run: temporaries, and the scratch of workers.
struct Workspace {
  AlignedMemory arena, scratch;

  uint64_t getBytes() const { return arena.getBytes() + scratch.getBytes(); }
};

} // namespace parablock::cpu

#endif // PARABLOCK_CPU_RUNTIME_ALIGNEDMEMORY_H
