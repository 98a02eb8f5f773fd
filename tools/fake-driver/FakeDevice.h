//===- FakeDevice.h - device of the fake driver -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The state behind the driver for tests. The environment describes it:
//   PARABLOCK_FAKE_PACKAGES  a package, or a folder with some, beside those
//                            that the launcher names: where the code for the
//                            emulator is found, by the code that is loaded
//   PARABLOCK_FAKE_CHIP      sm_90a (the default), sm_80, or none: no device
//   PARABLOCK_FAKE_SMS       how many multiprocessors it has; else as many as a
//                            usual sm_90a or sm_80
//   PARABLOCK_FAKE_MEMORY    bytes of device memory
//   PARABLOCK_FAKE_LOG       a file that gets the counts of calls in the end
//   PARABLOCK_FAKE_CUBIN     refuse: a driver too old for machine code
//   PARABLOCK_FAKE_PTX       refuse: one too old for this PTX
//   PARABLOCK_FAKE_FAULT     what fails; see FakeFaults.h
//   PARABLOCK_FAKE_CAPTURE   plain: one too old for programmatic launches in
//                            graphs
//   PARABLOCK_FAKE_NCCL      what goes wrong between ranks; see FakeNccl.cpp
//   PARABLOCK_FAKE_AWAIT     N: streams do not wait for the N-th event that
//                            they should wait for
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TOOLS_FAKE_DRIVER_FAKEDEVICE_H
#define PARABLOCK_TOOLS_FAKE_DRIVER_FAKEDEVICE_H

#include "FakeFaults.h"
#include "parablock/Engines/Launch/DriverAPI.h"
#include "parablock/Engines/Launch/Package.h"
#include "parablock/Judges/Emulator/Emulator.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace parablock::fake {

/// An environment variable that is set to something, or `otherwise`.
std::string getVariable(const char *name, const char *otherwise);

class FakeModule;

/// A kernel and its parameters.
struct FakeFunction {
  std::string name;
  std::vector<uint32_t> parameterBytes;
  uint32_t threads = 0, cluster = 1, maxDynamicBytes = 48 * 1024;
  /// For the launch before, by itself.
  bool waits = false;
  FakeModule *module = nullptr;
};

class FakeModule {
public:
  /// The module of bitcode, with its kernels, or with those of `functions`.
  static llvm::Expected<std::unique_ptr<FakeModule>>
  create(const std::string &bitcode, llvm::ArrayRef<std::string> functions,
         DeviceMemory &memory);
  ~FakeModule();

  /// Created at the first use, since creation is slow.
  llvm::Expected<Emulator *> getEmulator();

  std::map<std::string, FakeFunction> functions;

private:
  explicit FakeModule(DeviceMemory &memory);

  DeviceMemory &memory;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> code;
  std::unique_ptr<Emulator> emulator;
};

using Work = std::function<cuda::Result()>;

/// A stream. Work runs at once when it is enqueued, or is collected while a
/// graph is captured. Once some work waits for other ranks, or for another
/// stream, a thread runs all of it.
///
/// A second stream, which waits for another one before that one waits for it,
/// runs its work as late as possible: when a call waits for it. So code that
/// does not wait reads what was in memory before.
class FakeStream {
public:
  ~FakeStream() { end(); }
  /// Drops work that did not begin, and waits for what runs.
  void end();

  void runInThread();
  /// Enqueues work, or collects it.
  cuda::Result add(Work work);
  /// NotReady while there is work.
  cuda::Result query();
  cuda::Result wait();

  /// How many works were added so far.
  uint64_t countWork() const { return numWork; }
  /// Has later work begin when the first `count` works of `other` are done.
  cuda::Result await(FakeStream *other, uint64_t count);
  /// Returns whether later work is behind all that other streams have, of those
  /// that this one has waited for, or that have waited for this one.
  bool isBehindOthers() const;

