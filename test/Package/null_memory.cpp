//===- null_memory.cpp - calls of the null driver that give something -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Launch/DriverAPI.h"

#include <cstdlib>
#include <cstring>

using namespace parablock::cuda;

extern "C" {

Result cuDeviceGetCount(int *count) {
  *count = 1;
  return Success;
}

Result cuDeviceGetAttribute(int *value, DeviceAttribute attribute, Device) {
  switch (attribute) {
  case ComputeCapabilityMajor:
    *value = 8;
    return Success;
  case ComputeCapabilityMinor:
    *value = 0;
    return Success;
  case MaxSharedBytes:
    *value = 163 * 1024;
    return Success;
  case MultiprocessorCount:
    *value = 108;
    return Success;
  }
  return InvalidValue;
}

Result cuMemGetInfo_v2(size_t *available, size_t *total) {
  *available = *total = size_t(1) << 33;
  return Success;
}

Result cuMemAlloc_v2(Pointer *pointer, size_t bytes) {
  size_t rounded = (bytes + 255) / 256 * 256;
  void *memory = std::aligned_alloc(256, rounded);
  if (!memory)
    return OutOfMemory;
  std::memset(memory, 0, rounded);
  *pointer = reinterpret_cast<Pointer>(memory);
  return Success;
}

Result cuMemFree_v2(Pointer pointer) {
  std::free(reinterpret_cast<void *>(pointer));
  return Success;
}

Result cuMemAllocHost_v2(void **pointer, size_t bytes) {
  *pointer = std::calloc(1, bytes);
  return *pointer ? Success : OutOfMemory;
}

Result cuMemFreeHost(void *pointer) {
  std::free(pointer);
  return Success;
}

Result cuMemcpyDtoHAsync_v2(void *target, Pointer source, size_t bytes,
                            Stream) {
  std::memcpy(target, reinterpret_cast<const void *>(source), bytes);
  return Success;
}

} // extern "C"
