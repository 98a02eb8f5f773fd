//===- FakeDevice.cpp - state and memory of the device --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <cstring>

using namespace parablock;
using namespace parablock::fake;

std::string fake::getVariable(const char *name, const char *otherwise) {
  const char *value = std::getenv(name);
  return value && *value ? value : otherwise;
}

/// Returns the number that a variable has, or `otherwise`.
static uint64_t getNumber(const char *name, uint64_t otherwise) {
  std::string text = getVariable(name, "");
  uint64_t number = otherwise;
  if (!text.empty() && !llvm::to_integer(text, number, 10)) {
    llvm::errs() << "fake driver: " << name << ": expected a number, got '"
                 << text << "'\n";
    return otherwise;
  }
  return number;
}

FakeDevice &FakeDevice::get() {
  static FakeDevice device;
  return device;
}

FakeDevice::FakeDevice()
    : chip(getVariable("PARABLOCK_FAKE_CHIP", "sm_90a")),
      multiprocessors(static_cast<int>(
          getNumber("PARABLOCK_FAKE_SMS", chip == "sm_90a" ? 132 : 108))),
      capturesProgrammatic(getVariable("PARABLOCK_FAKE_CAPTURE", "") !=
                           "plain"),
      ignoredAwait(getNumber("PARABLOCK_FAKE_AWAIT", 0)),
      capacity(getNumber("PARABLOCK_FAKE_MEMORY", uint64_t(8) << 30)) {
  if (!faults.set(getVariable("PARABLOCK_FAKE_FAULT", "")))
    llvm::errs() << "fake driver: PARABLOCK_FAKE_FAULT: expected KIND:N\n";
  // Memory for guard zones, in addition to the usable memory.
  llvm::Expected<std::unique_ptr<DeviceMemory>> made = DeviceMemory::create();
  if (!tell(made.takeError()))
    memory = std::move(*made);
}

FakeDevice::~FakeDevice() {
  std::string path = getVariable("PARABLOCK_FAKE_LOG", "");
  if (path.empty())
    return;
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  for (const auto &[name, count] : counts)
    os << name << " " << count << "\n";
  os << "used " << used << "\n";
  os << "objects " << objects << "\n";
}

void FakeDevice::count(const std::string &name) {
  std::lock_guard<std::mutex> lock(countsMutex);
  ++counts[name];
}

cuda::Result FakeDevice::enter() {
  return faults.count(FakeFaults::Call) ? cuda::Unknown : cuda::Success;
}

cuda::Result FakeDevice::tell(llvm::Error error, cuda::Result code) {
  if (!error)
    return cuda::Success;
  llvm::errs() << "fake driver: " << llvm::toString(std::move(error)) << "\n";
  return code;
}

/// Returns whether `image` begins with these bytes. The driver does not know
/// the length of an image, so bytes are only compared while those before agree.
static bool isImage(const void *image, llvm::StringRef bytes) {
  const char *own = static_cast<const char *>(image);
  while (!bytes.empty()) {
    llvm::StringRef next = bytes.take_front(256);
    if (std::memcmp(next.data(), own, next.size()) != 0)
      return false;
    bytes = bytes.drop_front(next.size());
    own += next.size();
  }
  return true;
}

/// Finds `image` among the images of a file, and returns its functions, none
/// for a file that is one image.
static bool findImage(const PackageCode &code, const void *image,
                      llvm::StringRef file,
                      std::vector<std::string> &functions) {
  if (code.images.empty())
    return isImage(image, file);
  for (const PackageImage &part : code.images) {
    if (isImage(image, file.take_front(part.bytes))) {
      functions = part.functions;
      return true;
    }
    file = file.drop_front(part.bytes);
  }
  return false;
}

/// Returns whether `image` is machine code or the PTX of `code`; `functions`
/// are those that it has, or none if it has all.
bool FakeDevice::readBitcode(const PackageCode &code, const Package &package,
                             const void *image, std::string &bitcode,
                             std::vector<std::string> &functions) const {
  bool isMachineCode = std::memcmp(image, "\177ELF", 4) == 0;
  if (isMachineCode &&
      getVariable("PARABLOCK_FAKE_CUBIN", "accept") == "refuse")
    return false;
  const PackageFile *file = &code.ptx;
  if (isMachineCode)
    file = code.cubin ? &*code.cubin : nullptr;
  std::string own;
  if (!file || launch::readPackageFile(package, *file, own) ||
      launch::readPackageFile(package, code.bitcode, bitcode))
    return false;
  return isMachineCode ? findImage(code, image, own, functions)
                       : isImage(image, own);
}

void FakeDevice::notePackage(const std::string &path) {
  llvm::SmallString<128> absolute(path);
  if (llvm::sys::fs::make_absolute(absolute))
    return;
  std::lock_guard<std::mutex> lock(turn);
  llvm::erase(notedPackages, absolute.str());
  notedPackages.push_back(absolute.str().str());
}

