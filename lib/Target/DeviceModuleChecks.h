//===- DeviceModuleChecks.h - checks before the backend ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TARGET_DEVICEMODULECHECKS_H
#define PARABLOCK_LIB_TARGET_DEVICEMODULECHECKS_H

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace parablock {

/// Fails if the backend would need a library: for a call of a function without
/// a body, or an intrinsic that is not an instruction. The backend would end
/// the process, or leave an unresolved symbol for the driver.
llvm::Error checkDeviceModule(const llvm::Module &module);

} // namespace parablock

#endif // PARABLOCK_LIB_TARGET_DEVICEMODULECHECKS_H
