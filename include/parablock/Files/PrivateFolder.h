//===- PrivateFolder.h - files that nobody else has written -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_FILES_PRIVATEFOLDER_H
#define PARABLOCK_FILES_PRIVATEFOLDER_H

#include "parablock/Files/Status.h"
#include <cstdint>
#include <string>
#include <string_view>

namespace parablock::files {

/// A folder of small files that are the user's own: what another one could have
/// written is as if it were not there. Names are those of files in it, without
/// slashes. Any number of processes may use it at once.
class PrivateFolder {
public:
  PrivateFolder() = default;
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder &) = delete;
  PrivateFolder &operator=(const PrivateFolder &) = delete;

  /// Opens it, and makes it, and those around it, where there is none. A
  /// failure where it is another user's or others may write to it.
  Status open(const std::string &path);

  /// All of a file, which counts as used then. False where there is no regular
  /// file of that name, of the user's own and of at most `most` bytes.
  bool read(const std::string &name, uint64_t most, std::string &bytes) const;

  /// Writes a file that others see whole or not at all. Nothing waits for the
  /// disk: after a power failure, it may be another.
  Status write(const std::string &name, std::string_view bytes) const;

  /// Removes the files of that ending that were not used for longest, until the
  /// others take at most `most` bytes.
  void limit(std::string_view ending, uint64_t most) const;

private:
  int folder = -1;
};

} // namespace parablock::files

#endif // PARABLOCK_FILES_PRIVATEFOLDER_H
