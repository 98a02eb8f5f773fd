//===- BulkStoreOps.cpp - Bulk copies out of shared memory ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shared memory is read, and global memory written, when the thread waits for
// the group.
//
//===----------------------------------------------------------------------===//

#include "BulkBox.h"
#include "OpTable.h"

using namespace parablock;
using namespace parablock::emulator;
using llvm::Twine;

static uint32_t getWarp(const OpCall &call) {
  return call.thread.index / warpSize;
}

/// The agent of the thread's stores, as engine `engine`, in its next epoch.
static ClockPoint nextPoint(OpCall &call, Engine engine) {
  Cluster &cluster = call.cluster();
  uint32_t warp = getWarp(call);
  return {cluster.engineAgent(call.cta(), engine, warp),
          ++cluster.engineEpoch(call.cta(), engine, warp)};
}

static void issue(OpCall &call, uint64_t source, uint32_t align,
                  const BulkBox &box, StoreMode mode) {
  Thread &thread = call.thread;
  if (!checkAlignment(thread, call.site, source, align))
    return;
  Place place = locate(thread, source, Shared);
  Actor reader(thread, call.site, nextPoint(call, Engine::BulkStoreRead));
  if (!checkRead(reader, place, getBoxBytes(box)) ||
      place.kind != Place::SharedMemory)
    return;
  Actor writer(thread, call.site, nextPoint(call, Engine::BulkStoreWrite));
  writer.atomic = mode == StoreMode::Add;
  if (mode == StoreMode::Add && !checkGlobalBox(writer, box, /*isWrite=*/false))
    return;
  if (!checkGlobalBox(writer, box, /*isWrite=*/true))
    return;
  thread.stores.open.stores.push_back({&call.site, place.offset, box, mode});
  thread.stores.open.readEpoch = reader.epoch;
  thread.stores.open.writeEpoch = writer.epoch;
}

/// (source, map, coordinates..., cache hint, flags...); the parameter is the
/// rank.
template <StoreMode mode> static void storeTensor(OpCall &call) {
  BulkBox box;
  if (!decodeBox(call, call.arguments[1].u64, &call.arguments[2],
                 call.parameter(), box))
    return;
  if (mode == StoreMode::Add && box.map->elementSize() == 1)
    return call.worker().report(ReportKind::BadOperand, call.thread, call.site,
                                "reduction of elements of one byte");
  issue(call, call.arguments[0].u64, tensorAlign, box, mode);
}

/// (destination, source, bytes, ...).
static void storePlain(OpCall &call) {
  BulkBox box;
  box.global = static_cast<char *>(call.pointer(0));
  box.bytes = call.arguments[2].u32;
  if (!checkAlignment(call.thread, call.site, call.arguments[0].u64,
                      chunkBytes))
    return;
  if (box.bytes % chunkBytes != 0)
    return call.worker().report(ReportKind::Misaligned, call.thread, call.site,
                                "bulk copy of " + Twine(box.bytes) +
                                    " bytes, no multiple of 16");
  issue(call, call.arguments[1].u64, chunkBytes, box, StoreMode::Copy);
}

static void commitStores(OpCall &call) {
  BulkStores &stores = call.thread.stores;
  stores.groups.push_back(std::move(stores.open));
  stores.open = {};
}

/// `readsOnly`: shared memory may be used again, the writes need not be done.
template <bool readsOnly> static void waitForStores(OpCall &call) {
  Thread &thread = call.thread;
  Cluster &cluster = call.cluster();
  auto &groups = thread.stores.groups;
  size_t keep = call.arguments[0].u32;
  size_t count = groups.size() > keep ? groups.size() - keep : 0;
  llvm::SmallVector<ClockPoint, 2> points;
  for (size_t i = 0; i < count; ++i) {
    BulkStoreGroup &group = groups[i];
    if (!group.performed)
      for (const PendingStore &store : group.stores)
        performStore(call.cta(), store);
    group.performed = true;
    if (group.stores.empty())
      continue;
    uint32_t warp = getWarp(call);
    points.push_back(
        {cluster.engineAgent(call.cta(), Engine::BulkStoreRead, warp),
         group.readEpoch});
    if (!readsOnly)
      points.push_back(
          {cluster.engineAgent(call.cta(), Engine::BulkStoreWrite, warp),
           group.writeEpoch});
  }
  Knowledge &own = thread.knowledge;
  if (!points.empty())
    own.seen = call.worker().joiner.add(own.seen, points);
  if (!readsOnly)
    groups.erase(groups.begin(), groups.begin() + count);
}

#define TENSOR_STORE(rank)                                                     \
  {"llvm.nvvm.cp.async.bulk.tensor.s2g.tile." #rank "d",                       \
   storeTensor<StoreMode::Copy>, rank},                                        \
  {                                                                            \
    "llvm.nvvm.cp.async.bulk.tensor.reduce.add.tile." #rank "d",               \
        storeTensor<StoreMode::Add>, rank                                      \
  }

llvm::ArrayRef<OpRow> parablock::emulator::getBulkStoreOps() {
  static const OpRow rows[] = {
      TENSOR_STORE(1),
      TENSOR_STORE(2),
      TENSOR_STORE(3),
      TENSOR_STORE(4),
      TENSOR_STORE(5),
      {"llvm.nvvm.cp.async.bulk.shared.cta.to.global", storePlain},
      {"llvm.nvvm.cp.async.bulk.commit.group", commitStores},
      {"llvm.nvvm.cp.async.bulk.wait.group", waitForStores<false>},
      {"llvm.nvvm.cp.async.bulk.wait.group.read", waitForStores<true>},
  };
  return rows;
}
