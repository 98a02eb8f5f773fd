//===- BulkBox.h - Boxes of bulk copies -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_BULKBOX_H
#define PARABLOCK_EMULATOR_BULKBOX_H

#include "Access.h"
#include "parablock/Judges/Emulator/TensorMap.h"

namespace parablock::emulator {

/// 16 bytes of the box in shared memory. `global` is the place of its bytes
/// `firstValid` to `lastValid` (exclusive) in the tensor.
struct BoxChunk {
  uint32_t offset;
  char *global;
  uint32_t firstValid, lastValid;
};

static constexpr uint32_t chunkBytes = 16;
/// Alignment of the shared memory of a copy by a tensor map.
static constexpr uint32_t tensorAlign = 128;

/// All bytes of the box, also those outside the tensor.
uint32_t getBoxBytes(const BulkBox &box);

/// Calls `visit` for the chunks of a box that begins at `offset` in the shared
/// window. Swizzling permutes the chunks by bits of the shared address.
void forEachChunk(const BulkBox &box, uint32_t offset,
                  llvm::function_ref<void(const BoxChunk &)> visit);

/// The address bits that a swizzle exchanges.
inline uint32_t swizzleOffset(uint32_t offset, TensorMapSwizzle swizzle) {
  uint32_t mask = (1u << static_cast<uint32_t>(swizzle)) - 1;
  return offset ^ ((offset >> 7 & mask) << 4);
}

/// Reads the map and coordinates from slots; returns null with a report for an
/// invalid map or another rank.
bool decodeBox(OpCall &call, uint64_t map, const Slot *coordinates,
               uint32_t rank, BulkBox &box);

/// Checks an access to all of the box within the tensor, row by row.
bool checkGlobalBox(Actor &actor, const BulkBox &box, bool isWrite);

/// Copies into shared memory, where the states become Initialized.
void performLoad(Worker &worker, const PendingLoad &load);
/// Copies out of shared memory.
void performStore(Cta &cta, const PendingStore &store);

/// Performs a cp.async that its thread has waited for.
void performLocalCopy(Thread &thread, const LocalCopy &copy);

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_BULKBOX_H
