//===- Driver.cpp - loads libcuda and formats errors ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Launch/Driver.h"
#include "SharedLibrary.h"

using namespace parablock;
using launch::fail;
using launch::Fault;
using launch::Status;

Status launch::Driver::load() {
  SharedLibrary library("CUDA driver", "a driver of CUDA 12", driverVariable,
                        "libcuda.so.1");
  if (Status failure = library.load())
    return failure;
#define X(name, symbol, parameters)                                            \
  if (Status failure = library.find(name, #symbol))                            \
    return failure;
  PARABLOCK_DRIVER_FUNCTIONS(X)
#undef X
  library.findOptional(notePackage, cuda::notePackageSymbol);
  return check(init(0), "cuInit");
}

Status launch::Driver::check(cuda::Result result, const char *symbol) const {
  if (result == cuda::Success)
    return {};
  const char *name = nullptr;
  getErrorName(result, &name);
  std::string text = std::string(symbol) + ": " +
                     (name ? name : "error " + std::to_string(result));
  if (result == cuda::NoDevice)
    return fail("no CUDA device: " + text, Fault::Missing);
  return fail(text);
}
