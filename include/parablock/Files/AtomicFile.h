//===- AtomicFile.h - files written atomically ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_FILES_ATOMICFILE_H
#define PARABLOCK_FILES_ATOMICFILE_H

#include "parablock/Files/Status.h"
#include <cstdint>
#include <string>
#include <string_view>

namespace parablock::files {

/// A file under construction in the folder of its destination. It has no name
/// until keep(), or a random unused name on file systems that cannot create
/// unnamed files; it never follows a link under that name. keep() flushes the
/// file to the disk and renames it onto the destination: readers see the old
/// file or the new one. If it is destroyed or the process is killed before
/// that, the old file is unchanged.
///
/// A link as destination is followed and its target replaced; an existing file
/// keeps its permissions. Devices, pipes and open files of the process
/// (/dev/fd/3) are written directly. Failures begin with the path.
class AtomicFile {
public:
  AtomicFile() = default;
  ~AtomicFile() { discard(); }
  AtomicFile(const AtomicFile &) = delete;
  AtomicFile &operator=(const AtomicFile &) = delete;

  /// When the file gets its first name. File systems without unnamed files
  /// always use Early.
  enum Naming { Late, Early };

  Status create(const std::string &path, Naming naming = Late);
  int descriptor() const { return file; }
  Status write(std::string_view bytes);
  Status keep();
  void discard();

private:
  Status refuse(int code) const;
  Status openSpecial();
  Status openTemporary(Naming naming);
  Status giveName();

  std::string path;
  /// The path with links followed.
  std::string destination;
  /// The file's name until keep(); empty if it has none.
  std::string temporary;
  int file = -1;
  bool isSpecial = false;
};

/// Writes all of `contents` through an AtomicFile.
Status writeWhole(const std::string &path, std::string_view contents);

/// Reads a regular file of at most `most` bytes. Allocates at most that much
/// memory, whatever size the file reports.
Status readWhole(const std::string &path, uint64_t most, std::string &bytes);

} // namespace parablock::files

#endif // PARABLOCK_FILES_ATOMICFILE_H
