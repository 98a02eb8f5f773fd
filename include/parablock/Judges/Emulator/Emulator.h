//===- Emulator.h - Emulator of device code ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs the LLVM IR of GPU kernels in the form that the NVPTX backend receives.
// Every `llvm.nvvm.*` intrinsic and every inline assembly of a closed table
// becomes a call into this library; each GPU thread is a fiber. Asynchronous
// copies happen as late as possible, memory that was never written is poison,
// and every access is checked for bounds, alignment, initialisation, races and
// proxies.
//
// Not modelled: performance, bank conflicts, scopes of atomics (all count as
// device-wide), flushing of denormals in plain arithmetic, and the asynchrony
// of wgmma's results, which are computed at issue (but reading them before the
// wait is reported).
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_EMULATOR_H
#define PARABLOCK_EMULATOR_EMULATOR_H

#include "parablock/Judges/Emulator/DeviceMemory.h"
#include "parablock/Judges/Emulator/Report.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>

namespace llvm::orc {
class ThreadSafeModule;
} // namespace llvm::orc

namespace parablock {

struct EmulatorOptions {
  /// Checks every access. Without checks, loads and stores run directly: fast,
  /// with reports of deadlocks and misused barriers only, and a wrong address
  /// accesses this process's memory.
  bool checks = true;
  /// Host threads; 0 means one per core. A kernel with atomic or volatile
  /// accesses outside shared memory runs on one, so that results never depend
  /// on host timing.
  unsigned hostThreads = 0;
  /// Distinct reports kept per launch.
  unsigned maxReports = 64;
  /// 0 runs threads in order of readiness; otherwise the seed of a random
  /// order, for tests of order dependence.
  uint64_t scheduleSeed = 0;
  /// Largest shared memory per CTA of a launch, in bytes.
  uint32_t maxSharedBytes = 227 * 1024;
  /// Stack of each GPU thread in bytes.
  uint32_t stackBytes = 128 * 1024;
};

/// How a kernel is launched.
struct LaunchConfig {
  Dim3 grid, block, cluster;
  uint32_t dynamicSharedBytes = 0;
  /// It may begin before the previous launch has ended (programmatic stream
  /// serialisation).
  bool mayBeginEarly = false;
};

/// The bytes of one kernel parameter, by value (a tensor map, too).
class KernelArgument {
public:
  KernelArgument(const void *data, size_t bytes)
      : bytes(static_cast<const char *>(data),
              static_cast<const char *>(data) + bytes) {}
  template <typename T> static KernelArgument of(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>, "parameters are bytes");
    return KernelArgument(&value, sizeof(T));
  }
  llvm::ArrayRef<char> data() const { return bytes; }

private:
  llvm::SmallVector<char, 16> bytes;
};

/// One compiled device module.
class Emulator {
public:
  /// Fails for a module with an unsupported intrinsic, assembly text or
  /// function, naming it and its place.
  static llvm::Expected<std::unique_ptr<Emulator>>
  create(llvm::orc::ThreadSafeModule module, DeviceMemory &memory,
         EmulatorOptions options = {});

  /// Creates it from LLVM bitcode or text.
  static llvm::Expected<std::unique_ptr<Emulator>>
  create(llvm::MemoryBufferRef buffer, DeviceMemory &memory,
         EmulatorOptions options = {});

  ~Emulator();
  Emulator(const Emulator &) = delete;
  Emulator &operator=(const Emulator &) = delete;

  /// Runs a kernel to its end. Errors are launches that the driver would
  /// reject; defects of the kernel are in the result.
  llvm::Expected<LaunchResult> launch(llvm::StringRef kernel,
                                      const LaunchConfig &config,
                                      llvm::ArrayRef<KernelArgument> arguments);

  /// The kernels of the module.
  llvm::SmallVector<std::string, 4> getKernelNames() const;

  /// Launches so far.
  uint64_t getNumLaunches() const;

  /// Returns every name in the closed table: intrinsics, and assembly as
  /// "asm:...".
  static llvm::SmallVector<std::string, 0> getKnownOps();

private:
  struct Implementation;
  explicit Emulator(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation;
};

} // namespace parablock

#endif // PARABLOCK_EMULATOR_EMULATOR_H
