//===- CountAllocations.cpp - counts the allocations of a process ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A library that is loaded before the C library (LD_PRELOAD): block-bench reads
// its counter before and after a step.
//
//===----------------------------------------------------------------------===//

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

static std::atomic<uint64_t> allocations{0};

static void note() { allocations.fetch_add(1, std::memory_order_relaxed); }

// The C library's own, under the names that these leave it.
extern "C" void *__libc_malloc(size_t bytes);
extern "C" void *__libc_calloc(size_t count, size_t bytes);
extern "C" void *__libc_realloc(void *memory, size_t bytes);
extern "C" void *__libc_memalign(size_t alignment, size_t bytes);

extern "C" uint64_t parablock_count_allocations() {
  return allocations.load(std::memory_order_relaxed);
}

extern "C" void *malloc(size_t bytes) {
  note();
  return __libc_malloc(bytes);
}

extern "C" void *calloc(size_t count, size_t bytes) {
  note();
  return __libc_calloc(count, bytes);
}

extern "C" void *realloc(void *memory, size_t bytes) {
  note();
  return __libc_realloc(memory, bytes);
}

extern "C" void *memalign(size_t alignment, size_t bytes) {
  note();
  return __libc_memalign(alignment, bytes);
}

extern "C" void *aligned_alloc(size_t alignment, size_t bytes) {
  return memalign(alignment, bytes);
}

extern "C" int posix_memalign(void **memory, size_t alignment, size_t bytes) {
  void *made = memalign(alignment, bytes);
  if (!made)
    return ENOMEM;
  *memory = made;
  return 0;
}
