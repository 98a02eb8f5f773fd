//===- DeviceTargetMachine.h - LLVM's backend for a chip --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TARGET_DEVICETARGETMACHINE_H
#define PARABLOCK_LIB_TARGET_DEVICETARGETMACHINE_H

#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace parablock {

/// An error for an unknown chip, or an LLVM without the NVPTX backend.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createDeviceTargetMachine(llvm::StringRef chip);

} // namespace parablock

#endif // PARABLOCK_LIB_TARGET_DEVICETARGETMACHINE_H
