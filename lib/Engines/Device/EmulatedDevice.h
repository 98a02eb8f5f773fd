//===- EmulatedDevice.h - runs of launch plans ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DEVICE_EMULATEDDEVICE_H
#define PARABLOCK_LIB_DEVICE_EMULATEDDEVICE_H

#include "parablock/Engines/Launch/LaunchPlan.h"
#include "parablock/Judges/Emulator/Emulator.h"
#include "parablock/Support/FloatFormats.h"

namespace parablock {

/// The element type of a plan's tensor.
ElementType getElementType(const PlanTensor &tensor);

/// The tensors of one plan in emulated memory, and the kernels. Every tensor
/// has separate memory with guard zones around it; there is no arena.
class EmulatedDevice {
public:
  static llvm::Expected<std::unique_ptr<EmulatedDevice>>
  create(const LaunchPlan &plan, const BoundPlan &bound,
         llvm::orc::ThreadSafeModule module, unsigned hostThreads);

  llvm::Error upload(unsigned tensor, llvm::ArrayRef<double> values);
  llvm::Expected<std::vector<double>> download(unsigned tensor);

  /// Runs all launches in order. Reports of the emulator are errors, and so are
  /// elements of an output that a launch leaves unwritten, and data that a
  /// kernel rejects.
  llvm::Error run();

  uint64_t getBytes() const { return bytes; }

private:
  EmulatedDevice(const LaunchPlan &plan, const BoundPlan &bound)
      : plan(plan), bound(bound) {}
  llvm::Expected<KernelArgument> encode(const PlanArgument &argument) const;
  llvm::Error runLaunch(const PlanLaunch &launch, bool isFirst);
  llvm::Error takeReports();

  const LaunchPlan &plan;
  const BoundPlan &bound;
  std::unique_ptr<DeviceMemory> memory;
  std::unique_ptr<Emulator> emulator;
  std::vector<void *> addresses;
  uint64_t bytes = 0;
};

} // namespace parablock

#endif // PARABLOCK_LIB_DEVICE_EMULATEDDEVICE_H
