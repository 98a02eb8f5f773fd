//===- Shadow.h - State of each byte ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_SHADOW_H
#define PARABLOCK_EMULATOR_SHADOW_H

#include "llvm/ADT/ArrayRef.h"
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace parablock::emulator {

/// The state of one byte. All from Initialized on may be read.
enum class ByteState : uint8_t {
  Outside,
  Released,
  Uninitialized,
  /// The destination of an asynchronous copy that has not been waited for.
  Pending,
  /// Part of a barrier object.
  Barrier,
  Initialized
};

enum class Proxy : uint8_t { Generic, Async };

/// One past access to the 4 bytes of a cell. `epoch` 0 means none.
struct PastAccess {
  uint32_t epoch = 0;
  uint32_t cluster = 0;
  uint16_t agent = 0;
  uint16_t site = 0;
  /// Mask of the 4 bytes.
  uint8_t bytes = 0;
  Proxy proxy = Proxy::Generic;
  bool atomic = false;
};

/// The history of 4 bytes: the last write, and later reads that are not ordered
/// among each other, at most one per warp and as many as fit.
struct Cell {
  static constexpr unsigned numBytes = 4, numReads = 3;
  PastAccess write;
  PastAccess reads[numReads];
};

/// States and history of consecutive bytes; `size` bytes from an address whose
/// cell starts at or before it.
struct ShadowSpan {
  ByteState *states;
  Cell *cells;
  uint64_t size;
};

/// The shadow of global memory, page by page.
class GlobalShadow {
public:
  static constexpr uint64_t pageBytes = 1 << 16;
  /// Between allocations; not less than any single access.
  static constexpr uint64_t guardBytes = 1 << 12;
  static constexpr uint64_t bytesPerLock = 256;

  GlobalShadow(char *base, uint64_t capacity);
  ~GlobalShadow();

  bool contains(uint64_t address) const {
    return address - reinterpret_cast<uint64_t>(base) < capacity;
  }
  /// Returns null for memory that was never allocated.
  ByteState *getStates(uint64_t address) const;
  /// Returns the span from `address` to the end of its page, or no states.
  /// Creates the cells if necessary.
  ShadowSpan getSpan(uint64_t address) {
    uint64_t offset = address - reinterpret_cast<uint64_t>(base);
    if (offset >= capacity || !pages[offset / pageBytes])
      return {nullptr, nullptr, 0};
    Page &page = *pages[offset / pageBytes];
    uint64_t inPage = offset % pageBytes;
    Cell *cells = page.cells.load(std::memory_order_acquire);
    if (!cells)
      cells = makeCells(page);
    return {&page.states[inPage], &cells[inPage / Cell::numBytes],
            pageBytes - inPage};
  }
  /// Guards the cells around `address` while several host threads run.
  std::atomic_flag &getLock(uint64_t address) {
    return locks[address / bytesPerLock % numLocks];
  }

  /// Null where the address space is used up.
  char *allocate(uint64_t bytes, std::string name);
  bool release(void *address);
  void setStates(uint64_t address, uint64_t bytes, ByteState state);

  struct Allocation {
    std::string name;
    uint64_t bytes = 0;
    bool released = false;
  };
  /// The allocation at or before `address` with its start, or null.
  const std::pair<const uint64_t, Allocation> *find(uint64_t address) const;
  /// Every live allocation counts as written.
  void setAllInitialized();

  /// Epochs of all past launches are below this.
  uint32_t firstEpoch = 1;
  /// Epochs from here on belong to launches that may still run when the next
  /// one begins early.
  uint32_t unfinishedEpoch = 1;

private:
  struct Page {
    ByteState states[pageBytes];
    std::atomic<Cell *> cells{nullptr};
    Page();
    ~Page();
  };
  static Cell *makeCells(Page &page);

  static constexpr size_t numLocks = 1024;

  char *base;
  uint64_t capacity;
  uint64_t used = 0;
  std::vector<std::unique_ptr<Page>> pages;
  std::unique_ptr<std::atomic_flag[]> locks;
  std::map<uint64_t, Allocation> allocations;
};

/// The shadow of one CTA's shared memory.
class SharedShadow {
public:
  explicit SharedShadow(uint32_t bytes)
      : states(bytes, ByteState::Uninitialized),
        cells((bytes + Cell::numBytes - 1) / Cell::numBytes) {}
  ShadowSpan getSpan(uint32_t offset) {
    return {states.data() + offset, cells.data() + offset / Cell::numBytes,
            states.size() - offset};
  }
  uint32_t size() const { return static_cast<uint32_t>(states.size()); }
  void reset() { states.assign(states.size(), ByteState::Uninitialized); }

private:
  std::vector<ByteState> states;
  std::vector<Cell> cells;
};

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_SHADOW_H
