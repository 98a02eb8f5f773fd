//===- CodeCache.h - compiled code kept between processes -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A file for each program, by the hash of all that its code depends on. What
// comes out is what was put in, or nothing: files are the user's own, and each
// has a hash of its key and contents.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_CODECACHE_H
#define PARABLOCK_SUPPORT_CODECACHE_H

#include "parablock/Files/PrivateFolder.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace parablock {

class CodeCache {
public:
  /// Default limit of bytes of all files.
  static constexpr uint64_t defaultLimit = uint64_t(256) << 20;

  CodeCache(const std::string &folder, uint64_t limit = defaultLimit);

  /// Why nothing is kept, if that is so.
  const std::string &getFault() const { return fault; }

  /// Gives what was kept by that key.
  std::optional<std::string> find(llvm::StringRef key) const;
  void keep(llvm::StringRef key, llvm::StringRef contents);

private:
  files::PrivateFolder folder;
  uint64_t limit;
  std::string fault;
};

} // namespace parablock

#endif // PARABLOCK_SUPPORT_CODECACHE_H
