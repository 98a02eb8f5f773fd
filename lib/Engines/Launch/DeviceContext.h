//===- DeviceContext.h - a device and memory on it --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LAUNCH_DEVICECONTEXT_H
#define PARABLOCK_LIB_LAUNCH_DEVICECONTEXT_H

#include "UploadStages.h"
#include <memory>

namespace parablock::launch {

/// A device with its primary context.
class DeviceContext {
public:
  static Status open(int ordinal, std::unique_ptr<DeviceContext> &device);
  ~DeviceContext();
  DeviceContext(const DeviceContext &) = delete;
  DeviceContext &operator=(const DeviceContext &) = delete;

  /// "sm_90a" runs on compute capability 9.0 alone, "sm_80" from 8.0 on.
  bool runs(const std::string &architecture) const;
  /// Returns the architecture of the best code for this device: "sm_90a" where
  /// it runs, or else "sm_80"; null for older devices.
  const char *findChip() const;
  bool isSameDevice(const DeviceContext &other) const {
    return device == other.device;
  }

  Driver driver;
  std::string name;
  int major = 0, minor = 0, maxSharedBytes = 0, multiprocessors = 0;
  /// For copies from the CPU.
  mutable UploadStages stages{driver};

private:
  DeviceContext() = default;
  Status fillIn(int ordinal);

  friend class CurrentContext;
  cuda::Device device = 0;
  cuda::Context context = nullptr;
};

/// Makes a device's context current in this thread during its lifetime.
class CurrentContext {
public:
  /// On a device that is lost, no context becomes current, and calls in its
  /// lifetime fail by themselves.
  explicit CurrentContext(const DeviceContext &device)
      : device(device),
        isCurrent(device.driver.pushContext(device.context) == cuda::Success) {}
  ~CurrentContext() {
    cuda::Context previous;
    if (isCurrent)
      device.driver.popContext(&previous);
  }
  CurrentContext(const CurrentContext &) = delete;
  CurrentContext &operator=(const CurrentContext &) = delete;

private:
  const DeviceContext &device;
  const bool isCurrent;
};

/// Allocates memory, aligned to 256 bytes by the driver. `what` is named in the
/// message if there is too little. The context must be current.
Status allocateOn(const DeviceContext &device, uint64_t bytes, const char *what,
                  cuda::Pointer &address);

/// One allocation of allocateOn.
class DeviceBuffer {
public:
  DeviceBuffer() = default;
  ~DeviceBuffer() { release(); }
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;

  Status allocate(const DeviceContext &on, uint64_t size, const char *what);

  void release();

  cuda::Pointer pointer() const { return address; }
  uint64_t size() const { return bytes; }

private:
  const DeviceContext *device = nullptr;
  cuda::Pointer address = 0;
  uint64_t bytes = 0;
};

/// Alignment of buffers in one allocation.
inline constexpr uint64_t deviceAlignment = 256;
inline uint64_t alignForDevice(uint64_t bytes) {
  return (bytes + deviceAlignment - 1) / deviceAlignment * deviceAlignment;
}

} // namespace parablock::launch

#endif // PARABLOCK_LIB_LAUNCH_DEVICECONTEXT_H
