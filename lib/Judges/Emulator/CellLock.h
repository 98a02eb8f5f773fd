//===- CellLock.h - Locks of cells ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_CELLLOCK_H
#define PARABLOCK_EMULATOR_CELLLOCK_H

#include "Shadow.h"

namespace parablock::emulator {

/// Holds the lock of the cells of a global address and the following `bytes`.
/// Does nothing without a shadow.
class CellLock {
public:
  static constexpr uint64_t bytes = GlobalShadow::bytesPerLock;

  CellLock(GlobalShadow *shadow, uint64_t address)
      : lock(shadow ? &shadow->getLock(address) : nullptr) {
    while (lock && lock->test_and_set(std::memory_order_acquire))
      ;
  }
  ~CellLock() {
    if (lock)
      lock->clear(std::memory_order_release);
  }
  CellLock(const CellLock &) = delete;
  CellLock &operator=(const CellLock &) = delete;

private:
  std::atomic_flag *lock;
};

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_CELLLOCK_H
