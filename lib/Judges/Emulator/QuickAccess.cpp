//===- QuickAccess.cpp - fast paths of common accesses --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "QuickAccess.h"
#include "Access.h"
#include "CellLock.h"

#include <cstring>

using namespace parablock;
using namespace parablock::emulator;

namespace {
/// The shadow of an access: its first byte's state and its first cell.
struct QuickPlace {
  ByteState *states = nullptr;
  Cell *cells = nullptr;
};
} // namespace

/// Returns whether the `bytes` states starting at `states` are all `state`.
template <unsigned bytes>
static bool areAll(const ByteState *states, ByteState state) {
  ByteState wanted[bytes];
  std::memset(wanted, static_cast<int>(state), bytes);
  return std::memcmp(states, wanted, bytes) == 0;
}

template <unsigned bytes, bool isWrite>
static bool tryCells(Thread &thread, const Site &site, QuickPlace place,
                     uint64_t address, bool isShared) {
  constexpr unsigned perCell = Cell::numBytes;
  bool isInitialized = areAll<bytes>(place.states, ByteState::Initialized);
  if (!isInitialized &&
      !(isWrite && areAll<bytes>(place.states, ByteState::Uninitialized)))
    return false;
  QuickView view(thread, thread.cta->quick, isShared);
  auto mask = bytes >= perCell
                  ? uint8_t((1 << perCell) - 1)
                  : uint8_t(((1 << bytes) - 1) << address % perCell);
  for (unsigned i = 0; i < (bytes + perCell - 1) / perCell; ++i)
    if (!(isWrite ? quickWrite(place.cells[i], mask, view, site.index)
                  : quickRead(place.cells[i], mask, view, site.index)))
      return false;
  if (isWrite && !isInitialized)
    std::memset(place.states, static_cast<int>(ByteState::Initialized), bytes);
  return true;
}

template <unsigned bytes, bool isWrite>
static bool tryShared(Thread &thread, const Site &site, uint64_t address) {
  const QuickMemory &memory = thread.cta->quick;
  uint64_t offset = address - memory.sharedStart;
  if (offset >= memory.sharedBytes || memory.sharedBytes - offset < bytes)
    return false;
  return tryCells<bytes, isWrite>(
      thread, site,
      {memory.sharedStates + offset,
       memory.sharedCells + offset / Cell::numBytes},
      address, /*isShared=*/true);
}

template <unsigned bytes, bool isWrite>
static bool tryGlobal(Thread &thread, const Site &site, uint64_t address) {
  const QuickMemory &memory = thread.cta->quick;
  if (!thread.hasWaited)
    return false;
  // One lock and one page.
  if (bytes > Cell::numBytes &&
      address % CellLock::bytes + bytes > CellLock::bytes)
    return false;
  ShadowSpan span = memory.global->getSpan(address);
  if (!span.states)
    return false;
  CellLock lock(memory.hasManyWorkers ? memory.global : nullptr, address);
  return tryCells<bytes, isWrite>(thread, site, {span.states, span.cells},
                                  address, /*isShared=*/false);
}

template <unsigned space, unsigned bytes, bool isWrite>
static void *checkQuickly(void *pointer, const Site *site) {
  constexpr uint64_t leastAlign = std::min(bytes, Cell::numBytes);
  Thread &thread = Worker::current();
  auto address = reinterpret_cast<uint64_t>(pointer);
  bool done = false;
  if (address % leastAlign == 0 && (address & (site->align - 1)) == 0) {
    if (space != Shared)
      done = tryGlobal<bytes, isWrite>(thread, *site, address);
    if (space == Shared || (space == Generic && !done))
      done = tryShared<bytes, isWrite>(thread, *site, address);
  }
  if (!done)
    return checkAccess(pointer, site);
  if (isWrite) {
    thread.polls = 0;
    thread.cta->quick.worker->noteProgress();
  }
  return pointer;
}

namespace {
struct QuickHook {
  unsigned space;
  uint64_t bytes;
  bool isWrite;
};
} // namespace

#define QUICK(space, bytes)                                                    \
  {{"parablock.emulator.load." #space "." #bytes,                              \
    reinterpret_cast<void *>(checkQuickly<space, bytes, false>)},              \
   {space, bytes, false}},                                                     \
  {                                                                            \
    {"parablock.emulator.store." #space "." #bytes,                            \
     reinterpret_cast<void *>(checkQuickly<space, bytes, true>)},              \
    {                                                                          \
      space, bytes, true                                                       \
    }                                                                          \
  }
#define QUICK_SPACE(space)                                                     \
  QUICK(space, 1), QUICK(space, 2), QUICK(space, 4), QUICK(space, 8),          \
      QUICK(space, 16)

static llvm::ArrayRef<std::pair<Hook, QuickHook>> getTable() {
  static const std::pair<Hook, QuickHook> table[] = {
      QUICK_SPACE(Generic), QUICK_SPACE(Global), QUICK_SPACE(Shared)};
  return table;
}

llvm::ArrayRef<Hook> parablock::emulator::getQuickHooks() {
  static const auto hooks = [] {
    llvm::SmallVector<Hook, 0> result;
    for (const auto &[hook, use] : getTable())
      result.push_back(hook);
    return result;
  }();
  return hooks;
}

const char *parablock::emulator::findQuickHook(unsigned addressSpace,
                                               uint64_t bytes, bool isWrite) {
  for (const auto &[hook, use] : getTable())
    if (use.space == addressSpace && use.bytes == bytes &&
        use.isWrite == isWrite)
      return hook.name;
  return nullptr;
}
