//===- GlobalShadow.cpp - tracks states of allocations --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Shadow.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace parablock::emulator;

static constexpr uint64_t allocationAlign = 256;

GlobalShadow::Page::Page() {
  std::fill(std::begin(states), std::end(states), ByteState::Outside);
}

GlobalShadow::Page::~Page() { delete[] cells.load(); }

GlobalShadow::GlobalShadow(char *base, uint64_t capacity)
    : base(base), capacity(capacity), pages(capacity / pageBytes),
      locks(new std::atomic_flag[numLocks]) {
  for (size_t i = 0; i < numLocks; ++i)
    locks[i].clear();
}

GlobalShadow::~GlobalShadow() { munmap(base, capacity); }

ByteState *GlobalShadow::getStates(uint64_t address) const {
  uint64_t offset = address - reinterpret_cast<uint64_t>(base);
  if (offset >= capacity || !pages[offset / pageBytes])
    return nullptr;
  return &pages[offset / pageBytes]->states[offset % pageBytes];
}

Cell *GlobalShadow::makeCells(Page &page) {
  auto *fresh = new Cell[pageBytes / Cell::numBytes];
  Cell *other = nullptr;
  if (page.cells.compare_exchange_strong(other, fresh))
    return fresh;
  delete[] fresh; // another host thread was quicker
  return other;
}

char *GlobalShadow::allocate(uint64_t bytes, std::string name) {
  uint64_t size = std::max<uint64_t>(bytes, 1);
  uint64_t start = llvm::alignTo(used + guardBytes, allocationAlign);
  // Whole pages of the host, so that memory can be released.
  start = llvm::alignTo(start, pageBytes);
  if (size > capacity || start + size + guardBytes > capacity)
    return nullptr;
  uint64_t end = llvm::alignTo(start + size + guardBytes, pageBytes);
  if (end > capacity ||
      mprotect(base + start, end - start, PROT_READ | PROT_WRITE) != 0)
    return nullptr;
  for (uint64_t page = start / pageBytes; page < end / pageBytes; ++page)
    pages[page] = std::make_unique<Page>();
  used = end;
  uint64_t address = reinterpret_cast<uint64_t>(base) + start;
  allocations[address] = {std::move(name), size, false};
  std::memset(base + start, 0xFF, size);
  setStates(address, size, ByteState::Uninitialized);
  return base + start;
}

bool GlobalShadow::release(void *pointer) {
  uint64_t address = reinterpret_cast<uint64_t>(pointer);
  auto found = allocations.find(address);
  if (found == allocations.end() || found->second.released)
    return false;
  Allocation &allocation = found->second;
  allocation.released = true;
  setStates(address, allocation.bytes, ByteState::Released);
  uint64_t mapped = llvm::alignTo(allocation.bytes + guardBytes, pageBytes);
  madvise(pointer, mapped, MADV_DONTNEED);
  uint64_t first = (address - reinterpret_cast<uint64_t>(base)) / pageBytes;
  for (uint64_t page = first; page < first + mapped / pageBytes; ++page)
    delete[] pages[page]->cells.exchange(nullptr);
  return true;
}

void GlobalShadow::setStates(uint64_t address, uint64_t bytes,
                             ByteState state) {
  while (bytes != 0) {
    uint64_t offset = address - reinterpret_cast<uint64_t>(base);
    uint64_t inPage = offset % pageBytes;
    uint64_t count = std::min(bytes, pageBytes - inPage);
    std::fill_n(&pages[offset / pageBytes]->states[inPage], count, state);
    address += count;
    bytes -= count;
  }
}

const std::pair<const uint64_t, GlobalShadow::Allocation> *
GlobalShadow::find(uint64_t address) const {
  auto next = allocations.upper_bound(address);
  return next == allocations.begin() ? nullptr : &*std::prev(next);
}

void GlobalShadow::setAllInitialized() {
  for (const auto &[address, allocation] : allocations)
    if (!allocation.released)
      setStates(address, allocation.bytes, ByteState::Initialized);
}
