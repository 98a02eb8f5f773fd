//===- Nccl.cpp - NCCL, found at run time ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Launch/Nccl.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace parablock;
using launch::fail;
using launch::Fault;
using launch::Status;

Status launch::Nccl::load() {
  const char *given = std::getenv(ncclVariable);
  std::string path = given && *given ? given : "libnccl.so.2";
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fail("no NCCL: " + std::string(dlerror()), Fault::Missing);
  auto find = [&](auto &function, const char *symbol) -> Status {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(
        dlsym(library, symbol));
    if (function)
      return {};
    return fail("'" + path + "' has no " + symbol + ", which NCCL 2.14 has",
                Fault::Missing);
  };
#define X(name, symbol, parameters)                                            \
  if (Status failure = find(name, #symbol))                                    \
    return failure;
  PARABLOCK_NCCL_FUNCTIONS(X)
#undef X
  return find(getErrorString, "ncclGetErrorString");
}

Status launch::Nccl::check(nccl::Result result, const char *symbol) const {
  if (result == nccl::Success || result == nccl::InProgress)
    return {};
  return fail(std::string(symbol) + ": " + getErrorString(result));
}
