//===- LocalCopyOps.cpp - cp.async ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The bytes are copied when the thread waits for their group. Until then the
// destination is poison.
//
//===----------------------------------------------------------------------===//

#include "BulkBox.h"
#include "OpTable.h"

#include <cstring>

using namespace parablock;
using namespace parablock::emulator;

/// The number of bytes, and whether an operand gives how many of them come from
/// the source.
template <uint32_t bytes, bool hasSourceBytes>
static void issueCopy(OpCall &call) {
  Thread &thread = call.thread;
  uint64_t destination = call.arguments[0].u64;
  uint64_t source = call.arguments[1].u64;
  uint32_t sourceBytes = hasSourceBytes ? call.arguments[2].u32 : bytes;
  if (sourceBytes > bytes) {
    call.worker().report(ReportKind::BadOperand, thread, call.site,
                         "source size of " + llvm::Twine(sourceBytes) +
                             " bytes in a copy of " + llvm::Twine(bytes));
    sourceBytes = bytes;
  }
  Actor actor(thread, call.site);
  if (sourceBytes != 0 && !checkRead(actor, source, sourceBytes, bytes, Global))
    return;
  if (!checkWrite(actor, destination, bytes, bytes, Shared, ByteState::Pending))
    return;
  auto *target = reinterpret_cast<char *>(destination);
  std::memset(target, 0xFF, bytes);
  thread.copies.open.push_back({target, reinterpret_cast<const char *>(source),
                                bytes, sourceBytes, &call.site});
}

void parablock::emulator::performLocalCopy(Thread &thread,
                                           const LocalCopy &copy) {
  if (thread.cta->cluster->worker->launch.options.checks) {
    auto offset = static_cast<uint32_t>(copy.destination - thread.cta->shared);
    setSharedStates(*thread.cta, offset, copy.bytes, ByteState::Initialized);
    // The write is visible from now on to threads that synchronise with this
    // one.
    Actor actor(thread, *copy.site);
    checkWrite(actor, reinterpret_cast<uint64_t>(copy.destination), copy.bytes,
               1, Shared);
  }
  std::memcpy(copy.destination, copy.source, copy.sourceBytes);
  std::memset(copy.destination + copy.sourceBytes, 0,
              copy.bytes - copy.sourceBytes);
}

static void commitCopies(OpCall &call) {
  LocalCopies &copies = call.thread.copies;
  copies.groups.push_back(std::move(copies.open));
  copies.open.clear();
}

static void waitForAllBut(Thread &thread, size_t count) {
  auto &groups = thread.copies.groups;
  while (groups.size() > count) {
    for (const LocalCopy &copy : groups.front())
      performLocalCopy(thread, copy);
    groups.erase(groups.begin());
  }
}

static void waitForCopies(OpCall &call) {
  waitForAllBut(call.thread, call.arguments[0].u32);
}

static void waitForAll(OpCall &call) {
  commitCopies(call);
  waitForAllBut(call.thread, 0);
}

#define COPY(name, bytes)                                                      \
  {"llvm.nvvm.cp.async." name ".shared.global." #bytes,                        \
   issueCopy<bytes, false>},                                                   \
  {                                                                            \
    "llvm.nvvm.cp.async." name ".shared.global." #bytes ".s",                  \
        issueCopy<bytes, true>                                                 \
  }

llvm::ArrayRef<OpRow> parablock::emulator::getLocalCopyOps() {
  static const OpRow rows[] = {
      COPY("ca", 4),
      COPY("ca", 8),
      COPY("ca", 16),
      COPY("cg", 16),
      {"llvm.nvvm.cp.async.commit.group", commitCopies},
      {"llvm.nvvm.cp.async.wait.group", waitForCopies},
      {"llvm.nvvm.cp.async.wait.all", waitForAll},
  };
  return rows;
}
