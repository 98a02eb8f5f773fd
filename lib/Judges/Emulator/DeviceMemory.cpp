//===- DeviceMemory.cpp - allocates and checks global memory --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Emulator/DeviceMemory.h"
#include "Shadow.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace parablock;
using namespace parablock::emulator;
using llvm::Twine;

DeviceMemory::DeviceMemory(std::unique_ptr<GlobalShadow> shadow)
    : theShadow(std::move(shadow)) {}

DeviceMemory::~DeviceMemory() = default;

llvm::Expected<std::unique_ptr<DeviceMemory>>
DeviceMemory::create(uint64_t capacity) {
  capacity =
      llvm::alignTo(std::max<uint64_t>(capacity, 1), GlobalShadow::pageBytes);
  void *base = mmap(nullptr, capacity, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return llvm::createStringError("cannot reserve " + Twine(capacity) +
                                   " bytes of address space for the device");
  return std::unique_ptr<DeviceMemory>(new DeviceMemory(
      std::make_unique<GlobalShadow>(static_cast<char *>(base), capacity)));
}

llvm::Expected<void *> DeviceMemory::allocate(uint64_t bytes,
                                              llvm::StringRef name) {
  char *result = theShadow->allocate(bytes, name.str());
  if (!result)
    return llvm::createStringError("no room for " + Twine(bytes) +
                                   " bytes of device memory for '" + name +
                                   "'");
  return result;
}

llvm::Error DeviceMemory::release(void *address) {
  if (theShadow->release(address))
    return llvm::Error::success();
  return llvm::createStringError(
      "expected the address of a live device allocation to release");
}

llvm::Error DeviceMemory::checkRange(const void *address, uint64_t bytes,
                                     llvm::StringRef what) const {
  uint64_t start = reinterpret_cast<uint64_t>(address);
  const auto *found = theShadow->find(start);
  if (!found || found->second.released ||
      start - found->first > found->second.bytes ||
      bytes > found->second.bytes - (start - found->first))
    return llvm::createStringError(
        what + " of " + Twine(bytes) +
        " bytes does not lie in a device allocation");
  return llvm::Error::success();
}

llvm::Error DeviceMemory::upload(void *destination, const void *source,
                                 uint64_t bytes) {
  if (llvm::Error error = checkRange(destination, bytes, "upload"))
    return error;
  if (bytes != 0)
    std::memcpy(destination, source, bytes);
  theShadow->setStates(reinterpret_cast<uint64_t>(destination), bytes,
                       ByteState::Initialized);
  return llvm::Error::success();
}

llvm::Error DeviceMemory::download(void *destination, const void *source,
                                   uint64_t bytes) {
  if (llvm::Error error = checkRange(source, bytes, "download"))
    return error;
  if (bytes != 0)
    std::memcpy(destination, source, bytes);
  return llvm::Error::success();
}

llvm::Error DeviceMemory::poison(void *address, uint64_t bytes) {
  if (llvm::Error error = checkRange(address, bytes, "poison"))
    return error;
  std::memset(address, 0xFF, bytes);
  theShadow->setStates(reinterpret_cast<uint64_t>(address), bytes,
                       ByteState::Uninitialized);
  return llvm::Error::success();
}

llvm::Expected<uint64_t>
DeviceMemory::countUninitialized(const void *address, uint64_t bytes) const {
  if (llvm::Error error = checkRange(address, bytes, "count"))
    return error;
  uint64_t start = reinterpret_cast<uint64_t>(address), count = 0;
  for (uint64_t i = 0; i < bytes; ++i)
    count += *theShadow->getStates(start + i) != ByteState::Initialized;
  return count;
}
