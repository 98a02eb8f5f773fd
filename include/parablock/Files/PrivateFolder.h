//===- PrivateFolder.h - folders with safe ownership ------------*- C++ -*-===//
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

/// A file mapped into memory for reading, for the object's lifetime.
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

/// A folder of files that belong to the user: files that another user could
/// have written are ignored. Names are of files in the folder, without slashes.
/// Any number of processes may use it at once.
class PrivateFolder {
public:
  PrivateFolder() = default;
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder &) = delete;
  PrivateFolder &operator=(const PrivateFolder &) = delete;

  /// Opens the folder, creating it and its parents if necessary. Fails if it
  /// belongs to another user or others may write to it.
  Status open(const std::string &path);

  /// Reads a whole file and marks it as used. Returns false unless it is a
  /// regular file, owned by the user, of at most `most` bytes.
  bool read(const std::string &name, uint64_t most, std::string &bytes) const;

  /// Maps a file of exactly that nonzero size, without reading it. It may be
  /// removed or replaced meanwhile.
  bool map(const std::string &name, uint64_t size, FileMapping &mapping) const;

  /// Writes a file of all `parts` that others see whole or not at all. It is
  /// not flushed to the disk: after a power failure its contents may be wrong.
  Status write(const std::string &name,
               const std::vector<std::string_view> &parts) const;
  Status write(const std::string &name, std::string_view bytes) const {
    return write(name, std::vector<std::string_view>{bytes});
  }

  /// Removes the least recently used files with that ending until the others
  /// take at most `most` bytes.
  void limit(std::string_view ending, uint64_t most) const;

private:
  /// Opens a regular file owned by the user, for reading; -1 if there is
  /// none.
  int openOwn(const std::string &name, uint64_t &size) const;

  int folder = -1;
};

} // namespace parablock::files

#endif // PARABLOCK_FILES_PRIVATEFOLDER_H