  void beginCapture();
  bool isCapturing() const { return root != nullptr; }
  /// Takes what was captured, on this stream and on those that joined; fails if
  /// this stream did not begin, or did not wait for all that the others have.
  cuda::Result endCapture(std::vector<Work> &work);
  /// The stream whose capture this one is part of, if any.
  FakeStream *root = nullptr;

private:
  void runAll();
  cuda::Result run(Work work);
  cuda::Result waitFor(uint64_t count);
  void join(FakeStream *capturing);
  void leave();

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Work> waiting;
  std::thread thread;
  bool isEnding = false, isBusy = false, isLate = false;
  /// How many works were added, were done, and are waited for.
  std::atomic<uint64_t> numWork{0};
  uint64_t numDone = 0, wanted = 0;
  /// The works of other streams that later work is behind.
  std::map<FakeStream *, uint64_t> behind;
  /// The result of the work that failed first.
  cuda::Result failure = cuda::Success;
  /// Captured works that no other stream has waited for, the last of numWork.
  std::deque<Work> captured;
  uint64_t numBefore = 0;
  std::vector<FakeStream *> joined;
};

class FakeDevice {
public:
  /// The one device of this process.
  static FakeDevice &get();
  ~FakeDevice();

  /// Finds code for the emulator in the package at `path` from now on.
  void notePackage(const std::string &path);
  cuda::Result loadModule(const void *image, std::unique_ptr<FakeModule> &made);
  cuda::Result allocate(cuda::Pointer *pointer, uint64_t bytes);
  cuda::Result release(cuda::Pointer pointer);
  /// Memory of the host that kernels may access, and that has been written.
  cuda::Result allocateHost(void **pointer, uint64_t bytes);
  cuda::Result releaseHost(void *pointer);
  cuda::Result enqueue(FakeStream *stream, Work work);
  /// Ends a stream, and keeps the object: another stream may wait for it.
  void retire(FakeStream *stream);
  /// Counts an event that a stream waits for; returns whether it does.
  bool awaitsEvent() { return ++numAwaited != ignoredAwait; }
  cuda::Result launch(const FakeFunction &function, uint32_t grid,
                      uint32_t threads, uint32_t sharedBytes,
                      const std::vector<KernelArgument> &arguments,
                      bool isEarly);

  /// Copies of bytes to and from the memory, and bytes that are all alike.
  cuda::Result upload(cuda::Pointer target, const void *source, size_t bytes);
  cuda::Result download(void *target, cuda::Pointer source, size_t bytes);
  cuda::Result fill(cuda::Pointer target, unsigned char value, size_t bytes);

  /// Prints an error of the emulator to standard error; returns `code` if there
  /// is one.
  cuda::Result tell(llvm::Error error, cuda::Result code = cuda::InvalidValue);

  /// Notes a call, for the log.
  void count(const std::string &name);

  /// Counts a call; Unknown if the device is lost.
  cuda::Result enter();
  /// Counts streams, graphs, modules and contexts that are made or freed.
  void countObject(int change) { objects += change; }
  int64_t getObjects() const { return objects; }

  bool exists() const { return chip != "none" && memory; }
  uint64_t getCapacity() const { return capacity; }
  uint64_t getUsed() const { return used; }

  std::string chip;
  int multiprocessors;
  bool capturesProgrammatic;
  FakeFaults faults;

private:
  FakeDevice();
  bool readBitcode(const PackageCode &code, const Package &package,
                   const void *image, std::string &bitcode,
                   std::vector<std::string> &functions) const;
  std::vector<std::string> listPackages() const;

  const uint64_t ignoredAwait;
  std::atomic<uint64_t> numAwaited{0};
  /// Null where there is too little address space for it.
  std::unique_ptr<DeviceMemory> memory;
  /// The emulator runs one operation at a time, for all callers.
  std::mutex turn;
  /// Absolute paths of packages that the launcher named, the latest last.
  std::vector<std::string> notedPackages;
  uint64_t capacity;
  std::atomic<uint64_t> used{0};
  std::atomic<int64_t> objects{0};
  std::vector<std::unique_ptr<FakeStream>> retired;
  /// Calls by name.
  std::map<std::string, uint64_t> counts;
  std::mutex countsMutex;
  std::map<cuda::Pointer, uint64_t> allocations;
};

} // namespace parablock::fake

#endif // PARABLOCK_TOOLS_FAKE_DRIVER_FAKEDEVICE_H
