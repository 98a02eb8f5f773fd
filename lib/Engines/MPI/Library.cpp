//===- Library.cpp - resolves MPI functions and handles -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/MPI/Library.h"

#include "parablock/Execution/Engine.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdlib>
#include <dlfcn.h>

using namespace parablock::mpi;
using llvm::Error;
using llvm::Expected;

/// Returns the names to try: Open MPI 4 and 5, MPICH as named by Debian and
/// others. The launcher's library is preferred if both exist.
static llvm::SmallVector<const char *> listNames() {
  if (const char *given = std::getenv("PARABLOCK_MPI_LIBRARY"))
    return {given};
  if (std::getenv("OMPI_COMM_WORLD_SIZE"))
    return {"libmpi.so.40"};
  return {"libmpich.so.12", "libmpi.so.12", "libmpi.so.40"};
}

void *Library::find(const char *name) const { return dlsym(handle, name); }

static Error missing(const llvm::Twine &what) {
  return llvm::make_error<parablock::runner::MissingError>(what.str());
}

Error Library::resolve() {
  std::string absent;
  auto find = [&](const char *name, auto &target) {
    void *symbol = this->find(name);
    if (!symbol && absent.empty())
      absent = name;
    target = reinterpret_cast<std::decay_t<decltype(target)>>(symbol);
  };
  find("MPI_Init_thread", initThread);
  find("MPI_Comm_rank", commRank);
  find("MPI_Comm_size", commSize);
  find("MPI_Comm_set_errhandler", commSetErrhandler);
  find("MPI_Allreduce", allreduce);
  find("MPI_Alltoallv", alltoallv);
  find("MPI_Error_string", errorString);
  find("MPI_Finalize", finalize);
  isOpenMpi = this->find("ompi_mpi_comm_world");
  if (isOpenMpi) {
    find("ompi_mpi_comm_world", world);
    find("ompi_mpi_errors_return", errorsReturn);
    find("ompi_mpi_int64_t", int64);
    find("ompi_mpi_op_sum", sum);
  } else {
    // The numbers of MPICH's binary interface.
    world = 0x44000000;
    errorsReturn = 0x54000001;
    int64 = 0x4c00083a;
    sum = 0x58000003;
  }
  if (absent.empty())
    return Error::success();
  return missing("no use for this MPI library: it lacks '" +
                 llvm::Twine(absent) + "'");
}

Expected<Library> Library::open() {
  llvm::SmallVector<const char *> names = listNames();
  Library library;
  for (const char *name : names) {
    // Open MPI's own plugins look for its symbols among the global ones.
    library.handle = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
    if (!library.handle)
      continue;
    if (Error error = library.resolve())
      return error;
    return library;
  }
  return missing("no MPI library, which several ranks need: looked for " +
                 llvm::join(names, ", ") +
                 "; install Open MPI or MPICH, or give "
                 "PARABLOCK_MPI_LIBRARY its path");
}
