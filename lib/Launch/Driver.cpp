//===- Driver.cpp - the CUDA driver, found at run time --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Launch/Driver.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace parablock;
using launch::fail;
using launch::Fault;
using launch::Status;

Status launch::Driver::load() {
  const char *given = std::getenv(driverVariable);
  std::string path = given && *given ? given : "libcuda.so.1";
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fail("no CUDA driver: " + std::string(dlerror()), Fault::Missing);
#define X(name, symbol, parameters)                                            \
  name = reinterpret_cast<decltype(name)>(dlsym(library, #symbol));            \
  if (!name)                                                                   \
    return fail("the CUDA driver '" + path +                                   \
                    "' has no " #symbol ", which a driver of CUDA 12 has",     \
                Fault::Missing);
  PARABLOCK_DRIVER_FUNCTIONS(X)
#undef X
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
