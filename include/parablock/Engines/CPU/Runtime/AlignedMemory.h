//===- AlignedMemory.h - memory as kernels want it --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_RUNTIME_ALIGNEDMEMORY_H
#define PARABLOCK_CPU_RUNTIME_ALIGNEDMEMORY_H

#include "parablock/Engines/CPU/Runtime/Program.h"

#include <cstdlib>
#include <sys/mman.h>
#include <utility>

namespace parablock::cpu {

/// Memory aligned to `alignment`, without initial values. Much of it lies in
/// large pages where the system has them: weights that are read once and in
/// order otherwise wait for the tables of pages as long as for memory.
class AlignedMemory {
public:
  AlignedMemory() = default;
  AlignedMemory(AlignedMemory &&other) noexcept
      : bytes(std::exchange(other.bytes, nullptr)),
        size(std::exchange(other.size, 0)) {}
  AlignedMemory &operator=(AlignedMemory &&other) noexcept {
    std::swap(bytes, other.bytes);
    std::swap(size, other.size);
    return *this;
  }
  ~AlignedMemory() { std::free(bytes); }

  /// At least that many bytes, which lose what they held where there were
  /// fewer. False where there is no such memory.
  bool reserve(uint64_t wanted) {
    if (wanted <= size)
      return true;
    std::free(bytes);
    size = 0;
    wanted = (wanted + alignment - 1) / alignment * alignment;
    bytes = allocate(wanted);
    if (bytes)
      size = wanted;
    return bytes != nullptr;
  }

  char *data() const { return bytes; }
  uint64_t getBytes() const { return size; }

private:
  static constexpr uint64_t largePage = uint64_t(1) << 21;

  static char *allocate(uint64_t size) {
    if (size < 2 * largePage)
      return static_cast<char *>(std::aligned_alloc(alignment, size));
    size = (size + largePage - 1) / largePage * largePage;
    void *memory = std::aligned_alloc(largePage, size);
    if (memory)
      madvise(memory, size, MADV_HUGEPAGE); // only a wish
    return static_cast<char *>(memory);
  }

  char *bytes = nullptr;
  uint64_t size = 0;
};

} // namespace parablock::cpu

#endif // PARABLOCK_CPU_RUNTIME_ALIGNEDMEMORY_H
