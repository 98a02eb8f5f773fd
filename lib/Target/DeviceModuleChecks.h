//===- DeviceModuleChecks.h - what the backend cannot do --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TARGET_DEVICEMODULECHECKS_H
#define PARABLOCK_LIB_TARGET_DEVICEMODULECHECKS_H

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace parablock {

/// Fails where the backend would want a library: a call of a function without
/// a body, or an intrinsic that is no instruction. The backend itself ends the
/// process there, or leaves an unresolved symbol for the driver to find.
llvm::Error checkDeviceModule(const llvm::Module &module);

} // namespace parablock

#endif // PARABLOCK_LIB_TARGET_DEVICEMODULECHECKS_H
