//===- MemoryFile.h - a file that no crash leaves behind --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_FUZZ_MEMORYFILE_H
#define PARABLOCK_UNITTESTS_FUZZ_MEMORYFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace parablock::fuzz {

class MemoryFile {
public:
  explicit MemoryFile(llvm::StringRef contents)
      : descriptor(memfd_create("block-fuzz", MFD_CLOEXEC)) {
    if (descriptor < 0 || write(descriptor, contents.data(), contents.size()) !=
                              static_cast<ssize_t>(contents.size()))
      llvm::report_fatal_error("cannot make a file in memory");
  }
  ~MemoryFile() { close(descriptor); }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  std::string path() const {
    return "/proc/self/fd/" + std::to_string(descriptor);
  }

private:
  int descriptor;
};

} // namespace parablock::fuzz

#endif // PARABLOCK_UNITTESTS_FUZZ_MEMORYFILE_H
