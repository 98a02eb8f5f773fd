//===- CodeCache.h - cache of compiled code ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One file for each program, named by the hash of everything that its code
// depends on. A lookup returns the stored bytes or nothing: files belong to the
// user, and each contains a hash of its key and contents.
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
  /// Default limit on the bytes of all files.
  static constexpr uint64_t defaultLimit = uint64_t(256) << 20;

  CodeCache(const std::string &folder, uint64_t limit = defaultLimit);

  /// Returns why nothing is stored, or empty.
  const std::string &getFault() const { return fault; }

  /// Returns the entry with that key.
  std::optional<std::string> find(llvm::StringRef key) const;
  void keep(llvm::StringRef key, llvm::StringRef contents);

private:
  files::PrivateFolder folder;
  uint64_t limit;
  std::string fault;
};

} // namespace parablock

#endif // PARABLOCK_SUPPORT_CODECACHE_H
