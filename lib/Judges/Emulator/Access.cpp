//===- Access.cpp - checks one access of a thread -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "CellLock.h"
#include "History.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace parablock;
using namespace parablock::emulator;
using llvm::Twine;

Actor::Actor(Thread &thread, const Site &site)
    : thread(thread), site(site), agent(thread.agent), epoch(thread.epoch),
      views({&thread.knowledge}), self(thread.agent) {}

Actor::Actor(Thread &thread, const Site &site, ClockPoint engine)
    : thread(thread), site(site), proxy(Proxy::Async), agent(engine.agent),
      epoch(engine.epoch), views({&thread.knowledge}), self(thread.agent) {}

Place parablock::emulator::locate(Thread &thread, uint64_t address,
                                  unsigned addressSpace) {
  Place place;
  place.address = address;
  Cta &cta = *thread.cta;
  Cluster &cluster = *cta.cluster;
  LaunchContext &launch = cluster.worker->launch;

  if (addressSpace == Generic || addressSpace == Shared ||
      addressSpace == SharedCluster) {
    uint64_t inWindow = address - reinterpret_cast<uint64_t>(cluster.window);
    uint64_t rank = inWindow / sharedWindowBytes;
    uint64_t offset = inWindow % sharedWindowBytes;
    if (rank < cluster.ctas.size() && offset < launch.sharedBytes &&
        (addressSpace != Shared || rank == cta.rank)) {
      place.kind = Place::SharedMemory;
      place.cta = &cluster.ctas[rank];
      place.offset = static_cast<uint32_t>(offset);
      return place;
    }
  }
  if (addressSpace == Generic || addressSpace == Global ||
      addressSpace == Constant) {
    if (launch.shadow.contains(address)) {
      place.kind = Place::GlobalMemory;
      return place;
    }
    for (const MemoryRange &range : launch.ranges)
      if (address - range.start < range.bytes) {
        place.kind = Place::Untracked;
        place.isConstant = range.isConstant;
        return place;
      }
  }
  if ((addressSpace == Generic || addressSpace == Local) &&
      thread.fiber.holds(address))
    place.kind = Place::Untracked;
  return place;
}

std::string parablock::emulator::describePlace(const Worker &worker,
                                               const Place &place) {
  if (place.kind == Place::SharedMemory) {
    std::string text = ("shared memory + " + Twine(place.offset)).str();
    if (place.cta->cluster->ctas.size() > 1)
      text += (" of CTA " + Twine(place.cta->rank) + " of the cluster").str();
    return text;
  }
  if (const auto *found = worker.launch.shadow.find(place.address))
    if (worker.launch.shadow.contains(place.address))
      return ("'" + Twine(found->second.name) + "' + " +
              Twine(place.address - found->first) + " of " +
              Twine(found->second.bytes) + " bytes" +
              (found->second.released ? " (released)" : ""))
          .str();
  return "0x" + llvm::utohexstr(place.address, /*LowerCase=*/true);
}

bool parablock::emulator::checkAlignment(Thread &thread, const Site &site,
                                         uint64_t address, uint32_t align) {
  if (address % align == 0)
    return true;
  Worker &worker = *thread.cta->cluster->worker;
  worker.report(ReportKind::Misaligned, thread, site,
                "the address " +
                    describePlace(worker, locate(thread, address, Generic)) +
                    " is no multiple of " + Twine(align));
  return false;
}

void parablock::emulator::noteRemoteAccess(Thread &thread, const Site &site,
                                           Cta &target, ClockPoint point,
                                           bool isWrite) {
  if (&target == thread.cta)
    return;
  if (target.numLive == 0)
    thread.cta->cluster->worker->report(ReportKind::Race, thread, site,
                                        "use of the shared memory of CTA " +
                                            Twine(target.rank) +
                                            " of the cluster, which has ended");
  auto &accesses = isWrite ? target.remoteWrites : target.remoteReads;
  accesses[point.agent] = {point.epoch, &site, &thread};
}

static void noteIfRemote(const Actor &actor, const Place &place, bool isWrite) {
  if (place.kind == Place::SharedMemory)
    noteRemoteAccess(actor.thread, actor.site, *place.cta,
                     {actor.agent, actor.epoch}, isWrite);
}

static bool reportOutside(Actor &actor, const Place &place, uint32_t bytes,
                          const char *verb) {
  Worker &worker = *actor.thread.cta->cluster->worker;
  worker.report(ReportKind::OutOfBounds, actor.thread, actor.site,
                Twine(verb) + " of " + Twine(bytes) + " bytes at " +
                    describePlace(worker, place));
  return false;
}

/// The shadow of up to `bytes` bytes from `address` on.
static ShadowSpan getSpan(const Place &place, GlobalShadow &shadow,
                          uint64_t done) {
  if (place.kind == Place::SharedMemory)
    return place.cta->shadow->getSpan(place.offset +
                                      static_cast<uint32_t>(done));
  return shadow.getSpan(place.address + done);
}

