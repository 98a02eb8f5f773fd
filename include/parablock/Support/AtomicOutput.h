//===- AtomicOutput.h - Output files that appear whole or not ---*- C++ -*-===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_ATOMICOUTPUT_H
#define PARABLOCK_SUPPORT_ATOMICOUTPUT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <optional>
#include <string>

namespace parablock {

/// A file under construction. It is written under a temporary name in the
/// folder of its destination and takes its real name in keep(); destroyed
/// before that, killed by a signal or failing, it leaves nothing behind and an
/// older file of that name untouched. "-" is standard output; devices and
/// pipes (/dev/null) are written directly. A symbolic link to a file is
/// followed, not replaced. Every error begins with the path.
class AtomicOutput {
public:
  static llvm::Expected<std::unique_ptr<AtomicOutput>>
  create(llvm::StringRef path);
  ~AtomicOutput();
  AtomicOutput(const AtomicOutput &) = delete;
  AtomicOutput &operator=(const AtomicOutput &) = delete;

  llvm::raw_pwrite_stream &os();
  llvm::StringRef path() const { return requestedPath; }

  /// Flushes, reports what could not be written, and gives the file its name.
  /// Nothing may be written afterwards.
  llvm::Error keep();

private:
  explicit AtomicOutput(llvm::StringRef path) : requestedPath(path) {}
  void discard();

  std::string requestedPath;
  /// Where the file ends up: the requested path with links resolved.
  std::string finalPath;
  std::optional<llvm::sys::fs::TempFile> temporary;
  /// None when the output is standard output.
  std::unique_ptr<llvm::raw_fd_ostream> stream;
};

/// Writes all of `contents` to `path` as AtomicOutput does.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef contents);

/// The same with a callback; an error from it leaves no file.
llvm::Error
writeFile(llvm::StringRef path,
          llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_ATOMICOUTPUT_H
