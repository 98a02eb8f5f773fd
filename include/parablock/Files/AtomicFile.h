//===- AtomicFile.h - files that appear whole or not ------------*- C++ -*-===//
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
/// at all until keep(), or, where the file system knows no such files, a random
/// one that was free; a link planted under a name is never followed. keep()
/// writes it through to the disk and renames it onto the destination: others
/// see the old file or the new one. Destroyed before that, or killed, it leaves
/// the old one as it was.
///
/// A link as destination is followed, and the file that it leads to replaced; a
/// file that was there keeps its permissions. Devices, pipes and open files of
/// the process (/dev/fd/3) are written directly. Failures begin with the path.
class AtomicFile {
public:
  AtomicFile() = default;
  ~AtomicFile() { discard(); }
  AtomicFile(const AtomicFile &) = delete;
  AtomicFile &operator=(const AtomicFile &) = delete;

  /// When the file gets its first name: Early is what file systems without
  /// files that have none get in any case.
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
  /// The name that the file has until keep(); empty where it has none.
  std::string temporary;
  int file = -1;
  bool isSpecial = false;
};

/// All of `contents` as an AtomicFile.
Status writeWhole(const std::string &path, std::string_view contents);

/// All of a regular file, which may have `most` bytes: whatever it says of its
/// size, no more memory than that is asked for.
Status readWhole(const std::string &path, uint64_t most, std::string &bytes);

} // namespace parablock::files

#endif // PARABLOCK_FILES_ATOMICFILE_H
