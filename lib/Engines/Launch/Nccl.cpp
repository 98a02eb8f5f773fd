//===- Nccl.cpp - loads libnccl and formats errors ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Launch/Nccl.h"
#include "SharedLibrary.h"

using namespace parablock;
using launch::fail;
using launch::Status;

Status launch::Nccl::load() {
  SharedLibrary library("NCCL", "NCCL 2.14", ncclVariable, "libnccl.so.2");
  if (Status failure = library.load())
    return failure;
#define X(name, symbol, parameters)                                            \
  if (Status failure = library.find(name, #symbol))                            \
    return failure;
  PARABLOCK_NCCL_FUNCTIONS(X)
#undef X
  return library.find(getErrorString, "ncclGetErrorString");
}

Status launch::Nccl::check(nccl::Result result, const char *symbol) const {
  if (result == nccl::Success || result == nccl::InProgress)
    return {};
  return fail(std::string(symbol) + ": " + getErrorString(result));
}
