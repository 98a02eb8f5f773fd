//===- TemporaryFolder.h - A folder for the files of one test ---*- C++ -*-===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_TEMPORARYFOLDER_H
#define PARABLOCK_UNITTESTS_TEMPORARYFOLDER_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace parablock::unittest {

/// Made empty, removed with everything in it at the end of its scope.
class TemporaryFolder {
public:
  TemporaryFolder() {
    if (llvm::sys::fs::createUniqueDirectory("parablock", folder))
      llvm::report_fatal_error("cannot make a temporary folder");
  }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(folder); }

  std::string path(llvm::StringRef name) const {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return std::string(path);
  }

  /// Writes a file as it is, beside the code under test.
  std::string write(llvm::StringRef name, llvm::StringRef contents) const {
    std::error_code error;
    llvm::raw_fd_ostream os(path(name), error);
    os << contents;
    return path(name);
  }

  /// The contents of a file, or "<none>".
  std::string read(llvm::StringRef name) const {
    auto buffer = llvm::MemoryBuffer::getFile(path(name));
    return buffer ? (*buffer)->getBuffer().str() : "<none>";
  }

  unsigned countFiles() const {
    unsigned count = 0;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(folder, error), end;
         it != end && !error; it.increment(error))
      ++count;
    return count;
  }

private:
  llvm::SmallString<128> folder;
};

} // namespace parablock::unittest

#endif // PARABLOCK_UNITTESTS_TEMPORARYFOLDER_H
