//===- Library.h - an MPI library, loaded at run time -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_MPI_LIBRARY_H
#define PARABLOCK_MPI_LIBRARY_H

#include "llvm/Support/Error.h"
#include <cstdint>

namespace parablock::mpi {

/// Handles of communicators, types and operations are pointers in Open MPI and
/// `int` in MPICH. Both are passed the same way as an integer of a pointer's
/// size.
using Handle = uintptr_t;

/// The functions of MPI that are used here, and its handles.
class Library {
public:
  /// Opens $PARABLOCK_MPI_LIBRARY, or Open MPI's or MPICH's, matching the
  /// launcher. Fails with a MissingError if none is found.
  static llvm::Expected<Library> open();

  bool isMpich() const { return !isOpenMpi; }
  void *find(const char *name) const;

  int (*initThread)(int *, char ***, int, int *) = nullptr;
  int (*commRank)(Handle, int *) = nullptr;
  int (*commSize)(Handle, int *) = nullptr;
  int (*commSetErrhandler)(Handle, Handle) = nullptr;
  int (*allreduce)(const void *, void *, int, Handle, Handle, Handle) = nullptr;
  int (*alltoallv)(const void *, const int *, const int *, Handle, void *,
                   const int *, const int *, Handle, Handle) = nullptr;
  int (*errorString)(int, char *, int *) = nullptr;
  int (*finalize)() = nullptr;

  Handle world = 0, errorsReturn = 0, int64 = 0, sum = 0;

private:
  llvm::Error resolve();

  void *handle = nullptr;
  bool isOpenMpi = false;
};

} // namespace parablock::mpi

#endif // PARABLOCK_MPI_LIBRARY_H
