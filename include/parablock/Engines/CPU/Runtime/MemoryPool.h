//===- MemoryPool.h - memory shared by functions ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Functions of one step run one after another, so one arena is enough. Values
// passed between them and results for the caller may be allocated here too, and
// are then counted.
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

  /// Returns a workspace that another run returned, or an empty one that grows.
  Workspace takeWorkspace();
  /// Keeps the larger of `workspace` and the one already kept.
  void giveBack(Workspace workspace);

  /// Allocates memory for one tensor; returns null on failure.
  void *allocate(MemoryUse use, uint64_t bytes);
  /// Returns the number of bytes allocated for `bytes`; empty tensors get an
  /// address, too.
  static uint64_t round(uint64_t bytes) {
    return AlignedMemory::round(bytes != 0 ? bytes : 1);
  }
  void free(void *data);

  MemoryCounts &getCounts() { return *counts; }

private:
  std::shared_ptr<MemoryCounts> counts;
  std::mutex mutex;
  Workspace spare;
  /// Memory of tensors, by address.
  std::unordered_map<void *, AlignedMemory> tensors;
};

} // namespace parablock::cpu

#endif // PARABLOCK_CPU_RUNTIME_MEMORYPOOL_H
