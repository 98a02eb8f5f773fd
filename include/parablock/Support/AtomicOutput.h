//===- AtomicOutput.h - Output files written atomically ---------*- C++ -*-===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_ATOMICOUTPUT_H
#define PARABLOCK_SUPPORT_ATOMICOUTPUT_H

#include "parablock/Files/AtomicFile.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <string>

namespace parablock {

/// A files::AtomicFile as a stream. "-" and /dev/stdout are standard output. If
/// destroyed before keep(), an older file of that name is unchanged. Every
/// error begins with the path.
class AtomicOutput {
public:
  static llvm::Expected<std::unique_ptr<AtomicOutput>>
  create(llvm::StringRef path);
  ~AtomicOutput();
  AtomicOutput(const AtomicOutput &) = delete;
  AtomicOutput &operator=(const AtomicOutput &) = delete;

  llvm::raw_pwrite_stream &os();
  llvm::StringRef path() const { return requestedPath; }

  /// Flushes, reports write errors, and gives the file its name. No writes are
  /// allowed afterwards.
  llvm::Error keep();

private:
  explicit AtomicOutput(llvm::StringRef path) : requestedPath(path) {}
  void discard();

  std::string requestedPath;
  files::AtomicFile file;
  /// None if the output is standard output.
  std::unique_ptr<llvm::raw_fd_ostream> stream;
};

/// Writes all of `contents` to `path` through an AtomicOutput.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef contents);

/// Calls `write` on the stream; if it returns an error, no file is written.
llvm::Error
writeFile(llvm::StringRef path,
          llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);

/// Prints to standard output, or to standard error if a file is written there.
/// Returns write errors, for which LLVM would abort at exit.
llvm::Error printOutput(llvm::function_ref<void(llvm::raw_ostream &)> write,
                        bool isTaken = false);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_ATOMICOUTPUT_H
