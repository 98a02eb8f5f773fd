//===- Nccl.h - NCCL, loaded at run time ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LAUNCH_NCCL_H
#define PARABLOCK_LAUNCH_NCCL_H

#include "parablock/Engines/Launch/NcclAPI.h"
#include "parablock/Engines/Launch/Status.h"

namespace parablock::nccl {

/// Pointers to the functions of NCCL.
struct FunctionTable {
#define X(name, symbol, parameters) Result(*name) parameters = nullptr;
  PARABLOCK_NCCL_FUNCTIONS(X)
#undef X
  const char *(*getErrorString)(Result result) = nullptr;
};

} // namespace parablock::nccl

namespace parablock::launch {

/// Selects a library other than libnccl.so.2.
inline constexpr char ncclVariable[] = "PARABLOCK_NCCL_LIBRARY";

/// The functions of a loaded NCCL, which stays loaded.
struct Nccl : nccl::FunctionTable {
  /// Finds all functions; an error names the missing one.
  Status load();

  /// Returns "ncclAllReduce: remote process exited", or none after success or
  /// while a call is in progress.
  Status check(nccl::Result result, const char *symbol) const;
};

} // namespace parablock::launch

#endif // PARABLOCK_LAUNCH_NCCL_H
