//===- DevicePackage.h - packages for one device ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CAPI_DEVICEPACKAGE_H
#define PARABLOCK_LIB_CAPI_DEVICEPACKAGE_H

#include "mlir/IR/BuiltinOps.h"
#include "parablock-c/Package.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace parablock::capi {

/// Kind of a function that is compiled for a device.
enum class DeviceFunction {
  /// A model of any level, which is recognised and optimised.
  Model,
  /// Packing of weights, whose ops run as they are.
  Packing
};

/// Writes the package of a module for one device, or restores it from the
/// cache.
llvm::Error writeDevicePackage(mlir::ModuleOp module, DeviceFunction function,
                               const ParablockDevicePackageOptions &options,
                               llvm::StringRef path);

} // namespace parablock::capi

#endif // PARABLOCK_LIB_CAPI_DEVICEPACKAGE_H
