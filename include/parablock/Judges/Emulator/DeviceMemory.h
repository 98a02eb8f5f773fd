//===- DeviceMemory.h - Global memory of the emulator -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Allocations at host addresses, each between guard zones, with a state for
// every byte. A new allocation is poison: all bits set (a NaN in every float
// format) and not initialised. Addresses are never reused, so accesses to
// released memory are detected.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_DEVICEMEMORY_H
#define PARABLOCK_EMULATOR_DEVICEMEMORY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <string>

namespace parablock {

namespace emulator {
class GlobalShadow;
} // namespace emulator

/// One device's memory, shared by any number of Emulators. The memory, and
/// launches on it, must not be used from two threads at once.
class DeviceMemory {
public:
  /// Creates `capacity` bytes of address space; only allocated bytes use
  /// memory.
  static llvm::Expected<std::unique_ptr<DeviceMemory>>
  create(uint64_t capacity = uint64_t(64) << 30);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;

  /// Allocates at least one byte, aligned to 256; `name` appears in reports.
  llvm::Expected<void *> allocate(uint64_t bytes, llvm::StringRef name);

  /// Frees `address`, which allocate() returned.
  llvm::Error release(void *address);

  /// Copies to or from the device. The device range must be within one
  /// allocation. A download returns poison for bytes that were never written.
  llvm::Error upload(void *destination, const void *source, uint64_t bytes);
  llvm::Error download(void *destination, const void *source, uint64_t bytes);

  /// Makes a range poison again.
  llvm::Error poison(void *address, uint64_t bytes);

  /// Returns how many bytes of the range were never written: 0 after a kernel
  /// that fills its whole output.
  llvm::Expected<uint64_t> countUninitialized(const void *address,
                                              uint64_t bytes) const;

  /// Internal: states and access history.
  emulator::GlobalShadow &shadow() { return *theShadow; }

private:
  explicit DeviceMemory(std::unique_ptr<emulator::GlobalShadow> shadow);
  llvm::Error checkRange(const void *address, uint64_t bytes,
                         llvm::StringRef what) const;

  std::unique_ptr<emulator::GlobalShadow> theShadow;
};

} // namespace parablock

#endif // PARABLOCK_EMULATOR_DEVICEMEMORY_H
