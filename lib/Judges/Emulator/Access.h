//===- Access.h - Checking and recording memory accesses --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_ACCESS_H
#define PARABLOCK_EMULATOR_ACCESS_H

#include "Worker.h"

namespace parablock::emulator {

/// The address spaces of NVPTX.
enum AddressSpace : unsigned {
  Generic = 0,
  Global = 1,
  Shared = 3,
  Constant = 4,
  Local = 5,
  SharedCluster = 7
};

/// The place that an address points to.
struct Place {
  enum Kind : uint8_t { Nowhere, SharedMemory, GlobalMemory, Untracked };
  Kind kind = Nowhere;
  uint64_t address = 0;
  /// The owner of shared memory.
  Cta *cta = nullptr;
  uint32_t offset = 0;
  bool isConstant = false;
};

/// Finds `address`, which `addressSpace` must contain, regardless of the size
/// of the access.
Place locate(Thread &thread, uint64_t address, unsigned addressSpace);

/// "shared memory + 64", "'weights' + 16", "0x...".
std::string describePlace(const Worker &worker, const Place &place);

/// Must be called for every use of shared memory: operations on another CTA's
/// must complete before that CTA ends.
void noteRemoteAccess(Thread &thread, const Site &site, Cta &target,
                      ClockPoint point, bool isWrite);

/// The originator of an access.
struct Actor {
  Thread &thread;
  const Site &site;
  Proxy proxy = Proxy::Generic;
  bool atomic = false;
  /// The number that goes into the history.
  uint16_t agent;
  uint32_t epoch;
  /// Each of these views must include an earlier access for it to be ordered.
  llvm::SmallVector<const Knowledge *, 4> views;
  /// The agent whose program order counts, too; noAgent for none.
  uint16_t self;

  static constexpr uint16_t noAgent = 0xFFFF;

  /// The thread itself.
  Actor(Thread &thread, const Site &site);
  /// An engine that the thread has given work to.
  Actor(Thread &thread, const Site &site, ClockPoint engine);
};

/// Checks an access of `bytes` at `place` and records it. Returns false if it
/// must not be performed.
bool checkRead(Actor &actor, const Place &place, uint32_t bytes);

/// `after` is the state of the bytes then.
bool checkWrite(Actor &actor, const Place &place, uint32_t bytes,
                ByteState after = ByteState::Initialized);

/// Checks by address, which must be a multiple of `align`.
bool checkRead(Actor &actor, uint64_t address, uint32_t bytes, uint32_t align,
               unsigned addressSpace);
bool checkWrite(Actor &actor, uint64_t address, uint32_t bytes, uint32_t align,
                unsigned addressSpace,
                ByteState after = ByteState::Initialized);

/// Reports an address that is not a multiple of `align`.
bool checkAlignment(Thread &thread, const Site &site, uint64_t address,
                    uint32_t align);

/// Sets the state of shared bytes without an access.
void setSharedStates(Cta &cta, uint32_t offset, uint32_t bytes,
                     ByteState state);

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_ACCESS_H
