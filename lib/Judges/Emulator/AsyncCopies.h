//===- AsyncCopies.h - Copies that happen when waited for -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_ASYNCCOPIES_H
#define PARABLOCK_EMULATOR_ASYNCCOPIES_H

#include "Clocks.h"
#include "Site.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <memory>
#include <vector>

namespace parablock {
struct EmulatedTensorMap;
} // namespace parablock

namespace parablock::emulator {

struct Thread;
struct Cta;

/// One cp.async: 4, 8 or 16 bytes, of which those after `sourceBytes` are
/// zero.
struct LocalCopy {
  char *destination;
  const char *source;
  uint32_t bytes, sourceBytes;
  const Site *site;
};

/// A thread's cp.async operations: groups committed, and those since.
struct LocalCopies {
  std::vector<std::vector<LocalCopy>> groups;
  std::vector<LocalCopy> open;
};

/// The box of a tensor, or plain bytes if there is no map.
struct BulkBox {
  const EmulatedTensorMap *map = nullptr;
  int32_t coordinates[5] = {};
  char *global = nullptr;
  uint32_t bytes = 0;
};

/// A bulk copy into one CTA's shared memory, or, with `localCopies`, the
/// arrival that follows a thread's cp.async operations.
struct PendingLoad {
  uint64_t serial = 0;
  const Site *site = nullptr;
  Thread *issuer = nullptr;
  Cta *cta = nullptr;
  uint32_t offset = 0;
  BulkBox box;
  ClockPoint point = {0, 0};
  bool isArrival = false;
  std::vector<LocalCopy> localCopies;
};

/// The effect of a bulk copy out of shared memory on its destination.
enum class StoreMode : uint8_t { Copy, Add };

struct PendingStore {
  const Site *site = nullptr;
  uint32_t offset = 0;
  BulkBox box;
  StoreMode mode = StoreMode::Copy;
};

/// A group of bulk stores; the epochs are those of the engines' agents.
struct BulkStoreGroup {
  std::vector<PendingStore> stores;
  uint32_t readEpoch = 0, writeEpoch = 0;
  bool performed = false;
};

struct BulkStores {
  std::vector<BulkStoreGroup> groups;
  BulkStoreGroup open;
};

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_ASYNCCOPIES_H
