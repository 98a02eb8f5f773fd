//===- MemoryPool.cpp - allocates workspaces and tensors ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/Runtime/MemoryPool.h"

using namespace parablock::cpu;

Workspace MemoryPool::takeWorkspace() {
  std::lock_guard<std::mutex> lock(mutex);
  Workspace taken = std::move(spare);
  spare = {};
  if (taken.getBytes() == 0)
    return {AlignedMemory(counts, MemoryUse::Arena),
            AlignedMemory(counts, MemoryUse::Scratch)};
  return taken;
}

void MemoryPool::giveBack(Workspace workspace) {
  std::lock_guard<std::mutex> lock(mutex);
  if (workspace.getBytes() > spare.getBytes())
    std::swap(workspace, spare);
}

void *MemoryPool::allocate(MemoryUse use, uint64_t bytes) {
  AlignedMemory memory(counts, use);
  if (!memory.reserve(round(bytes)))
    return nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  void *data = memory.data();
  tensors.emplace(data, std::move(memory));
  return data;
}

void MemoryPool::free(void *data) {
  AlignedMemory freed; // outside of the lock
  std::lock_guard<std::mutex> lock(mutex);
  auto found = tensors.find(data);
  if (found == tensors.end())
    return;
  freed = std::move(found->second);
  tensors.erase(found);
}