/// Lists where packages may be, the most likely first.
std::vector<std::string> FakeDevice::listPackages() const {
  std::vector<std::string> paths(notedPackages.rbegin(), notedPackages.rend());
  std::string place = getVariable("PARABLOCK_FAKE_PACKAGES", ".");
  paths.push_back(place);
  std::error_code code;
  for (llvm::sys::fs::directory_iterator at(place, code), end;
       at != end && !code; at.increment(code))
    paths.push_back(at->path());
  return paths;
}

cuda::Result FakeDevice::loadModule(const void *image,
                                    std::unique_ptr<FakeModule> &made) {
  if (std::memcmp(image, "\177ELF", 4) != 0 &&
      getVariable("PARABLOCK_FAKE_PTX", "accept") == "refuse")
    return cuda::UnsupportedPtxVersion;
  std::lock_guard<std::mutex> lock(turn);
  for (const std::string &path : listPackages()) {
    Package package;
    if (launch::readPackage(path, package))
      continue;
    for (const PackageCode &candidate : package.chips) {
      std::string bitcode;
      std::vector<std::string> functions;
      if (!readBitcode(candidate, package, image, bitcode, functions))
        continue;
      llvm::Expected<std::unique_ptr<FakeModule>> module =
          FakeModule::create(bitcode, functions, *memory);
      if (cuda::Result result = tell(module.takeError(), cuda::InvalidImage))
        return result;
      made = std::move(*module);
      return cuda::Success;
    }
  }
  return cuda::InvalidImage;
}

cuda::Result FakeDevice::allocate(cuda::Pointer *pointer, uint64_t bytes) {
  if (bytes == 0)
    return cuda::InvalidValue;
  if (faults.count(FakeFaults::Allocation))
    return cuda::OutOfMemory;
  std::lock_guard<std::mutex> lock(turn);
  if (bytes > capacity - used)
    return cuda::OutOfMemory;
  llvm::Expected<void *> address = memory->allocate(bytes, "allocation");
  if (cuda::Result result = tell(address.takeError(), cuda::OutOfMemory))
    return result;
  *pointer = reinterpret_cast<cuda::Pointer>(*address);
  allocations[*pointer] = bytes;
  used += bytes;
  return cuda::Success;
}

cuda::Result FakeDevice::release(cuda::Pointer pointer) {
  std::lock_guard<std::mutex> lock(turn);
  auto found = allocations.find(pointer);
  if (found == allocations.end())
    return cuda::InvalidValue;
  used -= found->second;
  allocations.erase(found);
  return tell(memory->release(reinterpret_cast<void *>(pointer)));
}

cuda::Result FakeDevice::allocateHost(void **pointer, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(turn);
  llvm::Expected<void *> address = memory->allocate(bytes, "host memory");
  if (cuda::Result result = tell(address.takeError(), cuda::OutOfMemory))
    return result;
  *pointer = *address;
  std::vector<unsigned char> zeros(bytes);
  return tell(memory->upload(*address, zeros.data(), bytes));
}

cuda::Result FakeDevice::releaseHost(void *pointer) {
  std::lock_guard<std::mutex> lock(turn);
  return tell(memory->release(pointer));
}

static void *toAddress(cuda::Pointer pointer) {
  return reinterpret_cast<void *>(pointer);
}

cuda::Result FakeDevice::upload(cuda::Pointer target, const void *source,
                                size_t bytes) {
  std::lock_guard<std::mutex> lock(turn);
  return tell(memory->upload(toAddress(target), source, bytes));
}

cuda::Result FakeDevice::download(void *target, cuda::Pointer source,
                                  size_t bytes) {
  std::lock_guard<std::mutex> lock(turn);
  return tell(memory->download(target, toAddress(source), bytes));
}

cuda::Result FakeDevice::fill(cuda::Pointer target, unsigned char value,
                              size_t bytes) {
  std::vector<unsigned char> values(bytes, value);
  return upload(target, values.data(), bytes);
}

cuda::Result FakeDevice::enqueue(FakeStream *stream, Work work) {
  return stream ? stream->add(std::move(work)) : work();
}

void FakeDevice::retire(FakeStream *stream) {
  stream->end();
  std::lock_guard<std::mutex> lock(turn);
  retired.emplace_back(stream);
}

cuda::Result FakeDevice::launch(const FakeFunction &function, uint32_t grid,
                                uint32_t threads, uint32_t sharedBytes,
                                const std::vector<KernelArgument> &arguments,
                                bool isEarly) {
  LaunchConfig config;
  config.grid.x = grid;
  config.block.x = threads;
  config.cluster.x = function.cluster;
  config.dynamicSharedBytes = sharedBytes;
  config.mayBeginEarly = isEarly;
  count("launch " + function.name);
  count("launches");
  count("grid " + std::to_string(grid));
  if (faults.count(FakeFaults::Launch))
    return cuda::LaunchFailed;
  std::lock_guard<std::mutex> lock(turn);
  llvm::Expected<Emulator *> emulator = function.module->getEmulator();
  if (!emulator)
    return tell(emulator.takeError(), cuda::InvalidImage);
  llvm::Expected<LaunchResult> result =
      (*emulator)->launch(function.name, config, arguments);
  if (!result)
    return tell(result.takeError());
  if (result->clean())
    return cuda::Success;
  result->printReports(llvm::errs());
  return cuda::LaunchFailed;
}
