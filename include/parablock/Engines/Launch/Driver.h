//===- Driver.h - the CUDA driver, loaded at run time -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LAUNCH_DRIVER_H
#define PARABLOCK_LAUNCH_DRIVER_H

#include "parablock/Engines/Launch/DriverAPI.h"
#include "parablock/Engines/Launch/Status.h"

namespace parablock::cuda {

/// Pointers to the functions of the driver.
struct FunctionTable {
#define X(name, symbol, parameters) Result(*name) parameters = nullptr;
  PARABLOCK_DRIVER_FUNCTIONS(X)
#undef X
};

} // namespace parablock::cuda

namespace parablock::launch {

/// Selects a driver library other than libcuda.so.1, for tests.
inline constexpr char driverVariable[] = "PARABLOCK_CUDA_DRIVER";

/// The functions of a loaded driver library. It is never unloaded, because the
/// driver's own threads cannot be stopped.
struct Driver : cuda::FunctionTable {
  /// Finds all functions; an error names the missing one.
  Status load();

  /// cuda::notePackageSymbol of a stand-in for tests, otherwise null.
  cuda::NotePackage *notePackage = nullptr;

  /// Returns "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY", or none after success.
  Status check(cuda::Result result, const char *symbol) const;
};

} // namespace parablock::launch

#endif // PARABLOCK_LAUNCH_DRIVER_H
