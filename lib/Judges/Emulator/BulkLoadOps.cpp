//===- BulkLoadOps.cpp - Bulk copies into shared memory -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Everything is checked at issue, and the destination becomes poison; the copy
// itself happens when a thread waits for its barrier.
//
//===----------------------------------------------------------------------===//

#include "BulkBox.h"
#include "MBarrierObjects.h"
#include "OpTable.h"

#include <cstring>

using namespace parablock;
using namespace parablock::emulator;
using llvm::Twine;

/// Issues a copy of `box` to `offset` in the shared memory of `cta`, whose
/// barrier is at the offset of `barrierAddress` in its own CTA.
static void issueTo(OpCall &call, Cta &cta, uint32_t offset,
                    uint64_t barrierAddress, const BulkBox &box) {
  Thread &thread = call.thread;
  Cluster &cluster = call.cluster();
  uint64_t barrierOffset =
      (barrierAddress - reinterpret_cast<uint64_t>(cluster.window)) %
      sharedWindowBytes;
  MBarrier *barrier =
      findObject(call, reinterpret_cast<uint64_t>(cta.shared) + barrierOffset,
                 SharedCluster, /*needsFence=*/true);
  if (!barrier)
    return;
  uint32_t bytes = getBoxBytes(box);
  ClockPoint point = {cluster.engineAgent(cta, Engine::BulkLoad, 0),
                      ++cluster.engineEpoch(cta, Engine::BulkLoad, 0)};
  Actor actor(thread, call.site, point);
  uint64_t address = reinterpret_cast<uint64_t>(cta.shared) + offset;
  if (!checkWrite(actor, locate(thread, address, SharedCluster), bytes,
                  ByteState::Pending))
    return;
  std::memset(cta.shared + offset, 0xFF, bytes);
  auto load = std::make_unique<PendingLoad>();
  load->serial = call.worker().nextSerial++;
  load->site = &call.site;
  load->issuer = &thread;
  load->cta = &cta;
  load->offset = offset;
  load->box = box;
  load->point = point;
  barrier->loads.push_back(std::move(load));
}

/// `mask` names the CTAs of the cluster that get the box, at the same offset; 0
/// means the CTA of `destination`.
static void issue(OpCall &call, uint64_t destination, uint64_t barrier,
                  uint32_t destinationAlign, const BulkBox &box,
                  uint32_t mask) {
  Thread &thread = call.thread;
  Cluster &cluster = call.cluster();
  if (!checkAlignment(thread, call.site, destination, destinationAlign))
    return;
  Place place = locate(thread, destination, SharedCluster);
  if (place.kind != Place::SharedMemory) {
    call.worker().report(ReportKind::OutOfBounds, thread, call.site,
                         "bulk copy to " + describePlace(call.worker(), place));
    return;
  }
  if (call.worker().launch.options.checks) {
    // The source is read once, for all destinations.
    Actor reader(thread, call.site,
                 {cluster.engineAgent(*thread.cta, Engine::BulkLoad, 0),
                  ++cluster.engineEpoch(*thread.cta, Engine::BulkLoad, 0)});
    if (!checkGlobalBox(reader, box, /*isWrite=*/false))
      return;
  }
  if (mask == 0)
    return issueTo(call, *place.cta, place.offset, barrier, box);
  if (mask >> cluster.ctas.size() != 0)
    call.worker().report(ReportKind::BadOperand, thread, call.site,
                         "the CTA mask " + Twine(mask) +
                             " names CTAs that the cluster does not have");
  for (Cta &cta : cluster.ctas)
    if (mask >> cta.rank & 1)
      issueTo(call, cta, place.offset, barrier, box);
}

/// (destination, barrier, map, coordinates..., [CTA mask,] cache hint,
/// [has a mask,] has a hint, ...); the parameter is the rank.
template <bool isMulticast> static void loadTensor(OpCall &call) {
  uint32_t rank = call.parameter();
  BulkBox box;
  if (!decodeBox(call, call.arguments[2].u64, &call.arguments[3], rank, box))
    return;
  const Slot *rest = &call.arguments[3 + rank];
  uint32_t mask = isMulticast && (rest[2].i1 & 1) ? rest[0].u32 & 0xFFFF : 0;
  issue(call, call.arguments[0].u64, call.arguments[1].u64, tensorAlign, box,
        mask);
}

/// (destination, barrier, source, bytes, [CTA mask,] cache hint, [has a mask,]
/// has a hint).
template <bool isMulticast> static void loadPlain(OpCall &call) {
  Thread &thread = call.thread;
  BulkBox box;
  box.global = static_cast<char *>(call.pointer(2));
  box.bytes = call.arguments[3].u32;
  if (!checkAlignment(thread, call.site, call.arguments[2].u64, chunkBytes))
    return;
  if (box.bytes % chunkBytes != 0)
    return call.worker().report(ReportKind::Misaligned, thread, call.site,
                                "bulk copy of " + Twine(box.bytes) +
                                    " bytes, no multiple of 16");
  uint32_t mask = isMulticast && (call.arguments[6].i1 & 1)
                      ? call.arguments[4].u32 & 0xFFFF
                      : 0;
  issue(call, call.arguments[0].u64, call.arguments[1].u64, chunkBytes, box,
        mask);
}

/// Has no effect that the emulator models.
static void prefetch(OpCall &call) {
  BulkBox box;
  decodeBox(call, call.arguments[0].u64, &call.arguments[1], call.parameter(),
            box);
}

#define TENSOR_LOAD(rank)                                                      \
  {"llvm.nvvm.cp.async.bulk.tensor.g2s.tile." #rank "d", loadTensor<true>,     \
   rank},                                                                      \
      {"llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile." #rank "d",               \
       loadTensor<false>, rank},                                               \
  {                                                                            \
    "llvm.nvvm.cp.async.bulk.tensor.prefetch.tile." #rank "d", prefetch, rank  \
  }

llvm::ArrayRef<OpRow> parablock::emulator::getBulkLoadOps() {
  static const OpRow rows[] = {
      TENSOR_LOAD(1),
      TENSOR_LOAD(2),
      TENSOR_LOAD(3),
      TENSOR_LOAD(4),
      TENSOR_LOAD(5),
      {"llvm.nvvm.cp.async.bulk.global.to.shared.cluster", loadPlain<true>},
      {"llvm.nvvm.cp.async.bulk.global.to.shared.cta", loadPlain<false>},
  };
  return rows;
}
