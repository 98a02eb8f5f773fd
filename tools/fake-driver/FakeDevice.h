//===- FakeDevice.h - a device that is the emulator -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The state behind the driver for tests. The environment describes it:
//   PARABLOCK_FAKE_PACKAGES  a package, or a folder with some: where the code
//                            for the emulator is found, by the code that is
//                            loaded
//   PARABLOCK_FAKE_CHIP      sm_90a (the default), sm_80, or none: no device
//   PARABLOCK_FAKE_MEMORY    bytes of device memory
//   PARABLOCK_FAKE_LOG       a file that gets the counts of calls in the end
//   PARABLOCK_FAKE_CUBIN     refuse: a driver too old for machine code
//   PARABLOCK_FAKE_CAPTURE   plain: one too old for programmatic launches in
//                            graphs
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TOOLS_FAKE_DRIVER_FAKEDEVICE_H
#define PARABLOCK_TOOLS_FAKE_DRIVER_FAKEDEVICE_H

#include "parablock/Emulator/Emulator.h"
#include "parablock/Launch/DriverAPI.h"
#include "parablock/Launch/Package.h"
#include <functional>
#include <map>
#include <vector>

namespace parablock::fake {

/// A kernel and what it takes.
struct FakeFunction {
  std::string name;
  std::vector<uint32_t> parameterBytes;
  uint32_t threads = 0, cluster = 1, maxDynamicBytes = 48 * 1024;
  /// For the launch before, by itself.
  bool waits = false;
  Emulator *emulator = nullptr;
};

struct FakeModule {
  std::unique_ptr<Emulator> emulator;
  std::map<std::string, FakeFunction> functions;
};

using Work = std::function<cuda::Result()>;

/// What is enqueued runs at once, or is collected while a graph is captured.
struct FakeStream {
  bool isCapturing = false;
  std::vector<Work> captured;
};

class FakeDevice {
public:
  /// The one device of this process.
  static FakeDevice &get();
  ~FakeDevice();

  cuda::Result loadModule(const void *image, std::unique_ptr<FakeModule> &made);
  cuda::Result allocate(cuda::Pointer *pointer, uint64_t bytes);
  cuda::Result release(cuda::Pointer pointer);
  cuda::Result enqueue(FakeStream *stream, Work work);
  cuda::Result launch(const FakeFunction &function, uint32_t grid,
                      uint32_t threads, uint32_t sharedBytes,
                      const std::vector<KernelArgument> &arguments);

  /// Tells on standard error what the emulator says; `code` if there is any.
  cuda::Result tell(llvm::Error error, cuda::Result code = cuda::InvalidValue);

  bool exists() const { return chip != "none"; }
  uint64_t getCapacity() const { return capacity; }
  uint64_t getUsed() const { return used; }

  std::string chip;
  bool capturesProgrammatic;
  std::unique_ptr<DeviceMemory> memory;
  /// Calls by name.
  std::map<std::string, uint64_t> counts;

private:
  FakeDevice();
  bool readBitcode(const PackageCode &code, const Package &package,
                   const void *image, std::string &bitcode) const;

  uint64_t capacity, used = 0;
  std::map<cuda::Pointer, uint64_t> allocations;
};

/// The module of bitcode, with its kernels.
llvm::Expected<std::unique_ptr<FakeModule>> makeModule(std::string bitcode,
                                                       DeviceMemory &memory);

} // namespace parablock::fake

#endif // PARABLOCK_TOOLS_FAKE_DRIVER_FAKEDEVICE_H
