//===- PrivateFolder.h - files that the user alone writes -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_FILES_PRIVATEFOLDER_H
#define PARABLOCK_FILES_PRIVATEFOLDER_H

#include "parablock/Files/Status.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parablock::files {

/// A file in memory, to be read, as long as this is there.
class FileMapping {
public:
  FileMapping() = default;
  FileMapping(FileMapping &&other) noexcept
      : place(std::exchange(other.place, nullptr)),
        size(std::exchange(other.size, 0)) {}
  FileMapping &operator=(FileMapping &&other) noexcept {
    std::swap(place, other.place);
    std::swap(size, other.size);
    return *this;
  }
  ~FileMapping();

  std::string_view getBytes() const {
    return {static_cast<const char *>(place), size};
  }

private:
  friend class PrivateFolder;
  FileMapping(void *place, size_t size) : place(place), size(size) {}

  void *place = nullptr;
  size_t size = 0;
};

/// A folder of files that are the user's own: what another one could have
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

  /// The same of a file of exactly that size, which is not empty, without
  /// reading it. It may be removed meanwhile, or another one take its place.
  bool map(const std::string &name, uint64_t size, FileMapping &mapping) const;

  /// Writes a file of all `parts` that others see whole or not at all. Nothing
  /// waits for the disk: after a power failure, it may be another.
  Status write(const std::string &name,
               const std::vector<std::string_view> &parts) const;
  Status write(const std::string &name, std::string_view bytes) const {
    return write(name, std::vector<std::string_view>{bytes});
  }

  /// Removes the files of that ending that were not used for longest, until the
  /// others take at most `most` bytes.
  void limit(std::string_view ending, uint64_t most) const;

private:
  /// Opens a regular file of the user's own, to be read; -1 where there is
  /// none.
  int openOwn(const std::string &name, uint64_t &size) const;

  int folder = -1;
};

} // namespace parablock::files

#endif // PARABLOCK_FILES_PRIVATEFOLDER_H