/// Applies `visit(span, done, count)` to each piece of the range with one lock
/// and one page. Returns false if the range leaves tracked memory or `visit`
/// fails.
template <typename Visit>
static bool forEachPiece(Actor &actor, const Place &place, uint32_t bytes,
                         Visit visit) {
  LaunchContext &launch = actor.thread.cta->cluster->worker->launch;
  if (place.kind == Place::SharedMemory &&
      place.offset + bytes > launch.sharedBytes)
    return false;
  for (uint32_t done = 0; done < bytes;) {
    uint64_t address = place.address + done;
    uint32_t count = std::min<uint64_t>(
        bytes - done, CellLock::bytes - address % CellLock::bytes);
    ShadowSpan span = getSpan(place, launch.shadow, done);
    if (!span.states)
      return false;
    bool isShared = place.kind != Place::GlobalMemory;
    CellLock lock(launch.hasManyWorkers && !isShared ? &launch.shadow : nullptr,
                  address);
    if (!visit(span, done, count))
      return false;
    done += count;
  }
  return true;
}

/// Reports an access to global memory by a thread that has not waited for the
/// previous launch, which wrote the bytes or, for a write, read them.
static void reportEarly(Actor &actor, const Place &place, uint32_t done,
                        const ShadowSpan &span, uint32_t count, bool isWrite) {
  Worker &worker = *actor.thread.cta->cluster->worker;
  const GlobalShadow &shadow = worker.launch.shadow;
  if (actor.thread.hasWaited || place.kind != Place::GlobalMemory)
    return;
  auto mayRun = [&](const PastAccess &past) {
    return past.epoch >= shadow.unfinishedEpoch &&
           past.epoch < shadow.firstEpoch;
  };
  Place piece = place;
  piece.address += done;
  uint64_t inCell = piece.address % Cell::numBytes;
  size_t cells = llvm::divideCeil(inCell + count, Cell::numBytes);
  for (const Cell &cell : llvm::ArrayRef(span.cells, cells)) {
    bool wasWritten = mayRun(cell.write);
    if (!wasWritten && !(isWrite && llvm::any_of(cell.reads, mayRun)))
      continue;
    return worker.report(ReportKind::MissingWait, actor.thread, actor.site,
                         Twine(isWrite ? "write to " : "read of ") +
                             describePlace(worker, piece) +
                             ", which the launch before " +
                             (wasWritten ? "writes" : "reads") +
                             ", without griddepcontrol.wait before it");
  }
}

bool parablock::emulator::checkRead(Actor &actor, const Place &place,
                                    uint32_t bytes) {
  if (!actor.thread.cta->cluster->worker->launch.options.checks ||
      place.kind == Place::Untracked)
    return true;
  if (place.kind == Place::Nowhere)
    return reportOutside(actor, place, bytes, "read");
  noteIfRemote(actor, place, /*isWrite=*/false);
  bool inside =
      forEachPiece(actor, place, bytes,
                   [&](const ShadowSpan &span, uint32_t done, uint32_t count) {
                     reportEarly(actor, place, done, span, count,
                                 /*isWrite=*/false);
                     return recordRead(actor, place, span, done, count);
                   });
  return inside || reportOutside(actor, place, bytes, "read");
}

bool parablock::emulator::checkWrite(Actor &actor, const Place &place,
                                     uint32_t bytes, ByteState after) {
  if (!actor.thread.cta->cluster->worker->launch.options.checks)
    return true;
  if (place.kind == Place::Nowhere || place.isConstant)
    return reportOutside(actor, place, bytes,
                         place.isConstant ? "write to constant memory"
                                          : "write");
  if (place.kind == Place::Untracked)
    return true;
  noteIfRemote(actor, place, /*isWrite=*/true);
  bool inside =
      forEachPiece(actor, place, bytes,
                   [&](const ShadowSpan &span, uint32_t done, uint32_t count) {
                     reportEarly(actor, place, done, span, count,
                                 /*isWrite=*/true);
                     return recordWrite(actor, place, span, done, count, after);
                   });
  return inside || reportOutside(actor, place, bytes, "write");
}

bool parablock::emulator::checkRead(Actor &actor, uint64_t address,
                                    uint32_t bytes, uint32_t align,
                                    unsigned addressSpace) {
  return checkAlignment(actor.thread, actor.site, address, align) &&
         checkRead(actor, locate(actor.thread, address, addressSpace), bytes);
}

bool parablock::emulator::checkWrite(Actor &actor, uint64_t address,
                                     uint32_t bytes, uint32_t align,
                                     unsigned addressSpace, ByteState after) {
  return checkAlignment(actor.thread, actor.site, address, align) &&
         checkWrite(actor, locate(actor.thread, address, addressSpace), bytes,
                    after);
}

void parablock::emulator::setSharedStates(Cta &cta, uint32_t offset,
                                          uint32_t bytes, ByteState state) {
  std::fill_n(cta.shadow->getSpan(offset).states, bytes, state);
}
