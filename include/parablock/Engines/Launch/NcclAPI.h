//===- NcclAPI.h - declarations of NCCL -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The functions of NCCL that the launcher calls, with the types and numbers
// they need, so that no header of NCCL is needed to build. One list serves the
// launcher, which looks them up, and the library for tests, which defines them.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LAUNCH_NCCLAPI_H
#define PARABLOCK_LAUNCH_NCCLAPI_H

#include "parablock/Engines/Launch/DriverAPI.h"
#include <climits>

namespace parablock::nccl {

using Result = int;
using Comm = struct CommObject *;

enum : Result {
  Success = 0,
  SystemError = 2,
  InvalidArgument = 4,
  RemoteError = 6,
  InProgress = 7
};
enum DataType : int {
  Uint8 = 1,
  Int32 = 2,
  Int64 = 4,
  Float16 = 6,
  Float32 = 7,
  Bfloat16 = 9
};
enum Reduction : int { Sum = 0 };

/// The id that the first rank creates and all ranks join by.
struct UniqueId {
  char bytes[128];
};

/// The layout of NCCL 2.14, which introduced nonblocking calls; later versions
/// use the version field to fill in newer fields.
struct Config {
  size_t size = sizeof(Config);
  unsigned magic = 0xcafebeef;
  unsigned version = 21400;
  int blocking = 0;
  int unset = INT_MIN;
};

/// X(name here, symbol, parameters)
#define PARABLOCK_NCCL_FUNCTIONS(X)                                            \
  X(getUniqueId, ncclGetUniqueId, (UniqueId * id))                             \
  X(initRank, ncclCommInitRankConfig,                                          \
    (Comm * comm, int count, UniqueId id, int rank, Config *config))           \
  X(allReduce, ncclAllReduce,                                                  \
    (const void *input, void *output, size_t count, DataType type,             \
     Reduction reduction, Comm comm, cuda::Stream stream))                     \
  X(reduceScatter, ncclReduceScatter,                                          \
    (const void *input, void *output, size_t outputCount, DataType type,       \
     Reduction reduction, Comm comm, cuda::Stream stream))                     \
  X(allGather, ncclAllGather,                                                  \
    (const void *input, void *output, size_t inputCount, DataType type,        \
     Comm comm, cuda::Stream stream))                                          \
  X(startGroup, ncclGroupStart, ())                                            \
  X(endGroup, ncclGroupEnd, ())                                                \
  X(send, ncclSend,                                                            \
    (const void *input, size_t count, DataType type, int peer, Comm comm,      \
     cuda::Stream stream))                                                     \
  X(receive, ncclRecv,                                                         \
    (void *output, size_t count, DataType type, int peer, Comm comm,           \
     cuda::Stream stream))                                                     \
  X(getAsyncError, ncclCommGetAsyncError, (Comm comm, Result * result))        \
  X(abort, ncclCommAbort, (Comm comm))                                         \
  X(destroy, ncclCommDestroy, (Comm comm))

} // namespace parablock::nccl

#endif // PARABLOCK_LAUNCH_NCCLAPI_H
