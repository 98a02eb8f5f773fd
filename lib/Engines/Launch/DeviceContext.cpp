//===- DeviceContext.cpp - opens devices and allocates buffers ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceContext.h"

#include <cstdlib>

using namespace parablock;
using namespace parablock::launch;

Status DeviceContext::open(int ordinal,
                           std::unique_ptr<DeviceContext> &device) {
  std::unique_ptr<DeviceContext> opened(new DeviceContext);
  if (Status failure = opened->fillIn(ordinal))
    return failure;
  device = std::move(opened);
  return {};
}

Status DeviceContext::fillIn(int ordinal) {
  if (Status failure = driver.load())
    return failure;
  int count = 0;
  if (Status failure =
          driver.check(driver.getDeviceCount(&count), "cuDeviceGetCount"))
    return failure;
  if (count == 0)
    return fail("no CUDA device: the driver finds none", Fault::Missing);
  if (ordinal < 0 || ordinal >= count)
    return fail("no CUDA device " + std::to_string(ordinal) +
                    ": the driver has " + std::to_string(count),
                Fault::Missing);
  if (Status failure =
          driver.check(driver.getDevice(&device, ordinal), "cuDeviceGet"))
    return failure;
  char text[256] = {};
  if (Status failure =
          driver.check(driver.getDeviceName(text, sizeof(text) - 1, device),
                       "cuDeviceGetName"))
    return failure;
  name = text;
  for (auto [target, attribute] :
       {std::pair(&major, cuda::ComputeCapabilityMajor),
        {&minor, cuda::ComputeCapabilityMinor},
        {&maxSharedBytes, cuda::MaxSharedBytes},
        {&multiprocessors, cuda::MultiprocessorCount}})
    if (Status failure =
            driver.check(driver.getDeviceAttribute(target, attribute, device),
                         "cuDeviceGetAttribute"))
      return failure;
  return driver.check(driver.retainContext(&context, device),
                      "cuDevicePrimaryCtxRetain");
}

DeviceContext::~DeviceContext() {
  if (!context)
    return;
  {
    CurrentContext current(*this);
    stages.clear();
  }
  driver.releaseContext(device);
}

bool DeviceContext::runs(const std::string &architecture) const {
  if (architecture.compare(0, 3, "sm_") != 0)
    return false;
  char *end = nullptr;
  long number = std::strtol(architecture.c_str() + 3, &end, 10);
  long mine = major * 10 + minor;
  // With a letter: features that only this chip has.
  return *end ? number == mine : number <= mine;
}

const char *DeviceContext::findChip() const {
  for (const char *architecture : {"sm_90a", "sm_80"})
    if (runs(architecture))
      return architecture;
  return nullptr;
}

Status launch::allocateOn(const DeviceContext &device, uint64_t bytes,
                          const char *what, cuda::Pointer &address) {
  const Driver &driver = device.driver;
  cuda::Result result =
      driver.allocate(&address, static_cast<size_t>(bytes ? bytes : 1));
  if (result != cuda::OutOfMemory)
    return driver.check(result, "cuMemAlloc");
  size_t available = 0, total = 0;
  driver.getMemoryInfo(&available, &total);
  return fail("not enough device memory for " + std::string(what) +
              ": expected " + std::to_string(bytes) + " bytes, got " +
              std::to_string(available) + " of " + std::to_string(total) +
              " free");
}

Status DeviceBuffer::allocate(const DeviceContext &on, uint64_t size,
                              const char *what) {
  device = &on;
  if (Status failure = allocateOn(on, size, what, address)) {
    address = 0;
    return failure;
  }
  bytes = size;
  return {};
}

void DeviceBuffer::release() {
  if (!address)
    return;
  CurrentContext current(*device);
  device->driver.release(address);
  address = bytes = 0;
}
