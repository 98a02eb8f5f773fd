//===- MemoryPool.h - memory that functions share ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Functions of one step run in turn, so that one arena is enough for them. What
// they give to each other and to the caller may come from here as well, and is
// counted then.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_RUNTIME_MEMORYPOOL_H
#define PARABLOCK_CPU_RUNTIME_MEMORYPOOL_H

#include "parablock/Engines/CPU/Runtime/AlignedMemory.h"

#include <unordered_map>

namespace parablock::cpu {

/// Any thread may use it.
class MemoryPool {
public:
  MemoryPool() : counts(std::make_shared<MemoryCounts>()) {}

  /// Gives what another run gave back, or an empty one that grows.
  Workspace takeWorkspace();
  /// Keeps the larger one of that and what is there.
  void giveBack(Workspace workspace);

  /// Takes memory of its own for a tensor; null where there is none.
  void *allocate(MemoryUse use, uint64_t bytes);
  /// Gives what is taken then; one without elements has an address as well.
  static uint64_t round(uint64_t bytes) {
    return AlignedMemory::round(bytes != 0 ? bytes : 1);
  }
  void free(void *data);

  MemoryCounts &getCounts() { return *counts; }

private:
  std::shared_ptr<MemoryCounts> counts;
  std::mutex mutex;
  Workspace spare;
  /// That of tensors, by its address.
  std::unordered_map<void *, AlignedMemory> tensors;
};

} // namespace parablock::cpu

#endif // PARABLOCK_CPU_RUNTIME_MEMORYPOOL_H
