//===- Driver.h - the CUDA driver, found at run time ------------*- C++ -*-===//
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

/// Names another driver library than libcuda.so.1, for tests.
inline constexpr char driverVariable[] = "PARABLOCK_CUDA_DRIVER";

/// The functions of a loaded driver library, which stays loaded: what a driver
/// starts, it does not end.
struct Driver : cuda::FunctionTable {
  /// Finds all of them; what is missing is named.
  Status load();

  /// "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY", or nothing after success.
  Status check(cuda::Result result, const char *symbol) const;
};

} // namespace parablock::launch

#endif // PARABLOCK_LAUNCH_DRIVER_H
